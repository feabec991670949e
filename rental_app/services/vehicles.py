"""A vendor's vehicles: listing, editing, switching on and off."""

from collections.abc import Sequence
from datetime import date
from typing import Any

from sqlalchemy import Row, and_, delete, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.content.art import picture_path
from rental_app.errors import ConflictError, InvalidInputError, NotFoundError
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
from rental_app.models.vehicle import FILE_GROUPS
from rental_app.rules import clock
from rental_app.rules.papers import expiry_problem, service_problem
from rental_app.rules.pricing import PLAN_NAMES
from rental_app.schemas.vehicles import (
    Asset,
    AssetModelName,
    EditedVehicle,
    FileView,
    VehicleData,
    VendorModel,
    VendorPrice,
    VendorVehicle,
)
from rental_app.schemas.wire import Page
from rental_app.services import vehicle_files
from rental_app.services.accounts import Actor, require_vendor
from rental_app.services.catalogue import location_id
from rental_app.services.files import CheckedFile
from rental_app.services.paging import Columns, Slice, paged
from rental_app.services.shop import platform_verdict
from rental_app.settings import settings

YEARS_BACK = 20
_NOT_COLUMNS = {"id", "type_id", "manufacturer_id", "service_location", "prices", "keep_files"}


def require_all_groups(groups: set[str]) -> None:
    """Raise InvalidInputError naming every upload group without a file."""
    if missing := [group for group in FILE_GROUPS if group not in groups]:
        message = f"Please upload documents for: {', '.join(missing)}"
        raise InvalidInputError(
            message, code="missing_documents", fields={group: "Upload at least one file" for group in missing}
        )


def add(session: Session, actor: Actor, data: VehicleData, files: Sequence[CheckedFile]) -> int:
    """List a vehicle; returns its id.

    Raises ForbiddenError (no vendor), InvalidInputError (year, model, no service location) and ConflictError
    (RC number known).
    """
    require_vendor(actor)
    _check_choice(session, data)
    vehicle = Vehicle(
        vendor_id=actor.id,
        location_id=_standing_place(session, actor, data),
        is_approved=settings().listing_approval == "auto",
        **data.model_dump(exclude=_NOT_COLUMNS),
    )
    session.add(vehicle)
    _flush_unique(session, data)
    _put_prices(session, vehicle.id or 0, data)
    vehicle_files.put(session, vehicle, files)
    return vehicle.id or 0


def edit(session: Session, actor: Actor, data: EditedVehicle, files: Sequence[CheckedFile]) -> list[str]:
    """Replace a vehicle's data, and its files but those to keep; returns store keys no longer used.

    Raises as `add`, and NotFoundError for a vehicle that is not the actor's.
    """
    vehicle = _own(session, actor, data.id)
    _check_choice(session, data)
    if data.service_location:
        vehicle.location_id = location_id(session, data.service_location, "service_location")
    vehicle.sqlmodel_update(data.model_dump(exclude=_NOT_COLUMNS))
    _flush_unique(session, data)
    _put_prices(session, data.id, data)
    return vehicle_files.put(session, vehicle, files, data.keep_files)


def toggle(session: Session, actor: Actor, vehicle_id: int) -> str:
    """Switch a vehicle on or off; returns what to tell the vendor. Bookings it has are left alone."""
    vehicle = _own(session, actor, vehicle_id)
    vehicle.is_active = not vehicle.is_active
    return "Vehicle is now on the platform" if vehicle.is_active else "Vehicle is now blocked from booking"


def _own(session: Session, actor: Actor, vehicle_id: int) -> Vehicle:
    require_vendor(actor)
    mine = select(Vehicle).where(col(Vehicle.id) == vehicle_id, col(Vehicle.vendor_id) == actor.id)
    # Locked so that two switches, or an edit and a switch, follow one another.
    if vehicle := session.scalars(mine.with_for_update()).first():
        return vehicle
    raise NotFoundError("There is no such vehicle", code="unknown_vehicle")


def _standing_place(session: Session, actor: Actor, data: VehicleData) -> int:
    if data.service_location:
        return location_id(session, data.service_location, "service_location")
    vendor = session.get_one(User, actor.id)
    if vendor.location_id is None:
        message = "Choose your service location in your profile first"
        raise InvalidInputError(message, code="no_service_location", fields={"service_location": message})
    return vendor.location_id


def _check_choice(session: Session, data: VehicleData) -> None:
    """The model must belong to the maker, the maker to the type, and the year and service date be possible."""
    today = clock.indian_today(clock.now())
    chosen = (
        select(col(AssetModel.id))
        .join(Manufacturer)
        .where(
            col(AssetModel.id) == data.model_id,
            col(Manufacturer.id) == data.manufacturer_id,
            col(Manufacturer.asset_type_id) == data.type_id,
        )
    )
    problems = {}
    if session.execute(chosen).first() is None:
        problems["model"] = "Choose a model of the chosen type and manufacturer"
    if not today.year - YEARS_BACK < data.year <= today.year:
        problems["year"] = f"Choose a year from {today.year - YEARS_BACK + 1} to {today.year}"
    problems |= _date_problems(data, today)
    if problems:
        raise InvalidInputError("; ".join(problems.values()), fields=problems)


def _date_problems(data: VehicleData, today: date) -> dict[str, str]:
    verdicts = {
        "last_serviced_date": service_problem(data.last_serviced_date, today),
        "insurance_expiry_date": expiry_problem(data.insurance_expiry_date, today),
        "pollution_expiry_date": expiry_problem(data.pollution_expiry_date, today),
    }
    return {name: problem for name, problem in verdicts.items() if problem}


def _flush_unique(session: Session, data: VehicleData) -> None:
    try:
        session.flush()
    except IntegrityError as error:
        if "rc_number" not in str(error.orig):
            raise
        message = f"A vehicle with the RC number {data.rc_number} is already listed"
        raise ConflictError(message, code="rc_number_taken", fields={"rc_number": message}) from None


def _put_prices(session: Session, vehicle_id: int, data: VehicleData) -> None:
    session.execute(delete(VehiclePrice).where(col(VehiclePrice.vehicle_id) == vehicle_id))
    session.add_all(VehiclePrice(vehicle_id=vehicle_id, **price.model_dump(mode="python")) for price in data.prices)
    session.flush()


def of_vendor(session: Session, actor: Actor, page: Page | None = None) -> Slice[VendorVehicle]:
    """The actor's vehicles with prices and files, by id. Raises ForbiddenError."""
    require_vendor(actor)
    part = paged(session, _columns().where(col(Vehicle.vendor_id) == actor.id), col(Vehicle.id), page)
    prices, files = _prices_of(session, actor), vehicle_files.of_actor(session, actor)
    return part.of([_view(row, prices.get(row.id, []), files.get(row.id, [])) for row in part.items])


def mine(session: Session, actor: Actor, vehicle_id: int) -> VendorVehicle:
    """One of the actor's vehicles with prices and files; NotFoundError for everyone else's."""
    require_vendor(actor)
    own = _columns().where(col(Vehicle.id) == vehicle_id, col(Vehicle.vendor_id) == actor.id)
    row = session.execute(own).first()
    if row is None:
        raise NotFoundError("There is no such vehicle", code="unknown_vehicle")
    prices, files = _prices_of(session, actor), vehicle_files.of_actor(session, actor)
    return _view(row, prices.get(row.id, []), files.get(row.id, []))


def assets(session: Session, actor: Actor) -> list[Asset]:
    """The actor's vehicles as sources to copy prices from, newest first. Raises ForbiddenError."""
    require_vendor(actor)
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
        image=row.image or picture,
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
