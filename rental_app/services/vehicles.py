"""A vendor's vehicles: listing, editing, switching on and off."""

from collections.abc import Collection, Sequence
from datetime import date
from typing import NamedTuple

from sqlalchemy import delete, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.models import AssetModel, Manufacturer, User, Vehicle, VehiclePrice
from rental_app.rules import clock
from rental_app.rules.papers import expiry_problem, service_problem
from rental_app.rules.uploads import FILE_GROUPS
from rental_app.schemas.listing import EditedFiles, EditedVehicle, VehicleData
from rental_app.services import listing_changes, throttle, vehicle_files
from rental_app.services.accounts import Actor, require_vendor
from rental_app.services.catalogue import location_id
from rental_app.services.files import CheckedFile
from rental_app.settings import settings

YEARS_BACK = 20
_NOT_COLUMNS = {"id", "type_id", "manufacturer_id", "service_location", "prices", "drop_files"}


class Edited(NamedTuple):
    """What an edit did: what to tell the vendor, and the store keys no longer used."""

    message: str
    unused: list[str]


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
    throttle.count("change", actor)
    require_vendor(actor)
    throttle.check("rc_taken", actor)
    _check_choice(session, data, _years())
    vehicle = Vehicle(
        vendor_id=actor.id,
        location_id=_standing_place(session, actor, data),
        is_approved=settings().listing_approval == "auto",
        **data.model_dump(exclude=_NOT_COLUMNS),
    )
    session.add(vehicle)
    _flush_unique(session, actor, data)
    _put_prices(session, vehicle.id or 0, data)
    vehicle_files.put(session, vehicle, files)
    return vehicle.id or 0


def edit(session: Session, actor: Actor, data: EditedVehicle | EditedFiles, files: Sequence[CheckedFile]) -> Edited:
    """Replace a vehicle's data, if given, and change its files.

    Raises as `add`, NotFoundError for a vehicle that is not the actor's, and ConflictError where open bookings are of
    another vehicle than it would become.
    """
    throttle.count("change", actor)
    vehicle = _own(session, actor, data.id)
    message = "Vehicle updated successfully!"
    if listing_changes.needs_approval(vehicle, data, files=bool(files)):
        vehicle.is_approved = False
        message += " It waits for approval again and cannot be booked until then."
    if isinstance(data, EditedVehicle):
        _replace_data(session, actor, vehicle, data)
    return Edited(message, vehicle_files.put(session, vehicle, files, data.drop_files))


def _replace_data(session: Session, actor: Actor, vehicle: Vehicle, data: EditedVehicle) -> None:
    if data.rc_number != vehicle.rc_number:
        throttle.check("rc_taken", actor)
    # The years of the form move on, a vehicle's own stays true.
    _check_choice(session, data, {*_years(), vehicle.year})
    listing_changes.require_same_vehicle(session, vehicle, data)
    if data.service_location:
        vehicle.location_id = location_id(session, data.service_location, "service_location")
    vehicle.sqlmodel_update(data.model_dump(exclude=_NOT_COLUMNS))
    _flush_unique(session, actor, data)
    _put_prices(session, data.id, data)


def toggle(session: Session, actor: Actor, vehicle_id: int) -> str:
    """Switch a vehicle on or off; returns what to tell the vendor. Bookings it has are left alone."""
    throttle.count("change", actor)
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


def _years() -> range:
    """The years a vehicle that is listed today can be of."""
    this_year = clock.indian_today(clock.now()).year
    return range(this_year - YEARS_BACK + 1, this_year + 1)


def _check_choice(session: Session, data: VehicleData, years: Collection[int]) -> None:
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
    if data.year not in years:
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


def _flush_unique(session: Session, actor: Actor, data: VehicleData) -> None:
    try:
        session.flush()
    except IntegrityError as error:
        if "rc_number" not in str(error.orig):
            raise
        throttle.count("rc_taken", actor)
        message = f"A vehicle with the RC number {data.rc_number} is already listed"
        raise ConflictError(message, code="rc_number_taken", fields={"rc_number": message}) from None


def _put_prices(session: Session, vehicle_id: int, data: VehicleData) -> None:
    session.execute(delete(VehiclePrice).where(col(VehiclePrice.vehicle_id) == vehicle_id))
    session.add_all(VehiclePrice(vehicle_id=vehicle_id, **price.model_dump(mode="python")) for price in data.prices)
    session.flush()
