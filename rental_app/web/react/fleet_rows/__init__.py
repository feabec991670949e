"""Selecting many vehicles of a list, and the menu of each: nothing travels before something is done with them."""

from typing import Any

import reflex as rx

_SCRIPT = rx.asset("fleet_rows.jsx", shared=True)
rx.asset("range.js", shared=True)
rx.asset("fleet_rows.css", shared=True)


class _FleetRows(rx.Component):
    """The React side."""

    library = _SCRIPT.importable_path
    tag = "FleetRows"

    ids: rx.Var[list[int]]
    on_act: rx.EventHandler[rx.event.passthrough_event_spec(str, list[int])]
    on_menu: rx.EventHandler[rx.event.passthrough_event_spec(str, int)]


def fleet_rows(*content: rx.Component, ids: rx.Var[list[int]], on_act: Any, on_menu: Any) -> rx.Component:
    """Content with a list of vehicles, a bar that appears while some are selected, and a menu that each row opens.

    The content marks its parts by `TICK_ALL`, `BAR`, `COUNT`, `CLEARS` and `MENU`, and by `tick_of`, `act`, `menu_of`
    and `item`. All `ids` are selected at once by the tick for all. `on_act` gets an act and the ids selected, `on_menu`
    an item and the id of its row.
    """
    return _FleetRows.create(*content, ids=ids, on_act=on_act, on_menu=on_menu)


TICK_ALL = {"data-tick-all": "true"}
BAR, COUNT, CLEARS, MENU = ({f"data-{name}": "true"} for name in ("bar", "count", "clears", "menu"))


def tick_of(vehicle: rx.Var[int]) -> dict[str, Any]:
    """The attributes of the box that selects a vehicle."""
    return {"data-tick": vehicle}


def act(name: str) -> dict[str, str]:
    """The attributes of a button of the bar."""
    return {"data-act": name}


def menu_of(vehicle: rx.Var[int], *, kind: rx.Var[str] | str) -> dict[str, Any]:
    """The attributes of the button that opens the menu of a vehicle, which shows the items for its `kind`."""
    return {"data-menu-of": vehicle, "data-kind": kind, "aria-haspopup": "menu"}


def item(name: str, *kinds: str) -> dict[str, str]:
    """The attributes of an item of the menu, shown for rows of some kinds."""
    return {"data-item": name, "data-kinds": " ".join(kinds)}
