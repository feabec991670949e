"""Shapes of favourites."""

from pydantic import Field

from rental_app.schemas.vehicles import PublicVehicle
from rental_app.schemas.wire import Answer, IndianTime, NameOut, VehicleIdOut, Wire


class FavouriteView(Wire):
    """A favourite; `vehicle` is null once nobody can book it any more, `freeNow` is false while somebody has it."""

    vehicle_id: VehicleIdOut = Field(alias="vehicleId")
    name: NameOut
    added_at: IndianTime = Field(alias="addedAt", description="When it was added")
    free_now: bool = Field(alias="freeNow", description="Whether nobody has it at the moment")
    vehicle: PublicVehicle | None = Field(description="The vehicle, null once nobody can book it any more")


class FavouritesAnswer(Answer):
    """The user's favourites, the latest first."""

    favourites: list[FavouriteView] = Field(description="The favourites")
