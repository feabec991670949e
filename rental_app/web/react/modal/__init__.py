"""A dialog whose parts are fetched when it is first opened, so that pages do not carry them."""

import json
from typing import Any

import reflex as rx

from rental_app.web.session.base import SessionState

_SCRIPT = rx.asset("modal.jsx", shared=True)
_BACK = rx.asset("back_closes.jsx", shared=True)
for _part in ("modal_window.jsx", "leave_question.jsx", "dialogs.js"):
    rx.asset(_part, shared=True)


class _Modal(rx.Component):
    library = _SCRIPT.importable_path
    tag = "Modal"

    name: rx.Var[str]
    title: rx.Var[str]
    other_title: rx.Var[str]
    description: rx.Var[str]
    about: rx.Var[bool]
    over: rx.Var[bool]
    question: rx.Var[bool]
    keeps: rx.Var[bool]
    close_label: rx.Var[str]
    max_width: rx.Var[str]
    max_height: rx.Var[str]
    focus_back: rx.Var[str]
    on_open: rx.EventHandler[rx.event.no_args_event_spec]
    on_closed: rx.EventHandler[rx.event.no_args_event_spec]


class _BackCloses(rx.Component):
    library = _BACK.importable_path
    tag = "BackCloses"

    popover_id: rx.Var[str]


def back_closes(popover_id: str) -> rx.Component:
    """Placed behind a popover; Back closes it, as it closes dialogs."""
    return _BackCloses.create(popover_id=popover_id)


_OVER = SessionState.ready & ~SessionState.logged_in


def modal(*content: rx.Component, name: str, title: rx.Var[str] | str, **props: Any) -> rx.Component:
    """Content under a title and a cross, closed by Esc, the backdrop, the cross, Back and controls marked `CLOSES`.

    Opened by any control with the attributes `opens(name)`, or by the server (`states.events.open_dialog`). With
    `question` only an answer, Esc or Back close it. With an `other_title` the second part of the content is the
    dialog's other side, shown in place of the first after a press on a control marked `TURNS`. With `keeps` what is
    typed into it stays until the server closes it. The focus goes back to what opened it, or to the id `focus_back`.
    A dialog whose texts speak of something that the server may lose says `about` whether that is there; it closes
    if that is gone and the session `over`, which a guest's never is. On a phone it rises from the foot of the screen,
    unless it is a question or has a `class_name` of its own.
    """
    ends = {"over": _OVER} if "about" in props else {}
    return _Modal.create(*content, name=name, title=title, **ends | props)


CLOSES = {"data-closes": "true"}
TURNS = {"data-turns": "true"}
# On a button right behind an input that hides its text, in a dialog.
REVEALS = {"data-reveals": "true"}


def opens(name: str, **order: Any) -> dict[str, str]:
    """The attributes of a control that opens a dialog: `turned` to its other side, with `typed` in its fields."""
    return {"data-opens": name, "data-asks": json.dumps(order)}
