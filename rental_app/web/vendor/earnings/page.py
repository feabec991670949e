"""The vendor's page Earnings."""

from typing import Any

import reflex as rx

from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.block import in_row
from rental_app.web.parts.field import field
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice, refreshable, skeleton
from rental_app.web.parts.table import bare_cell, figure_cell, row, table
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, MUTED, PANEL
from rental_app.web.react.own_files import download
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.earnings.presenter import EarningsLine, EarningsPage
from rental_app.web.vendor.earnings.state import EarningsState as State

_FIGURES = ("Charged", "Received", "Commission", "Net", "Deposits held", "Utilisation")
# Between a phone and a wide screen, the table has no room for a statement beside its month.
_FIRST = "flex flex-wrap items-center justify-between gap-x-3 gap-y-1 lg:max-xl:flex-col lg:max-xl:items-start"


def earnings() -> rx.Component:
    """What came in, what the platform keeps of it, what is held: by month or by vehicle."""
    return vendor_layout(
        "Earnings",
        rx.el.p(
            "Counted by when the money came. Received is rent paid less rent paid back, plus what you kept of"
            " deposits.",
            class_name=f"{MUTED} -mt-3 mb-5",
        ),
        *refreshable(State.page, _content(State.page), State, "Your earnings", skeleton("h-120")),
        waiting=skeleton("h-120"),
    )


def _content(page: rx.Var[EarningsPage]) -> rx.Component:
    rows = rx.fragment(
        rx.foreach(page.lines, _row),
        _row(page.total),
    )
    return rx.fragment(
        rx.el.div(
            _select(
                "Period",
                "year",
                rx.el.option("Last 12 months", value=""),
                rx.foreach(State.years, lambda year: rx.el.option(year, value=year)),
                value=State.year,
                on_change=State.choose_year,
            ),
            _select(
                "A row for each",
                "by",
                rx.el.option("Month", value="month"),
                rx.el.option("Vehicle", value="vehicle"),
                value=State.by,
                on_change=State.choose_by,
            ),
            rx.cond(
                SessionState.is_vendor,
                download(
                    "Spreadsheet (CSV)",
                    url=page.csv,
                    save_as="earnings.csv",
                    class_name=f"{BUTTON['quiet']} col-span-full",
                ),
            ),
            class_name="mb-4 grid grid-cols-2 items-end gap-3 max-[17.5rem]:grid-cols-1 sm:flex sm:flex-wrap",
        ),
        rx.cond(
            page.lines,
            rx.el.div(table("Earnings", ("For", *_FIGURES), rows, _FIGURES), class_name=f"{PANEL} overflow-x-auto"),
            notice(
                "No earnings in this period",
                "Rent is charged as soon as you confirm a booking, and is shown here from then on.",
                link_button("See your bookings", "/vendor/manage-bookings"),
            ),
        ),
        rx.cond(page.tax, _tax(page)),
    )


def _tax(page: rx.Var[EarningsPage]) -> rx.Component:
    """What the invoices and notes of the period add up to."""
    return rx.el.section(
        rx.el.h2("Tax invoices", class_name=BLOCK_TITLE),
        rx.el.dl(rx.foreach(page.tax, in_row), class_name="mt-3 max-w-md"),
        download("Invoices (CSV)", url=page.invoices, save_as="invoices.csv", class_name=f"{BUTTON['quiet']} mt-3"),
        class_name=f"{PANEL} mt-5 p-4 sm:p-6",
    )


def _select(label: str, name: str, *options: rx.Component, **props: Any) -> rx.Component:
    return field(label, name, *options, control=rx.el.select, **props)


def _row(line: rx.Var[EarningsLine]) -> rx.Component:
    return row(
        bare_cell(
            rx.el.div(
                rx.el.span(line.label, class_name="font-semibold"),
                rx.cond(SessionState.is_vendor & line.statement, rx.el.div(_statement(line))),
                class_name=_FIRST,
            ),
            across=True,
        ),
        figure_cell("Charged", line.charged),
        figure_cell("Received", line.received),
        figure_cell("Commission", line.commission),
        figure_cell("Net", rx.el.span(line.net, class_name="font-semibold")),
        figure_cell("Deposits held", line.held),
        figure_cell("Utilisation", line.utilisation),
        key=line.label,
    )


def _statement(line: rx.Var[EarningsLine]) -> rx.Component:
    return download(
        "PDF",
        rx.el.span(f"statement of {line.label}", class_name="sr-only"),
        url=line.statement,
        save_as=line.save_as,
        class_name=f"{BUTTON['quiet']} px-3 text-sm",
    )
