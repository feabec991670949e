"""Events that tell a browser what to do. Reflex's own functions for that are banned elsewhere (pyproject.toml)."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, Literal

import reflex as rx
from reflex.compiler.utils import compile_client_storage
from reflex.state import State
from reflex_base.constants import REFLEX_VAR_OPENING_TAG

from rental_app.domain.errors import NotAuthenticatedError, RentalError
from rental_app.schemas.validation import QUOTED

ERROR_MS, SUCCESS_MS = 4000, 2000
# One toast at a time about the login: a refusal does not stand beside the success that follows.
ABOUT_LOGIN = {"id": "login"}
# How many frames a page may take to draw what a handler has just opened.
DRAWN_WITHIN = 60
# Where the build puts web/react/passkeys.js.
_PASSKEYS = "/external/rental_app/web/react/passkeys.js"
_BROKEN_TAG = REFLEX_VAR_OPENING_TAG.replace("<", "<\u200b")


def error_toast(message: str, **options: Any) -> rx.event.EventSpec:
    """A toast for a refusal (specification, section 9: 4000 ms); a later one with the same `id` replaces it.

    Without an `id`, one with the same text does: a refusal by several handlers of a page is shown once.
    """
    text = as_text(message)
    return rx.toast.error(text, duration=ERROR_MS, **{"id": text} | options)


def refusal_toast(error: RentalError) -> rx.event.EventSpec:
    """The toast for a service's refusal."""
    return error_toast(error.message, **ABOUT_LOGIN if isinstance(error, NotAuthenticatedError) else {})


def refusal_at_fields(error: RentalError, errors: Mapping[str, str]) -> rx.event.EventSpec:
    """The toast for a refusal of what stands in a form with its `errors`: short, as each field says what is wrong."""
    said = [*error.fields.values()]
    if not said or error.code in QUOTED or not {*said} <= {*errors.values()}:
        return refusal_toast(error)
    return error_toast(several(error.fields) or said[0])


def several(wrong: Mapping[str, str]) -> str:
    """How many fields are wrong, by their messages; '' for one or none, whose message is short enough."""
    count = sum(map(bool, wrong.values()))
    return f"Please check {count} fields" if count > 1 else ""


def success_toast(message: str, **options: Any) -> rx.event.EventSpec:
    """A toast for something done (2000 ms), which ends earlier refusals; a later one with the same `id` replaces it."""
    return rx.toast.success(as_text(message), duration=SUCCESS_MS, **options)


def end_refusals() -> rx.event.EventSpec:
    """Take down the toasts of earlier refusals, where a success has no toast of its own."""
    return rx.call_script("window.dispatchEvent(new Event('righted'))")


def info_toast(message: str) -> rx.event.EventSpec:
    """A toast for something new (4000 ms)."""
    return rx.toast.info(as_text(message), duration=ERROR_MS)


def plain_toast(message: str) -> rx.event.EventSpec:
    """A toast for what has happened elsewhere (4000 ms)."""
    return rx.toast(as_text(message), duration=ERROR_MS)


def redirect(address: str, *, replace: bool = False, asked_on: str = "") -> rx.event.EventSpec:
    """Go to another page; with `replace`, Back does not lead to the one left.

    A user who has left the path `asked_on` meanwhile stays where they are (`plugins.client.only_from_there`).
    """
    spec = rx.redirect(as_text(address), replace=replace)
    return spec.with_args((*spec.args, (rx.Var("asked_on"), rx.Var.create(as_text(asked_on)))))


def replace_address(address: str, *of: str) -> rx.event.EventSpec:
    """Put the filters applied to the results of the addresses `of` into the browser's address, without navigation.

    Nothing happens if the user has gone on to another page or search meanwhile (`web.react.here`).
    """
    new, urls = json.dumps(as_text(address)), ", ".join(json.dumps(as_text(each)) for each in of)
    return rx.call_script(f"if (window.isHere?.({urls})) window.history.replaceState(window.history.state, '', {new})")


def keep_in_address(address: str) -> rx.event.EventSpec:
    """Put what is chosen on a page into its address, without navigation, unless the user has left it meanwhile."""
    new, is_on = json.dumps(as_text(address)), _is_on(address.partition("?")[0])
    return rx.call_script(f"if ({is_on}) window.history.replaceState(window.history.state, '', {new})")


def request_token(handler: rx.EventHandler) -> rx.event.EventSpec:
    """Have the browser call a handler with the token it keeps, which another tab may have changed; null without one."""
    return rx.call_script("window.localStorage.getItem('token')", callback=handler)


def ask_again(handler: rx.EventHandler) -> rx.event.EventSpec:
    """Have the browser call a handler (with true) once it has done what was sent before: its address is new then."""
    return rx.call_script("true", callback=handler)


def _is_on(path: str) -> str:
    return f"window.location.pathname === {json.dumps(as_text(path))}"


def ask_once_more(handler: Any, tried: int, draft: str) -> rx.event.EventSpec:
    """Have the page request a draft's form again, after everything that it has requested meanwhile."""
    event: rx.event.EventSpec = handler(tried + 1, as_text(draft))
    return event


def open_dialog(name: str, *, asked_on: str = "", **order: Any) -> rx.event.EventSpec:
    """Ask the page to open its dialog of this name; `order` as in `web.react.modal.opens`.

    The focus goes back to the element with the id `opener`, or else to what has it now: after a choice from a list that
    is one of its options, which are about to go. A page that is no longer at the path `asked_on` is not asked.
    """
    return _ask({"name": name} | order, only_if=_is_on(asked_on) if asked_on else "true")


