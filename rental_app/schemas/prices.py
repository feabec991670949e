"""Shapes of prices: those of a whole fleet, and rules for certain days."""

from collections.abc import Iterable
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import AfterValidator, ConfigDict, Field, RootModel

from rental_app.domain.clock import WEEKDAYS, Weekday
from rental_app.domain.ids import MAX_ID
from rental_app.domain.pricing import LEAST_PERCENT, MOST_PERCENT, PLAN_NAMES
from rental_app.schemas.quotes import PriceLines
from rental_app.schemas.validation import field_name, label_of
from rental_app.schemas.vehicles import PriceIn, VendorPrice
from rental_app.schemas.wire import (
    Answer,
    Body,
    Day,
    ExactBody,
    Id,
    ItsId,
    PickupMoment,
    PickupTime,
    PlanKilometres,
    PlanPrice,
    Refusal,
    ReturnMoment,
    ReturnTime,
    RupeesOut,
    Total,
    VehicleId,
    VehicleIdIn,
    VehicleIdOut,
    VehicleOrAllIn,
    VehicleOrAllOut,
    WholeNumber,
    Wire,
    documented_as_required,
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

    model_config = ConfigDict(extra="forbid")

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


class CopyPrices(ExactBody):
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


RuleWeekday = Annotated[
    Weekday | None, Field(description="The first weekday of the days it applies to, null if it applies to dates")
]


def _in_week_order(days: list[Weekday]) -> list[Weekday]:
    return [day for day in WEEKDAYS if day in days]


class PriceRuleIn(ExactBody):
    """Percent more (or less) on Half and Full Days that begin on weekdays, or on the Indian days from `from` to `to`.

    It applies to one vehicle, or to all the vendor's if none is given.
    """

    vehicle: VehicleOrAllIn = None
    weekday: RuleWeekday = None
    weekdays: Annotated[list[Weekday], Field(max_length=7), AfterValidator(_in_week_order)] = Field(
        default=[], description="The weekdays of the days it applies to, in place of a single `weekday`"
    )
    first_day: Day | None = Field(
        default=None, alias="from", description="The first Indian day it applies to, null if it applies to a weekday"
    )
    last_day: Day | None = Field(
        default=None, alias="to", description="The last Indian day it applies to, null if it applies to a weekday"
    )
    percent: Annotated[WholeNumber, Field(ge=LEAST_PERCENT, le=MOST_PERCENT)] = Field(
        description="Percent more, or less if negative"
    )

    @property
    def chosen_weekdays(self) -> list[Weekday]:
        """The weekdays it applies to, however they were given."""
        return self.weekdays or ([self.weekday] if self.weekday else [])


class PriceRuleView(Wire):
    """A rule in force."""

    id: ItsId
    vehicle: VehicleOrAllOut
    weekday: RuleWeekday
    weekdays: list[Weekday] = Field(description="All weekdays it applies to, none if it applies to dates")
    first_day: date | None = Field(
        alias="from", description="The first Indian day it applies to, null if it applies to a weekday"
    )
    last_day: date | None = Field(
        alias="to", description="The last Indian day it applies to, null if it applies to a weekday"
    )
    percent: int = Field(description="Percent more, or less if negative")


class PriceRulesAnswer(Answer):
    """A vendor's rules in order of precedence, highest first."""

    rules: list[PriceRuleView] = Field(description="The rules, the first of which takes precedence")


class PriceRuleAnswer(Answer):
    """The rule created."""

    rule: PriceRuleView = Field(description="The rule")


class PreviewRequest(PriceRuleIn):
    """A rule not created yet, or the rule with the id `rule` changed to this, and a rental to be priced under it.

    A bare date means the vendor's opening time; the dates may be further ahead than customers can book.
    """

    model_config = documented_as_required("pickupDate", "returnDate")

    rule: Id | None = Field(default=None, description="Id of the rule that is to be changed, null for a new one")
    car: VehicleIdIn
    pickup: PickupMoment = Field(default="", alias="pickupDate")
    return_at: ReturnMoment = Field(default="", alias="returnDate")


class Preview(Wire):
    """What a customer would pay with a rule, without deposit and extras; `before` is the total without the change."""

    pickup: PickupTime = Field(alias="pickupDate")
    return_at: ReturnTime = Field(alias="returnDate")
    lines: PriceLines
    total: Total
    before: RupeesOut = Field(description="The total without the change, in rupees")


class PreviewAnswer(Answer):
    """A rental priced under a rule."""

    preview: Preview = Field(description="The rental's price under the rule")
