"""How stars are shown."""

from typing import Any

import reflex as rx


def stars(figure: rx.Var[Any], class_name: str = "") -> rx.Component:
    """A star and how many of five one review gives."""
    return rated(rx.fragment(figure, rx.el.span(" of 5 stars", class_name="sr-only")), class_name)


def rated(words: rx.Var[str] | rx.Component, class_name: str = "") -> rx.Component:
    """A star and an average in words."""
    return rx.el.span(
        rx.icon("star", size=16, class_name="shrink-0 fill-(--marigold) text-(--marigold)"),
        rx.el.span(words),
        class_name=f"inline-flex items-center gap-1 font-semibold {class_name}",
    )
