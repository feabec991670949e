"""A control with its label, its hint and what is wrong with it, as every form has it; date pickers make their own."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.schemas.search import ANYWHERE
from rental_app.web.parts.theme import FIELD, LABEL, MUTED
from rental_app.web.session.base import SessionState


def field(
    label: rx.Component | rx.Var[str] | str,
    name: str,
    *options: rx.Component,
    control: Callable[..., rx.Component] = rx.el.input,
    error: rx.Var[str] | str = "",
    hint: rx.Var[str] | str = "",
    note: rx.Var[str] | None = None,
    id: str = "",
    box: rx.Var[str] | str = "",
    custom_attrs: dict[str, Any] | None = None,
    **props: Any,
) -> rx.Component:
    """A control named `name` below its label; a `hint` and what is wrong with it are below and linked to it.

    `note` says what its owner should know, without anything being wrong. `options` are those of a drop-down, `box` the
    classes of the whole. Without an `id`, the name is the element's id. A blank label is not shown: then an
    `aria-label` has to say what the control is for.
    """
    element = id or name
    # The attributes of a control that point to what is wrong with it, or else to its note or hint.
    has_hint = isinstance(hint, rx.Var) or bool(hint)
    more: rx.Var[str] | str = f"{element}-hint" if has_hint else ""
    if note is not None:
        more = rx.cond(note, f"{element}-note", more)
    attributes = {
        "aria-invalid": rx.cond(error, "true", "false"),
        "aria-describedby": rx.cond(error, f"{element}-error", more),
    } | (custom_attrs or {})
    noted = rx.el.p(note, id=f"{element}-note", role="status", class_name="mt-1 text-sm text-(--amber-11)")
    return rx.el.div(
        rx.el.label(label, html_for=element, class_name=LABEL) if isinstance(label, rx.Var) or label else rx.fragment(),
        control(*options, id=element, name=name, custom_attrs=attributes, **({"class_name": FIELD} | props)),
        rx.el.p(hint, id=f"{element}-hint", class_name=f"{MUTED} mt-1 text-sm") if has_hint else rx.fragment(),
        field_error(element, error),
        rx.fragment() if note is None else rx.cond(note, noted),
        class_name=box,
    )


def lasting_form(*content: rx.Component, on_submit: rx.event.EventType[Any], **props: Any) -> rx.Component:
    """A form in which what was typed stays when it is refused; what is wrong is said by the server, at its field."""
    return rx.el.form(*content, on_submit=on_submit, reset_on_submit=False, no_validate=True, **props)


def field_error(element_id: str, error: rx.Var[str] | str) -> rx.Component:
    """What is wrong with a control, below it."""
    return rx.cond(error, rx.el.p(error, id=f"{element_id}-error", class_name="wrong"))


def unknown_note(pincode: rx.Var[str]) -> rx.Var[str]:
    """What is said at a pincode that the look-up does not know; '' for one that it knows."""
    return rx.cond(pincode, f"We do not know {pincode}: type city, state and district.", "")


def typed_input(*, text: rx.Var[str], on_type: rx.EventHandler, **props: Any) -> rx.Component:
    """A text input whose handler gets what is typed, once typing pauses; its text belongs to the browser.

    A controlled input would undo the keys typed since the state's value was sent. A handler that changes the text
    itself fills it in with `set_value`.
    """
    return rx.el.input(default_value=text, on_change=on_type.debounce(250), **props)


def typed_lines(*, text: rx.Var[str], on_type: rx.EventHandler, **props: Any) -> rx.Component:
    """The same for a text of several lines."""
    return rx.el.textarea(default_value=text, on_change=on_type.debounce(250), **props)


def lines_input(*, class_name: str = FIELD, **props: Any) -> rx.Component:
    """A text input of several lines, as high as they are."""
    return rx.el.textarea(class_name=f"{class_name} h-auto py-2", **props)


def location_select(*, empty_label: str, anywhere_label: str = "", **props: Any) -> rx.Component:
    """A drop-down of the localities, with all of them first; its empty option reads `empty_label`.

    `anywhere_label` says "Anywhere in the city" where there is less room.
    """
    near = SessionState.near
    return rx.el.select(
        rx.el.option(empty_label, value=""),
        rx.el.option(anywhere_label or f"Anywhere in {settings().city}", value=ANYWHERE),
        rx.cond(near, rx.el.option(f"Near {near}", value=SessionState.choice)),
        rx.foreach(SessionState.locations, lambda place: rx.el.option(place, value=place)),
        value=SessionState.choice,
        **props,
    )
