"""Checks of a submitted vehicle against the database, and how a listed one may change.

It cannot become another vehicle while it is booked, and is reviewed again if approval is manual.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from datetime import date
from functools import partial
from typing import Any

from sqlalchemy import or_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.papers import lapse_problem
from rental_app.infrastructure.settings import settings
from rental_app.models import AssetModel, AssetType, Booking, Manufacturer, User, Vehicle
from rental_app.schemas.validation import refusal, validated
from rental_app.schemas.vehicles import (
    EditedFiles,
    EditedVehicle,
    ModelFields,
    Papers,
    PickupPlace,
    Registered,
    VehicleData,
    YearField,
    read_date,
)
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings.rows import is_open
from rental_app.services.catalogue import open_location_id, place_of_pincode
from rental_app.services.search.eligibility import in_fleet

YEARS_BACK = 20


# What the registration certificate and the other papers say, and how long they are valid.
APPROVED = (
    "model_id",
    "year",
    "rc_number",
    "engine_number",
    "chassis_number",
    "owner_name_as_per_rc",
    "insurance_expiry_date",
    "pollution_expiry_date",
)


def of_new(session: Session, actor: Actor, data: Mapping[str, Any]) -> Iterator[Callable[[], object]]:
    """The checks of a new vehicle's data, each of which validates its part without the others."""
    yield lambda: _require_model(session, validated(ModelFields, data), own=0)
    yield lambda: _require_year(validated(YearField, data), years())
    yield lambda: _require_free(session, actor, validated(Registered, data))
    yield lambda: locality_of_vehicle(session, actor, validated(PickupPlace, data))
    yield lambda: own_address(validated(PickupPlace, data))
    for paper in Papers.model_fields:
        yield partial(_require_valid, paper, data)


def of_changed(
    session: Session, actor: Actor, data: Mapping[str, Any], vehicle: Vehicle
) -> Iterator[Callable[[], object]]:
    """The checks of a listed vehicle's new data."""
    yield lambda: _require_model(session, validated(ModelFields, data), own=vehicle.model_id)
    # The form's range of years moves on; a vehicle's own year stays valid.
    yield lambda: _require_year(validated(YearField, data), {*years(), vehicle.year})
    yield lambda: require_same_vehicle(session, vehicle, validated(EditedVehicle, data))
    if data.get("rc_number") != vehicle.rc_number:
        yield lambda: _require_free(session, actor, validated(Registered, data), vehicle.rc_number)
    yield lambda: locality_of_vehicle(session, actor, validated(PickupPlace, data), vehicle)
    yield lambda: own_address(validated(PickupPlace, data), vehicle)
    for paper in Papers.model_fields:
        yield partial(_require_valid, paper, data, getattr(vehicle, paper))


def years() -> range:
    """The model years of vehicles that can be listed today."""
    this_year = clock.indian_today(clock.now()).year
    return range(this_year - YEARS_BACK + 1, this_year + 1)


def locality_of_vehicle(session: Session, actor: Actor, data: PickupPlace, vehicle: Vehicle | None = None) -> int:
    """The id of the locality that a new or already listed vehicle is kept in from now on.

    Raises InvalidInputError for none, an unknown one, and one other than its vendor's without an address there.
    """
    vendors = session.get_one(User, actor.vendor).location_id
    if data.service_location:
        own = vehicle.location_id if vehicle else vendors
        place = open_location_id(session, data.service_location, "service_location", own)
        if vendors and place != vendors and not _has_address(data, place, vehicle):
            raise _missing("address", "Enter the vehicle's address: it is not in the same location as your own")
        return place
    if vehicle and (data.leaves_address or data.address or vendors is None):
        return vehicle.location_id
    if vendors is None:
        message = "Choose your service location in your profile first"
        raise InvalidInputError(message, code="no_service_location", fields={"service_location": message})
    return vendors


def _has_address(data: PickupPlace, place: int, vehicle: Vehicle | None) -> bool:
    """Whether a vehicle has an address of its own from now on, or was already in that place without one."""
    if data.address or vehicle is None:
        return bool(data.address)
    return data.leaves_address if vehicle.address else place == vehicle.location_id


def own_address(data: PickupPlace, vehicle: Vehicle | None = None) -> dict[str, Any]:
    """The columns of a new or already listed vehicle's own address, blank for its vendor's.

    Raises InvalidInputError if it is incomplete, or its pincode is not known and no state was typed.
    """
    if not data.address and (data.landmark or data.zip_code or data.google_maps_link):
        raise _missing("address", "Please fill this in")
    if data.address and not data.zip_code:
        raise _missing("zipCode", "Please fill this in")
    return {
        "address": data.address,
        "landmark": data.landmark,
        "city": settings().city if data.address else "",
        "state": _state_of(data, vehicle) if data.address else "",
        "zip_code": data.zip_code,
        "google_maps_link": data.google_maps_link,
    }


