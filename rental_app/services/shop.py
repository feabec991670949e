"""The shop: what everyone may see of a vehicle."""

import hashlib
from collections.abc import Sequence
from functools import cache, partial
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import bindparam, select
from sqlmodel import Session, col

from rental_app.errors import NotFoundError
from rental_app.models import Listing, ListingInFull, Vehicle, VehiclePrice
from rental_app.models.listing import Columns, listing, listings
from rental_app.rules import clock
from rental_app.rules.pricing import PLAN_NAMES
from rental_app.schemas.shop import ANY, AvailabilityRequest
from rental_app.schemas.vehicles import PriceOut, PublicVehicle, VehiclesAnswer
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.finding import LAST_DAY, bookable, given, ids_of, ids_where, part_of, prepared
from rental_app.services.paging import Slice
from rental_app.services.shelf import by_ids, shelf
from rental_app.services.throttle import Caller

_BY_IDS = col(Vehicle.id).in_(bindparam("ids", expanding=True))
_ACTIVE_PRICES = select(
    col(VehiclePrice.vehicle_id),
    col(VehiclePrice.price_name),
    col(VehiclePrice.price_paise),
    col(VehiclePrice.kms_limit),
).where(col(VehiclePrice.status) == "Active", col(VehiclePrice.vehicle_id).in_(bindparam("ids", expanding=True)))


class Written(NamedTuple):
    """A list as the wire has it: JSON, its tag for HTTP, and how many vehicles are in it."""

    body: bytes
    tag: str
    rows: int


@cache
def in_full() -> Columns:
    """SELECT of all that pages show of a vehicle."""
    return listings(ListingInFull)


@cache
def _some() -> Columns:
    return listings().where(_BY_IDS)


@cache
def _one() -> Columns:
    return in_full().where(col(Vehicle.id) == bindparam("vehicle_id"), *bookable(LAST_DAY))


@cache
def _newest() -> Columns:
    return ids_where().order_by(col(Vehicle.id).desc()).limit(bindparam("limit"))


def cars_of(session: Session, ids: Sequence[int]) -> list[Listing]:
    """The listings of vehicles by their ids."""
    return by_ids(shelf(session).cars, ids, partial(_fetched, session))


def _fetched(session: Session, ids: list[int]) -> list[tuple[int, Listing]]:
    # Past the ORM, which would take up every row once more.
    found = [listing(row, Listing) for row in session.connection().execute(_some(), {"ids": ids})]
    return [(car.id, car) for car in found]


def listed(
    session: Session, caller: Caller, request: AvailabilityRequest = ANY, page: Page | None = None
) -> Slice[Listing]:
    """Vehicles that can be booked at all and fit a query, by id; its dates do not matter."""
    throttle.count("look", caller)
    throttle.check_rows(caller)
    part = _listed(session, request, page or Page())
    throttle.count_rows(caller, len(part.items))
    return part


def _listed(session: Session, request: AvailabilityRequest, page: Page) -> Slice[Listing]:
    filters = given(request)
    bound = filters | {"last_day": clock.indian_today(clock.now())}
    part = part_of(session, partial(prepared, tuple(filters)), bound, page)
    return part.of(cars_of(session, part.items))


def written(session: Session, caller: Caller, page: Page) -> Written:
    """What `listed_views` gives, as the wire has it."""
    throttle.count("look", caller)
    throttle.check_rows(caller)
    key = ("listed", clock.indian_today(clock.now()), page.limit, page.cursor)
    known = shelf(session)
    found: Written | None = known.kept(key)
    if found is None:
        found = _written(session, page)
        known.keep(key, found)
    throttle.count_rows(caller, found.rows)
    return found


def _written(session: Session, page: Page) -> Written:
    part = _listed(session, ANY, page)
    answer = VehiclesAnswer(vehicles=public_views(session, part.items), **part.tail)
    body = answer.written()
    return Written(body, f'"{hashlib.sha256(body).hexdigest()[:32]}"', len(part.items))


def listed_ids(session: Session, caller: Caller, most: int) -> list[int]:
    """The ids of vehicles that can be booked at all, the newest first."""
    throttle.count("look", caller)
    return ids_of(session, _newest(), {"limit": most, "last_day": clock.indian_today(clock.now())})


def listed_views(session: Session, caller: Caller, page: Page) -> Slice[PublicVehicle]:
    """`listed` with all prices."""
    part = listed(session, caller, page=page)
    return part.of(public_views(session, part.items))


def one(session: Session, caller: Caller, vehicle_id: int) -> ListingInFull:
    """A vehicle that can be booked at all, with its vendor's terms; raises NotFoundError."""
    throttle.count("look", caller)
    bound = {"vehicle_id": vehicle_id, "last_day": clock.indian_today(clock.now())}
    if row := session.connection().execute(_one(), bound).first():
        return listing(row, ListingInFull)
    raise NotFoundError("This vehicle is not listed (any more)", code="unknown_vehicle")


def public_views(session: Session, cars: Sequence[Listing]) -> list[PublicVehicle]:
    """Vehicles as everyone may see them, with their active prices."""
    by_id = {car.id: car for car in cars}

    def fetched(ids: list[int]) -> list[tuple[int, PublicVehicle]]:
        prices = _active_prices(session, ids)
        return [(each, _public(by_id[each], prices.get(each, []))) for each in ids]

    return by_ids(shelf(session).views, list(by_id), fetched)


def _active_prices(session: Session, ids: list[int]) -> dict[int, list[PriceOut]]:
    """The active prices of vehicles, in the order of the plans."""
    prices: dict[int, list[PriceOut]] = {}
    found = session.connection().execute(_ACTIVE_PRICES, {"ids": ids}).all()
    for vehicle_id, name, paise, kms in sorted(found, key=lambda price: PLAN_NAMES.index(price.price_name)):
        prices.setdefault(vehicle_id, []).append(PriceOut(price_name=name, price_paise=paise, kms_limit=kms))
    return prices


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
            "prices": prices,
            "drop_off_paise": car.brought_paise,
            "pick_up_paise": car.fetched_paise,
        }
    )
