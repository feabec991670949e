"""The frame around every page of the shop."""

import reflex as rx

from rental_app.web.frame.footer import footer
from rental_app.web.frame.frame import content, frame, no_bar
from rental_app.web.frame.login_dialog import login_dialog
from rental_app.web.frame.navbar import navbar
from rental_app.web.parts.favourite_and_compare.buttons import compare_bar
from rental_app.web.react.photos import photo_controls


def layout(
    *parts: rx.Component,
    light: bool = False,
    plain: bool = False,
    on_cards: bool = False,
    footer_top: rx.Component | None = None,
) -> rx.Component:
    """Navigation, content, footer, comparison bar and login dialog; `light` is the home page's navigation bar.

    A `plain` page is one step of something: it has a title and a way back in place of the navigation.
    The parts of a page `on_cards` are cards, which have a ground below them.
    """
    return frame(
        no_bar() if plain else navbar(light=light),
        content(*parts),
        footer(footer_top or rx.fragment()),
        compare_bar(),
        login_dialog(),
        photo_controls(),
        extra="on-cards flex flex-col" if on_cards else "flex flex-col",
    )
