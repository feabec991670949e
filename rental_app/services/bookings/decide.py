"""A vendor answers a request as it was shown to them, or is refused: its customer may change it at any moment."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from sqlalchemy import ColumnElement, Update, and_, select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import ConflictError
from rental_app.domain.money import format_rupees
from rental_app.domain.requests import REASONS
from rental_app.models import Booking
from rental_app.models.booking import CANCELLED, CONFIRMED, PENDING
from rental_app.schemas.bookings import (
    StatusChange,
)
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, own_ids, require_staff
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings import events
from rental_app.services.bookings.access import already_decided, unknown_booking
from rental_app.services.bookings.ledger import open_account
from rental_app.services.bookings.rows import BookingRow, booking_row


def _changed(session: Session, statement: Update) -> int:
    """Run an UPDATE; returns how many rows it changed."""
    done = session.execute(statement.execution_options(synchronize_session=False))
    return int(done.rowcount)  # type: ignore[attr-defined]  # an UPDATE's result has it, the annotation is wider


def change_status(session: Session, actor: Actor, change: StatusChange) -> str:
    """Confirm or cancel a pending request for one of the vendor's vehicles; returns a message for them.

    Raises ForbiddenError (not staff), NotFoundError (no such booking of theirs), ConflictError (already decided,
    changed since it was shown) and InvalidInputError (an expected date that is not a date).
    """
    throttle.count("change", actor)
    require_staff(actor)
    # The customer of a request cannot answer it, not even as a member of its vendor.
    asked_by_others = col(Booking.customer_id) != actor.id
    mine = (col(Booking.id) == change.booking_id, col(Booking.vehicle_id).in_(own_ids(actor)), asked_by_others)
    instant = clock.now()
    undecided = is_waiting(instant)
    decision: dict[str, object] = {"status": change.status}
    if change.status != PENDING:
        decision["decided_at"] = instant
    if change.status == CANCELLED:
        decision |= {"cancelled_by": "vendor", "cancel_reason": "Declined by the vendor"}
    if _changed(session, update(Booking).where(*mine, undecided, *unchanged_since(change)).values(**decision)):
        _decided(session, actor, change, instant)
        return f"Booking {'left pending' if change.status == PENDING else change.status}"
    if session.execute(select(col(Booking.id)).where(*mine)).first() is None:
        raise unknown_booking()
    now = booking_row(session, change.booking_id, instant)
    if now.status == PENDING:
        raise RequestChangedError(now)
    raise already_decided()


def _decided(session: Session, actor: Actor, change: StatusChange, instant: datetime) -> None:
    """Record a vendor's decision, and charge for a confirmed booking."""
    if change.status == PENDING:
        return
    booking = session.get_one(Booking, change.booking_id)
    if change.status == CONFIRMED:
        open_account(session, booking, instant)
    what = EventKind.DECLINED if change.status == CANCELLED else EventKind.CONFIRMED
    note = REASONS.get(change.reason, "") if change.status == CANCELLED else ""
    events.record(session, booking, what, "vendor", instant, actor.id, note)


class RequestChangedError(ConflictError):
    """The request is for other dates, or at another price, than the one shown."""

    code = "request_changed"

    def __init__(self, now: BookingRow) -> None:
        dates = clock.friendly_span(now.pickup_at, now.return_at)
        super().__init__(f"The customer has changed this request: it is now {dates}, {format_rupees(now.price_paise)}")


def unchanged_since(change: StatusChange) -> Iterator[ColumnElement[bool]]:
    """SQL conditions that hold while a booking is as it was shown; raises InvalidInputError for an invalid date."""
    ends = (
        (col(Booking.pickup_at), change.expected_pickup, "expectedPickupDate"),
        (col(Booking.return_at), change.expected_return, "expectedReturnDate"),
    )
    for column, shown, name in ends:
        if shown:
            first, after = _stretch(shown, name)
            yield and_(column >= first, column < after)
    if change.expected_total is not None:
        yield col(Booking.price_paise) == change.expected_total


def _stretch(shown: str, name: str) -> tuple[datetime, datetime]:
    """The range of instants that look like the one shown, which has whole seconds or is an Indian day alone."""
    moment = clock.parse_moment(shown, name)
    if isinstance(moment, datetime):
        return moment, moment + timedelta(seconds=1)
    return clock.at(moment, time()), clock.at(moment + timedelta(days=1), time())
