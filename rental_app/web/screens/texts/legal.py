"""Privacy, terms and security: plain texts."""

import reflex as rx

from rental_app.content import legal
from rental_app.infrastructure.settings import settings
from rental_app.web.frame.public import layout
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice
from rental_app.web.parts.theme import COLUMN, HEADLINE, LINK, MUTED, PROSE, SKELETON
from rental_app.web.react.here import is_here
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.texts.state import TextState

_SHOWN = TextState.shown


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


def terms_page() -> rx.Component:
    """The terms, of the version that the address names or those in force, with links to all other versions."""
    known = (_SHOWN.bool() | TextState.missing) & is_here(TextState.asked_url)
    waiting = rx.el.div(class_name=f"{SKELETON} h-160")
    return layout(
        rx.el.div(
            server_rendered("terms_text", known, rx.cond(_SHOWN, _terms(), _no_such_version()), waiting),
            class_name=f"{COLUMN} pt-10",
        )
    )


def _terms() -> rx.Component:
    in_force = rx.el.a("Read the terms in force", href="/terms", class_name=LINK)
    return rx.el.article(
        rx.el.h1(_SHOWN.heading, class_name=HEADLINE),
        rx.el.p(
            f"Version {_SHOWN.version}. ",
            rx.cond(_SHOWN.past, rx.fragment("It is no longer in force. ", in_force)),
            class_name=f"{MUTED} mt-3",
        ),
        rx.html(_SHOWN.html, class_name=f"{PROSE} mt-6 wrap-break-word"),
        rx.el.nav(
            rx.el.h2("Other versions", class_name="mt-12 text-xl font-bold"),
            rx.el.ul(
                rx.foreach(_SHOWN.others, lambda one: rx.el.li(rx.el.a(one.text, href=one.href, class_name=LINK))),
                class_name="mt-2 flex list-none flex-wrap gap-x-5 gap-y-1 p-0",
            ),
            custom_attrs={"aria-label": "Other versions"},
        ),
    )


def _no_such_version() -> rx.Component:
    return rx.fragment(
        rx.el.h1("Terms", class_name=f"{HEADLINE} mb-6"),
        notice(
            "There is no such version of the terms",
            "The link may be mistyped. The terms in force name all versions there are.",
            link_button("Read the terms in force", "/terms"),
        ),
    )
