"""A phone's calendar of a fleet: a day, all vehicles; another day and a search need no round trip."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("day_board.jsx", shared=True)
rx.asset("day_board.css", shared=True)
rx.asset("standing.js", shared=True)


class _DayBoard(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "DayBoard"

    board: rx.Var[Any]
    day: rx.Var[str]
    on_block: rx.EventHandler[rx.event.passthrough_event_spec(str)]
    on_turn: rx.EventHandler[rx.event.passthrough_event_spec(int)]


def day_board(by_vehicle: rx.Component, **props: Any) -> rx.Component:
    """The `board` at a `day` (ISO; '' for its first), beside which one vehicle's days are a press away.

    `on_block` gets the day for which a block is asked, `on_turn` -1, 0 or 1 for days before, from today, or after.
    """
    return _DayBoard.create(by_vehicle, **props)
