"""The shop: what everyone may see of a vehicle, and the one definition of bookable that the whole product shares."""

from collections.abc import Sequence
from datetime import date
from functools import cache
from operator import attrgetter

from sqlalchemy import ColumnElement, select
from sqlmodel import Session, col

from rental_app.errors import NotFoundError
from rental_app.models import Listing, ListingInFull, Location, User, Vehicle, VehiclePrice
from rental_app.models.listing import Columns, listing, listings, offers
from rental_app.rules import clock
from rental_app.rules.pricing import PLAN_NAMES
from rental_app.schemas.shop import ANY, AvailabilityRequest
from rental_app.schemas.vehicles import PriceOut, PublicVehicle
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.paging import Slice, paged
from rental_app.services.throttle import Caller

# Databases bind a few tens of thousands of values at most.
IDS_A_STATEMENT = 1000


def bookable(first_day: date, last_day: date) -> list[ColumnElement[bool]]:
    """SQL conditions: switched on, approved, papers valid on both days, vendor in good standing, a Full Day price.

    They are for SELECTs that start from `offers` or `listings`.
    """
    latest = max(first_day, last_day)
    return [
        col(Vehicle.is_active).is_(True),
        *platform_verdict(latest),
        *priced(),
    ]


def priced() -> list[ColumnElement[bool]]:
    """SQL conditions: a Full Day price that is switched on and above zero."""
    return [col(VehiclePrice.status) == "Active", col(VehiclePrice.price_paise) > 0]


def platform_verdict(day: date) -> list[ColumnElement[bool]]:
    """SQL conditions behind `isAvaliable`: the platform's own verdict on a day."""
    return [
        col(Vehicle.is_approved).is_(True),
        col(Vehicle.insurance_expiry_date) >= day,
        col(Vehicle.pollution_expiry_date) >= day,
        col(User.status) == "active",
        col(User.is_deleted).is_(False),
    ]


@cache
def vehicle_columns() -> Columns:
    """SELECT of what every public view of a vehicle is made from, for `made`."""
    return listings()


@cache
def in_full() -> Columns:
    """The same with what lists leave out."""
    return listings(ListingInFull)


def made(session: Session, statement: Columns) -> list[Listing]:
    """The listings of a SELECT that starts from `vehicle_columns`."""
    # Past the ORM, which would take up every row once more.
    return [listing(row, Listing) for row in session.connection().execute(statement).all()]


def fitting(request: AvailabilityRequest) -> list[ColumnElement[bool]]:
    """SQL conditions: what a query asks of a vehicle, whatever its dates."""
    return [col(Location.name) == request.location] if request.location else []


def listed(
    session: Session, caller: Caller, request: AvailabilityRequest = ANY, page: Page | None = None
) -> Slice[Listing]:
    """Vehicles that can be booked at all and fit a query, by id; its dates do not matter."""
    throttle.count("look", caller)
    today = clock.indian_today(clock.now())
    statement = vehicle_columns().where(*bookable(today, today), *fitting(request))
    part = paged(session, caller, statement, col(Vehicle.id), page)
    return part.of([listing(row, Listing) for row in part.items])


def listed_ids(session: Session, caller: Caller, most: int) -> list[int]:
    """The ids of vehicles that can be booked at all, the newest first."""
    throttle.count("look", caller)
    today = clock.indian_today(clock.now())
    statement = offers(col(Vehicle.id)).where(*bookable(today, today))
    return [row.id for row in session.execute(statement.order_by(col(Vehicle.id).desc()).limit(most))]


def listed_views(session: Session, caller: Caller, page: Page) -> Slice[PublicVehicle]:
    """`listed` with all prices, as the wire has it."""
    part = listed(session, caller, page=page)
    return part.of(public_views(session, part.items))


def one(session: Session, caller: Caller, vehicle_id: int) -> ListingInFull:
    """A vehicle that can be booked at all, with its vendor's terms; raises NotFoundError."""
    throttle.count("look", caller)
    today = clock.indian_today(clock.now())
    statement = in_full().where(col(Vehicle.id) == vehicle_id, *bookable(today, today))
    if row := session.execute(statement).first():
        return listing(row, ListingInFull)
    raise NotFoundError("This vehicle is not listed (any more)", code="unknown_vehicle")


def public_views(session: Session, cars: Sequence[Listing]) -> list[PublicVehicle]:
    """Vehicles as everyone may see them, with their active prices (one more statement per thousand)."""
    prices = _active_prices(session, [car.id for car in cars])
    return [_public(car, prices.get(car.id, [])) for car in cars]


def _active_prices(session: Session, ids: list[int]) -> dict[int, list[PriceOut]]:
    """The active prices of vehicles, in the order of the plans."""
    statement = select(
        col(VehiclePrice.vehicle_id),
        col(VehiclePrice.price_name),
        col(VehiclePrice.price_paise),
        col(VehiclePrice.kms_limit),
    ).where(col(VehiclePrice.status) == "Active")
    prices: dict[int, list[PriceOut]] = {}
    for start in range(0, len(ids), IDS_A_STATEMENT):
        some = ids[start : start + IDS_A_STATEMENT]
        found = session.execute(statement.where(col(VehiclePrice.vehicle_id).in_(some))).all()
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
