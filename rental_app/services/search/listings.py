"""The shop: what everyone may see of a vehicle, and what is offered most."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache, partial
from operator import attrgetter
from typing import Any, NamedTuple

import numpy as np
from orjson import Fragment, dumps
from sqlalchemy import BindParameter, bindparam, func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.domain.errors import NotFoundError
from rental_app.domain.money import to_rupees
from rental_app.domain.pricing import plan_sort_key
from rental_app.domain.reviews import rating
from rental_app.models import Columns, Listing, ListingInFull, Vehicle, VehiclePrice, listing, listings, offers
from rental_app.schemas.search import (
    EVERYTHING,
    WHOLE,
    AvailabilityRequest,
    Facets,
    NearestOpen,
    PageRequest,
    VehiclesAnswer,
)
from rental_app.schemas.vehicles import PriceOut, PublicVehicle
from rental_app.services import throttle
from rental_app.services.availability.holds import held
from rental_app.services.search.cache import Slot, by_ids, cache_of
from rental_app.services.search.eligibility import LAST_DAY, bookable
from rental_app.services.search.filters import Matches, check_choices, part_of
from rental_app.services.search.index import search_index
from rental_app.services.throttle import Caller

_LISTINGS: Slot[Listing] = Slot("listings")
_PUBLIC: Slot[PublicVehicle] = Slot("public views")
_JSON: Slot[bytes] = Slot("public views as JSON")
_BY_IDS = col(Vehicle.id).in_(bindparam("ids", expanding=True))
_ACTIVE_PRICES = select(
    col(VehiclePrice.vehicle_id),
    col(VehiclePrice.price_name),
    col(VehiclePrice.price_paise),
    col(VehiclePrice.kms_limit),
).where(col(VehiclePrice.status) == "Active", col(VehiclePrice.vehicle_id).in_(bindparam("ids", expanding=True)))


class ListJson(NamedTuple):
    """A serialised list: JSON, its ETag for HTTP, and how many vehicles are in it."""

    body: bytes
    tag: str
    rows: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The results of a search, all or a part of `total`, where the next part starts, and by vehicle id what each costs
    for the dates (paise) and how far away it is.

    `nearest` is set if opening hours excluded vehicles; if nothing was found, `without` says how many there would be
    without each of the filters, and `exists` whether there is one that is not available. `listed` counts all vehicles.
    """

    vehicles: Sequence[Listing]
    total: int
    next_cursor: str | None = None
    totals: Mapping[int, int] = field(default_factory=dict)
    km: Mapping[int, float] = field(default_factory=dict)
    nearest: NearestOpen | None = None
    facets: Facets | None = None
    without: Mapping[str, int] = field(default_factory=dict)
    exists: bool = True
    listed: int = 0

    def tail(self, page: PageRequest) -> dict[str, Any]:
        """What a paged response has besides the vehicles."""
        return {"total": self.total, "next_cursor": self.next_cursor} if page.limit else {}


@cache
def _some() -> Columns:
    return listings().where(_BY_IDS)


@cache
def _one() -> Columns:
    return listings(ListingInFull).where(col(Vehicle.id) == bindparam("vehicle_id"), *bookable(LAST_DAY))


def listings_by_id(session: Session, ids: Sequence[int]) -> list[Listing]:
    """The listings of vehicles by their ids."""
    return by_ids(cache_of(session).by_id(_LISTINGS), ids, partial(_fetched, session))


def _fetched(session: Session, ids: list[int]) -> list[tuple[int, Listing]]:
    # Bypassing the ORM, which would process every row once more.
    cars = [listing(row, Listing) for row in session.connection().execute(_some(), {"ids": ids})]
    return [(car.id, car) for car in cars]


def listed_today(session: Session, request: AvailabilityRequest) -> Matches:
    """What can be booked at all, at the price of a day; raises InvalidInputError for unknown choices."""
    index = search_index(session)
    check_choices(index, request)
    today = clock.indian_today(clock.now()).toordinal()
    return Matches(index, request, index.tariffs.daily, index.papers >= today)


def listed(
    session: Session, caller: Caller, request: AvailabilityRequest = EVERYTHING, page: PageRequest = WHOLE
) -> SearchResult:
    """Vehicles that can be booked at all and match a query, whose dates are ignored.

    Raises InvalidInputError for unknown choices, and for a cursor of another search.
    """
    throttle.count("look", caller)
    throttle.check_rows(caller)
    result = result_of(session, listed_today(session, request), page, dated=False)
    throttle.count_rows(caller, len(result.vehicles))
    return result


def featured(session: Session, caller: Caller, most: int) -> list[Listing]:
    """The first vehicles of the home page: those that operators put there, then the shop's first."""
    first = listed(session, caller, page=PageRequest(limit=most)).vehicles
    today = clock.indian_today(clock.now())
    chosen = session.connection().execute(_featured(), {LAST_DAY.key: today, "most": most}).scalars().all()
    ids = dict.fromkeys((*chosen, *(car.id for car in first)))
    return listings_by_id(session, list(ids)[:most])


