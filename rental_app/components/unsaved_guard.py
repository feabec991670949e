"""Asks before a form with unsaved changes is left."""

import reflex as rx

_SCRIPT = rx.asset("unsaved_guard.jsx", shared=True)


class _UnsavedGuard(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "UnsavedGuard"

    form_id: rx.Var[str]
    on_leave: rx.EventHandler[rx.event.no_args_event_spec]


def unsaved_guard(form_id: str, on_leave: rx.event.EventType[()]) -> rx.Component:
    """Goes next to the form of that id; warns when another page, a control marked `data-leaves` or the browser
    itself would leave it changed. `on_leave` runs when the changes are given up."""
    return _UnsavedGuard.create(form_id=form_id, on_leave=on_leave)
