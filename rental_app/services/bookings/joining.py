"""Bookings that a vendor made for a mobile number, taken over by the account that has confirmed the number."""

from typing import Any

from sqlalchemy import select, update
from sqlmodel import Session, col

from rental_app.domain import counter
from rental_app.domain.acts import Act
from rental_app.domain.requests import read_reference
from rental_app.models import Booking, Columns, Outbox, Snapshot, User, Vehicle
from rental_app.models.booking import COUNTER
from rental_app.schemas.bookings import GuestBooking
from rental_app.services import audit, throttle
from rental_app.services.accounts import proofs
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.letters import TEXT
from rental_app.services.bookings.access import unknown_booking

JOINED = "Added to your bookings"
# A person's number is on few bookings; a vendor who types it often does not fill their page.
MOST = 20


def of_number(session: Session, actor: Actor) -> list[GuestBooking]:
    """The guests' bookings for the actor's confirmed mobile number, the latest first."""
    throttle.count("list", actor)
    vendor = select(col(User.name)).where(col(User.id) == Vehicle.vendor_id).scalar_subquery()
    latest = _theirs(session, actor, vendor).order_by(col(Booking.pickup_at).desc()).limit(MOST)
    return [
        GuestBooking(
            reference=booking.reference,
            vehicle=Snapshot(**booking.booked).title,
            vendor_name=name,
            pickup=booking.pickup_at,
            return_at=booking.return_at,
        )
        for booking, _, name in session.execute(latest)
    ]


def join(session: Session, actor: Actor, ref: str) -> str:
    """Add a guest's booking for the actor's confirmed mobile number to their own; the guest's link ends. Returns what
    to say.

    Raises NotFoundError for every other booking.
    """
    throttle.count("change", actor)
    named = col(Booking.reference) == (read_reference(ref) or "")
    found = session.execute(_theirs(session, actor).where(named)).first()
    if found is None:
        raise unknown_booking()
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id) == found[0].vehicle_id).with_for_update())
    # Once it is locked, it may be somebody else's.
    own = (col(Booking.id) == found[0].id, col(Booking.customer_id) == found[1])
    values = {"customer_id": actor.id, "guest_email": None}
    taken = session.execute(update(Booking).where(*own).values(**values).returning(col(Booking.id))).first()
    if taken is None:
        raise unknown_booking()
    _forget_guest(session, found[1])
    audit.record(session, actor, Act.GUEST_BOOKING_JOINED, ("booking", taken[0]))
    return JOINED


def _forget_guest(session: Session, guest_id: int) -> None:
    """Erase what is known of a guest whose booking an account has: nothing belongs to that row any more."""
    proofs.end_all(session, guest_id)
    erased = {"name": counter.ERASED_NAME, "phone_number": counter.NOBODYS_NUMBER}
    session.execute(update(User).where(col(User.id) == guest_id, col(User.is_guest)).values(**erased))
    texts = (col(Outbox.channel) == TEXT, col(Outbox.user_id) == guest_id)
    session.execute(update(Outbox).where(*texts).values(to=""))


def _theirs(session: Session, actor: Actor, *more: Any) -> Columns:
    """SELECT of guests' bookings for a number that the actor has confirmed, with the guests' ids."""
    phone = session.execute(select(col(User.verified_phone)).where(col(User.id) == actor.id)).scalar_one()
    guest = (col(User.id) == Booking.customer_id, col(User.is_guest), col(User.phone_number) == phone)
    return (
        select(Booking, col(Booking.customer_id), *more)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(
            col(Booking.source) == COUNTER,
            select(col(User.id)).where(*guest).exists(),
            # Nobody is the customer of their own shop.
            col(Vehicle.vendor_id) != actor.vendor,
        )
    )
