"""The bar on top of every page of the shop."""

import reflex as rx

from rental_app.content.routes import ROUTES
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.frame import BAR, is_here
from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.person_menu import person_menu
from rental_app.web.parts.button import button
from rental_app.web.parts.field import location_select
from rental_app.web.parts.links import link_button, vendor_site
from rental_app.web.parts.notice import RELOAD
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.parts.theme import SCRIPTED
from rental_app.web.react.modal import CLOSES, modal, opens
from rental_app.web.session.base import SessionState

LINKS = tuple((route.menu, route.path) for route in ROUTES if route.menu and not route.is_vendors)
_LIGHT = "border-(--line) bg-(--surface) text-(--ink)"
_DARK = "on-night border-transparent bg-(--night) text-white"
_LINK = "rounded-full px-3 py-2 text-sm font-medium no-underline text-inherit hover:bg-current/10"
_ICON_BUTTON = "inline-flex size-10 cursor-pointer items-center justify-center rounded-full"
_SELECT = (
    f"{SCRIPTED} select h-10 min-w-0 max-w-36 cursor-pointer rounded-full border border-current/30 bg-transparent px-4"
    " text-sm text-inherit"
)


def navbar(*, light: bool) -> rx.Component:
    """Logo, location, links and what the visitor may do; light on the home page only."""
    return rx.el.header(
        rx.el.div(
            _brand(),
            _location("nav-location"),
            rx.el.nav(
                *[_link(text, href) for text, href in LINKS],
                class_name="mx-auto hidden items-center gap-1 lg:flex",
                custom_attrs={"aria-label": "Main"},
            ),
            rx.el.div(
                _account(person_menu(class_name=f"{_LINK} inline-flex min-h-10 cursor-pointer items-center gap-2")),
                class_name="ml-auto hidden min-w-40 justify-end gap-2 lg:flex",
            ),
            _menu(),
            class_name="flex h-16 items-center gap-3 px-4 sm:px-6 lg:px-8",
        ),
        class_name=f"{BAR} border-b {_LIGHT if light else _DARK}",
    )


def _brand() -> rx.Component:
    return rx.el.a(
        rx.el.img(src="/logo.svg", alt="", custom_attrs={"width": "32", "height": "32"}, class_name="size-8"),
        rx.el.span(settings().product_name, class_name="text-xl font-extrabold tracking-tight max-[17.5rem]:sr-only"),
        href="/",
        class_name="flex shrink-0 items-center gap-2 text-inherit",
    )


def _location(name: str) -> rx.Component:
    return location_select(
        id=name,
        on_change=SearchState.choose_place,
        empty_label="Location",
        anywhere_label="Anywhere",
        class_name=f"{_SELECT} [&>option]:text-black",
        custom_attrs={"aria-label": "Location"},
    )


def _link(text: str, href: str) -> rx.Component:
    return rx.el.a(
        text,
        href=href,
        class_name=_LINK + " aria-[current=page]:bg-current/10 aria-[current=page]:font-semibold",
        custom_attrs={"aria-current": rx.cond(is_here(href), "page", "false")},
    )


def _account(*person: rx.Component) -> rx.Component:
    """Visitor: list vehicles and log in; vendor: dashboard and log out; customer: log out; unknown: try again.

    `person` is what leads somebody who is logged in to their account.
    """
    return rx.cond(
        SessionState.ready,
        rx.cond(
            SessionState.logged_in,
            rx.fragment(
                *person,
                rx.cond(
                    SessionState.is_staff,
                    link_button("Dashboard", "/vendor", "warm"),
                ),
                button("Logout", on_click=SessionState.logout),
            ),
            rx.cond(
                SessionState.problem,
                button("Load my account", on_click=RELOAD),
                rx.fragment(
                    rx.el.a(
                        "List Your Vehicles",
                        **vendor_site(),
                        class_name=_LINK + " inline-flex min-h-10 items-center whitespace-nowrap",
                    ),
                    button("Login", variant="warm", custom_attrs=opens_login()),
                ),
            ),
        ),
    )


def _person_rows() -> rx.Component:
    """The same as `_account` in the panel, as rows like those of its links."""
    visitor = rx.fragment(
        rx.el.a("List Your Vehicles", **vendor_site(), class_name=_LINK),
        button("Login", class_name=_LINK, custom_attrs=opens_login()),
    )
    person = rx.fragment(
        rx.el.p(SessionState.user_name, class_name="px-3 pb-1 font-bold wrap-anywhere"),
        rx.el.a("Account", href="/account", class_name=_LINK),
        rx.cond(SessionState.is_staff, rx.el.a("Dashboard", href="/vendor", class_name=_LINK)),
        button("Logout", on_click=SessionState.logout, class_name=_LINK),
    )
    unknown = button("Load my account", on_click=RELOAD, class_name=_LINK)
    asked = rx.cond(SessionState.problem, unknown, visitor)
    return rx.cond(SessionState.ready, rx.cond(SessionState.logged_in, person, asked))


def _menu() -> rx.Component:
    """The slide-in panel of small screens."""
    opener = button(
        rx.icon("menu", size=24),
        class_name=f"{_ICON_BUTTON} ml-auto lg:hidden",
        label="Menu",
        custom_attrs={"aria-haspopup": "dialog", **opens("menu")},
    )
    panel = modal(
        rx.el.nav(
            *[_link(text, href) for text, href in LINKS],
            class_name="flex flex-col",
            custom_attrs={"aria-label": "Main", **CLOSES},
        ),
        rx.el.nav(
            _person_rows(),
            class_name="mt-4 flex flex-col border-t border-(--line) pt-4",
            custom_attrs={"aria-label": "Your account", **CLOSES},
        ),
        name="menu",
        title="Menu",
        close_label="Close menu",
        class_name="slide-in",
    )
    return rx.fragment(opener, panel)
