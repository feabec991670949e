"""The vendor's page Dashboard."""

import reflex as rx

from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.badges import plate
from rental_app.web.parts.block import panel
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import retry_strip
from rental_app.web.parts.theme import BLOCK_TITLE, LINK, LIST, MUTED, PANEL, SKELETON, STAGE
from rental_app.web.react.heartbeat import SLOW_SECONDS, heartbeat
from rental_app.web.vendor.dashboard.presenter import DashboardPage, MonthBar, RecentBooking
from rental_app.web.vendor.dashboard.state import DashboardState
from rental_app.web.vendor.dashboard.today import FLEET, day

_BOOKINGS, _EARNINGS = "/vendor/manage-bookings", "/vendor/earnings"
_TILES = "grid grid-cols-2 gap-3 max-[17.5rem]:grid-cols-1 sm:gap-4 md:grid-cols-3"


def dashboard() -> rx.Component:
    """What to answer and to do, then the figures, the last twelve months and the latest bookings."""
    warning = rx.el.strong("Sample data: live figures could not be loaded. ")
    return vendor_layout(
        "Dashboard",
        rx.cond(
            DashboardState.sample,
            retry_strip(rx.fragment(warning, "None of the figures below are yours."), DashboardState.load),
        ),
        rx.cond(
            DashboardState.day,
            rx.el.div(
                day(DashboardState.day),
                rx.cond(DashboardState.page, _figures(DashboardState.page)),
                class_name="flex flex-col gap-5",
            ),
            _waiting(),
        ),
        heartbeat(DashboardState.refresh, SLOW_SECONDS),
        also_for_others=DashboardState.sample,
        waiting=_waiting(),
        act=rx.cond(
            DashboardState.page & DashboardState.page.no_vehicles,
            link_button("Add Vehicle", "/vendor/add-vehicle"),
            link_button("New booking", "/vendor/new-booking"),
        ),
    )


def _waiting() -> rx.Component:
    return rx.el.div(
        rx.el.div(class_name=f"{SKELETON} h-72"),
        rx.el.div(
            *[rx.el.div(class_name=f"{SKELETON} h-32") for _ in range(6)],
            class_name=_TILES,
        ),
        rx.el.div(class_name=f"{SKELETON} h-100"),
        class_name="flex flex-col gap-5",
        custom_attrs={"aria-hidden": "true"},
    )


def _figures(page: rx.Var[DashboardPage]) -> rx.Component:
    return rx.fragment(
        rx.el.section(
            _tile("Total Vehicles", page.total_cars, "Listed by you", "car", FLEET),
            _tile("Total Bookings", page.total_bookings, "Since you joined", "calendar-days", _BOOKINGS),
            _tile(
                "Pending", page.pending_bookings, "Waiting for your answer", "hourglass", f"{_BOOKINGS}?status=pending"
            ),
            _tile(
                "Confirmed",
                page.completed_bookings,
                "Since you joined",
                "calendar-check",
                f"{_BOOKINGS}?status=confirmed",
            ),
            _tile(
                "Monthly Revenue",
                page.monthly_revenue,
                f"Charged in {page.month_name}, for trips of any month",
                "indian-rupee",
                _EARNINGS,
            ),
            _tile(
                "Received",
                page.monthly_received,
                f"Paid in {page.month_name}, for trips of any month",
                "wallet",
                _EARNINGS,
            ),
            class_name=_TILES,
            custom_attrs={"aria-label": "Figures"},
        ),
        month_chart("Last 12 months", page.months, page.year_summary, page.peak_revenue, page.peak_bookings),
        _recent(page.recent),
    )


def _tile(
    label: str, value: rx.Var[str], note: rx.Var[str] | str, icon: str, href: rx.Var[str] | str | None = None
) -> rx.Component:
    """One figure; its label links to what is counted."""
    return rx.el.div(
        rx.el.div(
            rx.el.h2(
                rx.el.a(label, href=href, class_name=LINK),
                class_name="text-sm/6 font-semibold",
            ),
            rx.icon(icon, size=18, class_name="shrink-0 text-(--accent-11)"),
            class_name="flex min-h-6 items-start justify-between gap-2",
        ),
        rx.el.p(value, class_name="mt-2 text-2xl font-bold tracking-tight sm:text-3xl"),
        rx.el.p(note, class_name=f"{MUTED} mt-1 text-sm"),
        class_name=f"{PANEL} p-4",
    )


def _recent(bookings: rx.Var[list[RecentBooking]]) -> rx.Component:
    return panel(
        "Recent bookings",
        rx.cond(
            bookings,
            rx.el.ul(
                rx.foreach(bookings, lambda booking: rx.el.li(_booking(booking))),
                class_name=f"mt-3 {LIST}",
            ),
            rx.el.p(
                "No bookings yet. ",
                rx.el.a("List a vehicle", href="/vendor/add-vehicle", class_name=LINK),
                " and it can be booked at once.",
                class_name=f"{MUTED} mt-2",
            ),
        ),
    )


def _booking(booking: rx.Var[RecentBooking]) -> rx.Component:
    return rx.el.div(
        rx.el.img(
            src=booking.image,
            alt="",
            custom_attrs={"width": "80", "height": "50"},
            loading="lazy",
            class_name=f"h-12.5 w-20 shrink-0 rounded-lg object-contain {STAGE}",
        ),
        rx.el.div(
            rx.el.a(booking.title, href=booking.href, class_name=LINK),
            rx.el.p(plate(booking.plate)),
            rx.el.p(f"{booking.customer}, {booking.dates}", class_name=f"{MUTED} text-sm wrap-anywhere"),
            class_name="min-w-0 flex-1 max-[17.5rem]:basis-full",
        ),
        rx.el.div(
            rx.el.p(booking.price, class_name="font-semibold"),
            rx.badge(
                booking.status,
                color_scheme=rx.match(booking.status, ("Confirmed", "green"), ("Pending", "amber"), "red"),
                size="2",
                high_contrast=True,
            ),
            class_name="flex shrink-0 flex-col items-end gap-1 max-[17.5rem]:items-start",
        ),
        class_name="flex items-center gap-3 py-3 max-[17.5rem]:flex-wrap",
    )


_BAR = "min-h-px w-full max-w-4 rounded-t-sm"
_REVENUE_BAR, _BOOKINGS_BAR = "bg-(--accent-9)", "bg-(--marigold)"
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
                    _key(_REVENUE_BAR, "Revenue", peak_revenue),
                    _key(_BOOKINGS_BAR, "Bookings", peak_bookings),
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
            rx.el.div(style={"height": month.revenue_height}, class_name=f"{_BAR} {_REVENUE_BAR}"),
            rx.el.div(style={"height": month.bookings_height}, class_name=f"{_BAR} {_BOOKINGS_BAR}"),
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
            rx.el.tbody(
                rx.foreach(
                    months,
                    lambda month: rx.el.tr(
                        rx.el.th(month.name, scope="row", class_name=f"{_CELL} text-left"),
                        rx.el.td(month.revenue, class_name=f"{_CELL} text-right"),
                        rx.el.td(month.bookings, class_name=f"{_CELL} text-right"),
                    ),
                )
            ),
            class_name="mt-2 w-full max-w-xl border-collapse text-sm",
        ),
        class_name="mt-3",
    )
