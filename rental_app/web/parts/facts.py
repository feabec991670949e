"""Labelled values, the children of a `dl`."""

import reflex as rx

from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.theme import MUTED

_LOOK = "font-semibold text-balance"


def stacked(label: str, *value: rx.Component | rx.Var[str], look: str = _LOOK, around: str = "") -> rx.Component:
    """A label with its value below."""
    return rx.el.div(
        rx.el.dt(label, class_name=f"{MUTED} text-sm"),
        rx.el.dd(*value, class_name=look),
        class_name=around or None,
    )


def in_row(fact: rx.Var[Fact]) -> rx.Component:
    """A label and its value at the two ends of a line."""
    return rx.el.div(
        rx.el.dt(fact.label, class_name=MUTED),
        rx.el.dd(fact.value, class_name="text-right font-semibold"),
        class_name="flex justify-between gap-4 border-t border-(--line) py-2 first:border-t-0",
    )
