"""A dialog that asks before something is done; its safe answer comes first."""

from typing import Any

import reflex as rx

from rental_app.web.parts.button import button
from rental_app.web.react.modal import CLOSES, modal


def question(
    name: str,
    title: rx.Var[str] | str,
    text: rx.Var[str] | str,
    *,
    about: rx.Var[bool],
    yes: str,
    no: str,
    on_yes: rx.EventHandler,
    focus_back: str,
) -> rx.Component:
    """`title` and `text` with two answers; `no` closes the dialog, and what `on_yes` does has to close it too.

    What it does takes something away, so its button is not the primary one. `about` is whether what they speak of is
    there (`web.react.modal`).
    """
    answer = button(yes, variant="destroy", on_click=on_yes)
    texts = {"title": title, "description": text, "about": about}
    return asking(name=name, stay=no, answer=answer, focus_back=focus_back, **texts)


def asking(*content: rx.Component, stay: rx.Var[str] | str, answer: rx.Component, **props: Any) -> rx.Component:
    """The same with some content, and any component for the answer that acts; `props` are the modal's."""
    return modal(*content, answers(stay, answer), question=True, max_width="28rem", **props)


def answers(stay: rx.Var[str] | str, answer: rx.Component) -> rx.Component:
    """The foot of a dialog: the button that closes it, and the answer that acts."""
    staying = button(stay, extra="w-full")
    return rx.el.div(
        rx.el.div(staying, custom_attrs=CLOSES),
        answer,
        class_name="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end",
    )
