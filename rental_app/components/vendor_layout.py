"""The frame round every vendor page: greeting, sidebar, content."""

import reflex as rx

from rental_app.components.theme import CONTAINER, PAGE_TITLE
from rental_app.settings import settings
from rental_app.states.base import SessionState

# Label, address, icon, and the icon of the page one is on.
ENTRIES = (
    ("Dashboard", "/vendor", "layout-dashboard", "layout-grid"),
    ("Profile", "/vendor/profile", "user", "user-check"),
    ("Add Vehicle", "/vendor/add-vehicle", "circle-plus", "badge-plus"),
    ("Manage Vehicles", "/vendor/manage-vehicles", "bike", "car-front"),
    ("Manage Bookings", "/vendor/manage-bookings", "calendar-days", "calendar-check"),
)
_ENTRY = (
    "flex min-h-11 items-center gap-3 whitespace-nowrap rounded-xl px-3 text-sm font-medium text-(--ink) no-underline"
    " hover:bg-(--gray-a3) aria-[current=page]:bg-(--accent-a3) aria-[current=page]:font-semibold"
    " aria-[current=page]:text-(--accent-12)"
)
_TOP_LINK = "inline-flex min-h-10 items-center gap-2 rounded-full px-3 text-sm font-medium text-white no-underline"


def vendor_layout(title: str, *content: rx.Component) -> rx.Component:
    """A vendor page; its content shows for vendors only, everyone else is on the way to the home page."""
    return rx.el.div(
        _top_bar(),
        rx.el.div(
            _sidebar(),
            rx.el.main(
                rx.el.h1(title, class_name=f"{PAGE_TITLE} mb-5"),
                rx.cond(SessionState.is_vendor, rx.fragment(*content)),
                id="content",
                class_name="min-w-0 flex-1 pb-16",
            ),
            class_name=f"{CONTAINER} max-w-7xl flex flex-col gap-6 pt-6 lg:flex-row",
        ),
        class_name="min-h-screen bg-(--page) text-(--ink)",
    )


def _top_bar() -> rx.Component:
    name = rx.cond(SessionState.user_name, SessionState.user_name, "Owner")
    return rx.el.header(
        rx.el.div(
            rx.el.img(src="/logo.svg", alt=settings().product_name, width="32", height="32", class_name="size-8"),
            rx.el.p("Welcome, ", name, class_name="min-w-0 truncate text-lg font-semibold"),
            rx.el.div(
                rx.link(
                    rx.icon("store", size=18), "Back to the shop", href="/", underline="none", class_name=_TOP_LINK
                ),
                rx.el.button(
                    rx.icon("log-out", size=18),
                    "Logout",
                    type="button",
                    on_click=SessionState.logout,
                    class_name=f"{_TOP_LINK} cursor-pointer",
                ),
                class_name="ml-auto flex shrink-0 flex-wrap justify-end",
            ),
            class_name=f"{CONTAINER} max-w-7xl flex min-h-16 items-center gap-3",
        ),
        class_name="on-night sticky top-0 z-20 bg-(--night) text-white",
    )


def _sidebar() -> rx.Component:
    return rx.el.aside(
        rx.el.nav(
            *[_entry(*entry) for entry in ENTRIES],
            class_name="flex gap-1 overflow-x-auto lg:flex-col",
            custom_attrs={"aria-label": "Vendor"},
        ),
        class_name="lg:sticky lg:top-22 lg:w-56 lg:shrink-0 lg:self-start",
    )


def _entry(label: str, href: str, icon: str, active_icon: str) -> rx.Component:
    here = rx.State.router.url.path == href
    return rx.link(
        rx.cond(here, rx.icon(active_icon, size=20), rx.icon(icon, size=20)),
        label,
        href=href,
        underline="none",
        class_name=_ENTRY,
        custom_attrs={"aria-current": rx.cond(here, "page", "false")},
    )
