"""What replaces a page that fails in the browser."""

import reflex as rx
from reflex.app import default_error_boundary

from rental_app.infrastructure.settings import settings
from rental_app.web.parts.notice import notice
from rental_app.web.parts.theme import BUTTON

_TITLE = "This page could not be shown"


def boundary(_stateful: bool = True) -> rx.Component:
    """The error boundary around all pages, inside the theme; Reflex's own would show where in the code it happened."""
    return default_error_boundary(fallback_render=rx.Var.create(_instead()))


def _instead() -> rx.Component:
    message = notice(
        _TITLE,
        "Something went wrong while your browser was showing it.",
        _fresh("Try again", "", "primary"),
        _fresh("Go to the home page", "/", "quiet"),
        title_tag=rx.el.h1,
    )
    return rx.el.main(
        rx.el.title(f"{_TITLE} | {settings().product_name}"),
        rx.el.div(message, role="alert", class_name="mx-auto max-w-3xl"),
        class_name="min-h-screen bg-(--page) px-4 py-12 text-(--ink)",
    )


def _fresh(text: str, href: str, variant: str) -> rx.Component:
    # `rx.el.a` would be the router's link, which reloads nothing: what has failed would stay.
    return rx.el.A.create(text, href=href, class_name=BUTTON[variant])
