"""Alternatives to a vehicle: similar ones, and ones that are free when it is not."""

from dataclasses import replace
from functools import cache

from sqlalchemy import bindparam, func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import InvalidInputError
from rental_app.models import (
    AssetModel,
    AssetType,
    Columns,
    Listing,
    Location,
    Manufacturer,
    Vehicle,
    VehiclePrice,
    offers,
)
from rental_app.schemas.search import AvailabilityRequest, PageRequest
from rental_app.services import throttle
from rental_app.services.search.eligibility import LAST_DAY, bookable
from rental_app.services.search.listings import SearchResult, listings_by_id
from rental_app.services.search.search import available
from rental_app.services.throttle import Caller

SHOWN = 3
# Prices are compared in steps of a tenth of the vehicle's own: within a step, the nearest place counts.
STEPS = 10


def similar(session: Session, caller: Caller, vehicle_id: int) -> list[Listing]:
    """Vehicles of the same type as one that may be delisted: the nearest in price, of these the nearest in place."""
    throttle.count("look", caller)
    car = _even_if_delisted(session, vehicle_id)
    if car is None:
        return []
    bound = {
        "vehicle": vehicle_id,
        "type": car.asset_type,
        "price": max(1, car.daily_paise),
        "place": car.service_location,
        "last_day": clock.indian_today(clock.now()),
        "limit": SHOWN,
    }
    return listings_by_id(session, list(session.scalars(_similar(), bound)))


def free_near(session: Session, caller: Caller, vehicle_id: int, request: AvailabilityRequest) -> SearchResult:
    """Vehicles free on a request's dates as alternatives to one that may be delisted: first those of its type, then
    others, the nearest to it first.

    Impossible dates find no vehicles.
    """
    throttle.count("look", caller)
    car = _even_if_delisted(session, vehicle_id)
    if car is None:
        return SearchResult([], 0)
    try:
        same_type = _free(session, caller, car, request, (car.asset_type,), SHOWN)
        if len(same_type.vehicles) == SHOWN:
            return same_type
        # Enough for those of its type and as many others.
        every = _free(session, caller, car, request, (), 2 * SHOWN)
    except InvalidInputError:
        return SearchResult([], 0)
    others = [other for other in every.vehicles if other.asset_type != car.asset_type]
    return replace(every, vehicles=[*same_type.vehicles, *others][:SHOWN], totals={**every.totals, **same_type.totals})


def _free(
    session: Session, caller: Caller, car: Listing, request: AvailabilityRequest, types: tuple[str, ...], most: int
) -> SearchResult:
    """The nearest vehicles of some types that are free on a request's dates, except one."""
    ends = {"pickup": request.pickup, "return_at": request.return_at}
    wanted = AvailabilityRequest(near=car.service_location, types=types, **ends)
    result = available(session, caller, wanted, PageRequest(limit=most + 1))
    others = [other for other in result.vehicles if other.id != car.id]
    return replace(result, vehicles=others[:most])


def _even_if_delisted(session: Session, vehicle_id: int) -> Listing | None:
    if session.execute(select(col(Vehicle.id)).where(col(Vehicle.id) == vehicle_id)).first() is None:
        return None
    return listings_by_id(session, [vehicle_id])[0]


@cache
def _similar() -> Columns:
    of_type = (
        select(col(AssetModel.id))
        .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .join(AssetType, col(Manufacturer.asset_type_id) == AssetType.id)
        .where(col(AssetType.name) == bindparam("type"))
    )
    price = func.abs(col(VehiclePrice.price_paise) - bindparam("price"))
    here = select(col(Location.latitude), col(Location.longitude)).where(col(Location.name) == bindparam("place"))
    start = here.subquery()
    # Without a unit: this near the equator, degrees of latitude and longitude are about as long.
    north, east = col(Location.latitude) - start.c.latitude, col(Location.longitude) - start.c.longitude
    return (
        offers(col(Vehicle.id))
        .where(*bookable(LAST_DAY), col(Vehicle.model_id).in_(of_type), col(Vehicle.id) != bindparam("vehicle"))
        .join(Location, col(Vehicle.location_id) == Location.id)
        .join(start, start.c.latitude.is_not(None))
        .order_by(price * STEPS // bindparam("price"), north * north + east * east, price, col(Vehicle.id))
        .limit(bindparam("limit"))
    )
