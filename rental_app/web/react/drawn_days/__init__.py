"""Choosing days of the vendor's calendar with the mouse or the keyboard, and finding its rows by words."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("drawn_days.jsx", shared=True)
rx.asset("drawn_days.css", shared=True)


class _DrawnDays(rx.Component):
    """The React side; until days are drawn it renders nothing."""

    library = _SCRIPT.importable_path
    tag = "DrawnDays"

    on_draw: rx.EventHandler[rx.event.passthrough_event_spec(str, str, str)]


class _RowSearch(rx.Component):
    """The React side of the search."""

    library = _SCRIPT.importable_path
    tag = "RowSearch"


def drawn_days(handler: rx.event.EventType[Any]) -> rx.Component:
    """Offer to book or to block the days that were pressed, dragged over or walked over with the Shift key.

    They are cells with `data-day` and `data-label` in a row with `data-vehicle`, `data-title`, `data-plate` and
    `data-price`, and carry `data-drawn` meanwhile. The handler gets vehicle, first and last day to be blocked. Arrow
    keys go from cell to cell, N books, B blocks, Esc clears.
    """
    return _DrawnDays.create(on_draw=handler)


def row_search() -> rx.Component:
    """A field that leaves only those rows whose title or plate has the words that are typed."""
    return _RowSearch.create()
