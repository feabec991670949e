"""What the server tells a browser to do. Reflex's own makers of these events are banned elsewhere (pyproject.toml)."""

import json

import reflex as rx
from reflex_base.constants import REFLEX_VAR_OPENING_TAG

ERROR_MS, SUCCESS_MS = 4000, 2000
_BROKEN_TAG = REFLEX_VAR_OPENING_TAG.replace("<", "<\u200b")


def error_toast(message: str) -> rx.event.EventSpec:
    """A toast for a refusal (specification, section 9: 4000 ms)."""
    return rx.toast.error(as_text(message), duration=ERROR_MS)


def success_toast(message: str) -> rx.event.EventSpec:
    """A toast for something done (2000 ms)."""
    return rx.toast.success(as_text(message), duration=SUCCESS_MS)


def info_toast(message: str) -> rx.event.EventSpec:
    """A toast for something new (4000 ms)."""
    return rx.toast.info(as_text(message), duration=ERROR_MS)


def plain_toast(message: str) -> rx.event.EventSpec:
    """A toast for what has happened elsewhere (4000 ms)."""
    return rx.toast(as_text(message), duration=ERROR_MS)


def redirect(address: str) -> rx.event.EventSpec:
    """Go to another page."""
    return rx.redirect(as_text(address))


def set_value(element_id: str, value: str) -> rx.event.EventSpec:
    """Fill an input of the page."""
    return rx.set_value(element_id, as_text(value))


def tell_what_is_kept(names: dict[str, str], handler: rx.EventHandler) -> rx.event.EventSpec:
    """Have the browser call a handler with what its storage holds under some names, by the vars these stand for."""
    entries = f"Object.entries({names}).map(([variable, name]) => [variable, localStorage.getItem(name)])"
    return rx.call_script(f"Object.fromEntries({entries}.filter(([, kept]) => kept))", callback=handler)


def focus(element_id: str) -> rx.event.EventSpec:
    """Go to a field of the page, if it is there."""
    return rx.call_script(f"document.getElementById({json.dumps(as_text(element_id))})?.focus()")


def as_text(text: str) -> str:
    """Text whose markers of Reflex's own are broken up by a space of no width.

    With letters between `<reflex.Var>` and its end, Reflex 0.10.1 looks for that variable for ever, on the event loop.
    """
    return text.replace(REFLEX_VAR_OPENING_TAG, _BROKEN_TAG)
