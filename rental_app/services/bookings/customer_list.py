"""A customer's bookings by time: current, upcoming and past ones."""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, and_, case, func, or_
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.models import Booking
from rental_app.models.booking import BOOKED, CANCELLED, CONFIRMED, OUT
from rental_app.schemas.bookings import BookingView
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings.rows import BookingRow, booking_columns, booking_view, status_at
from rental_app.services.paging import Slice, counted

NOW, UPCOMING, PAST = "Now", "Upcoming", "Past"
PARTS = (NOW, UPCOMING, PAST)


class ListedBooking(NamedTuple):
    """A booking and the part of the list it is in."""

    part: str
    booking: BookingView

    @classmethod
    def of(cls, row: Row[Any]) -> "ListedBooking":
        """The entry in a row of `booking_columns` with the index of its part."""
        return cls(PARTS[row.part], booking_view(BookingRow.of(row), BookingView))


def of_customer(session: Session, actor: Actor, page: Page) -> Slice[ListedBooking]:
    """The actor's own bookings, the nearest of each part first: by return, by pickup, by end.

    Of those to come, the ones that wait for an answer are before the others.
    """
    throttle.count("list", actor)
    return seen_by(session, actor, actor, page)


def seen_by(session: Session, actor: Actor, customer: Actor, page: Page) -> Slice[ListedBooking]:
    """The same of a customer, for an operator who looks and whose rows these count as; the caller has checked."""
    instant = clock.now()
    part = _part(instant)
    statement = booking_columns(instant).add_columns(part.label("part")).where(col(Booking.customer_id) == customer.id)
    return counted(session, actor, statement.order_by(*_order(part, instant)), page, ListedBooking.of)


def _part(instant: datetime) -> ColumnElement[int]:
    """SQL: the index in PARTS of a booking's part."""
    confirmed, booked = col(Booking.status) == CONFIRMED, col(Booking.stage) == BOOKED
    begun = col(Booking.pickup_at) <= instant
    now = and_(confirmed, or_(col(Booking.stage) == OUT, and_(booked, begun, col(Booking.return_at) > instant)))
    to_come = or_(is_waiting(instant), and_(confirmed, booked, ~begun))
    return case((now, PARTS.index(NOW)), (to_come, PARTS.index(UPCOMING)), else_=PARTS.index(PAST))


def _order(part: ColumnElement[int], instant: datetime) -> list[ColumnElement[Any]]:
    called_off = func.coalesce(col(Booking.decided_at), col(Booking.answer_by))
    ended = case((status_at(instant) == CANCELLED, called_off), else_=col(Booking.return_at))
    return [
        part,
        case((part == PARTS.index(NOW), col(Booking.return_at))),
        case((is_waiting(instant), 0), else_=1),
        case((part == PARTS.index(UPCOMING), col(Booking.pickup_at))),
        ended.desc(),
        col(Booking.id).desc(),
    ]
