"""Watches a form: whether it was changed, what was typed; and has the tab and the account keep their drafts of it."""

from typing import Any

import reflex as rx

# Where the tab stores its draft.
from rental_app.web.react import browser_draft  # noqa: F401

_SCRIPT = rx.asset("form_changes.jsx", shared=True)


class _FormChanges(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "FormChanges"

    form_id: rx.Var[str]
    draft: rx.Var[str]
    told: rx.Var[int]
    saved: rx.Var[str]
    on_keep: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, str])]
    on_typed: rx.EventHandler[rx.event.passthrough_event_spec(dict[str, str])]
    on_start: rx.EventHandler[rx.event.no_args_event_spec]


def form_changes(form_id: str, *shown: rx.Component, **props: Any) -> rx.Component:
    """Watches the form with that id, whose `data-dirty` it sets.

    `on_typed` gets the changed inputs, a moment after the typing. `draft` is the key under which the tab keeps what is
    typed; `on_start` asks for that, and `told` grows with every answer: of `shown`, the first is rendered until the
    first answer since the page was opened, then the second. `on_keep` gets the whole form after a longer pause, to be
    kept elsewhere too; `saved` says since when that is so.
    """
    return _FormChanges.create(*shown, form_id=form_id, **props)
