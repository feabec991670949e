"""A vendor's earnings as texts."""

from datetime import date

from pydantic import BaseModel

from rental_app.domain.money import format_rupees, grouped
from rental_app.schemas.earnings import By, EarningsAnswer, EarningsRow, Figures, TaxFigures
from rental_app.web.parts.presenters.texts import Fact


class EarningsLine(BaseModel):
    """A month or a vehicle, or all of them; `statement` is the address of a month's PDF, blank for vehicles."""

    label: str
    charged: str
    received: str
    commission: str
    net: str
    held: str
    utilisation: str
    statement: str
    save_as: str


class EarningsPage(BaseModel):
    """The lines of a year with their total; `csv` is the address of the same for a spreadsheet.

    There are no lines if nothing was charged, received or held. `tax` is what the invoices of that time add up to,
    which `invoices` is a spreadsheet of.
    """

    lines: list[EarningsLine]
    total: EarningsLine
    csv: str
    tax: list[Fact]
    invoices: str


def earnings_page(earnings: EarningsAnswer, by: By, first: date, last: date) -> EarningsPage:
    """What the page shows of earnings from one day to another; months are listed latest first."""
    rows = reversed(earnings.rows) if by == "month" else iter(earnings.rows)
    return EarningsPage(
        lines=[_line(row, row.label, by, row) for row in rows]
        if any(row.charged or row.received or row.deposits_held for row in earnings.rows)
        else [],
        total=_line(earnings.total, "Total", by),
        csv=f"/api/vendor/earnings.csv?from={first}&to={last}&by={by}",
        tax=_tax(earnings.tax),
        invoices=f"/api/vendor/invoices.csv?from={first}&to={last}",
    )


def _tax(tax: TaxFigures) -> list[Fact]:
    """What was invoiced; nothing if nothing was."""
    if not tax.count:
        return []
    amounts = {
        "Taxable value": tax.taxable,
        "CGST": tax.cgst,
        "SGST": tax.sgst,
        "IGST": tax.igst,
        "Not taxed": tax.untaxed,
        "Total": tax.total,
    }
    return [
        Fact(label="Invoices and notes", value=grouped(tax.count)),
        *(Fact(label=label, value=format_rupees(paise)) for label, paise in amounts.items()),
    ]


def _line(figures: Figures, label: str, by: By, row: EarningsRow | None = None) -> EarningsLine:
    month = row.key if row and by == "month" else ""
    return EarningsLine(
        label=label,
        charged=format_rupees(figures.charged),
        received=format_rupees(figures.received),
        commission=format_rupees(figures.commission),
        net=format_rupees(figures.net),
        held=format_rupees(figures.deposits_held),
        utilisation=f"{figures.utilisation / 10:g}%",
        statement=f"/api/vendor/statements/{month}.pdf" if month else "",
        save_as=f"statement-{month}.pdf" if month else "",
    )
