"""Form parts that several pages use."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rental_app.components.theme import BUTTON, FIELD, LABEL
from rental_app.states.base import SessionState


def field(
    label: str,
    name: str,
    error: rx.Var[str] | str = "",
    *,
    control: Callable[..., rx.Component] = rx.el.input,
    **props: Any,
) -> rx.Component:
    """A labelled text input named `name`, with what is wrong with it below."""
    return rx.el.div(
        rx.el.label(label, html_for=name, class_name=LABEL),
        control(id=name, name=name, class_name=FIELD, custom_attrs=faulty(name, error), **props),
        fault(name, error),
    )


def faulty(element_id: str, error: rx.Var[str] | str) -> dict[str, Any]:
    """The attributes of a field that point to what is wrong with it."""
    return {
        "aria-invalid": rx.cond(error, "true", "false"),
        "aria-describedby": rx.cond(error, f"{element_id}-error", ""),
    }


def fault(element_id: str, error: rx.Var[str] | str) -> rx.Component:
    """What is wrong with a field, below it."""
    return rx.cond(error, rx.el.p(error, id=f"{element_id}-error", class_name="mt-1 text-sm text-(--red-11)"))


def typed_input(*, text: rx.Var[str], on_type: rx.EventHandler, **props: Any) -> rx.Component:
    """A text input whose handler gets what is typed, once typing pauses; its text belongs to the browser.

    An input held to the state's value would take back the keys typed since that value was sent. A handler that
    changes the text itself fills it in with `set_value`.
    """
    return rx.el.input(default_value=text, on_change=on_type.debounce(250), **props)


def retry_strip(problem: rx.Var[str], on_retry: rx.event.EventType[()]) -> rx.Component:
    """What a page is missing, and a button that tries again."""
    return rx.el.div(
        rx.icon("triangle-alert", size=20, class_name="mt-0.5 shrink-0"),
        rx.el.p(problem, class_name="min-w-0 flex-1"),
        rx.el.button("Try again", type="button", on_click=on_retry, class_name=BUTTON["quiet"]),
        role="alert",
        class_name="mb-5 flex flex-wrap items-center gap-3 rounded-2xl bg-(--amber-a3) p-4 text-(--amber-12)",
    )


def out_of_date(problem: rx.Var[str], on_retry: rx.event.EventType[()]) -> rx.Component:
    """Why a list that is on show could not be renewed."""
    return retry_strip(f"{problem}. The list may be out of date.", on_retry)


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
