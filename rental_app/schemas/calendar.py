"""Shapes of when a vehicle is taken and when it is free."""

from pydantic import Field

from rental_app.schemas.people import ClockTime
from rental_app.schemas.wire import Answer, Day, IndianTime, Wire


class Stretch(Wire):
    """From a pickup to a return."""

    pickup: IndianTime = Field(alias="pickupDate")
    return_at: IndianTime = Field(alias="returnDate")


class CalendarRequest(Wire):
    """From which Indian day to which; from today on, and as far as can be booked, where they are not given."""

    first_day: Day | None = Field(default=None, alias="from")
    last_day: Day | None = Field(default=None, alias="to")


class OpenFrom(Wire):
    """The hours at which a vendor hands vehicles over and takes them back."""

    open_time: ClockTime
    close_time: ClockTime


class CalendarAnswer(Answer):
    """When a vehicle is held, nothing of whom; the weekdays on which its vendor is closed; the hours of the others."""

    busy: list[Stretch]
    closed: list[str]
    hours: OpenFrom
