"""The one reminder a day that those who work in a business get: what goes out, comes back, is owed and waits."""

from collections.abc import Iterator, Mapping
from datetime import datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, select
from sqlmodel import Session, col

from rental_app.content.messages import DAY_DIGEST
from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.characters import without_links
from rental_app.models import Booking, Member, Outbox, User, Vehicle
from rental_app.schemas.bookings import VendorBookingView
from rental_app.services.accounts.actor import takes_part
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings import ledger
from rental_app.services.bookings.rows import BookingRow, booking_columns, vendor_view

# Indian time: before the first pickups; after noon it would come too late for the day.
FROM, UNTIL = time(7), time(12)
# As far as the next one.
COVERS = timedelta(hours=24)
GOES_OUT, COMES_BACK, OWED, WAITS = "Going out", "Coming back", "Money due", "To answer"
# Of one kind in a message: the pages have the others.
MOST = 20


def due(session: Session, instant: datetime) -> Iterator[Outbox]:
    """The digests of a day, for each vendor for whom something is to be done and for their members."""
    if not FROM <= clock.indian(instant).time() < UNTIL:
        return
    day = clock.indian_today(instant)
    for user_id in sorted(_staff_of(session, _busy(session, instant))):
        key = f"{DAY_DIGEST} {day} {user_id}"
        yield Outbox(key=key, kind=DAY_DIGEST, user_id=user_id, created_at=instant, due_at=instant)


def _busy(session: Session, instant: datetime) -> set[int]:
    """The vendors for whose bookings there is something to do."""
    theirs = select(col(Vehicle.vendor_id)).distinct().join(Booking, col(Booking.vehicle_id) == Vehicle.id)
    return {vendor for which in _kinds(instant).values() for vendor in session.scalars(theirs.where(which))}


def _kinds(instant: datetime) -> Mapping[str, ColumnElement[bool]]:
    """SQL: the bookings of each kind, in the order in which they are told."""
    confirmed, stage = col(Booking.status) == BookingStatus.CONFIRMED, col(Booking.stage)
    end = instant + COVERS
    # A vehicle that nobody picked up is not expected any more once its time is over.
    ahead = (col(Booking.pickup_at) <= end, col(Booking.return_at) > instant)
    return {
        WAITS: is_waiting(instant),
        GOES_OUT: and_(confirmed, stage == TripStage.BOOKED, *ahead),
        COMES_BACK: and_(stage == TripStage.OUT, col(Booking.return_at) <= end),
        OWED: stage == TripStage.RETURNED,
    }


def _staff_of(session: Session, vendors: set[int]) -> set[int]:
    people = select(col(User.id)).where(*takes_part())
    members = people.join(Member, col(Member.user_id) == User.id).where(col(Member.vendor_id).in_(vendors))
    return {*session.scalars(people.where(col(User.id).in_(vendors))), *session.scalars(members)}


class DigestPart(NamedTuple):
    """What is told of one kind: how many there are, and a line for each, or for the first of many."""

    total: int
    lines: list[str]


def parts_for(session: Session, user_id: int, instant: datetime) -> dict[str, DigestPart]:
    """What somebody who works in a business is told of it, by kind and in order; nothing for who does not any more."""
    member = session.get(Member, user_id)
    vendor_id = member.vendor_id if member else user_id
    parts = {}
    for kind, which in _kinds(instant).items():
        own = booking_columns(instant).where(col(Vehicle.vendor_id) == vendor_id, which)
        order = col(Booking.return_at) if kind in (COMES_BACK, OWED) else col(Booking.pickup_at)
        views = [vendor_view(BookingRow.of(row)) for row in session.execute(own.order_by(order, col(Booking.id)))]
        if views:
            others = [f"and {len(views) - MOST} more"] if len(views) > MOST else []
            parts[kind] = DigestPart(len(views), [*(_line(kind, view, instant) for view in views[:MOST]), *others])
    return parts


def _line(kind: str, view: VendorBookingView, instant: datetime) -> str:
    vehicle, customer = f"{view.car.title}, {view.rc_number}", without_links(view.customer_name)
    if kind == WAITS:
        return f"by {clock.friendly(view.answer_by)}: {vehicle}, {customer}, {view.reference}"
    who = f"{customer} {view.customer_phone}".strip()
    if kind == OWED:
        open_now = ledger.open_texts(view, for_customer=False)
        return f"{'; '.join(open_now)}: {vehicle}, {who}, {view.reference}"
    at = view.pickup if kind == GOES_OUT else view.return_at
    is_delivered = kind == GOES_OUT and "drop_off" in view.extras
    place = f", bring it to {view.contact.address}" if is_delivered and view.contact else ""
    late = " (late)" if at < instant else ""
    return f"{clock.friendly(at)}{late}: {vehicle}, {who}, {view.reference}{place}"
