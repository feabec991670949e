"""The shop: what everyone may see of a vehicle, and the one definition of bookable all of the product shares."""

from collections.abc import Sequence
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Row, and_, select
from sqlmodel import Session, col

from rental_app.content.art import picture_path
from rental_app.errors import NotFoundError
from rental_app.models import AssetModel, AssetType, Location, Manufacturer, Snapshot, User, Vehicle, VehiclePrice
from rental_app.models.user import full_address, opening_hours
from rental_app.rules import clock
from rental_app.rules.pictures import Picture
from rental_app.rules.pricing import FULL_DAY, PLAN_NAMES
from rental_app.schemas.vehicles import ModelFacts, PriceOut, PublicVehicle, VehicleInFull
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.paging import Columns, Slice, paged
from rental_app.services.throttle import Caller

VehicleRow = Row[Any]
# Databases bind some ten thousands of values at most.
IDS_A_STATEMENT = 1000


def bookable(first_day: date, last_day: date) -> list[ColumnElement[bool]]:
    """SQL conditions: switched on, approved, papers valid on both days, vendor in good standing, a Full Day price.

    They need Vehicle joined with its vendor (User) and its Full Day price (VehiclePrice).
    """
    latest = max(first_day, last_day)
    return [
        col(Vehicle.is_active).is_(True),
        *platform_verdict(latest),
        *priced(),
    ]


def priced() -> list[ColumnElement[bool]]:
    """SQL conditions: a Full Day price that is switched on and more than nothing."""
    return [col(VehiclePrice.status) == "Active", col(VehiclePrice.price_paise) > 0]


def with_daily_price(wanted: Columns) -> Columns:
    """A SELECT of vehicles joined with their Full Day prices, where they have one."""
    of_a_day = and_(col(VehiclePrice.vehicle_id) == Vehicle.id, col(VehiclePrice.price_name) == FULL_DAY)
    return wanted.outerjoin(VehiclePrice, of_a_day)


def platform_verdict(day: date) -> list[ColumnElement[bool]]:
    """SQL conditions behind `isAvaliable`: what the platform itself has to say on a day."""
    return [
        col(Vehicle.is_approved).is_(True),
        col(Vehicle.insurance_expiry_date) >= day,
        col(Vehicle.pollution_expiry_date) >= day,
        col(User.status) == "active",
        col(User.is_deleted).is_(False),
    ]


