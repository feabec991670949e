"""Shapes of the calendars that vendors share with other programs, and of those that are imported."""

from typing import Annotated

from pydantic import Field

from rental_app.schemas.wire import CLEAN, Answer, Id, IndianTime, VehicleId, Wire, at_most


class FeedRequest(Wire):
    """A request for the calendar of one vehicle, or of all the vendor's vehicles if none is given."""

    vehicle: Id | None = None


class FeedAnswer(Answer):
    """Where the calendar is from now on; its URL is returned only this once."""

    url: str


class FeedView(Wire):
    """A shared calendar, and since when it has been shared."""

    vehicle: int | None
    since: IndianTime


class FeedsAnswer(Answer):
    """A vendor's calendars."""

    feeds: list[FeedView]


class ImportRequest(Wire):
    """The URL (https) of another platform's calendar of a vehicle."""

    vehicle: VehicleId
    url: Annotated[str, at_most(500), CLEAN]


class ImportView(Wire):
    """A calendar imported every half hour: when that last worked, what went wrong, how many entries clash.

    `source` is its host. `clashes` counts entries that overlap bookings. `unread` are the texts of entries that could
    not be read, at most 20: what they took when they last could be read stays blocked.
    """

    id: int
    vehicle: int
    url: str
    source: str
    fetched_at: IndianTime | None = Field(alias="fetchedAt")
    error: str
    unread: list[str]
    clashes: int


class ImportAnswer(Answer):
    """A calendar to be imported."""

    calendar: ImportView


class ImportsAnswer(Answer):
    """The calendars imported for a vendor's vehicles."""

    calendars: list[ImportView]
