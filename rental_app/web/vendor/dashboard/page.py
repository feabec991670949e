"""The vendor's page Dashboard."""

import reflex as rx

from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.block import panel
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import retry_strip
from rental_app.web.parts.theme import LINK, LIST, MUTED, PANEL, SKELETON, STAGE
from rental_app.web.react.heartbeat import SLOW_SECONDS, heartbeat
from rental_app.web.vendor.dashboard.chart import month_chart
from rental_app.web.vendor.dashboard.presenter import DashboardPage, RecentBooking
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
        act=link_button("New booking", "/vendor/new-booking"),
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
