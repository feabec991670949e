"""Texts about bookings: who may be sent how many, in one place for all of them."""

from datetime import timedelta

from sqlalchemy import ColumnElement, func, select
from sqlmodel import Session, col

from rental_app.domain import clock, counter
from rental_app.domain.errors import ConflictError, TooManyRequestsError, UnavailableError
from rental_app.infrastructure.db import lock_row
from rental_app.models import Booking, Outbox, User, Vehicle
from rental_app.services.accounts import letters
from rental_app.services.accounts.letters import TEXT

DAY = timedelta(days=1)
USED_UP = "texts_used_up"
# Advisory locks with two keys, of which this is the first, have a range of their own.
_NUMBERS, _MOST_KEYS = 1, 2**31


def require_room(session: Session, booking: Booking, vendor_id: int, phone: str) -> None:
    """Raise an error with the code `texts_used_up` unless one more text about a locked booking may go to a number.

    ConflictError for the booking's own, TooManyRequestsError for the day's of its vendor or of the number,
    UnavailableError for all that the operator pays for. Who asks at the same time waits for this transaction's end.
    """
    lock_row(session, select(col(User.id)).where(col(User.id) == vendor_id).with_for_update(key_share=True))
    lock_row(session, select(func.pg_advisory_xact_lock(_NUMBERS, int(phone) % _MOST_KEYS)))
    sent = select(func.count()).select_from(Outbox).where(*_texts(), col(Outbox.booking_id) == booking.id)
    if session.execute(sent).scalar_one() >= counter.MOST_TEXTS:
        message = f"{counter.MOST_TEXTS} texts were sent for this booking already"
        raise ConflictError(message, code=USED_UP)
    of_vendor = select(col(Booking.id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
    theirs = col(Outbox.booking_id).in_(of_vendor.where(col(Vehicle.vendor_id) == vendor_id))
    _require_daily(session, counter.MOST_TEXTS_DAILY, "for the bookings of this vendor", theirs)
    _require_daily(session, counter.MOST_TEXTS_TO_NUMBER, "to this number", col(Outbox.to) == phone)
    try:
        letters.require_texts_left(session)
    except UnavailableError:
        raise UnavailableError("We cannot send more text messages today", code=USED_UP) from None


def _require_daily(session: Session, most: int, what: str, *which: ColumnElement[bool]) -> None:
    """Raise TooManyRequestsError if as many such texts were queued within a day as may be."""
    now = clock.now()
    recent = select(col(Outbox.created_at)).where(*_texts(), *which)
    latest = recent.where(col(Outbox.created_at) > now - DAY).order_by(col(Outbox.created_at).desc()).limit(most)
    queued = session.scalars(latest).all()
    if len(queued) < most:
        return
    wait = int((queued[-1] + DAY - now).total_seconds()) + 1
    message = f"{most} texts were sent {what} within a day: try again tomorrow"
    raise TooManyRequestsError(message, code=USED_UP, retry_after=wait)


def _texts() -> tuple[ColumnElement[bool], ...]:
    return (col(Outbox.channel) == TEXT, col(Outbox.booking_id).is_not(None))
