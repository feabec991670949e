"""What happens to a booking is written down, and whom it concerns is told: both in the transaction of what happens."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app import watch
from rental_app.db import once_committed
from rental_app.models import Booking, BookingEvent, Outbox, Vehicle

# Who gets a message of what; what is not here is only written down.
TELLS: dict[str, tuple[str, ...]] = {
    "requested": ("customer", "vendor"),
    "confirmed": ("customer",),
    "declined": ("customer",),
    "lapsed": ("customer", "vendor"),
    "cancelled": ("customer", "vendor"),
    "changed": ("customer", "vendor"),
    "extended": ("customer", "vendor"),
    "returned": ("customer", "vendor"),
    "settled": ("customer", "vendor"),
    "objected": ("vendor",),
}
# Each of these is a new version of the entry in people's calendars.
MOVES_CALENDARS = ("confirmed", "declined", "lapsed", "cancelled", "changed", "extended")


def record(
    session: Session,
    booking: Booking,
    what: str,
    side: str,
    instant: datetime,
    who_id: int | None = None,
    note: str = "",
    entry_id: int | None = None,
) -> None:
    """Note that something happened, and put the messages about it into the outbox."""
    event = BookingEvent(
        booking_id=booking.id or 0, what=what, at=instant, side=side, who_id=who_id, note=note, entry_id=entry_id
    )
    session.add(event)
    session.flush()
    once_committed(session, watch.BOOKINGS.labels(what).inc)
    for user_id in _recipients(session, booking, what):
        session.add(
            Outbox(
                key=f"event {event.id} {user_id}",
                kind=what,
                user_id=user_id,
                booking_id=booking.id,
                note=note,
                created_at=instant,
                due_at=instant,
            )
        )


def _recipients(session: Session, booking: Booking, what: str) -> list[int]:
    told = TELLS.get(what, ())
    vendor = select(col(Vehicle.vendor_id)).where(col(Vehicle.id) == booking.vehicle_id)
    ids = {"customer": booking.customer_id}
    if "vendor" in told:
        ids["vendor"] = session.execute(vendor).scalar_one()
    return [ids[side] for side in told]


def events(session: Session, booking: Booking) -> Sequence[BookingEvent]:
    """What happened, the oldest first."""
    own = select(BookingEvent).where(col(BookingEvent.booking_id) == booking.id).order_by(col(BookingEvent.id))
    return session.scalars(own).all()
