"""The two pickers of a booking's window."""

from typing import Any, Protocol

import reflex as rx

from rental_app.domain.clock import HORIZON
from rental_app.web.parts.window_pickers.state import FreeWindowForm
from rental_app.web.react.date_time_picker import Ends, date_time_picker


class HandoverHours(Protocol):
    """What a page shows of a vendor's hours."""

    open_time: str
    close_time: str
    closing_days: list[str]


def window_pickers(
    state: type[FreeWindowForm],
    at: HandoverHours | rx.Var[Any],
    prefix: str,
    pickup: str,
    return_at: str,
    summary: rx.Var[str] | str = "",
) -> tuple[rx.Component, rx.Component]:
    """Pickers for the window of a form's state, within the hours of `at`; `pickup` and `return_at` are their labels.

    The panel says `summary` above its button.
    """
    ends: Ends = (
        {"id": f"{prefix}-pickup", "label": pickup, "value": state.pickup},
        {"id": f"{prefix}-return", "label": return_at, "value": state.return_at},
    )
    return (
        date_time_picker(
            id=f"{prefix}-pickup",
            name="pickupDate",
            label=pickup,
            value=state.pickup,
            on_change=state.choose_pickup,
            busy=state.unavailable_pickups,
            is_preset=state.chosen_pickup == "",
            ends=ends,
            summary=summary,
            note=state.moved,
            **open_hours(at),
        ),
        date_time_picker(
            id=f"{prefix}-return",
            name="returnDate",
            label=return_at,
            value=state.return_at,
            on_change=state.choose_return,
            busy=state.unavailable_returns,
            not_before=state.return_from,
            days_ahead=HORIZON.days,
            ends=ends,
            summary=summary,
            note=state.moved,
            **open_hours(at),
        ),
    )


def open_hours(at: HandoverHours | rx.Var[Any]) -> dict[str, Any]:
    """The hours in which the vendor of a vehicle or a booking hands over, for a picker."""
    return {"open_time": at.open_time, "close_time": at.close_time, "closing_days": at.closing_days}