@cache
def _featured() -> Columns:
    shown = offers(col(Vehicle.id)).where(col(Vehicle.is_featured), *bookable(LAST_DAY))
    return shown.order_by(col(Vehicle.id).desc()).limit(bindparam("most"))


def result_of(session: Session, matches: Matches, page: PageRequest, *, dated: bool) -> SearchResult:
    """The vehicles that match a query, in its order; raises InvalidInputError for a cursor of another search."""
    part = part_of(matches, matches.request.order, page)
    ids = matches.index.ids[part.places].tolist()
    totals = matches.prices[part.places].tolist() if dated else []
    away = [] if matches.km is None else matches.km[part.places].round(1).tolist()
    return SearchResult(
        vehicles=listings_by_id(session, ids),
        total=part.total,
        next_cursor=part.next_cursor,
        totals=dict(zip(ids, totals, strict=False)),
        km=dict(zip(ids, away, strict=False)),
        facets=matches.facets if matches.request.facets else None,
        without=matches.without if matches.request.facets and not part.total else {},
        exists=bool(part.total) or matches.exists,
        listed=len(matches.index.ids),
    )


def written(session: Session, caller: Caller, page: PageRequest) -> ListJson:
    """The whole list, or a page of it, serialised for the wire."""
    throttle.count("look", caller)
    throttle.check_rows(caller)
    key = ("listed", clock.indian_today(clock.now()), page.limit, page.cursor)
    answers = cache_of(session)
    answer: ListJson | None = answers.get(key)
    if answer is None:
        result = result_of(session, listed_today(session, EVERYTHING), page, dated=False)
        fields = result.tail(page) | {"vehicles": result_fragments(session, result)}
        body = VehiclesAnswer.model_construct(**fields).written()
        answer = ListJson(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', len(result.vehicles))
        answers.put(key, answer)
    throttle.count_rows(caller, answer.rows)
    return answer


def listed_ids(session: Session, caller: Caller, most: int) -> list[int]:
    """The ids of vehicles that can be booked at all, the newest first."""
    throttle.count("look", caller)
    matches = listed_today(session, EVERYTHING)
    newest: list[int] = matches.index.ids[matches.fitting()][::-1][:most].tolist()
    return newest


def result_fragments(session: Session, result: SearchResult) -> list[Fragment]:
    """The vehicles found, as everyone may see them, with what the search adds: already as JSON."""
    by_id = {car.id: car for car in result.vehicles}

    def written(ids: list[int]) -> list[tuple[int, bytes]]:
        return [(view.id, view.written()) for view in public_vehicles(session, [by_id[each] for each in ids])]

    fragments = by_ids(cache_of(session).by_id(_JSON), list(by_id), written)
    return [
        _as_result(json, result.totals.get(each), result.km.get(each))
        for each, json in zip(by_id, fragments, strict=True)
    ]


def _as_result(vehicle: bytes, total: int | None, km: float | None) -> Fragment:
    """A `FoundVehicle` as JSON, made of a vehicle's: with its total for the dates (paise) and its distance, if the
    search gives them.

    Searches find thousands of vehicles a second: building and serialising models took most of their time.
    """
    added = {} if total is None else {"total": to_rupees(total)}
    added |= {} if km is None else {"distanceKm": km}
    return Fragment(vehicle[:-1] + b"," + dumps(added)[1:] if added else vehicle)


def get_listing(session: Session, caller: Caller, vehicle_id: int) -> ListingInFull:
    """A vehicle that can be booked at all, with its vendor's terms; raises NotFoundError."""
    throttle.count("look", caller)
    bound = {"vehicle_id": vehicle_id, "last_day": clock.indian_today(clock.now())}
    if row := session.connection().execute(_one(), bound).first():
        return listing(row, ListingInFull)
    raise NotFoundError("This vehicle is not listed (any more)", code="unknown_vehicle")


def public_vehicles(session: Session, cars: Sequence[Listing]) -> list[PublicVehicle]:
    """Vehicles as everyone may see them, with their active prices."""
    by_id = {car.id: car for car in cars}

    def fetched(ids: list[int]) -> list[tuple[int, PublicVehicle]]:
        prices: dict[int, list[PriceOut]] = {}
        rows = session.connection().execute(_ACTIVE_PRICES, {"ids": ids}).all()
        for vehicle_id, name, paise, kms in sorted(rows, key=lambda price: plan_sort_key(price.price_name)):
            prices.setdefault(vehicle_id, []).append(PriceOut(price_name=name, price_paise=paise, kms_limit=kms))
        return [(each, _public(by_id[each], prices.get(each, []))) for each in ids]

    return by_ids(cache_of(session).by_id(_PUBLIC), list(by_id), fetched)


_SAME = tuple(name for name in PublicVehicle.model_fields if name in Listing.__match_args__)
_OF_MODEL = ("vehicle_cc", "top_speed", "fuel_tank_capacity", "mileage")


def _public(car: Listing, prices: list[PriceOut]) -> PublicVehicle:
    drawing, hours = car.drawing, car.hours
    facts = dict(zip(_OF_MODEL, attrgetter(*_OF_MODEL)(car), strict=True))
    return PublicVehicle.model_validate(
        dict(zip(_SAME, attrgetter(*_SAME)(car), strict=True))
        | {
            "asset_manufacturer": car.maker,
            "asset_model": facts | {"id": car.model_id, "name": car.model_name, "image": drawing},
            "image": car.image or drawing,
            "photos": [{"side": each.side, "src": each.full, "card": each.card} for each in car.photos],
            "vendor_addr": car.pickup_address,
            "vendor_pickup_maps": car.google_maps_link,
            "vendor_open_time": hours.open,
            "vendor_close_time": hours.close,
            "vendor_closing_days": car.closing_days,
            "rating": rating(car.stars_total, car.reviews),
            "vendor": {
                "name": car.vendor_name,
                "slug": car.vendor_slug,
                "rating": rating(car.vendor_stars_total, car.vendor_reviews),
            },
            "prices": prices,
            "drop_off_paise": car.brought_paise,
            "pick_up_paise": car.fetched_paise,
        }
    )


@dataclass(frozen=True, slots=True)
class Popular:
    """A model: its cheapest vehicle, and how many can be booked."""

    cheapest: Listing
    count: int


def popular(session: Session, caller: Caller, most: int) -> list[Popular]:
    """The models with the most vehicles that can be booked; those with equally many are ordered by price."""
    throttle.count("look", caller)
    matches = listed_today(session, EVERYTHING)
    places = np.flatnonzero(matches.fitting())
    # Each model's cheapest comes first.
    places = places[np.argsort(matches.prices[places], kind="stable")]
    codes, first, counts = np.unique(matches.index.groups["model"].codes[places], return_index=True, return_counts=True)
    cheapest = places[first]
    order = np.lexsort((codes, matches.prices[cheapest], -counts))[:most]
    cars = listings_by_id(session, matches.index.ids[cheapest[order]].tolist())
    return [Popular(car, count) for car, count in zip(cars, counts[order].tolist(), strict=True)]


_IDS: BindParameter[int] = bindparam("ids", expanding=True)
_HELD = held(lambda vehicle: vehicle.in_(_IDS)).subquery()
_TAKEN: Columns = select(_HELD.c.vehicle_id, func.max(_HELD.c.end)).group_by(_HELD.c.vehicle_id)
_THERE = select(col(Vehicle.id)).where(col(Vehicle.id).in_(_IDS))
_PAPERS = col(Vehicle.insurance_expiry_date), col(Vehicle.pollution_expiry_date)
_BOOKABLE = offers(col(Vehicle.id), *_PAPERS).where(*bookable(LAST_DAY), col(Vehicle.id).in_(_IDS))


@dataclass(frozen=True, slots=True)
class Vehicles:
    """The vehicles that can still be booked and those that no longer can, each in the order of the ids."""

    listed: list[Listing]
    gone: list[Listing]
    # For those taken in the requested window: until when.
    taken: dict[int, datetime]
    # Those whose documents run out before the requested window ends.
    expiring: set[int]

    @property
    def ids(self) -> list[int]:
        """The ids of those that can be booked."""
        return [car.id for car in self.listed]


def vehicles_by_id(session: Session, caller: Caller, ids: Sequence[int], window: Window | None = None) -> Vehicles:
    """The vehicles with some ids, and which are taken in a window, or else just now; unknown ids are left out."""
    throttle.count("look", caller)
    throttle.check_rows(caller)
    rows = session.execute(_BOOKABLE, {"ids": ids, "last_day": clock.indian_today(clock.now())})
    # Those that can be booked today, with the last day on which their papers are valid.
    listed = {vehicle_id: min(papers) for vehicle_id, *papers in rows}
    there = set(session.scalars(_THERE, {"ids": ids}))
    last_day = clock.indian_today(window.return_at) if window else date.min
    throttle.count_rows(caller, len(there))
    cars = listings_by_id(session, [each for each in ids if each in there])
    instant = clock.now()
    span = window or Window(instant, instant + timedelta(seconds=1))
    bound = {"ids": ids, "first": span.pickup, "last": span.return_at, "instant": instant}
    return Vehicles(
        [car for car in cars if car.id in listed],
        [car for car in cars if car.id not in listed],
        {vehicle_id: until for vehicle_id, until in session.execute(_TAKEN, bound)},
        {vehicle_id for vehicle_id, papers in listed.items() if papers < last_day},
    )
