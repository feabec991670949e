"""Shapes of what a vendor earns."""

from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from rental_app.schemas.wire import Answer, Day, RupeesOut, Wire

By = Literal["month", "vehicle"]
# Of a thousand.
Share = Annotated[int, PlainSerializer(lambda thousandths: thousandths / 10, return_type=float)]


class EarningsRequest(Wire):
    """Over which Indian days, both included, and a row for each what; the last twelve months if days are not given."""

    first_day: Day | None = Field(default=None, alias="from", examples=["2026-11-01"])
    last_day: Day | None = Field(default=None, alias="to", examples=["2026-11-30"])
    by: By = Field(default="month", examples=["vehicle"])


class Figures(Wire):
    """What the accounts of trips say of some days, by when each line was written.

    `received` is rent paid less rent paid back, and what was kept of deposits; `commission` the platform's share of it
    at the rate of today; `depositsHeld` what is held at the end of the days. `utilisation` is the percentage of the
    time vehicles were listed for which customers had them.
    """

    charged: RupeesOut
    received: RupeesOut
    commission: RupeesOut
    net: RupeesOut
    deposits_held: RupeesOut = Field(alias="depositsHeld")
    utilisation: Share


class EarningsRow(Figures):
    """The figures of a month (`key` is "2026-11") or of a vehicle (its id)."""

    key: str
    label: str


class EarningsAnswer(Answer):
    """The rows and what they sum up to."""

    rows: list[EarningsRow]
    total: Figures
