"""The frame round every public page."""

from typing import Any

import reflex as rx

from rental_app.components.footer import footer
from rental_app.components.login_dialog import login_dialog
from rental_app.components.navbar import navbar, vendor_site
from rental_app.components.theme import BUTTON, MUTED, PANEL, SECTION_TITLE
from rental_app.settings import settings


def layout(*content: rx.Component, light: bool = False, footer_top: rx.Component | None = None) -> rx.Component:
    """Navigation, content, footer and the login dialog; `light` is the home page's bar."""
    return rx.el.div(
        # `rx.el.a` would be the router's link, which drops the search from the address and leaves the focus behind.
        rx.el.A.create(
            "Skip to content",
            href="#content",
            class_name="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-(--surface) focus:p-3",
        ),
        navbar(light=light),
        rx.el.main(*content, id="content", tab_index=-1, class_name="flex-1 outline-none"),
        footer(footer_top or rx.fragment()),
        login_dialog(),
        class_name="flex min-h-screen flex-col bg-(--page) text-(--ink)",
    )


def notice(title: str, text: rx.Var[str] | str, *actions: rx.Component) -> rx.Component:
    """A screen's empty or error state: what is wrong, and a way on."""
    return rx.el.div(
        rx.el.img(
            src="/logo.svg",
            alt="",
            class_name="mx-auto size-14 opacity-80",
            custom_attrs={"width": "56", "height": "56"},
        ),
        rx.el.h2(title, class_name=f"{SECTION_TITLE} mt-4"),
        rx.el.p(text, class_name=f"{MUTED} mx-auto mt-2 max-w-prose"),
        rx.el.div(*actions, class_name="mt-6 flex flex-wrap justify-center gap-3"),
        class_name=f"{PANEL} px-6 py-12 text-center",
    )


def failure(title: str, problem: rx.Var[str] | str, again: Any) -> rx.Component:
    """What could not be loaded, why, and the event that tries again."""
    return notice(
        title, problem, rx.el.button("Try again", type="button", on_click=again, class_name=BUTTON["primary"])
    )


def link_button(text: str, href: rx.Var[str] | str, variant: str = "primary") -> rx.Component:
    """A link that looks like a button."""
    return rx.el.a(text, href=href, class_name=BUTTON[variant])


def vendor_link(text: str, class_name: str) -> rx.Component:
    """A link for those who have a vehicle: to the vendors' own site, which opens beside this one, else to our page."""
    if not settings().vendor_site_url:
        return rx.el.a(text, **vendor_site(), class_name=class_name)
    return rx.el.a(
        text,
        rx.icon("arrow-up-right", size=18),
        rx.el.span("(opens in a new tab)", class_name="sr-only"),
        **vendor_site(),
        class_name=class_name,
    )
