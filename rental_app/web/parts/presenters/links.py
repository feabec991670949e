"""Addresses of pages, built and read side by side, and wall-clock text as the date-time pickers use it."""

from collections.abc import Iterable, Mapping
from datetime import datetime, time
from urllib.parse import parse_qsl, quote, urlencode

from pydantic import ValidationError

from rental_app.domain import clock
from rental_app.domain.characters import address_text, made_storable
from rental_app.domain.clock import Window
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.hours import DEFAULT_OPEN, USUAL_HOURS, OpeningHours
from rental_app.domain.ids import written_ids
from rental_app.schemas.search import ANY, ANYWHERE, NEAR, AvailabilityRequest, PageSearch
from rental_app.schemas.validation import from_errors
from rental_app.schemas.wire import is_given

ENDS = ("pickupDate", "returnDate")
# Longer than any option that there is.
LONGEST_OPTION = 250
WALL = "%Y-%m-%dT%H:%M"
# The fields of a query that REST takes too, and those that say what is shown; one has another name in addresses.
ADDRESSED = {*AvailabilityRequest.model_fields, "page", "view"} - {"facets"}
ADDRESS_NAMES = {"location": "pickupLocation"}
_WIRE_NAMES = {
    ADDRESS_NAMES.get(name, name): name for name in (PageSearch.model_fields[key].alias or key for key in ADDRESSED)
}


def wall_text(instant: datetime) -> str:
    """An instant as Indian wall-clock text: '2026-11-21T10:00'."""
    return clock.indian(instant).strftime(WALL)


def search_url(query: PageSearch) -> str:
    """`/vehicles` with the search as query parameters (specification, section 2)."""
    parameters = query.model_dump(include=ADDRESSED, by_alias=True) | _ends(query)
    parameters["page"] = query.page if query.page > 1 else ""
    return _address("/vehicles", {ADDRESS_NAMES.get(name, name): value for name, value in parameters.items()})


def query_pairs(query: PageSearch) -> list[tuple[str, str]]:
    """A search as the parameters of its address."""
    return parse_qsl(search_url(query).partition("?")[2])


def vehicle_url(vehicle_id: int, query: PageSearch = ANY) -> str:
    """A vehicle's page, with the window it was found for."""
    return _address(f"/vehicle-details/{vehicle_id}", _ends(query))


OPTIONS = (*ENDS, "extras", "offer")


def review_url(vehicle_id: int, options: Mapping[str, str]) -> str:
    """The page on which a request for a vehicle is checked and sent, with what was chosen by the names of `OPTIONS`."""
    return _address(f"/vehicle-details/{vehicle_id}/review", _chosen(options))


def vehicle_options_url(vehicle_id: int, options: Mapping[str, str]) -> str:
    """A vehicle's page with all that was chosen there, by the names of `OPTIONS`."""
    return _address(f"/vehicle-details/{vehicle_id}", _chosen(options))


def _chosen(options: Mapping[str, str]) -> dict[str, str]:
    return {name: _iso(options[name]) if name in ENDS else options[name] for name in OPTIONS if options.get(name)}


def read_options(parameters: Iterable[tuple[str, str]]) -> dict[str, str]:
    """What was chosen, from the parameters of an address; ticked boxes of a form sent without scripts are joined."""
    values: dict[str, list[str]] = {}
    for name, text in parameters:
        if name in OPTIONS and text:
            values.setdefault(name, []).append(made_storable(text)[:LONGEST_OPTION])
    return {name: ",".join(texts) if name == "extras" else texts[-1] for name, texts in values.items()}


def compare_url(ids: Iterable[int], query: PageSearch = ANY) -> str:
    """The page that compares some vehicles, for a window if there is one."""
    return _address("/compare", {"ids": written_ids(ids)} | _ends(query)).replace("%2C", ",")


def _ends(query: PageSearch) -> dict[str, str]:
    return {"pickupDate": _iso(query.pickup), "returnDate": _iso(query.return_at)}


def _address(path: str, parameters: Mapping[str, object]) -> str:
    pairs = {name: _parameter(value) for name, value in parameters.items() if is_given(value)}
    text = urlencode(pairs, doseq=True)
    return f"{path}?{text}" if text else path


def _parameter(value: object) -> object:
    """True as 1, and 5.0 as 5."""
    return f"{value:g}" if isinstance(value, bool | float) else value


