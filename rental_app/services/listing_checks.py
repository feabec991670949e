"""What the database has to say to a vehicle that a form submits."""

from collections.abc import Callable, Collection, Iterator, Mapping
from functools import partial
from typing import Any

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.errors import ConflictError, InvalidInputError
from rental_app.models import AssetModel, Manufacturer, User, Vehicle
from rental_app.rules import clock
from rental_app.schemas.listing import ChosenModel, ChosenYear, EditedVehicle, Registered, Standing, VehicleData
from rental_app.schemas.validation import refuse_together, validated
from rental_app.services import listing_changes, throttle
from rental_app.services.accounts import Actor
from rental_app.services.catalogue import location_id

YEARS_BACK = 20


def of_new(session: Session, actor: Actor, data: Mapping[str, Any]) -> Iterator[Callable[[], object]]:
    """The checks of a new vehicle's data, each of which can be read without the others."""
    yield lambda: _require_model(session, validated(ChosenModel, data))
    yield lambda: _require_year(validated(ChosenYear, data), years())
    yield lambda: _require_free(session, actor, validated(Registered, data))
    yield lambda: standing_place(session, actor, validated(Standing, data))


def of_changed(
    session: Session, actor: Actor, data: Mapping[str, Any], vehicle: Vehicle
) -> Iterator[Callable[[], object]]:
    """The checks of a listed vehicle's new data."""
    yield lambda: _require_model(session, validated(ChosenModel, data))
    yield lambda: _require_year(validated(ChosenYear, data), {*years(), vehicle.year})
    yield lambda: listing_changes.require_same_vehicle(session, vehicle, validated(EditedVehicle, data))
    if data.get("rc_number") != vehicle.rc_number:
        yield lambda: _require_free(session, actor, validated(Registered, data), vehicle.rc_number)
    if data.get("service_location"):
        yield lambda: standing_place(session, actor, validated(Standing, data))


def require_possible(session: Session, data: VehicleData, possible: Collection[int]) -> None:
    """Raise InvalidInputError where model, maker and type do not belong together or the year is none of those."""
    refuse_together(partial(_require_model, session, data), partial(_require_year, data, possible))


def years() -> range:
    """The model years of vehicles that can be listed today."""
    this_year = clock.indian_today(clock.now()).year
    return range(this_year - YEARS_BACK + 1, this_year + 1)


def standing_place(session: Session, actor: Actor, data: Standing) -> int:
    """The id of the locality a vehicle stands in; raises InvalidInputError for none and an unknown one."""
    if data.service_location:
        return location_id(session, data.service_location, "service_location")
    vendor = session.get_one(User, actor.id)
    if vendor.location_id is None:
        message = "Choose your service location in your profile first"
        raise InvalidInputError(message, code="no_service_location", fields={"service_location": message})
    return vendor.location_id


def taken(actor: Actor, data: Registered) -> ConflictError:
    """The refusal of an RC number that another vehicle has; it is counted."""
    throttle.count("rc_taken", actor)
    message = f"A vehicle with the RC number {data.rc_number} is already listed"
    return ConflictError(message, code="rc_number_taken", fields={"rc_number": message})


def _require_model(session: Session, data: ChosenModel) -> None:
    chosen = (
        select(col(AssetModel.id))
        .join(Manufacturer)
        .where(
            col(AssetModel.id) == data.model_id,
            col(Manufacturer.id) == data.manufacturer_id,
            col(Manufacturer.asset_type_id) == data.type_id,
        )
    )
    if session.execute(chosen).first() is None:
        message = "Choose a model of the chosen type and manufacturer"
        raise InvalidInputError(message, fields={"model": message})


def _require_year(data: ChosenYear, possible: Collection[int]) -> None:
    if data.year not in possible:
        message = f"Choose a year from {years()[0]} to {years()[-1]}"
        raise InvalidInputError(message, fields={"year": message})


def _require_free(session: Session, actor: Actor, data: Registered, own: str = "") -> None:
    if data.rc_number == own:
        return
    throttle.check("rc_taken", actor)
    if session.execute(select(col(Vehicle.id)).where(col(Vehicle.rc_number) == data.rc_number)).first():
        raise taken(actor, data)
