"""Asks before a form with unsaved changes is left."""

import reflex as rx

# Its question is asked.
from rental_app.web.react import modal  # noqa: F401

_SCRIPT = rx.asset("unsaved_guard.jsx", shared=True)


class _UnsavedGuard(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "UnsavedGuard"

    form_id: rx.Var[str]
    text: rx.Var[str]


def unsaved_guard(form_id: str, text: str = "The changes you have made will be lost.") -> rx.Component:
    """Placed inside the form with that id; warns when another page, a control marked `data-leaves` or the browser
    itself would leave it changed; `text` says what would become of the changes."""
    return _UnsavedGuard.create(form_id=form_id, text=text)
