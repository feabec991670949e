"""A vendor answers the request as it was shown, or is refused: its customer may change it at any moment."""

from collections.abc import Iterator
from datetime import datetime, time, timedelta

from sqlalchemy import ColumnElement, and_
from sqlmodel import col

from rental_app.errors import ConflictError
from rental_app.models import Booking
from rental_app.rules import clock
from rental_app.rules.money import format_rupees
from rental_app.schemas.bookings import StatusChange
from rental_app.services.booking_rows import BookingRow


class RequestChangedError(ConflictError):
    """The request is for other dates, or at another price, than the one shown."""

    code = "request_changed"

    def __init__(self, now: BookingRow) -> None:
        dates = clock.friendly_span(now.pickup_at, now.return_at)
        super().__init__(f"The customer has changed this request: it is now {dates}, {format_rupees(now.price_paise)}")


def as_shown(change: StatusChange) -> Iterator[ColumnElement[bool]]:
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
