"""A dialog that asks before something is done; its safe answer comes first."""

import reflex as rx

from rental_app.components.react.modal import CLOSES, modal
from rental_app.components.theme import BUTTON


def question(
    name: str,
    title: rx.Var[str] | str,
    text: rx.Var[str] | str,
    *,
    yes: str,
    no: str,
    on_yes: rx.EventHandler,
    focus_back: str,
) -> rx.Component:
    """`title` and `text` with two answers; `no` closes it, and so has whatever `on_yes` does to do."""
    return modal(
        rx.el.div(
            rx.el.div(rx.el.button(no, type="button", class_name=f"{BUTTON['quiet']} w-full"), custom_attrs=CLOSES),
            rx.el.button(yes, type="button", on_click=on_yes, class_name=BUTTON["primary"]),
            class_name="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end",
        ),
        name=name,
        title=title,
        description=text,
        question=True,
        max_width="28rem",
        focus_back=focus_back,
    )
