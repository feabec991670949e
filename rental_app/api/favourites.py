"""Vehicles that people save to come back to."""

from typing import Annotated

from fastapi import Path

from rental_app.api.dependencies import CallRouter, CurrentActor, refusals
from rental_app.infrastructure.db import read, write
from rental_app.schemas.favourites import FavouritesAnswer
from rental_app.schemas.wire import Answer, VehicleIdIn
from rental_app.services import favourites

router = CallRouter(prefix="/api/user/favourites", tags=["vehicles"])
VehicleId = Annotated[VehicleIdIn, Path(alias="vehicleId", examples=[17])]


@router.get("", responses=refusals(401, 429))
def mine(actor: CurrentActor) -> FavouritesAnswer:
    """The caller's favourites, latest first; one that cannot be booked any more has no `vehicle`."""
    return FavouritesAnswer(favourites=read(favourites.list_favourites, actor))


@router.put("/{vehicleId}", responses=refusals(401, 404, 409, 429))
def put(actor: CurrentActor, vehicle_id: VehicleId) -> Answer:
    """Add a vehicle to the caller's favourites; it may be one already."""
    write(favourites.put, actor, vehicle_id)
    return Answer(message="Added to your favourites")


@router.delete("/{vehicleId}", responses=refusals(401, 429))
def drop(actor: CurrentActor, vehicle_id: VehicleId) -> Answer:
    """Remove a vehicle from the caller's favourites; it need not be one."""
    write(favourites.drop, actor, vehicle_id)
    return Answer(message="Removed from your favourites")
