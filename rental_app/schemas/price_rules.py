"""Shapes of what vendors charge more or less for on certain days."""

from datetime import date
from typing import Annotated, Literal

from pydantic import Field

from rental_app.rules.pricing import LEAST_PERCENT, MOST_PERCENT
from rental_app.schemas.wire import Answer, Day, Id, WholeNumber, Wire

Weekday = Literal["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


class PriceRuleIn(Wire):
    """Percent more (or less) on Half and Full Days that begin on a weekday, or on the Indian days from `from` to `to`.

    For one vehicle, or without one for all the vendor has.
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
    """A vendor's rules, those that count first in front."""

    rules: list[PriceRuleView]


class PriceRuleAnswer(Answer):
    """A rule made."""

    rule: PriceRuleView