def _state_of(data: PickupPlace, vehicle: Vehicle | None) -> str:
    """The state of a pincode; of one that the data do not know, what was typed, or is stored with it."""
    try:
        return place_of_pincode(data.zip_code).state.name
    except NotFoundError as error:
        stored = vehicle.state if vehicle and vehicle.zip_code == data.zip_code else ""
        if data.state or stored:
            return data.state or stored
        raise _missing("zipCode", error.message) from None


def _missing(field: str, message: str) -> InvalidInputError:
    return refusal({field: message}, code="pickup_address")


def rc_number_taken(actor: Actor, data: Registered) -> ConflictError:
    """The error for an RC number that another vehicle has; it counts towards a rate limit."""
    throttle.count("rc_taken", actor)
    message = f"A vehicle with the RC number {data.rc_number} is already listed"
    return ConflictError(message, code="rc_number_taken", fields={"rc_number": message})


def _require_model(session: Session, data: ModelFields, own: int) -> None:
    """Raise InvalidInputError for a model of another type or maker, or a retired one that is not the vehicle's own."""
    retired = or_(col(AssetModel.is_retired), col(Manufacturer.is_retired), col(AssetType.is_retired))
    chosen = (
        select(col(AssetModel.id))
        .join(Manufacturer)
        .join(AssetType)
        .where(
            or_(~retired, col(AssetModel.id) == own),
            col(AssetModel.id) == data.model_id,
            col(Manufacturer.id) == data.manufacturer_id,
            col(Manufacturer.asset_type_id) == data.type_id,
        )
    )
    if session.execute(chosen).first() is None:
        message = "Choose a model of the chosen type and manufacturer"
        raise InvalidInputError(message, fields={"model": message})


def _require_year(data: YearField, possible: Collection[int]) -> None:
    if data.year not in possible:
        message = f"Choose a year from {years()[0]} to {years()[-1]}"
        raise InvalidInputError(message, fields={"year": message})


def _require_valid(paper: str, data: Mapping[str, Any], stored: date | None = None) -> None:
    """Raise InvalidInputError for a paper that has expired, unless its date is the `stored` one."""
    day = read_date(data.get(paper))
    if day and day != stored and (problem := lapse_problem(day, clock.indian_today(clock.now()))):
        raise refusal({paper: problem}, code="paper_expired")


def _require_free(session: Session, actor: Actor, data: Registered, own: str = "") -> None:
    if data.rc_number == own:
        return
    throttle.check("rc_taken", actor)
    if session.execute(select(col(Vehicle.id)).where(col(Vehicle.rc_number) == data.rc_number, in_fleet())).first():
        raise rc_number_taken(actor, data)


def require_same_vehicle(session: Session, vehicle: Vehicle, data: VehicleData) -> None:
    """Raise ConflictError naming each of type, maker, model and year that would change despite open bookings."""
    kind, maker = session.execute(
        select(col(Manufacturer.asset_type_id), col(Manufacturer.id))
        .join(AssetModel, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .where(col(AssetModel.id) == vehicle.model_id)
    ).one()
    pairs = {
        "vehicleType": (kind, data.type_id),
        "manufacturer": (maker, data.manufacturer_id),
        "model": (vehicle.model_id, data.model_id),
        "year": (vehicle.year, data.year),
    }
    changed = [name for name, (now, wanted) in pairs.items() if now != wanted]
    booked = select(col(Booking.id)).where(col(Booking.vehicle_id) == vehicle.id, is_open(clock.now())).limit(1)
    if changed and session.execute(booked).first():
        message = "This vehicle has open bookings: its type, manufacturer, model and year stay until they are over"
        text = "This cannot change while the vehicle has open bookings"
        raise ConflictError(message, code="vehicle_booked", fields=dict.fromkeys(changed, text))


def needs_approval(vehicle: Vehicle, data: EditedVehicle | EditedFiles, files: bool) -> bool:
    """Whether changes, with new files or without, have to be reviewed before the vehicle is bookable again."""
    if settings().listing_approval == "auto":
        return False
    facts = isinstance(data, EditedVehicle) and any(getattr(vehicle, name) != getattr(data, name) for name in APPROVED)
    return facts or files or bool(data.drop_files)
