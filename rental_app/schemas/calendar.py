"""Shapes for when a vehicle is taken and when it is free."""

from typing import Annotated, Self

from pydantic import Field

from rental_app.domain.clock import HORIZON
from rental_app.domain.hours import OpeningHours
from rental_app.schemas.people import ClosingTime, OpeningTime
from rental_app.schemas.wire import Answer, Day, FirstDay, ListFilters, PickupTime, ReturnTime, Wire


class Stretch(Wire):
    """A period from a pickup to a return."""

    pickup: PickupTime = Field(alias="pickupDate")
    return_at: ReturnTime = Field(alias="returnDate")


class CalendarRequest(ListFilters):
    """The first and last Indian day; if not given, from today, and as far ahead as can be booked."""

    first_day: FirstDay = Field(default=None, alias="from")
    last_day: Day | None = Field(default=None, alias="to", description=f"At most {HORIZON.days} days after the first")


class OpenFrom(Wire):
    """The hours at which a vendor hands vehicles over and takes them back."""

    open_time: OpeningTime
    close_time: ClosingTime

    @classmethod
    def of(cls, hours: OpeningHours) -> Self:
        """A vendor's opening hours for the wire."""
        return cls(open_time=hours.open, close_time=hours.close)


HandoverHours = Annotated[OpenFrom, Field(description="The hours of handovers and returns")]
ClosedDays = Annotated[list[str], Field(description="The weekdays without handovers, by their English names")]


class CalendarAnswer(Answer):
    """When a vehicle is taken, but not by whom; the weekdays on which its vendor is closed, and the hours on others."""

    busy: list[Stretch] = Field(description="The periods in which the vehicle is taken")
    closed: ClosedDays
    hours: HandoverHours