def open_dialog_there(name: str, **order: Any) -> rx.event.EventSpec:
    """Like `open_dialog`, also for the page that the next redirect shows."""
    return _ask({"name": name} | order, first="window.awaited = order")


def close_dialog(name: str, go: str = "") -> rx.event.EventSpec:
    """Close a dialog that has done its work, forgetting what was typed into it, and go to an address from there."""
    return _ask({"name": name, "closes": True, "go": go})


def _ask(order: dict[str, Any], *, first: str = "", only_if: str = "true") -> rx.event.EventSpec:
    declaration, event = f"const order = {as_text(json.dumps(order))}", "new CustomEvent('dialog', {detail: order})"
    return rx.call_script(f"if ({only_if}) {{ {declaration}; {first}; window.dispatchEvent({event}) }}")


def set_value(element_id: str, value: str) -> rx.event.EventSpec:
    """Fill an input of the page."""
    return rx.set_value(element_id, as_text(value))


def set_values(**values: str) -> list[rx.event.EventSpec]:
    """Fill several inputs of the page."""
    return [set_value(element_id, value) for element_id, value in values.items()]


@cache
def stored_vars() -> dict[str, tuple[str, str]]:
    """The state vars that browsers store: the vars' full names, each with its storage and its key there."""
    storages = {"local_storage": "localStorage", "session_storage": "sessionStorage"}
    compiled = compile_client_storage(State)
    return {var: (storages[kind], how["name"]) for kind in storages for var, how in compiled[kind].items()}


def request_stored() -> rx.event.EventSpec:
    """Have the browser send what its storages hold for the states, as it does when it connects."""
    held = "([variable, [storage, name]]) => [variable, window[storage].getItem(name)]"
    entries = f"Object.entries({json.dumps(stored_vars())}).map({held})"
    shown = f"Object.fromEntries({entries}.filter(([, kept]) => kept))"
    return rx.call_script(shown, callback=State.hydrate_and_load)


def ask_authenticator(act: Literal["create", "get"], options: dict[str, Any], handler: Any) -> rx.event.EventSpec:
    """Have the browser make a passkey, or sign with one, and send what came of it to a handler as JSON.

    That is `{"refused": "cancelled" | "known" | "cannot"}` without one, and '' if the script for it did not arrive.
    """
    script = f"({{asked}}) => asked('{act}', {as_text(json.dumps(options))})"
    return rx.call_script(f"import('{_PASSKEYS}').then({script}).catch(() => '')", callback=handler)


def tell_printable(handler: rx.EventHandler) -> rx.event.EventSpec:
    """Have the browser call a handler with whether it shows something that is printed alone (web/react/keep)."""
    return rx.call_script("Boolean(document.querySelector('[data-prints]'))", callback=handler)


def forget_token() -> rx.event.EventSpec:
    """Have the browser forget its token; Reflex's own way of removing it would run the page's events again."""
    return rx.call_script("window.localStorage.removeItem('token')")


def tell_other_tabs() -> rx.event.EventSpec:
    """Tell the other tabs of this browser of a logout, by an entry in its storage that is removed at once."""
    return rx.call_script("localStorage.setItem('logout', Date.now()); localStorage.removeItem('logout')")


def focus(element_id: str) -> rx.event.EventSpec:
    """Focus a field of the page if it is there, even if it is folded away or in another step."""
    unfolded = "field?.closest('details')?.setAttribute('open', '')"
    shown = "field?.dispatchEvent(new Event('sought', {bubbles: true}))"
    element = f"document.getElementById({json.dumps(as_text(element_id))})"
    return rx.call_script(f"{{ const field = {element}; {unfolded}; {shown}; field?.focus() }}")


def press(element_id: str) -> rx.event.EventSpec:
    """Focus a field of the page and press it, as its calendar opens by that."""
    element = f"document.getElementById({json.dumps(as_text(element_id))})"
    return rx.call_script(f"{{ const field = {element}; field?.focus(); field?.click() }}")


def copy(text: rx.Var[str]) -> list[rx.event.EventSpec]:
    """Copy a text of the page, and say so."""
    return [rx.set_clipboard(text), success_toast("Copied")]


def show_form(form_id: str) -> rx.event.EventSpec:
    """Bring a form that was just opened into view and focus its first control; the page may still be drawing it.

    Whoever is in the form already is left there.
    """
    element = f"document.getElementById({json.dumps(as_text(form_id))})"
    control = "form.querySelector('input:not([type=hidden]), select, textarea')"
    goes = f"form.scrollIntoView({{block: 'center'}}); {control}.focus({{preventScroll: true}})"
    reached = f"if (!form.contains(document.activeElement)) {{ {goes} }}"
    wait = "if (left) requestAnimationFrame(() => look(left - 1))"
    look = f"(left) => {{ const form = {element}; if (form) {{ {reached} }} else {{ {wait} }} }}"
    return rx.call_script(f"{{ const look = {look}; look({DRAWN_WITHIN}) }}")


def as_text(text: str) -> str:
    """Text in which Reflex's own markers are broken up by a zero-width space.

    With letters between `<reflex.Var>` and its end, Reflex 0.10.1 looks for that variable forever, on the event loop.
    """
    return text.replace(REFLEX_VAR_OPENING_TAG, _BROKEN_TAG)
