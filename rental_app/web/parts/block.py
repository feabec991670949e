"""A titled part of a page."""

import reflex as rx

from rental_app.web.parts.theme import BLOCK_TITLE, PANEL


def numbered(lines: rx.Var[list[str]]) -> rx.Component:
    """Terms, one per line."""
    return rx.el.ol(rx.foreach(lines, lambda line: rx.el.li(line)), class_name="list-decimal space-y-1 pl-5")


def block(title: str, *content: rx.Component) -> rx.Component:
    """A panel under its title."""
    return rx.el.section(rx.el.h2(title, class_name=f"{BLOCK_TITLE} mb-3"), *content, class_name=f"{PANEL} p-5")
