"""Form parts that several pages use."""

from typing import Any

import reflex as rx

from rental_app.components.theme import FIELD, LABEL
from rental_app.states.base import SessionState


def field(label: str, name: str, error: rx.Var[str] | str = "", **props: Any) -> rx.Component:
    """A labelled text input named `name`, with what is wrong with it below."""
    return rx.el.div(
        rx.el.label(label, html_for=name, class_name=LABEL),
        rx.el.input(
            id=name,
            name=name,
            class_name=FIELD,
            custom_attrs={
                "aria-invalid": rx.cond(error, "true", "false"),
                "aria-describedby": rx.cond(error, f"{name}-error", ""),
            },
            **props,
        ),
        rx.cond(error, rx.el.p(error, id=f"{name}-error", class_name="mt-1 text-sm text-(--red-11)")),
    )


def location_select(
    *, id: str, value: rx.Var[str], on_change: rx.event.EventType[str], empty_label: str, **props: Any
) -> rx.Component:
    """A drop-down of the localities whose empty option reads `empty_label`."""
    return rx.el.select(
        rx.el.option(empty_label, value=""),
        rx.foreach(SessionState.locations, lambda place: rx.el.option(place, value=place)),
        id=id,
        value=value,
        on_change=on_change,
        **props,
    )
