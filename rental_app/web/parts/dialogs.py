"""Dialogs: a question before something is done, whose safe answer comes first, and a form."""

from typing import Any

import reflex as rx

from rental_app.web.parts.button import button
from rental_app.web.parts.theme import SKELETON
from rental_app.web.react.browser_draft import browser_draft, draft_dialog
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


# At the lower edge of a dialog, while what is long scrolls under it.
STAYING_FOOT = (
    "sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-end gap-3 border-t border-(--line)"
    " bg-(--color-panel-solid) px-6 py-4"
)


def answers(stay: rx.Var[str] | str, answer: rx.Component, *, stays: bool = False) -> rx.Component:
    """The foot of a dialog: the button that closes it, and the answer that acts; a long one's `stays` in sight."""
    look = "mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end"
    staying = button(stay, extra="w-full")
    return rx.el.div(rx.el.div(staying, custom_attrs=CLOSES), answer, class_name=STAYING_FOOT if stays else look)


def form_dialog(
    *content: rx.Component,
    name: str,
    on_submit: rx.event.EventType[Any],
    form_id: str = "",
    label: str = "",
    look: str = "flex flex-col gap-3",
    no_validate: bool = True,
    form: dict[str, Any] | None = None,
    subject: rx.Var[Any] | None = None,
    regain: rx.event.EventType[Any] | None = None,
    waiting: str = "h-48",
    beside: tuple[rx.Component, ...] = (),
    **props: Any,
) -> rx.Component:
    """A dialog with a form of its content, which ends with its buttons (`answers`).

    `form` has what else the form is to have, `props` are the modal's. What is wrong is said by the server, at its
    field. If a `subject` says what the form is about, which the server may lose, a skeleton as high as `waiting` stands
    in its place without one, and `regain` gets what was lost (`browser_draft`).
    """
    attributes = {"aria-label": label} if label else {}
    same = {"id": form_id, "class_name": look, "no_validate": no_validate, "custom_attrs": attributes}
    typed = rx.el.form(*content, on_submit=on_submit, **{name: it for name, it in same.items() if it} | (form or {}))
    if subject is not None:
        typed = rx.cond(subject, typed, rx.el.div(class_name=f"{SKELETON} {waiting}"))
    draft = () if regain is None else (browser_draft(form_id, subject, regain),)
    dialog = modal(typed, *draft, *beside, name=name, **{"max_width": "28rem"} | props)
    return rx.fragment(dialog, draft_dialog(form_id, name)) if draft else dialog


def alert_line(text: rx.Var[str], extra: str = "") -> rx.Component:
    """What was refused, while something was."""
    return rx.cond(text, rx.el.p(text, role="alert", class_name=f"{extra} text-(--red-11)".strip()))
