"""A vendor's calendars for other programs, and those that are read, as texts."""

from collections.abc import Mapping

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.money import counted
from rental_app.schemas.calendars import FeedView, ImportView

ALL = "All vehicles"


class FeedRow(BaseModel):
    """A calendar that can be read from an address; `vehicle` is blank for that of all vehicles."""

    vehicle: str
    name: str
    since: str


class ImportRow(BaseModel):
    """A calendar of another platform: when it was read, what went wrong, and what clashes with bookings."""

    id: int
    vehicle: str
    host: str
    url: str
    read: str
    error: str
    unread: list[str]
    clashes: str


def feed_row(feed: FeedView, names: Mapping[int, str]) -> FeedRow:
    """What a vendor reads about a feed; `names` are the vehicles' names by their ids."""
    name = names.get(feed.vehicle, "") if feed.vehicle else ALL
    return FeedRow(vehicle=str(feed.vehicle or ""), name=name, since=f"Since {clock.friendly(feed.since)}")


def import_row(calendar: ImportView, names: Mapping[int, str]) -> ImportRow:
    """What a vendor reads about a calendar that is read."""
    read = f"Read {clock.friendly(calendar.fetched_at)}" if calendar.fetched_at else "Not read yet"
    clashes = counted(calendar.clashes, "double booking") if calendar.clashes else ""
    return ImportRow(
        id=calendar.id,
        vehicle=names.get(calendar.vehicle, ""),
        host=calendar.source,
        url=calendar.url,
        read=read,
        error=calendar.error,
        unread=calendar.unread,
        clashes=clashes,
    )
