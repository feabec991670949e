"""Vehicles side by side: cards and search results."""

from dataclasses import dataclass, field
from typing import Any

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError, RentalError
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.models import Listing
from rental_app.schemas.shop import ANY, NearestOpen, PageRequest, ShopQuery
from rental_app.services import catalogue
from rental_app.services.search import listings, popular, search
from rental_app.services.search.filters import filters_in
from rental_app.services.search.listings import SearchResult
from rental_app.services.throttle import Caller
from rental_app.web.parts.city_map import presenter
from rental_app.web.parts.city_map.presenter import MapView
from rental_app.web.parts.presenters.links import search_url, vehicle_url, wall_text, walls, window_of
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.reviews.presenter import rated
from rental_app.web.parts.search_form.presenter import FIELDS
from rental_app.web.screens.vehicles.presenter import SHEET, FilterPanel, filters

FEATURED, MODELS = 3, 8
NO_FAULTS = dict.fromkeys(SHEET, "")


class Card(BaseModel):
    """A vehicle in a grid; `more` are its photos besides the one that is shown.

    `daily` and `total` are in rupees; `total` and `duration` are blank without a window.
    """

    id: int
    title: str
    image: str
    more: list[str]
    is_drawing: bool
    href: str
    location: str
    distance: str = ""
    asset_type: str
    engine: str
    transmission: str
    seats: str
    year: int
    rating: str
    daily: str
    total: str
    duration: str


@dataclass(frozen=True, slots=True)
class Results:
    """The first vehicles of a search, how many there are, and what to say about the hours when more are free."""

    place: str
    cards: list[Card]
    total: int
    nearest_text: str = ""
    nearest_url: str = ""
    problem: str = ""
    failed: bool = False
    text: str = ""
    searched: bool = False
    near: str = ""
    around_text: str = ""
    around_url: str = ""
    elsewhere: list[Link] = field(default_factory=list)
    list_url: str = ""
    map_url: str = ""
    city_map: MapView | None = None
    note: str = ""
    filters: FilterPanel = field(default_factory=FilterPanel)
    faults: dict[str, str] = field(default_factory=NO_FAULTS.copy)
    nothing_title: str = ""
    nothing_text: str = ""
    # Whether a search for everything would find something.
    any_listed: bool = True

    @property
    def count_line(self) -> str:
        """How many vehicles are shown, of how many; blank if that is not known."""
        return "" if self.problem else count_line(self.total if self.city_map else len(self.cards), self.total)


def featured(session: Session, caller: Caller) -> list[Card]:
    """The shop's first three vehicles."""
    return [card(car) for car in listings.listed(session, caller, turn=PageRequest(limit=FEATURED)).vehicles]


def popular_models(session: Session, caller: Caller) -> list[Link]:
    """The models that many offer, with the lowest price of a day."""
    return [
        Link(
            text=each.cheapest.title,
            href=search_url(ShopQuery(model=each.cheapest.model_name)),
            note=f"from {format_rupees(each.cheapest.daily_paise)} a day",
        )
        for each in popular.popular(session, caller, MODELS)
    ]


def shop_window(session: Session, caller: Caller) -> tuple[list[Card], list[Link]]:
    """What the home page shows of the shop."""
    return featured(session, caller), popular_models(session, caller)


def refused(query: ShopQuery, error: RentalError) -> Results:
    """What is shown for a search that is refused; `note` says why, if no field of the search form does."""
    in_form = error.fields and error.fields.keys() <= {"location", *FIELDS}
    faults = {name: said for name, said in error.fields.items() if name in SHEET}
    note = "" if in_form else error.message
    narrowed = filters(query)
    return Results(
        query.location,
        [],
        0,
        problem=error.message,
        failed=not isinstance(error, InvalidInputError),
        text=query.text,
        note=note,
        list_url=search_url(query.model_copy(update={"view": ""})),
        map_url=search_url(query.model_copy(update={"view": "map"})),
        filters=narrowed,
        faults=NO_FAULTS | faults,
    )


def results(session: Session, caller: Caller, query: ShopQuery) -> Results:
    """The results of a query up to its page."""
    found = search.browse(session, caller, query)
    cards = [card(car, query, found.totals.get(car.id), found.km.get(car.id)) for car in found.vehicles]
    where = _where(session, caller, query, found)
    where |= {"filters": filters(query, found.facets, found.without), "any_listed": found.listed > 0}
    if not found.total:
        where["nothing_title"], where["nothing_text"] = _say_nothing(query, found)
    return Results(query.location, cards, found.total, *_say_nearest(query, found.nearest), text=query.text, **where)


def _where(session: Session, caller: Caller, query: ShopQuery, found: SearchResult) -> dict[str, Any]:
    """Where else to look: the map, the places nearest to one without vehicles, and the links from one to the other."""
    around_text, around_url = presenter.around(query)
    is_empty = bool(query.location) and not found.total
    said: dict[str, Any] = {
        "searched": query.complete,
        "near": query.near,
        "around_text": around_text,
        "around_url": around_url,
        "list_url": search_url(query.model_copy(update={"view": ""})),
        "map_url": search_url(query.model_copy(update={"view": "map"})),
    }
    choices = found.facets.location if found.facets else []
    known = catalogue.locations(session, caller) if query.view or is_empty else []
    points = {each.name: (each.latitude, each.longitude) for each in known}
    # A shop that has just opened has no places yet.
    if query.view and choices:
        said |= {"city_map": presenter.map_view(query, choices, points)}
    if is_empty:
        said |= {"elsewhere": presenter.nearest(query, choices, points)}
    return said


def _say_nothing(query: ShopQuery, found: SearchResult) -> tuple[str, str]:
    """That nothing was found, and what can help."""
    unavailable = "No cars available" if query.complete else "No vehicles found"
    if not found.listed:
        return unavailable, "No vendor has listed a vehicle yet."
    if query.complete and found.exists:
        return unavailable, "Try other dates or another location: most vehicles come back within a few days."
    if query.text:
        return "No vehicle matches that filter", "Try fewer words, or look at all vehicles."
    if any(name != "location" for name in filters_in(query)):
        return unavailable, "No vehicle has everything you chose. Choose less, or look at all vehicles."
    return unavailable, "No vehicle here can be booked right now. Try another location, or look at all vehicles."


def _say_nearest(query: ShopQuery, nearest: NearestOpen | None) -> tuple[str, str]:
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


def card(car: Listing, query: ShopQuery = ANY, total: int | None = None, km: float | None = None) -> Card:
    """A vehicle's card; the total for the dates of a query (paise) and how far away it is are shown if known."""
    window = window_of(*walls(query, car.hours)) if total is not None else None
    return Card(
        id=car.id,
        title=car.title,
        image=car.picture.card,
        more=[photo.card for photo in car.photos[1:]],
        is_drawing=car.picture.is_drawing,
        href=vehicle_url(car.id, query),
        location=car.service_location,
        distance=presenter.km_away(km) if km and query.near else "",
        asset_type=car.asset_type,
        engine=car.engine_type,
        transmission=car.transmission_type,
        seats=counted(car.seating_capacity, "seat"),
        year=car.year,
        rating=rated(car.stars_total, car.reviews),
        daily=format_rupees(car.daily_paise),
        total="" if total is None else format_rupees(total),
        duration=window.label if window else "",
    )
