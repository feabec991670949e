"""Shapes of what a vendor earns."""

from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from rental_app.schemas.wire import Answer, Day, ListFilters, RupeesOut, Wire

By = Literal["month", "vehicle"]
# In thousandths.
Share = Annotated[int, PlainSerializer(lambda thousandths: thousandths / 10, return_type=float)]


class EarningsRequest(ListFilters):
    """The Indian days, both included, and what each row is for; the last twelve months if no days are given.

    There are no rows for months before the one the vendor joined in.
    """

    first_day: Day | None = Field(default=None, alias="from", examples=["2026-11-01"])
    last_day: Day | None = Field(default=None, alias="to", examples=["2026-11-30"])
    by: By = Field(default="month", examples=["vehicle"])


class Figures(Wire):
    """Figures from the accounts of trips for some days: payments by the day they were made, other lines by when they
    were written.

    `received` is rent paid less rent refunded, plus what was kept of deposits; `commission` is the platform's share of
    it at today's rate; `depositsHeld` is what is held at the end of the last day. `utilisation` is the percentage of
    the time vehicles were listed during which customers had them.
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
    """The rows and their totals."""

    rows: list[EarningsRow]
    total: Figures
