"""Privacy, terms and security: plain texts."""

import reflex as rx

from rental_app.content import legal
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.theme import COLUMN, HEADLINE, PROSE


def legal_page(name: str) -> rx.Component:
    """A text under its heading; raises FileNotFoundError for one that is not there."""
    product = settings()
    heading, html = legal.text(
        name,
        {
            "product": product.product_name,
            "city": product.city,
            "email": product.support_email,
            "phone": product.support_phone,
            "office": product.offices[0] if product.offices else product.city,
        },
    )
    return layout(
        rx.el.article(
            rx.el.h1(heading, class_name=HEADLINE),
            rx.html(html, class_name=f"{PROSE} mt-6 wrap-break-word"),
            class_name=f"{COLUMN} pt-10",
        )
    )
