"""The frame around every page of the shop."""

import reflex as rx

from rental_app.components.frame.footer import footer
from rental_app.components.frame.frame import content, frame
from rental_app.components.frame.login_dialog import login_dialog
from rental_app.components.frame.navbar import navbar
from rental_app.components.marks import compare_bar
from rental_app.components.react.photos import photo_controls


def layout(*parts: rx.Component, light: bool = False, footer_top: rx.Component | None = None) -> rx.Component:
    """Navigation, content, footer, comparison bar and login dialog; `light` is the home page's navigation bar."""
    return frame(
        navbar(light=light),
        content(*parts),
        footer(footer_top or rx.fragment()),
        compare_bar(),
        login_dialog(),
        photo_controls(),
        extra="flex flex-col",
    )
