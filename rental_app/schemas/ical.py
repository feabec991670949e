"""Shapes of the calendars that vendors share with other programs, and of those that are imported."""

from typing import Annotated

from pydantic import Field

from rental_app.schemas.wire import (
    CLEAN,
    Answer,
    ChosenVehicle,
    IndianTime,
    ItsId,
    VehicleChoice,
    VehicleIdOut,
    VehicleOrAllIn,
    VehicleOrAllOut,
    WebAddress,
    Wire,
    at_most,
)


class FeedRequest(Wire):
    """A request for the calendar of one vehicle, or of all the vendor's vehicles if none is given."""

    vehicle: VehicleOrAllIn = None


class RevokedFeed(FeedRequest):
    """The calendar of one vehicle, or of all the vendor's vehicles if none is given, that is no longer shared."""

    vehicle: VehicleChoice = None


class FeedAnswer(Answer):
    """Where the calendar is from now on; its URL is returned only this once."""

    url: str = Field(description="The calendar's address, told only this once")


class FeedView(Wire):
    """A shared calendar, and since when it has been shared."""

    vehicle: VehicleOrAllOut
    since: IndianTime = Field(description="Since when")


class FeedsAnswer(Answer):
    """A vendor's calendars."""

    feeds: list[FeedView] = Field(description="The shared calendars")


class ImportRequest(Wire):
    """The URL (https) of another platform's calendar of a vehicle."""

    vehicle: ChosenVehicle
    url: Annotated[str, at_most(500), CLEAN] = Field(description="Its address")


class ImportView(Wire):
    """A calendar imported every half hour: when that last worked, what went wrong, how many entries clash.

    `source` is its host. `clashes` counts entries that overlap bookings. `unread` are the texts of entries that could
    not be read, at most 20: what they took when they last could be read stays blocked.
    """

    id: ItsId
    vehicle: VehicleIdOut
    url: WebAddress
    source: str = Field(description="Host of the calendar")
    fetched_at: IndianTime | None = Field(
        alias="fetchedAt", description="When the calendar was last read, null if never"
    )
    error: str = Field(description="Why the calendar could not be read the last time, blank if it could")
    unread: list[str] = Field(description="Texts of entries that could not be read, at most 20")
    clashes: int = Field(description="How many entries overlap bookings")


class ImportAnswer(Answer):
    """A calendar to be imported."""

    calendar: ImportView = Field(description="The calendar")


class ImportsAnswer(Answer):
    """The calendars imported for a vendor's vehicles."""

    calendars: list[ImportView] = Field(description="The calendars")
