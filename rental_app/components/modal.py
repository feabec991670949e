"""A dialog whose parts are fetched when it is first wanted, so that pages do not carry them."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("modal.jsx", shared=True)
rx.asset("modal_window.jsx", shared=True)


class _Modal(rx.Component):
    library = _SCRIPT.importable_path
    tag = "Modal"

    title: rx.Var[str]
    close_label: rx.Var[str]
    max_width: rx.Var[str]
    trigger: rx.Var[rx.Component]
    trigger_label: rx.Var[str]
    trigger_class: rx.Var[str]
    open: rx.Var[bool]
    on_open_change: rx.EventHandler[rx.event.passthrough_event_spec(bool)]


def modal(*content: rx.Component, title: rx.Var[str] | str, close_label: str = "Close", **props: Any) -> rx.Component:
    """Content under a title and a cross, closed by Esc, the backdrop, the cross and whatever is marked `CLOSES`.

    Opened by its own button (`trigger`, `trigger_label`, `trigger_class`), or by its owner (`open`, `on_open_change`).
    """
    return _Modal.create(*content, title=title, close_label=close_label, **props)


CLOSES = {"data-closes": "true"}
