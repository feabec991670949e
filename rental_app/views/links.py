"""Addresses of pages, built and read side by side, and wall-clock text as the date-time pickers speak it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import quote, urlencode

from rental_app.errors import InvalidInputError
from rental_app.rules import clock
from rental_app.rules.characters import made_storable
from rental_app.rules.clock import Window
from rental_app.schemas.wire import MAX_ID

WALL = "%Y-%m-%dT%H:%M"


def wall_text(instant: datetime) -> str:
    """An instant as Indian wall-clock text: '2026-11-21T10:00'."""
    return clock.indian(instant).strftime(WALL)


@dataclass(frozen=True, slots=True)
class Query:
    """A search: a locality's name and a window in wall-clock text, each '' when not given."""

    location: str = ""
    pickup: str = ""
    return_at: str = ""

    @property
    def complete(self) -> bool:
        """Whether the availability of vehicles can be asked for."""
        return bool(self.location and self.pickup and self.return_at)


def search_url(query: Query) -> str:
    """`/vehicles` with the search as query parameters (specification, section 2)."""
    given = {
        "pickupLocation": query.location,
        "pickupDate": _iso(query.pickup),
        "returnDate": _iso(query.return_at),
    }
    parameters = urlencode({name: value for name, value in given.items() if value})
    return f"/vehicles?{parameters}" if parameters else "/vehicles"


def vehicle_url(vehicle_id: int, query: Query) -> str:
    """A vehicle's page, with the window it was found for."""
    given = {"pickupDate": _iso(query.pickup), "returnDate": _iso(query.return_at)}
    parameters = urlencode({name: value for name, value in given.items() if value})
    return f"/vehicle-details/{vehicle_id}" + (f"?{parameters}" if parameters else "")


def city_url(slug: str) -> str:
    """A locality's page (specification, section 2)."""
    return f"/{quote(slug)}/bike-rentals"


def address_text(text: str) -> str:
    """What an address names, as any database can look for it: no name has what one of them fails at."""
    return made_storable(text[:100])


def read_query(parameters: Mapping[str, str]) -> Query:
    """The search in a page's address; what cannot be read counts as not given."""
    return Query(
        address_text(parameters.get("pickupLocation", "")),
        read_wall(parameters.get("pickupDate", "")),
        read_wall(parameters.get("returnDate", "")),
    )


def read_id(text: str) -> int:
    """An id in a page's address; 0, which nothing has, for what is none."""
    number = int(text) if text.isascii() and text.isdecimal() and len(text) <= len(str(MAX_ID)) else 0
    return number if number <= MAX_ID else 0


def _iso(wall: str) -> str:
    return f"{wall}:00+05:30" if wall else ""


def read_wall(text: str) -> str:
    """Any ISO 8601 instant as wall-clock text; '' for what is none."""
    try:
        moment = clock.parse_moment(text, "date")
    except InvalidInputError:
        return ""
    return wall_text(moment) if isinstance(moment, datetime) else ""


def window_text(pickup: str, return_at: str) -> str:
    """Two wall-clock texts as people read them; '' without a window."""
    window = window_of(pickup, return_at)
    return f"{clock.friendly(window.pickup)} to {clock.friendly(window.return_at)}" if window else ""


def window_of(pickup: str, return_at: str) -> Window | None:
    """The window of two wall-clock texts; None when one is missing or cannot be read."""
    try:
        ends = clock.parse_moment(pickup, "pickupDate"), clock.parse_moment(return_at, "returnDate")
    except InvalidInputError:
        return None
    if not isinstance(ends[0], datetime) or not isinstance(ends[1], datetime):
        return None
    return Window(ends[0], ends[1])
