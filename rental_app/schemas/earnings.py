"""Shapes of what a vendor earns."""

from typing import Annotated, Literal

from pydantic import Field, PlainSerializer

from rental_app.schemas.wire import Answer, FirstDay, LastDay, ListFilters, RupeesOut, Title, Wire

By = Literal["month", "vehicle"]
# In thousandths.
Share = Annotated[int, PlainSerializer(lambda thousandths: thousandths / 10, return_type=float)]


class EarningsRequest(ListFilters):
    """The Indian days, both included, and what each row is for; the last twelve months if no days are given.

    There are no rows for months before the one the vendor joined in.
    """

    first_day: FirstDay = Field(default=None, alias="from", examples=["2026-11-01"])
    last_day: LastDay = Field(default=None, alias="to", examples=["2026-11-30"])
    by: By = Field(
        default="month",
        description="What each row is for: a month or a vehicle",
        examples=["vehicle"],
    )


class Figures(Wire):
    """Figures from the accounts of trips for some days: payments by the day they were made, other lines by when they
    were written.

    `received` is rent paid less rent refunded, plus what was kept of deposits; `commission` is the platform's share of
    it at today's rate; `depositsHeld` is what is held at the end of the last day. `utilisation` is the percentage of
    the time vehicles were listed during which customers had them.
    """

    charged: RupeesOut = Field(description="What customers were charged, in rupees")
    received: RupeesOut = Field(description="Rent paid less rent refunded, plus what was kept of deposits, in rupees")
    commission: RupeesOut = Field(description="The platform's share of what was received, in rupees")
    net: RupeesOut = Field(description="What was received less the commission, in rupees")
    deposits_held: RupeesOut = Field(
        alias="depositsHeld", description="Deposits held at the end of the last day, in rupees"
    )
    utilisation: Share = Field(description="Percent of the time that listed vehicles were with customers")


class EarningsRow(Figures):
    """The figures of a month (`key` is "2026-11") or of a vehicle (its id)."""

    key: str = Field(description="The month, such as 2026-11, or the vehicle's id")
    label: Title


class TaxFigures(Wire):
    """What the tax invoices of some days add up to, with the credit and debit notes issued on them."""

    count: int = Field(default=0, description="How many invoices and notes were issued")
    taxable: RupeesOut = Field(default=0, description="The value that is taxed, in rupees")
    cgst: RupeesOut = Field(default=0, description="CGST, in rupees")
    sgst: RupeesOut = Field(default=0, description="SGST or UTGST, in rupees")
    igst: RupeesOut = Field(default=0, description="IGST, in rupees")
    untaxed: RupeesOut = Field(default=0, description="What is not taxed, such as damage and tolls, in rupees")
    total: RupeesOut = Field(default=0, description="All of it, in rupees")


class EarningsAnswer(Answer):
    """The rows and their totals."""

    rows: list[EarningsRow] = Field(description="The figures, row by row")
    total: Figures = Field(description="The figures of all rows together")
    tax: TaxFigures = Field(
        default=TaxFigures(),
        description="The tax invoices and notes of these days; nothing without a GST number",
    )
