"""Keeps what was typed into a form that the server opens and has lost: a restart, say, took its memory."""

import reflex as rx

from rental_app.states.base import SessionState

_SCRIPT = rx.asset("kept_form.jsx", shared=True)


class _KeptForm(rx.Component):
    """The React side; it draws nothing."""

    library = _SCRIPT.importable_path
    tag = "KeptForm"

    form_id: rx.Var[str]
    known: rx.Var[bool]
    is_open: rx.Var[bool]
    on_lost: rx.EventHandler[rx.event.no_args_event_spec]


def kept_form(form_id: str, is_open: rx.Var[bool], reopen: rx.event.EventType[()]) -> rx.Component:
    """Stands behind the form of that id, and calls `reopen` once it is known again who is there."""
    return _KeptForm.create(form_id=form_id, known=SessionState.ready, is_open=is_open, on_lost=reopen)
