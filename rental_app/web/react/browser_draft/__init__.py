"""Browser drafts: what was typed and not sent stays in the tab (docs/architecture/forms.md).

In the page's memory while the server forgets what a form belongs to, after a restart for example; in the tab's storage
over a reload (`stored.js`, which `form_changes` uses too).
"""

from typing import Any

import reflex as rx

from rental_app.web.session.base import SessionState

_SCRIPT = rx.asset("browser_draft.jsx", shared=True)
rx.asset("stored.js", shared=True)

# Attributes of a form in a dialog that closes without a question, and yet is kept over a reload.
UNASKED = {"data-dirty": "false"}


class _BrowserDraft(rx.Component):
    """The React side; it renders nothing."""

    library = _SCRIPT.importable_path
    tag = "BrowserDraft"

    form_id: rx.Var[str]
    account: rx.Var[int | str]
    subject: rx.Var[int | str]
    reloads: rx.Var[bool]
    on_lost: rx.EventHandler[rx.event.passthrough_event_spec(int, str)]


class _DraftDialog(rx.Component):
    library = _SCRIPT.importable_path
    tag = "DraftDialog"

    form_id: rx.Var[str]
    account: rx.Var[int]
    dialog: rx.Var[str]


class _PageDrafts(rx.Component):
    library = _SCRIPT.importable_path
    tag = "PageDrafts"

    account: rx.Var[int]


def drafted(key: str | rx.Var[str]) -> dict[str, Any]:
    """Attributes of a form that is part of a page which comes back by itself.

    `key` says which of the page's forms it is, and what it is about: what was typed for another amount
    is not filled in.
    """
    return {"data-draft": key}


def page_drafts() -> rx.Component:
    """Placed before a page's content; refills its forms marked by `drafted` that were lost with the server's memory, or
    by a reload."""
    return _PageDrafts.create(account=SessionState.account)


def browser_draft(
    form_id: str,
    subject: rx.Var[int] | rx.Var[bool] | rx.Var[str],
    reopen: rx.event.EventType[Any],
    *,
    reloads: bool = False,
    whose: rx.Var[int] | rx.Var[str] = SessionState.account,
) -> rx.Component:
    """Placed behind the form with that id, which is open while there is a `subject`: True, the id of a row, a text.

    `whose` it is comes from the account, or for a guest from the booking of their link. Once the same account is
    identified again, after a login too, `reopen` gets the lost subject and what the form held, as JSON. With
    `reloads` it also gets what a reload took from a form, when the form is open for that row again.
    """
    return _BrowserDraft.create(form_id=form_id, account=whose, subject=subject, reloads=reloads, on_lost=reopen)


def draft_dialog(form_id: str, dialog: str) -> rx.Component:
    """Placed beside the dialog of such a form; opens it when its owner comes back from the login."""
    return _DraftDialog.create(form_id=form_id, account=SessionState.account, dialog=dialog)
