"""Shapes of all prices of a fleet in one table."""

from typing import Annotated, Literal

from pydantic import AfterValidator, Field, RootModel

from rental_app.schemas.listing import PriceIn
from rental_app.schemas.vehicles import VendorPrice
from rental_app.schemas.wire import Answer, Id, KmsLimit, Refusal, RupeesIn, Sent, VehicleId, Wire

# Four plans each for more vehicles than any vendor here has.
MOST = 2_000


class ShownPrice(Sent):
    """A plan as it was shown before the change; fields left out are not compared. The defaults mean no plan."""

    price_paise: RupeesIn = Field(default=0, alias="price")
    kms_limit: KmsLimit = 0
    status: Literal["Active", "Inactive"] = "Inactive"


class FleetPriceIn(PriceIn):
    """A plan of a vehicle as its vendor wants it; in an existing plan, fields left out stay as they are.

    Only a price for a plan that had none puts it on offer as well, unless its status is given too.
    If `shown` is given, the change is refused where somebody else has changed the plan since.
    """

    vehicle: Id
    shown: ShownPrice | None = None


def _once(prices: list[FleetPriceIn]) -> list[FleetPriceIn]:
    if len({(price.vehicle, price.price_name) for price in prices}) != len(prices):
        raise ValueError("Each plan of a vehicle can be given only once")
    return prices


class FleetPrices(RootModel[Annotated[list[FleetPriceIn], Field(max_length=MOST), AfterValidator(_once)]]):
    """Plans to change, of any vehicles; the others stay as they are."""


class CopyPrices(Wire):
    """Whose plans to copy, and to which vehicles."""

    source: VehicleId = Field(alias="from")
    targets: list[Id] = Field(alias="to", min_length=1, max_length=MOST)


class FleetPrice(VendorPrice):
    """A plan of a vehicle."""

    vehicle: int


class FleetPricesAnswer(Answer):
    """Every plan of every vehicle of a vendor."""

    prices: list[FleetPrice]


class PricesRefusal(Refusal):
    """Why prices were not changed; `prices` are the current ones that somebody else has changed meanwhile."""

    prices: list[FleetPrice] = []
