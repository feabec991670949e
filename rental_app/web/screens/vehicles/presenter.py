"""The results of a search: the vehicles, how many there are, and what to say when there are none."""

from typing import Any

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.domain.money import counted, grouped
from rental_app.schemas.search import NearestOpen, PageSearch
from rental_app.services import catalogue
from rental_app.services.search import search
from rental_app.services.search.filters import filters_in
from rental_app.services.search.listings import SearchResult
from rental_app.services.throttle import Caller
from rental_app.web.parts.city_map import presenter as city_map
from rental_app.web.parts.city_map.presenter import MapView
from rental_app.web.parts.presenters.links import search_url, wall_text, walls
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.search_form.presenter import FIELDS, duration, window_line
from rental_app.web.parts.vehicle_card.presenter import Card, card, with_hosts
from rental_app.web.screens.vehicles.filters_presenter import FilterPanel, filters


class Results(BaseModel):
    """The first vehicles of a search, how many there are, and what to say about the hours when more are free.

    `count_line` is blank if the number is not known; `note` says why a search is refused, if no field of the search
    form does; `any_listed` is whether a search for everything would find something.
    """

    place: str = ""
    # The dates of the search, in one line.
    line: str = "Any dates"
    duration: str = ""
    cards: list[Card] = []
    total: int = 0
    count_line: str = ""
    nearest_text: str = ""
    nearest_url: str = ""
    problem: str = ""
    failed: bool = False
    searched: bool = False
    near: str = ""
    # The place that is chosen on the map, in words.
    chosen: str = ""
    around_text: str = ""
    around_url: str = ""
    elsewhere: list[Link] = []
    list_url: str = ""
    map_url: str = ""
    # The map is beside the list on a desk, or in its place.
    city_map: MapView | None = None
    on_map: bool = False
    note: str = ""
    filters: FilterPanel = FilterPanel()
    nothing_title: str = ""
    nothing_text: str = ""
    any_listed: bool = True

    def awaited(self) -> "Results":
        """What stays on the page until the results of another search are there."""
        names = ("place", "line", "duration", "near", "searched", "filters", "list_url", "map_url")
        return Results(**{name: getattr(self, name) for name in names})


def refused(query: PageSearch, error: RentalError) -> Results:
    """What is shown for a search that is refused; `note` says why, if no field of the search form does."""
    in_form = error.fields and error.fields.keys() <= {"location", *FIELDS}
    note = "" if in_form else error.message
    return Results(
        place=query.location,
        line=window_line(*walls(query)),
        duration=duration(*walls(query)),
        searched=query.complete,
        near=query.near,
        problem=error.message,
        failed=not isinstance(error, InvalidInputError),
        note=note,
        list_url=search_url(query.model_copy(update={"view": ""})),
        map_url=search_url(query.model_copy(update={"view": "map"})),
        filters=filters(query),
    )


def results(session: Session, caller: Caller, query: PageSearch) -> Results:
    """The results of a query up to its page."""
    result = search.browse(session, caller, query)
    cards = [card(car, query, result.totals.get(car.id), result.km.get(car.id)) for car in result.vehicles]
    where = _where(session, query, result)
    nearest_text, nearest_url = _say_nearest(query, result.nearest)
    nothing_title, nothing_text = ("", "") if result.total else _say_nothing(query, result)
    return Results(
        place=query.location,
        line=window_line(*walls(query)),
        duration=duration(*walls(query)),
        cards=with_hosts(session, result.vehicles, cards),
        total=result.total,
        count_line=count_line(result.total if where["on_map"] else len(cards), result.total),
        nearest_text=nearest_text,
        nearest_url=nearest_url,
        nothing_title=nothing_title,
        nothing_text=nothing_text,
        any_listed=result.listed > 0,
        filters=filters(query, result.facets, result.without),
        **where,
    )


def _where(session: Session, query: PageSearch, result: SearchResult) -> dict[str, Any]:
    """Where else to look: the map, the places nearest to one without vehicles, and the links from one to the other."""
    around_text, around_url = city_map.around(query)
    is_empty = bool(query.location) and not result.total
    fields: dict[str, Any] = {
        "searched": query.complete,
        "near": query.near,
        "chosen": f"in {query.location}" if query.location else f"near {query.near}" if query.near else "",
        "around_text": around_text,
        "around_url": around_url,
        "list_url": search_url(query.model_copy(update={"view": ""})),
        "map_url": search_url(query.model_copy(update={"view": "map"})),
    }
    choices = result.facets.location if result.facets else []
    points = catalogue.coordinates(session)
    # A shop that has just opened has no places yet.
    if choices:
        fields |= {"city_map": city_map.map_view(query, choices, points)}
    fields |= {"on_map": bool(query.view and choices)}
    if is_empty:
        fields |= {"elsewhere": city_map.nearest(query, choices, points)}
    return fields


def _say_nothing(query: PageSearch, result: SearchResult) -> tuple[str, str]:
    """That nothing was found, and what can help."""
    unavailable = "No cars available" if query.complete else "No vehicles found"
    if not result.listed:
        return unavailable, "No vendor has listed a vehicle yet."
    if query.complete and result.exists:
        return unavailable, "Try other dates or another location: most vehicles come back within a few days."
    if query.text:
        return "No vehicle matches that filter", "Try fewer words, or look at all vehicles."
    if any(name != "location" for name in filters_in(query)):
        return unavailable, "No vehicle has everything you chose. Choose less, or look at all vehicles."
    return unavailable, "No vehicle here can be booked right now. Try another location, or look at all vehicles."


def _say_nearest(query: PageSearch, nearest: NearestOpen | None) -> tuple[str, str]:
    if not nearest:
        return "", ""
    noun = "vehicle is" if nearest.count == 1 else "vehicles are"
    window = clock.friendly_span(nearest.pickup, nearest.return_at)
    ends = {"pickup": wall_text(nearest.pickup), "return_at": wall_text(nearest.return_at)}
    there = query.model_copy(update=ends)
    return f"{nearest.count} {noun} free at the nearest opening hours, {window}", search_url(there)


def count_line(shown: int, total: int) -> str:
    """How many vehicles are shown, of how many."""
    whole = counted(total, "vehicle")
    return f"Showing {grouped(shown)} of {whole}" if shown < total else f"Showing {whole}"
