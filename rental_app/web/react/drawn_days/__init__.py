"""Choosing days of the vendor's calendar by dragging over them with the mouse."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("drawn_days.jsx", shared=True)


class _DrawnDays(rx.Component):
    """The React side; it renders nothing."""

    library = _SCRIPT.importable_path
    tag = "DrawnDays"

    on_draw: rx.EventHandler[rx.event.passthrough_event_spec(str, str, str)]


def drawn_days(handler: rx.event.EventType[Any]) -> rx.Component:
    """Send the vehicle, first and last day dragged over: buttons with `data-day` in a row with `data-vehicle`.

    While they are dragged over they carry `data-drawn`.
    """
    return _DrawnDays.create(on_draw=handler)
