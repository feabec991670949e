"""Something of each kind that waits for the demo's operator."""

from datetime import datetime, timedelta

from sqlalchemy import select, update
from sqlmodel import Session, col

from rental_app.content.messages import NEW_DEVICE
from rental_app.domain.account import LedgerKind, PaymentMethod
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.models import Booking, BookingEvent, LedgerEntry, Outbox, User, Vehicle
from rental_app.seed.people import CUSTOMER_EMAIL, VENDOR_EMAIL

LISTED, OBJECTED, GIVEN_UP = timedelta(hours=20), timedelta(hours=30), timedelta(hours=50)
REFUND_RUPEES = 300
NOTE = "The tank was full when I brought it back"


def add_work(session: Session, now: datetime) -> None:
    """Let a vehicle wait for its approval, a customer object, a message be given up, and a refund stay open.

    The demo's own customer and vendor are not concerned: what they see is what guides describe. Reported reviews,
    requests for changes and papers that expire are there already.
    """
    _listing(session, now)
    _objection(session, now)
    _refund(session)
    _message(session, now)
    session.flush()


def _listing(session: Session, now: datetime) -> None:
    off = select(col(Vehicle.id)).where(col(Vehicle.is_active).is_(False)).order_by(col(Vehicle.id)).limit(1)
    waits = {"is_approved": False, "created_at": now - LISTED}
    session.execute(update(Vehicle).where(col(Vehicle.id).in_(off)).values(**waits))


def _objection(session: Session, now: datetime) -> None:
    booking = _last_settled(session)
    line = session.scalars(
        select(LedgerEntry)
        .where(col(LedgerEntry.booking_id) == booking.id, col(LedgerEntry.kind) == LedgerKind.RENTAL)
        .order_by(col(LedgerEntry.id))
    ).first()
    session.add(
        BookingEvent(
            booking_id=booking.id or 0,
            what=EventKind.OBJECTED.value,
            at=now - OBJECTED,
            side="customer",
            who_id=booking.customer_id,
            note=NOTE,
            entry_id=line.id if line else None,
        )
    )


def _last_settled(session: Session) -> Booking:
    """The last settled booking of other people than the demo's."""
    demo_users = select(col(User.id)).where(col(User.email).in_((CUSTOMER_EMAIL, VENDOR_EMAIL)))
    others = (
        select(Booking)
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .where(col(Booking.customer_id).not_in(demo_users), col(Vehicle.vendor_id).not_in(demo_users))
        .where(col(Booking.stage) == TripStage.SETTLED)
    )
    return session.scalars(others.order_by(col(Booking.return_at).desc()).limit(1)).one()


def _refund(session: Session) -> None:
    """Part of a cancelled booking was paid at the counter before, and was not given back."""
    booking = session.scalars(
        select(Booking)
        .where(col(Booking.status) == BookingStatus.CANCELLED, col(Booking.decided_at).is_not(None))
        .order_by(col(Booking.decided_at))
        .limit(1)
    ).one()
    paid = REFUND_RUPEES * PAISE_PER_RUPEE
    at = booking.decided_at or booking.created_at
    session.add(
        LedgerEntry(booking_id=booking.id or 0, kind=LedgerKind.PAYMENT, paise=paid, method=PaymentMethod.CASH, at=at)
    )


def _message(session: Session, now: datetime) -> None:
    """A message to a vendor whose mailbox is full."""
    vendor = session.scalars(
        select(User).where(col(User.role) == "Vendor", col(User.email) != VENDOR_EMAIL).order_by(col(User.id)).limit(1)
    ).one()
    session.add(
        Outbox(
            key=f"demo {vendor.id}",
            kind=NEW_DEVICE,
            user_id=vendor.id,
            created_at=now - GIVEN_UP,
            due_at=None,
            tries=12,
            error="SMTPResponseException: 452 mailbox full",
        )
    )
