"""Privacy, terms and security: plain texts."""

import reflex as rx

from rental_app.content import legal
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.theme import COLUMN, HEADLINE, PROSE


def legal_page(name: str) -> rx.Component:
    """A text under its heading; raises FileNotFoundError for one that is not there."""
    heading, html = legal.text(name, settings().named_in_texts)
    return layout(
        rx.el.article(
            rx.el.h1(heading, class_name=HEADLINE),
            rx.html(html, class_name=f"{PROSE} mt-6 wrap-break-word"),
            class_name=f"{COLUMN} pt-10",
        )
    )
