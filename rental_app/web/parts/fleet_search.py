"""The search of a vendor's own vehicles, and the notice when it finds none."""

from typing import Any

import reflex as rx

from rental_app.web.parts.button import button
from rental_app.web.parts.field import typed_input
from rental_app.web.parts.notice import notice
from rental_app.web.parts.theme import FIELD


def fleet_search(element_id: str, text: rx.Var[str], on_type: rx.EventHandler, extra: str = "") -> rx.Component:
    """The search box; its handler searches as `services.fleet` does."""
    return typed_input(
        id=element_id,
        text=text,
        on_type=on_type,
        type="search",
        placeholder="Name, RC number, color or place",
        class_name=f"{FIELD} text-ellipsis {extra}",
        custom_attrs={"aria-label": "Search vehicles"},
    )


def nothing_fits(text: str, clear: Any) -> rx.Component:
    """No vehicle matches; `clear` is the event that shows all of them again."""
    again = button("Show all vehicles", variant="primary", on_click=clear)
    return notice("No matching vehicles", text, again)