def new_booking_url(**chosen: object) -> str:
    """The page of a booking at the counter, with what is chosen there; what is blank is left out."""
    return _address("/vendor/new-booking", chosen)


def vendor_booking_url(reference: str) -> str:
    """A booking's page for its vendor; the list of all bookings for a made-up one."""
    return f"/vendor/bookings/{reference}" if reference else "/vendor/manage-bookings"


def vendor_url(slug: str) -> str:
    """A vendor's public page."""
    return f"/vendors/{slug}"


def city_url(slug: str) -> str:
    """A locality's page (specification, section 2)."""
    return f"/{quote(slug)}/bike-rentals"


def read_query(parameters: Iterable[tuple[str, str]]) -> PageSearch:
    """The search in a page's address, with what cannot be read in `faults` and `unread`: the search refuses it."""
    values: dict[str, list[str]] = {}
    for name, text in parameters:
        if name in _WIRE_NAMES and text:
            values.setdefault(_WIRE_NAMES[name], []).append(made_storable(text))
    faults = {name: "Give this only once" for name, texts in values.items() if len(texts) > 1 and name != "type"}
    fields = {name: texts if name == "type" else texts[0] for name, texts in values.items() if name not in faults}
    ends = {end: _read_end(end, str(fields.pop(end)), faults) for end in ENDS if end in fields}
    place = address_text(str(fields.get("location", ""))).strip()
    query = _read({**fields, **ends, **_where(place)}, faults)
    unread = {name: values[name][0] for name in query.faults if name in values}
    return query.model_copy(update={"unread": unread}) if unread else query


def _read_end(name: str, text: str, faults: dict[str, str]) -> str:
    """An instant as wall-clock text, a date without a time as it is; '' with a fault for anything else."""
    try:
        moment = clock.parse_moment(text, name)
    except InvalidInputError as error:
        # The message is for people, what the error says of its field is for programs.
        faults[name] = error.message
        return ""
    return wall_text(moment) if isinstance(moment, datetime) else text


def _where(choice: str) -> dict[str, str]:
    """The query fields for what a location control sends before scripts run."""
    if choice.startswith(NEAR):
        return {"location": "", "near": choice.removeprefix(NEAR)}
    return {"location": "" if choice == ANYWHERE else choice}


def _read(fields: Mapping[str, object], faults: dict[str, str]) -> PageSearch:
    """A query from what can be read, with what is wrong with the rest."""
    try:
        return PageSearch.model_validate({**fields, "faults": faults})
    except ValidationError as error:
        new = {str(at["loc"][0]): next(iter(from_errors([at]).fields.values())) for at in error.errors()}
        rest = {name: value for name, value in fields.items() if name not in new}
        return _read(rest, faults | new)


def _iso(end: str) -> str:
    return f"{end}:00+05:30" if len(end) == len("2026-11-21T10:00") else end


def read_wall(text: str, opening: time = DEFAULT_OPEN) -> str:
    """Any ISO 8601 instant as wall-clock text, a bare date as that day's opening; '' for anything else."""
    try:
        moment = clock.parse_moment(text, "date")
    except InvalidInputError:
        return ""
    return wall_text(moment if isinstance(moment, datetime) else clock.at(moment, opening))


def walls(query: PageSearch, hours: OpeningHours = USUAL_HOURS) -> tuple[str, str]:
    """Both ends of a query as wall-clock text; a date without a time is what it means to a vendor with these hours."""
    pickup = read_wall(query.pickup, hours.open)
    return pickup, read_wall(query.return_at, time.fromisoformat(pickup[11:]) if pickup else hours.open)


def window_text(pickup: str, return_at: str) -> str:
    """Two wall-clock texts as people read them; '' without a window."""
    window = window_of(pickup, return_at)
    return clock.friendly_span(window.pickup, window.return_at) if window else ""


def window_of(pickup: str, return_at: str) -> Window | None:
    """The window of two wall-clock texts; None when one is missing or cannot be read."""
    try:
        ends = clock.parse_moment(pickup, "pickupDate"), clock.parse_moment(return_at, "returnDate")
    except InvalidInputError:
        return None
    if not isinstance(ends[0], datetime) or not isinstance(ends[1], datetime):
        return None
    return Window(ends[0], ends[1])


def rental_of(query: PageSearch) -> Window | None:
    """The window of a query, if it is one that could be booked now: an address may name any."""
    window = window_of(*walls(query))
    return window if window and clock.is_possible(window, clock.now()) else None
