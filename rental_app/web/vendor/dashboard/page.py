"""The vendor's page Dashboard."""

import reflex as rx

from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.badges import plate
from rental_app.web.parts.fold import fold_arrow
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import retry_strip
from rental_app.web.parts.theme import BLOCK_TITLE, LINK, LIST, MUTED, PANEL, ROW_LINK, SKELETON, STAGE
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
        "Today",
        rx.cond(
            DashboardState.sample,
            retry_strip(rx.fragment(warning, "None of the figures below are yours."), DashboardState.load),
        ),
        rx.cond(
            DashboardState.day,
            rx.el.div(
                day(DashboardState.day),
                rx.cond(DashboardState.page, _shop(DashboardState.page)),
                class_name="flex flex-col gap-3 md:gap-5",
            ),
            _waiting(),
        ),
        heartbeat(DashboardState.refresh, SLOW_SECONDS),
        also_for_others=DashboardState.sample,
        waiting=_waiting(),
        below=rx.cond(DashboardState.day, rx.el.p(DashboardState.day.now, class_name=f"{MUTED} text-sm")),
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


def _shop(page: rx.Var[DashboardPage]) -> rx.Component:
    """The figures and what was booked last: on a phone folded, because the day's work comes first."""
    summary = rx.el.summary(
        "The shop",
        rx.el.span(f"{page.monthly_revenue} in {page.month_name}", class_name=f"{MUTED} ml-auto text-sm font-normal"),
        fold_arrow(),
        class_name=f"{BLOCK_TITLE} flex min-h-12 cursor-pointer items-center gap-3 px-1",
    )
    stack = "flex flex-col gap-4 md:gap-5"
    return rx.fragment(
        rx.el.details(summary, rx.el.div(_figures(page), class_name=stack), class_name="md:hidden"),
        rx.el.div(_figures(page), class_name=f"{stack} max-md:hidden"),
    )


def _figures(page: rx.Var[DashboardPage]) -> rx.Component:
    month = f"in {page.month_name}"
    return rx.fragment(
        rx.el.section(
            rx.el.h2("The shop", class_name="sr-only"),
            rx.el.dl(
                _figure("Total Vehicles", page.total_cars, "", FLEET),
                _figure("Total Bookings", page.total_bookings, "", f"{_BOOKINGS}?part=all"),
                _figure("Pending", page.pending_bookings, "", f"{_BOOKINGS}?part=all&status=pending"),
                _figure("Confirmed", page.completed_bookings, "", f"{_BOOKINGS}?part=all&status=confirmed"),
                _figure("Monthly Revenue", page.monthly_revenue, f"charged {month}", _EARNINGS),
                _figure("Received", page.monthly_received, f"{month}, held: {page.held}", _EARNINGS),
                class_name="grid grid-cols-3 gap-px bg-(--line) max-[17.5rem]:grid-cols-1 xl:grid-cols-6",
            ),
            class_name=f"{PANEL} overflow-hidden",
            custom_attrs={"aria-label": "Figures"},
        ),
        _recent(page.recent),
        month_chart("Last 12 months", page.months, page.year_summary, page.peak_revenue, page.peak_bookings),
    )


def _figure(label: str, value: rx.Var[str], note: rx.Var[str] | str, href: str) -> rx.Component:
    """One figure; its label links to what is counted."""
    return rx.el.div(
        rx.el.dt(rx.el.a(label, href=href, class_name=f"{LINK} text-[13px]/[18px]")),
        rx.el.dd(
            rx.el.span(value, class_name="block text-xl font-bold tracking-tight tabular-nums"),
            rx.el.span(note, class_name=f"{MUTED} block text-xs"),
        ),
        class_name="min-w-0 bg-(--surface) px-3.5 py-2.5 wrap-anywhere md:px-4 md:py-3",
    )


def _recent(bookings: rx.Var[list[RecentBooking]]) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2("Recent bookings", class_name=BLOCK_TITLE),
            rx.el.a("See all", href=f"{_BOOKINGS}?part=all", class_name=LINK),
            class_name="flex min-h-8 items-center justify-between gap-3 px-1 md:px-0",
        ),
        rx.cond(
            bookings,
            rx.el.ul(rx.foreach(bookings, _booking), class_name=f"{PANEL} {LIST} mt-1.5 overflow-hidden"),
            rx.el.p(
                "No bookings yet. ",
                rx.el.a("List a vehicle", href="/vendor/add-vehicle", class_name=LINK),
                " and it can be booked at once.",
                class_name=f"{MUTED} mt-1 px-1",
            ),
        ),
        custom_attrs={"aria-label": "Recent bookings"},
    )


def _booking(booking: rx.Var[RecentBooking]) -> rx.Component:
    return rx.el.li(
        rx.el.img(
            src=booking.image,
            alt="",
            custom_attrs={"width": "56", "height": "35"},
            loading="lazy",
            class_name=f"h-8.75 w-14 shrink-0 rounded-md object-contain {STAGE}",
        ),
        rx.el.div(
            rx.el.p(
                rx.el.a(booking.title, href=booking.href, class_name=ROW_LINK),
                rx.el.span(booking.customer, class_name=f"{MUTED} text-sm wrap-anywhere"),
                class_name="flex flex-wrap items-center gap-x-2",
            ),
            rx.el.p(
                plate(booking.plate),
                rx.el.span(booking.dates, class_name=f"{MUTED} text-sm"),
                class_name="flex flex-wrap items-center gap-x-2",
            ),
            class_name="min-w-0 flex-1",
        ),
        rx.el.div(
            rx.el.p(booking.price, class_name="font-semibold tabular-nums"),
            rx.badge(
                booking.status,
                color_scheme=rx.match(booking.status, ("Confirmed", "green"), ("Pending", "amber"), "red"),
                size="1",
                high_contrast=True,
            ),
            class_name="flex shrink-0 flex-col items-end",
        ),
        # A phone has the latest three.
        class_name="flex items-center gap-3 px-3.5 py-2 max-md:nth-[n+4]:hidden md:px-5",
        key=booking.href,
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
    """Revenue and bookings side by side, each on its own scale, folded: the day's work comes first."""
    return rx.el.details(
        rx.el.summary(
            rx.el.span(
                rx.el.span(title, class_name=BLOCK_TITLE),
                rx.el.span(rx.cond(summary, summary, "No confirmed bookings yet"), class_name=f"{MUTED} text-sm"),
                class_name="flex min-w-0 flex-1 flex-wrap items-center gap-x-3",
            ),
            fold_arrow(),
            class_name="flex min-h-11 cursor-pointer items-center gap-3",
        ),
        # Twelve bars of nothing would only be tall.
        rx.cond(
            summary,
            rx.fragment(
                rx.el.div(
                    _key(_REVENUE_BAR, "Revenue", peak_revenue),
                    _key(_BOOKINGS_BAR, "Bookings", peak_bookings),
                    class_name="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm",
                ),
                rx.el.div(
                    rx.foreach(months, _month),
                    class_name="mt-3 grid grid-cols-12 gap-x-1 sm:gap-x-2",
                    custom_attrs={"aria-hidden": "true"},
                ),
                _table(title, months),
            ),
        ),
        class_name=f"{PANEL} px-4 py-1.5 sm:px-6",
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
        rx.el.summary("Show as a table", class_name="w-fit cursor-pointer rounded py-3 text-sm font-medium md:py-1"),
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
