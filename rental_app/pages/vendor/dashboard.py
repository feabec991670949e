"""The vendor's page Dashboard."""

import reflex as rx

from rental_app.components.frame.vendor import vendor_layout
from rental_app.components.notice import retry_strip
from rental_app.components.theme import BLOCK_TITLE, MUTED, PANEL, SKELETON, STAGE
from rental_app.pages.vendor.chart import month_chart
from rental_app.states.vendor.dashboard import DashboardState
from rental_app.views.vendor.dashboard import DashboardPage, HandoverLine, RecentBooking, WeekDay

_CARS, _BOOKINGS = "/vendor/manage-vehicles", "/vendor/manage-bookings"
_LINK = (
    "inline-flex min-h-6 items-center font-semibold text-(--ink) underline decoration-(--gray-a7) underline-offset-2"
    " hover:decoration-current"
)
_TILES = "grid grid-cols-2 gap-3 sm:gap-4 md:grid-cols-3"
_ALL_ACROSS = "col-span-2 md:col-span-3"


def dashboard() -> rx.Component:
    """Figures, the last twelve months, the coming week and the latest bookings."""
    return vendor_layout(
        "Dashboard",
        rx.cond(DashboardState.sample, _sample_notice()),
        rx.cond(DashboardState.page, _content(DashboardState.page), _waiting()),
        also_for_others=DashboardState.sample,
        waiting=_waiting(),
    )


def _waiting() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            *[rx.el.div(class_name=f"{SKELETON} h-32") for _ in range(6)],
            rx.el.div(class_name=f"{SKELETON} h-32 {_ALL_ACROSS}"),
            class_name=_TILES,
        ),
        rx.el.div(class_name=f"{SKELETON} h-100"),
        class_name="flex flex-col gap-5",
        custom_attrs={"aria-hidden": "true"},
    )


def _sample_notice() -> rx.Component:
    warning = rx.el.strong("Sample data: live figures could not be loaded. ")
    return retry_strip(rx.fragment(warning, "Nothing below is yours."), DashboardState.load)


def _content(page: rx.Var[DashboardPage]) -> rx.Component:
    return rx.el.div(
        rx.el.section(
            _tile("Total Cars", page.total_cars, "Listed by you", "car", _CARS),
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
            _tile("Monthly Revenue", page.monthly_revenue, page.month_name, "indian-rupee", ""),
            _tile("Received", page.monthly_received, f"In {page.month_name}, whenever the trips are", "wallet", ""),
            _tile("Next 7 Days", page.week_handovers, page.week_note, "key-round", "", extra=_ALL_ACROSS),
            class_name=_TILES,
            custom_attrs={"aria-label": "Figures"},
        ),
        month_chart("Last 12 months", page.months, page.year_summary, page.peak_revenue, page.peak_bookings),
        rx.el.div(_week(page.week), _recent(page.recent), class_name="grid items-start gap-5 xl:grid-cols-2"),
        class_name="flex flex-col gap-5",
    )


def _tile(
    label: str, value: rx.Var[str], note: rx.Var[str] | str, icon: str, href: str, extra: str = ""
) -> rx.Component:
    """One figure; with an `href` its label leads to what is counted."""
    return rx.el.div(
        rx.el.div(
            rx.el.h2(
                rx.el.a(label, href=href, class_name=_LINK) if href else label,
                class_name="text-sm/6 font-semibold",
            ),
            rx.icon(icon, size=18, class_name="shrink-0 text-(--accent-11)"),
            class_name="flex min-h-6 items-start justify-between gap-2",
        ),
        rx.el.p(value, class_name="mt-2 text-2xl font-bold tracking-tight sm:text-3xl"),
        rx.el.p(note, class_name=f"{MUTED} mt-1 text-sm"),
        class_name=f"{PANEL} p-4 {extra}",
    )


def _week(days: rx.Var[list[WeekDay]]) -> rx.Component:
    return rx.el.section(
        rx.el.h2("Coming week", class_name=BLOCK_TITLE),
        rx.el.p("Pickups and returns of confirmed bookings", class_name=MUTED),
        rx.el.ol(
            rx.foreach(days, lambda day: rx.el.li(_day(day), key=day.date)),
            class_name="mt-3 list-none divide-y divide-(--line) p-0",
        ),
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": "Coming week"},
    )


def _day(day: rx.Var[WeekDay]) -> rx.Component:
    return rx.el.div(
        rx.el.h3(
            rx.el.span(day.name, class_name="block text-sm font-semibold"),
            rx.el.span(day.date, class_name=f"{MUTED} block text-sm"),
            class_name="w-24 shrink-0 font-normal",
        ),
        rx.cond(
            day.handovers,
            rx.el.ul(
                rx.foreach(day.handovers, lambda line: rx.el.li(_handover(line))),
                rx.cond(day.more, rx.el.li(rx.el.a(day.more, href=_BOOKINGS, class_name=_LINK))),
                class_name="flex min-w-0 flex-1 list-none flex-col gap-2 p-0 text-sm",
            ),
            rx.el.p("Nothing planned", class_name=f"{MUTED} text-sm"),
        ),
        class_name="flex gap-3 py-3",
    )


def _handover(line: rx.Var[HandoverLine]) -> rx.Component:
    return rx.el.div(
        rx.badge(line.kind, color_scheme=rx.cond(line.kind == "Pickup", "teal", "amber"), size="2", high_contrast=True),
        rx.el.span(line.time, class_name="w-18 shrink-0 font-medium"),
        rx.el.span(
            rx.el.a(line.vehicle, href=line.href, class_name=_LINK),
            rx.el.span(line.customer, class_name=f"{MUTED} block wrap-anywhere"),
            class_name="min-w-0 basis-full sm:flex-1 sm:basis-0",
        ),
        class_name="flex flex-wrap items-baseline gap-x-2 gap-y-1",
    )


def _recent(bookings: rx.Var[list[RecentBooking]]) -> rx.Component:
    return rx.el.section(
        rx.el.h2("Recent bookings", class_name=BLOCK_TITLE),
        rx.cond(
            bookings,
            rx.el.ul(
                rx.foreach(bookings, lambda booking: rx.el.li(_booking(booking))),
                class_name="mt-3 list-none divide-y divide-(--line) p-0",
            ),
            rx.el.p(
                "No bookings yet. ",
                rx.el.a("List a vehicle", href="/vendor/add-vehicle", class_name=_LINK),
                " and it can be booked at once.",
                class_name=f"{MUTED} mt-2",
            ),
        ),
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": "Recent bookings"},
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
            rx.el.a(booking.title, href=booking.href, class_name=_LINK),
            rx.el.p(f"{booking.customer}, {booking.dates}", class_name=f"{MUTED} text-sm"),
            class_name="min-w-0 flex-1",
        ),
        rx.el.div(
            rx.el.p(booking.price, class_name="font-semibold"),
            rx.badge(
                booking.status,
                color_scheme=rx.match(booking.status, ("Confirmed", "green"), ("Pending", "amber"), "red"),
                size="2",
                high_contrast=True,
            ),
            class_name="flex shrink-0 flex-col items-end gap-1",
        ),
        class_name="flex items-center gap-3 py-3",
    )
