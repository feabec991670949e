"""Shapes of price rules: how much more or less vendors charge on certain days."""

from datetime import date
from typing import Annotated

from pydantic import Field

from rental_app.domain.clock import Weekday
from rental_app.domain.pricing import LEAST_PERCENT, MOST_PERCENT
from rental_app.schemas.quotes import PriceLines
from rental_app.schemas.wire import (
    Answer,
    Body,
    Day,
    Id,
    ItsId,
    PickupMoment,
    PickupTime,
    ReturnMoment,
    ReturnTime,
    RupeesOut,
    Total,
    VehicleIdIn,
    VehicleOrAllIn,
    VehicleOrAllOut,
    WholeNumber,
    Wire,
    documented_as_required,
)

RuleWeekday = Annotated[
    Weekday | None, Field(description="The weekday of the days it applies to, null if it applies to dates")
]


class PriceRuleIn(Body):
    """Percent more (or less) on Half and Full Days that begin on a weekday, or on the Indian days from `from` to `to`.

    It applies to one vehicle, or to all the vendor's if none is given.
    """

    vehicle: VehicleOrAllIn = None
    weekday: RuleWeekday = None
    first_day: Day | None = Field(
        default=None, alias="from", description="The first Indian day it applies to, null if it applies to a weekday"
    )
    last_day: Day | None = Field(
        default=None, alias="to", description="The last Indian day it applies to, null if it applies to a weekday"
    )
    percent: Annotated[WholeNumber, Field(ge=LEAST_PERCENT, le=MOST_PERCENT)] = Field(
        description="Percent more, or less if negative"
    )


class PriceRuleView(Wire):
    """A rule in force."""

    id: ItsId
    vehicle: VehicleOrAllOut
    weekday: RuleWeekday
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
