"""Shapes of all prices of a fleet in one table."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, Field, RootModel

from rental_app.domain.ids import MAX_ID
from rental_app.domain.pricing import PLAN_NAMES
from rental_app.schemas.labels import field_name, label_of
from rental_app.schemas.vehicles import PriceIn, VendorPrice
from rental_app.schemas.wire import (
    Answer,
    Body,
    Id,
    PlanKilometres,
    PlanPrice,
    Refusal,
    VehicleId,
    VehicleIdIn,
    VehicleIdOut,
    Wire,
)

# Four plans each for more vehicles than any vendor here has.
MOST = 2_000
LONGEST_ID = len(str(MAX_ID))


class PlanKey(NamedTuple):
    """Which plan of which vehicle, whatever list it is in."""

    vehicle: int
    price_name: str


class ShownPrice(Body):
    """A plan as it was shown before the change; fields left out are not compared. The defaults mean no plan."""

    price_paise: PlanPrice = Field(default=0, alias="price")
    kms_limit: PlanKilometres = 0
    status: Literal["Active", "Inactive"] = Field(default="Inactive", description="Whether the plan was on offer")


class FleetPriceIn(PriceIn):
    """A plan of a vehicle as its vendor wants it; in an existing plan, fields left out stay as they are.

    Only a price for a plan that had none puts it on offer as well, unless its status is given too.
    If `shown` is given, the change is refused where somebody else has changed the plan since.
    """

    vehicle: VehicleIdIn
    status: Literal["Active", "Inactive"] = Field(default="Active", description="Whether the plan is on offer")
    shown: ShownPrice | None = Field(default=None, description="The plan as it was shown before the change")

    @property
    def key(self) -> PlanKey:
        """Which plan it is."""
        return PlanKey(self.vehicle, self.price_name)


def _once(prices: list[FleetPriceIn]) -> list[FleetPriceIn]:
    if len({price.key for price in prices}) != len(prices):
        raise ValueError("Each plan of a vehicle can be given only once")
    return prices


def price_titles(sent: object, places: Iterable[tuple[int | str, ...]]) -> dict[str, str]:
    """What the fields of a refused list of prices are called: "Full Day Price of vehicle 17" for `0.price`.

    `places` are where in the list the fields are, as pydantic tells it.
    """
    prices = dict(enumerate(sent if isinstance(sent, list) else []))
    return {
        field_name((index, *parts)): price_title(*_named(prices[index]), field_name(parts))
        or f"Price {index + 1} {label_of(field_name(parts))}".strip()
        for index, *parts in filter(None, places)
        if isinstance(index, int) and index in prices
    }


def price_title(plan: str, vehicle: str, part: str) -> str:
    """What a figure of one plan of one vehicle is called; '' if neither of them is known."""
    known = [plan, label_of(part) if part else "", f"of {vehicle}" if vehicle else ""]
    return " ".join(filter(None, known)) if plan or vehicle else ""


def _named(price: Any) -> tuple[str, str]:
    """Plan and vehicle of a price as sent, of which nothing has been checked; '' for what is neither."""
    given = price if isinstance(price, dict) else {}
    plan, vehicle = given.get("price_name"), str(given.get("vehicle"))
    is_id = vehicle.isascii() and vehicle.isdecimal() and len(vehicle) <= LONGEST_ID
    return plan if isinstance(plan, str) and plan in PLAN_NAMES else "", f"vehicle {vehicle}" if is_id else ""


class FleetPrices(RootModel[Annotated[list[FleetPriceIn], Field(max_length=MOST), AfterValidator(_once)]]):
    """Plans to change, of any vehicles; the others stay as they are."""


class CopyPrices(Wire):
    """Whose plans to copy, and to which vehicles."""

    source: VehicleId = Field(alias="from", description="Id of the vehicle whose plans are copied")
    targets: list[Id] = Field(
        alias="to", min_length=1, max_length=MOST, description="Ids of the vehicles that get them"
    )


class FleetPrice(VendorPrice):
    """A plan of a vehicle."""

    vehicle: VehicleIdOut

    @property
    def key(self) -> PlanKey:
        """Which plan it is."""
        return PlanKey(self.vehicle, self.price_name)


class FleetPricesAnswer(Answer):
    """Every plan of every vehicle of a vendor."""

    prices: list[FleetPrice] = Field(description="The price plans")


class PricesRefusal(Refusal):
    """Why prices were not changed; `prices` are the current ones that somebody else has changed meanwhile."""

    prices: list[FleetPrice] = Field(
        default=[], description="The current plans that somebody else has changed meanwhile"
    )