@cache
def vehicle_columns() -> Columns:
    """SELECT of what every public view of a vehicle is made from, one row a vehicle, with its Full Day price."""
    return with_daily_price(
        select(
            col(Vehicle.id),
            col(AssetType.name).label("asset_type"),
            col(Manufacturer.name).label("asset_manufacturer"),
            col(Vehicle.model_id),
            col(AssetModel.name).label("model_name"),
            col(AssetModel.vehicle_cc),
            col(AssetModel.top_speed),
            col(AssetModel.fuel_tank_capacity),
            col(AssetModel.mileage),
            col(AssetModel.shape),
            col(AssetModel.body_type),
            col(AssetModel.engine_type),
            col(AssetModel.transmission_type),
            col(AssetModel.seating_capacity),
            col(Vehicle.image),
            col(Vehicle.color),
            col(Vehicle.year),
            col(Location.name).label("service_location"),
            col(Vehicle.vendor_id),
            col(User.name).label("vendor_name"),
            col(User.address),
            col(User.landmark),
            col(User.city),
            col(User.state),
            col(User.zip_code),
            col(User.google_maps_link),
            col(User.open_time),
            col(User.close_time),
            col(User.closing_days),
            col(User.delivery_supported),
            col(Vehicle.deposit_paise),
            col(Vehicle.odometer_reading),
            col(Vehicle.speed_limit_kmph),
            col(Vehicle.late_penalty_paise),
            col(Vehicle.distance_penalty_paise),
            col(Vehicle.terms),
            col(Vehicle.drop_off_pick_extra_payment),
            col(Vehicle.drop_off_paise),
            col(Vehicle.pick_up_paise),
            col(VehiclePrice.price_paise).label("daily_paise"),
            col(VehiclePrice.kms_limit),
        )
        .join(AssetModel, col(Vehicle.model_id) == AssetModel.id)
        .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .join(AssetType, col(Manufacturer.asset_type_id) == AssetType.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
        .join(User, col(Vehicle.vendor_id) == User.id)
    )


def listed(session: Session, caller: Caller, location: str = "", page: Page | None = None) -> Slice[VehicleRow]:
    """Vehicles that can be booked at all, by id, of one location or of all."""
    throttle.count("look", caller)
    today = clock.indian_today(clock.now())
    wanted = vehicle_columns().where(*bookable(today, today))
    if location:
        wanted = wanted.where(col(Location.name) == location)
    return paged(session, caller, wanted, col(Vehicle.id), page)


def listed_ids(session: Session, caller: Caller, most: int) -> list[int]:
    """The ids of vehicles that can be booked at all, the newest first."""
    throttle.count("look", caller)
    today = clock.indian_today(clock.now())
    wanted = vehicle_columns().with_only_columns(col(Vehicle.id)).where(*bookable(today, today))
    return [row.id for row in session.execute(wanted.order_by(col(Vehicle.id).desc()).limit(most))]


def listed_views(session: Session, caller: Caller, page: Page) -> Slice[PublicVehicle]:
    """`listed` with all prices, as the wire has it."""
    part = listed(session, caller, page=page)
    return part.of(public_views(session, part.items))


def one(session: Session, vehicle_id: int) -> VehicleRow:
    """The row of a vehicle that can be booked at all; raises NotFoundError."""
    today = clock.indian_today(clock.now())
    wanted = vehicle_columns().where(col(Vehicle.id) == vehicle_id, *bookable(today, today))
    if row := session.execute(wanted).first():
        return row
    raise NotFoundError("This vehicle is not listed (any more)", code="unknown_vehicle")


def public_view(session: Session, caller: Caller, vehicle_id: int) -> VehicleInFull:
    """A vehicle that can be booked at all, with its vendor's terms; raises NotFoundError."""
    throttle.count("look", caller)
    row = one(session, vehicle_id)
    terms = session.scalars(select(col(User.notes)).where(col(User.id) == row.vendor_id)).one()
    return VehicleInFull(**dict(public_views(session, [row])[0]), vendor_terms=terms)


def public_views(session: Session, rows: Sequence[VehicleRow]) -> list[PublicVehicle]:
    """Rows as everyone may see them, with their active prices (one more statement a thousand)."""
    prices = _active_prices(session, [row.id for row in rows])
    return [_public(row, prices.get(row.id, [])) for row in rows]


def _active_prices(session: Session, ids: list[int]) -> dict[int, list[PriceOut]]:
    """The active prices of vehicles, in the order of the plans."""
    wanted = select(
        col(VehiclePrice.vehicle_id),
        col(VehiclePrice.price_name),
        col(VehiclePrice.price_paise),
        col(VehiclePrice.kms_limit),
    ).where(col(VehiclePrice.status) == "Active")
    prices: dict[int, list[PriceOut]] = {}
    for start in range(0, len(ids), IDS_A_STATEMENT):
        some = ids[start : start + IDS_A_STATEMENT]
        found = session.execute(wanted.where(col(VehiclePrice.vehicle_id).in_(some))).all()
        for vehicle_id, name, paise, kms in sorted(found, key=lambda price: PLAN_NAMES.index(price.price_name)):
            prices.setdefault(vehicle_id, []).append(PriceOut(price_name=name, price_paise=paise, kms_limit=kms))
    return prices


def image_of(row: VehicleRow | Snapshot) -> Picture:
    """A vehicle's picture: its Front photo, else its model's illustration in its colour."""
    return Picture(row.image or picture_path(row.shape, row.color))


def _public(row: VehicleRow, prices: list[PriceOut]) -> PublicVehicle:
    hours = opening_hours(row.open_time, row.close_time, row.closing_days)
    picture = picture_path(row.shape, row.color)
    facts = dict(zip(row._fields, row, strict=True))
    # What a shape has no field for is passed over.
    return PublicVehicle.model_validate(
        facts
        | {
            "asset_model": ModelFacts(**facts | {"id": row.model_id, "name": row.model_name, "image": picture}),
            "image": image_of(row).full,
            "vendor_addr": full_address(row.address, row.landmark, row.city, row.state, row.zip_code),
            "vendor_pickup_maps": row.google_maps_link,
            "vendor_open_time": hours.open,
            "vendor_close_time": hours.close,
            "vendor_closing_days": row.closing_days,
            "prices": prices,
            # What stays behind when the vendor has switched the extra payment off is not asked for.
            "drop_off_paise": row.drop_off_paise if row.drop_off_pick_extra_payment else 0,
            "pick_up_paise": row.pick_up_paise if row.drop_off_pick_extra_payment else 0,
        }
    )
