"""How soon a vendor answers requests."""

from datetime import datetime, timedelta
from statistics import median

from sqlalchemy import select
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
    latest = (
        select(col(Booking.id))
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(col(Vehicle.vendor_id) == vendor_id, col(Booking.decided_at).is_not(None), col(Booking.source) == ONLINE)
        .order_by(col(Booking.decided_at).desc())
        .limit(LATEST)
    )
    happened: Columns = (
        select(col(BookingEvent.booking_id), col(BookingEvent.what), col(BookingEvent.at))
        .where(
            col(BookingEvent.booking_id).in_(select(latest.subquery().c.id)),
            col(BookingEvent.what).in_(_ASKED_AND_ANSWERED),
        )
        .order_by(col(BookingEvent.id))
    )
    asked: dict[int, datetime] = {}
    waited: list[float] = []
    for booking_id, what, at in session.execute(happened):
        if MEANINGS[what].asks_vendor:
            asked[booking_id] = at
        elif booking_id in asked:
            waited.append((at - asked[booking_id]).total_seconds())
    return timedelta(seconds=median(waited)) if len(waited) >= FEWEST else None
