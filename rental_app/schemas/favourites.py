"""Shapes of favourites."""

from pydantic import Field

from rental_app.schemas.vehicles import PublicVehicle
from rental_app.schemas.wire import Answer, IndianTime, Wire


class FavouriteView(Wire):
    """A favourite; `vehicle` is null once nobody can book it any more, `freeNow` is false while somebody has it."""

    vehicle_id: int = Field(alias="vehicleId")
    name: str
    added_at: IndianTime = Field(alias="addedAt")
    free_now: bool = Field(alias="freeNow")
    vehicle: PublicVehicle | None


class FavouritesAnswer(Answer):
    """The user's favourites, the latest first."""

    favourites: list[FavouriteView]
