"""What people ask the shop for, and what it answers. A filter of the shop is a field of `AvailabilityRequest`."""

from typing import Annotated

from pydantic import ConfigDict, Field

from rental_app.schemas.vehicles import PublicVehicle
from rental_app.schemas.wire import IndianTime, Moment, Paged, Text, Wire

# The vehicles on one of the pages that visitors turn.
RESULTS = 24


class AvailabilityRequest(Wire):
    """Where and when a vehicle is wanted."""

    location: Annotated[Text, Field(max_length=100)] = ""
    pickup: Moment = Field(default="", alias="pickupDate")
    return_at: Moment = Field(default="", alias="returnDate")

    @property
    def complete(self) -> bool:
        """Whether the availability of vehicles can be asked for."""
        return bool(self.location and self.pickup and self.return_at)


class ShopQuery(AvailabilityRequest):
    """The same as a visitor of the pages asks it: narrowed by a typed text, `page` after page."""

    model_config = ConfigDict(frozen=True)

    # An address may name anything: what is no locality is for the search to refuse.
    location: Annotated[str, Field(max_length=100)] = ""
    text: Annotated[str, Field(max_length=80)] = ""
    page: Annotated[int, Field(ge=1)] = 1

    @property
    def most(self) -> int:
        """How many vehicles are on its pages."""
        return RESULTS * self.page


ANY = ShopQuery()


class NearestOpen(Wire):
    """The nearest window in which vendors' opening hours allow a rental, and how many vehicles it has."""

    pickup: IndianTime = Field(alias="pickupDate")
    return_at: IndianTime = Field(alias="returnDate")
    count: int


class AvailabilityAnswer(Paged):
    """What is free; `nearestOpen` only where opening hours are the only reason that there is nothing."""

    available: list[PublicVehicle] = Field(alias="availableCars")
    nearest: NearestOpen | None = Field(default=None, alias="nearestOpen")
