"""The frame round every public page."""

import reflex as rx

from rental_app.components.footer import footer
from rental_app.components.login_dialog import login_dialog
from rental_app.components.navbar import navbar
from rental_app.components.theme import BUTTON, MUTED, PANEL, SECTION_TITLE


def layout(*content: rx.Component, light: bool = False) -> rx.Component:
    """Navigation, content, footer and the login dialog; `light` is the home page's bar."""
    return rx.el.div(
        rx.el.a(
            "Skip to content",
            href="#content",
            class_name="sr-only focus:not-sr-only focus:absolute focus:z-30 focus:bg-(--surface) focus:p-3",
        ),
        navbar(light=light),
        rx.el.main(*content, id="content", class_name="flex-1"),
        footer(),
        login_dialog(),
        class_name="flex min-h-screen flex-col bg-(--page) text-(--ink)",
    )


def notice(title: str, text: rx.Var[str] | str, *actions: rx.Component) -> rx.Component:
    """A screen's empty or error state: what is the matter, and a way on."""
    return rx.el.div(
        rx.el.img(src="/logo.svg", alt="", width="56", height="56", class_name="mx-auto size-14 opacity-80"),
        rx.el.h2(title, class_name=f"{SECTION_TITLE} mt-4"),
        rx.el.p(text, class_name=f"{MUTED} mx-auto mt-2 max-w-prose"),
        rx.el.div(*actions, class_name="mt-6 flex flex-wrap justify-center gap-3"),
        class_name=f"{PANEL} px-6 py-12 text-center",
    )


def link_button(text: str, href: rx.Var[str] | str, variant: str = "primary") -> rx.Component:
    """A link that looks like a button."""
    return rx.link(text, href=href, underline="none", class_name=BUTTON[variant])
