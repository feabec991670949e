"""The page for addresses at which there is nothing."""

import reflex as rx

from rental_app.components.layout import layout, link_button, notice
from rental_app.components.theme import CONTAINER, PAGE_TITLE


def not_found() -> rx.Component:
    """No such page."""
    return layout(
        rx.el.div(
            rx.el.h1("Page not found", class_name=f"{PAGE_TITLE} mb-6"),
            notice(
                "There is nothing at this address",
                "The page may have moved, or the link is mistyped.",
                link_button("Go to the home page", "/"),
                link_button("See all vehicles", "/vehicles", "quiet"),
            ),
            class_name=f"{CONTAINER} pt-8",
        )
    )
