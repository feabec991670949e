"""Shapes of price rules: how much more or less vendors charge on certain days."""

from datetime import date
from typing import Annotated

from pydantic import Field

from rental_app.domain.clock import Weekday
from rental_app.domain.pricing import LEAST_PERCENT, MOST_PERCENT
from rental_app.schemas.quotes import QuoteLine
from rental_app.schemas.wire import (
    Answer,
    Body,
    Day,
    Id,
    IndianTime,
    Moment,
    RupeesOut,
    WholeNumber,
    Wire,
    documented_as_required,
)


class PriceRuleIn(Body):
    """Percent more (or less) on Half and Full Days that begin on a weekday, or on the Indian days from `from` to `to`.

    It applies to one vehicle, or to all the vendor's if none is given.
    """

    vehicle: Id | None = None
    weekday: Weekday | None = None
    first_day: Day | None = Field(default=None, alias="from")
    last_day: Day | None = Field(default=None, alias="to")
    percent: Annotated[WholeNumber, Field(ge=LEAST_PERCENT, le=MOST_PERCENT)]


class PriceRuleView(Wire):
    """A rule in force."""

    id: int
    vehicle: int | None
    weekday: Weekday | None
    first_day: date | None = Field(alias="from")
    last_day: date | None = Field(alias="to")
    percent: int


class PriceRulesAnswer(Answer):
    """A vendor's rules in order of precedence, highest first."""

    rules: list[PriceRuleView]


class PriceRuleAnswer(Answer):
    """The rule created."""

    rule: PriceRuleView


class PreviewRequest(PriceRuleIn):
    """A rule not created yet, or the rule with the id `rule` changed to this, and a rental to be priced under it.

    A bare date means the vendor's opening time; the dates may be further ahead than customers can book.
    """

    model_config = documented_as_required("pickupDate", "returnDate")

    rule: Id | None = None
    car: Id
    pickup: Moment = Field(default="", alias="pickupDate")
    return_at: Moment = Field(default="", alias="returnDate")


class Preview(Wire):
    """What a customer would pay with a rule, without deposit and extras; `before` is the total without the change."""

    pickup: IndianTime = Field(alias="pickupDate")
    return_at: IndianTime = Field(alias="returnDate")
    lines: list[QuoteLine]
    total: RupeesOut
    before: RupeesOut


class PreviewAnswer(Answer):
    """A rental priced under a rule."""

    preview: Preview
