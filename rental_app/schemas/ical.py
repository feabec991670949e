"""Shapes of the calendars that vendors give to other programs, and of those that are read."""

from typing import Annotated

from pydantic import Field

from rental_app.schemas.wire import Answer, Id, IndianTime, Text, Wire


class FeedRequest(Wire):
    """The calendar of one vehicle, or without one of all its vendor has."""

    vehicle: Id | None = None


class FeedAnswer(Answer):
    """Where the calendar is from now on; the address is told this once."""

    url: str


class FeedView(Wire):
    """A calendar that can be read, since when."""

    vehicle: int | None
    since: IndianTime


class FeedsAnswer(Answer):
    """A vendor's calendars."""

    feeds: list[FeedView]


class ImportRequest(Wire):
    """The address (https) at which another platform gives its calendar of a vehicle."""

    vehicle: Id
    url: Annotated[Text, Field(max_length=500)]


class ImportView(Wire):
    """A calendar read every half hour: when it last was, why not since, how many entries lie over bookings.

    `source` is its host.
    """

    id: int
    vehicle: int
    url: str
    source: str
    fetched_at: IndianTime | None = Field(alias="fetchedAt")
    error: str
    clashes: int


class ImportAnswer(Answer):
    """A calendar to be read."""

    calendar: ImportView


class ImportsAnswer(Answer):
    """The calendars read for a vendor's vehicles."""

    calendars: list[ImportView]
