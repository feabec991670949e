"""Bars by month, drawn with plain elements; the same figures are there as a table."""

import reflex as rx

from rental_app.web.parts.theme import BLOCK_TITLE, MUTED, PANEL
from rental_app.web.vendor.dashboard.presenter import MonthBar

_BAR = "min-h-px w-full max-w-4 rounded-t-sm"
_REVENUE, _BOOKINGS = "bg-(--accent-9)", "bg-(--marigold)"
_CELL = "border-t border-(--line) px-3 py-2 font-normal"


def month_chart(
    title: str,
    months: rx.Var[list[MonthBar]],
    summary: rx.Var[str],
    peak_revenue: rx.Var[str],
    peak_bookings: rx.Var[str],
) -> rx.Component:
    """Revenue and bookings side by side, each on its own scale; a blank `summary` says that there are none."""
    return rx.el.figure(
        rx.el.figcaption(
            rx.el.h2(title, class_name=BLOCK_TITLE),
            rx.el.p(rx.cond(summary, summary, "No confirmed bookings yet"), class_name=MUTED),
        ),
        # Twelve bars of nothing would only be tall.
        rx.cond(
            summary,
            rx.fragment(
                rx.el.div(
                    _key(_REVENUE, "Revenue", peak_revenue),
                    _key(_BOOKINGS, "Bookings", peak_bookings),
                    class_name="mt-4 flex flex-wrap gap-x-6 gap-y-1 text-sm",
                ),
                rx.el.div(
                    rx.foreach(months, _month),
                    class_name="mt-3 grid grid-cols-12 gap-x-1 sm:gap-x-2",
                    custom_attrs={"aria-hidden": "true"},
                ),
                _table(title, months),
            ),
        ),
        class_name=f"{PANEL} p-4 sm:p-6",
    )


def _key(color: str, name: str, peak: rx.Var[str]) -> rx.Component:
    return rx.el.p(
        rx.el.span(class_name=f"mr-2 inline-block size-3 rounded-sm {color}"),
        name,
        rx.el.span(", highest ", rx.el.span(peak), class_name=MUTED),
    )


def _month(month: rx.Var[MonthBar]) -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.el.div(style={"height": month.revenue_height}, class_name=f"{_BAR} {_REVENUE}"),
            rx.el.div(style={"height": month.bookings_height}, class_name=f"{_BAR} {_BOOKINGS}"),
            class_name="flex h-44 items-end justify-center gap-px border-b border-(--gray-a7) sm:gap-0.5",
        ),
        rx.el.div(
            rx.el.span(month.label[0], class_name="sm:hidden"),
            rx.el.span(month.label, class_name="hidden sm:inline"),
            class_name=f"{MUTED} mt-1 text-center text-xs",
        ),
        title=f"{month.name}: {month.revenue}, {month.bookings}",
        class_name="min-w-0 rounded-md hover:bg-(--gray-a3)",
    )


def _table(title: str, months: rx.Var[list[MonthBar]]) -> rx.Component:
    return rx.el.details(
        rx.el.summary("Show as a table", class_name="w-fit cursor-pointer rounded py-1 text-sm font-medium"),
        rx.el.table(
            rx.el.caption(title, class_name="sr-only"),
            rx.el.thead(
                rx.el.tr(
                    rx.el.th("Month", scope="col", class_name="px-3 py-2 text-left"),
                    rx.el.th("Revenue", scope="col", class_name="px-3 py-2 text-right"),
                    rx.el.th("Bookings", scope="col", class_name="px-3 py-2 text-right"),
                )
            ),
            rx.el.tbody(rx.foreach(months, _row)),
            class_name="mt-2 w-full max-w-xl border-collapse text-sm",
        ),
        class_name="mt-3",
    )


def _row(month: rx.Var[MonthBar]) -> rx.Component:
    return rx.el.tr(
        rx.el.th(month.name, scope="row", class_name=f"{_CELL} text-left"),
        rx.el.td(month.revenue, class_name=f"{_CELL} text-right"),
        rx.el.td(month.bookings, class_name=f"{_CELL} text-right"),
    )
