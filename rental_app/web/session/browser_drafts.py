"""Browser drafts (docs/architecture/forms.md): what a tab keeps of forms, and having it forgotten."""

import json
from collections.abc import Mapping
from typing import Any

import reflex as rx

from rental_app.domain.characters import made_storable

MOST_FIELDS, LONGEST_NAME = 80, 60


def read_draft(stored: str | None) -> dict[str, str]:
    """The form values that a tab has kept; empty for anything that it cannot have kept."""
    try:
        draft = json.loads(stored or "{}")
    except (ValueError, RecursionError):
        return {}
    return read_form(draft) if isinstance(draft, dict) else {}


def read_form(form: Mapping[str, Any]) -> dict[str, str]:
    """The texts of a form, for at most as many fields as a form can have."""
    pairs = [*form.items()][:MOST_FIELDS]
    # A lone surrogate would break the connection it is sent back on.
    return {name[:LONGEST_NAME]: made_storable(text) for name, text in pairs if isinstance(text, str)}


def tell_draft(key: str, handler: rx.EventHandler) -> rx.event.EventSpec:
    """Have the browser call a handler with what its tab keeps of a form (web/react/browser_draft), or null."""
    return rx.call_script(f"sessionStorage.getItem({json.dumps(key)})", callback=handler)


def note_typing(element_id: str) -> rx.event.EventSpec:
    """Have a form taken for changed, as typing into its field with this id does, once the page has drawn its rows."""
    typed = "dispatchEvent(new Event('input', {bubbles: true}))"
    return rx.call_script(f"setTimeout(() => document.getElementById({json.dumps(element_id)})?.{typed}, 100)")


def forget_draft(key: str) -> rx.event.EventSpec:
    """Have the browser's tab forget what it keeps of a form."""
    return rx.call_script(f"sessionStorage.removeItem({json.dumps(key)})")


def forget_drafts() -> rx.event.EventSpec:
    """Have the browser's tab forget all that it keeps of forms, and the browser photos that were not sent."""
    drafts = "Object.keys(sessionStorage).filter((key) => key.startsWith('draft-'))"
    forget = f"{drafts}.forEach((key) => sessionStorage.removeItem(key))"
    return rx.call_script(f"{forget}; indexedDB.deleteDatabase('photos')")
