"""Pages that only say something: not found, offers, blog."""

import reflex as rx

from rental_app.components.layout import layout, link_button, notice
from rental_app.components.theme import CONTAINER, PAGE_TITLE


def not_found() -> rx.Component:
    """No such page."""
    return _page(
        "Page not found",
        notice(
            "There is nothing at this address",
            "The page may have moved, or the link is mistyped.",
            link_button("Go to the home page", "/"),
            link_button("See all vehicles", "/vehicles", "quiet"),
        ),
    )


def offers() -> rx.Component:
    """Offers in force."""
    return _page(
        "Offers",
        notice(
            "No offers are running right now",
            "Every price you see is the full price: days times the vendor's daily rate, deposit apart.",
            link_button("See all vehicles", "/vehicles"),
        ),
    )


def blog() -> rx.Component:
    """Posts."""
    return _page(
        "Blog",
        notice(
            "No posts yet",
            "We are writing about documents to carry, deposits and cancellations.",
            link_button("Go to the home page", "/"),
        ),
    )


def _page(title: str, content: rx.Component) -> rx.Component:
    return layout(rx.el.div(rx.el.h1(title, class_name=f"{PAGE_TITLE} mb-6"), content, class_name=f"{CONTAINER} pt-8"))
