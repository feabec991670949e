"""How soon a vendor answers requests."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import median

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain.booking_events import MEANINGS
from rental_app.models import Booking, BookingEvent, Vehicle
from rental_app.models.booking import ONLINE
from rental_app.models.vehicle import Columns

# How many of the latest answers are considered, and the fewest that say anything.
LATEST, FEWEST = 50, 3
_ASKED_AND_ANSWERED = [what for what, meaning in MEANINGS.items() if meaning.asks_vendor or meaning.is_answer]


def answers_in(session: Session, vendor_id: int) -> timedelta | None:
    """The median time that the latest requests waited, from when they were made or last changed.

    None if too few were answered to say anything.
    """
    return answers_of(session, [vendor_id]).get(vendor_id)


def answers_of(session: Session, vendor_ids: Sequence[int]) -> dict[int, timedelta]:
    """What `answers_in` says of several vendors, without those of whom too little is known."""
    asked: dict[int, datetime] = {}
    waited: dict[int, list[float]] = {}
    for vendor_id, booking_id, what, at in session.execute(_happened(vendor_ids)):
        if MEANINGS[what].asks_vendor:
            asked[booking_id] = at
        elif booking_id in asked:
            waited.setdefault(vendor_id, []).append((at - asked[booking_id]).total_seconds())
    return {each: timedelta(seconds=median(times)) for each, times in waited.items() if len(times) >= FEWEST}


def _happened(vendor_ids: Sequence[int]) -> Columns:
    """SELECT of the requests and answers of each vendor's latest bookings, in their order."""
    vendor, booking = col(Vehicle.vendor_id), col(Booking.id)
    latest = func.row_number().over(partition_by=vendor, order_by=col(Booking.decided_at).desc()).label("place")
    decided = (
        select(booking.label("booking_id"), vendor.label("vendor_id"), latest)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(vendor.in_(vendor_ids), col(Booking.decided_at).is_not(None), col(Booking.source) == ONLINE)
        .subquery()
    )
    return (
        select(decided.c.vendor_id, col(BookingEvent.booking_id), col(BookingEvent.what), col(BookingEvent.at))
        .join(decided, decided.c.booking_id == BookingEvent.booking_id)
        .where(decided.c.place <= LATEST, col(BookingEvent.what).in_(_ASKED_AND_ANSWERED))
        .order_by(col(BookingEvent.id))
    )
