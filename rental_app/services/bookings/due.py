"""What a vendor has to do about bookings now: the one definition that Today, its counts and the filters share."""

from datetime import datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, or_, select
from sqlalchemy.orm import Mapped, aliased
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.due import MONEY_FOR, DueToday
from rental_app.models import Booking, BookingEvent, LedgerEntry
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings.rows import deposit_owed, rent_owed, status_at

_Answer: Any = aliased(BookingEvent)
_Reversal: Any = aliased(LedgerEntry)
_CONFIRMED = col(Booking.status) == BookingStatus.CONFIRMED


def is_due(due: DueToday, instant: datetime) -> ColumnElement[bool]:
    """SQL: whether something is to be done about a booking by the end of an instant's Indian day."""
    tomorrow = clock.at(clock.indian_today(instant) + timedelta(days=1), time())
    match due:
        case DueToday.ANSWER:
            return is_waiting(instant)
        case DueToday.GOING_OUT:
            # One that nobody picked up is no longer expected once its window is over.
            stage = col(Booking.stage) == TripStage.BOOKED
            return and_(_CONFIRMED, stage, col(Booking.pickup_at) < tomorrow, col(Booking.return_at) > instant)
        case DueToday.COMING_BACK:
            return and_(col(Booking.stage) == TripStage.OUT, col(Booking.return_at) < tomorrow)
        case DueToday.OVERDUE:
            return and_(col(Booking.stage) == TripStage.OUT, col(Booking.return_at) < instant)
        case DueToday.MONEY:
            return _money(instant, tomorrow)
        case DueToday.OBJECTIONS:
            return _is_objected_to()


def net_owed(instant: datetime) -> ColumnElement[int]:
    """SQL: what the customer of a booking owes in all (paise), negative if they are owed money."""
    status = status_at(instant)
    return rent_owed(status) + deposit_owed(status)


def order(due: DueToday) -> Mapped[datetime]:
    """SQL: what comes first of what is due."""
    match due:
        case DueToday.ANSWER:
            return col(Booking.answer_by)
        case DueToday.GOING_OUT:
            return col(Booking.pickup_at)
        case _:
            return col(Booking.return_at)


def _money(instant: datetime, tomorrow: datetime) -> ColumnElement[bool]:
    """Trips that are over or called off and not squared, and those back by tonight whose rent or deposit is unpaid."""
    status, stage = status_at(instant), col(Booking.stage)
    is_over = or_(stage.in_((TripStage.SETTLED, TripStage.NO_SHOW)), col(Booking.status) == BookingStatus.CANCELLED)
    lately = and_(is_over, col(Booking.return_at) > instant - MONEY_FOR)
    unsquared = or_(rent_owed(status) != 0, deposit_owed(status) != 0)
    back_tonight = and_(stage == TripStage.OUT, col(Booking.return_at) < tomorrow, net_owed(instant) > 0)
    return or_(back_tonight, and_(or_(stage == TripStage.RETURNED, lately), unsquared))


def _is_objected_to() -> ColumnElement[bool]:
    """Whether the customer objects to a line or a handover, and neither the vendor has answered nor an operator
    decided, nor the line been taken back."""
    same_line = _Answer.entry_id.is_not_distinct_from(BookingEvent.entry_id)
    answered = select(_Answer.id).where(
        _Answer.booking_id == BookingEvent.booking_id,
        or_(
            and_(_Answer.what == EventKind.OBJECTION_ANSWERED.value, _Answer.about_id == BookingEvent.id),
            and_(_Answer.what == EventKind.JUDGED.value, same_line),
        ),
    )
    taken_back = select(_Reversal.id).where(_Reversal.reverses == BookingEvent.entry_id)
    objection = (
        select(col(BookingEvent.id))
        .where(col(BookingEvent.booking_id) == Booking.id, col(BookingEvent.what) == EventKind.OBJECTED.value)
        .where(~answered.correlate(BookingEvent).exists(), ~taken_back.correlate(BookingEvent).exists())
    )
    return objection.correlate(Booking).exists()
