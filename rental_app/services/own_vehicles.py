"""A vendor's own vehicles, read: in full, as sources of prices, and their files."""

from typing import Any

from sqlalchemy import Row, and_, select
from sqlmodel import Session, col

from rental_app.content.art import picture_path
from rental_app.errors import NotFoundError
from rental_app.models import (
    AssetModel,
    AssetType,
    Location,
    Manufacturer,
    User,
    Vehicle,
    VehicleFile,
    VehiclePrice,
)
from rental_app.rules import clock
from rental_app.rules.pricing import PLAN_NAMES
from rental_app.schemas.vehicles import Asset, AssetModelName, FileView, VendorModel, VendorPrice, VendorVehicle
from rental_app.schemas.wire import Page
from rental_app.services import throttle, vehicle_files
from rental_app.services.accounts import Actor, require_vendor
from rental_app.services.paging import Columns, Slice, paged
from rental_app.services.shop import image_of, platform_verdict


def of_vendor(session: Session, actor: Actor, page: Page | None = None) -> Slice[VendorVehicle]:
    """The actor's vehicles with prices and files, by id. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    part = paged(session, actor, _columns().where(col(Vehicle.vendor_id) == actor.id), col(Vehicle.id), page)
    prices, files = _prices_of(session, actor), vehicle_files.of_actor(session, actor)
    return part.of([_view(row, prices.get(row.id, []), files.get(row.id, [])) for row in part.items])


def mine(session: Session, actor: Actor, vehicle_id: int) -> VendorVehicle:
    """One of the actor's vehicles with prices and files; NotFoundError for everyone else's."""
    throttle.count("list", actor)
    require_vendor(actor)
    own = _columns().where(col(Vehicle.id) == vehicle_id, col(Vehicle.vendor_id) == actor.id)
    row = session.execute(own).first()
    if row is None:
        raise NotFoundError("There is no such vehicle", code="unknown_vehicle")
    prices, files = _prices_of(session, actor), vehicle_files.of_actor(session, actor)
    return _view(row, prices.get(row.id, []), files.get(row.id, []))


def assets(session: Session, actor: Actor) -> list[Asset]:
    """The actor's vehicles as sources to copy prices from, newest first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    throttle.check_rows(actor)
    rows = session.execute(
        select(
            col(Vehicle.id),
            col(Vehicle.rc_number),
            col(Manufacturer.name).label("maker"),
            col(AssetModel.name).label("model_name"),
        )
        .join(AssetModel, col(Vehicle.model_id) == AssetModel.id)
        .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .where(col(Vehicle.vendor_id) == actor.id)
        .order_by(col(Vehicle.id).desc())
    ).all()
    throttle.count_rows(actor, len(rows))
    prices = _prices_of(session, actor)
    return [
        Asset(
            id=row.id,
            asset_manufacturer=row.maker,
            asset_model=AssetModelName(name=row.model_name),
            rc_number=row.rc_number,
            prices=prices.get(row.id, []),
        )
        for row in rows
    ]


def private_file(session: Session, actor: Actor, file_id: int) -> VehicleFile:
    """A file of one of the actor's vehicles; NotFoundError for everyone else's."""
    throttle.count("list", actor)
    require_vendor(actor)
    own = select(VehicleFile).join(Vehicle).where(col(VehicleFile.id) == file_id, col(Vehicle.vendor_id) == actor.id)
    if file := session.scalars(own).first():
        return file
    raise NotFoundError("There is no such file")


def _columns() -> Columns:
    today = clock.indian_today(clock.now())
    same = (name for name in VendorVehicle.model_fields if name in Vehicle.model_fields)
    return (
        select(
            *(getattr(Vehicle, name) for name in same),
            and_(*platform_verdict(today)).label("is_available"),
            col(AssetType.id).label("type_id"),
            col(AssetType.name).label("asset_type"),
            col(Manufacturer.id).label("manufacturer_id"),
            col(Manufacturer.name).label("asset_manufacturer"),
            col(AssetModel.name).label("model_name"),
            col(AssetModel.shape),
            col(AssetModel.seating_capacity),
            col(AssetModel.transmission_type),
            col(AssetModel.body_type),
            col(Location.name).label("service_location"),
        )
        .join(AssetModel, col(Vehicle.model_id) == AssetModel.id)
        .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .join(AssetType, col(Manufacturer.asset_type_id) == AssetType.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
        .join(User, col(Vehicle.vendor_id) == User.id)
    )


def _prices_of(session: Session, actor: Actor) -> dict[int, list[VendorPrice]]:
    rows = session.scalars(select(VehiclePrice).join(Vehicle).where(col(Vehicle.vendor_id) == actor.id)).all()
    by_vehicle: dict[int, list[VendorPrice]] = {}
    for row in sorted(rows, key=lambda price: PLAN_NAMES.index(price.price_name)):
        by_vehicle.setdefault(row.vehicle_id, []).append(
            VendorPrice.model_validate(row.model_dump(exclude={"id", "vehicle_id"}))
        )
    return by_vehicle


def _view(row: Row[Any], prices: list[VendorPrice], files: list[FileView]) -> VendorVehicle:
    picture = picture_path(row.shape, row.color)
    same = set(VendorVehicle.model_fields) & set(row._fields)
    return VendorVehicle(
        **{name: getattr(row, name) for name in same if name != "image"},
        image=image_of(row).full,
        asset_model=VendorModel(
            id=row.model_id,
            name=row.model_name,
            image=picture,
            seating_capacity=row.seating_capacity,
            transmission_type=row.transmission_type,
            body_type=row.body_type,
        ),
        prices=prices,
        files=files,
    )
