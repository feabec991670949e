"""Keeps what was typed into a form that the server opened and has lost, after a restart for example."""

from typing import Any

import reflex as rx

from rental_app.web.session.base import SessionState

_SCRIPT = rx.asset("kept_form.jsx", shared=True)


class _KeptForm(rx.Component):
    """The React side; it renders nothing."""

    library = _SCRIPT.importable_path
    tag = "KeptForm"

    form_id: rx.Var[str]
    account: rx.Var[int]
    subject: rx.Var[int]
    reloads: rx.Var[bool]
    on_lost: rx.EventHandler[rx.event.passthrough_event_spec(int, str)]


class _KeptDialog(rx.Component):
    library = _SCRIPT.importable_path
    tag = "KeptDialog"

    form_id: rx.Var[str]
    account: rx.Var[int]
    dialog: rx.Var[str]


class _KeptFields(rx.Component):
    library = _SCRIPT.importable_path
    tag = "KeptFields"

    account: rx.Var[int]


# Marks a form whose page comes back by itself. It is recognised by its `aria-label`, its first field and this value,
# which may say what the form is about: what was typed for another amount is not filled in.
KEPT = {"data-kept": ""}


def kept_fields() -> rx.Component:
    """Placed before a page's content; refills its forms marked `KEPT` that were lost with the server's memory."""
    return _KeptFields.create(account=SessionState.account)


def kept_form(
    form_id: str, subject: rx.Var[int] | rx.Var[bool], reopen: rx.event.EventType[Any], *, reloads: bool = False
) -> rx.Component:
    """Placed behind the form with that id, which is open while there is a `subject`: True, or the id of a row.

    Once the same account is identified again, after a login too, `reopen` gets the lost subject and what the form
    held, as JSON. With `reloads` it also gets what a reload took from a form, when the form is open for that row again.
    """
    return _KeptForm.create(
        form_id=form_id, account=SessionState.account, subject=subject, reloads=reloads, on_lost=reopen
    )


def kept_dialog(form_id: str, dialog: str) -> rx.Component:
    """Placed beside the dialog of a kept form; opens it when its owner comes back from the login."""
    return _KeptDialog.create(form_id=form_id, account=SessionState.account, dialog=dialog)
