"""The two pickers of a booking's window."""

from typing import Any

import reflex as rx

from rental_app.domain.clock import HORIZON
from rental_app.web.react.date_time_picker import Ends, date_time_picker
from rental_app.web.screens.my_booking.dates_state import ChangeDatesState
from rental_app.web.screens.my_booking.presenter import TripPanel
from rental_app.web.screens.vehicle_details.presenter import VehiclePage
from rental_app.web.screens.vehicle_details.state import DetailState


def window_pickers(
    state: type[DetailState] | type[ChangeDatesState],
    at: VehiclePage | TripPanel | rx.Var[Any],
    prefix: str,
    pickup: str,
    return_at: str,
) -> tuple[rx.Component, rx.Component]:
    """Pickers for the window of a form's state, within the hours of `at`; `pickup` and `return_at` are their labels."""
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
            busy=state.taken_pickups,
            ends=ends,
            **open_hours(at),
        ),
        date_time_picker(
            id=f"{prefix}-return",
            name="returnDate",
            label=return_at,
            value=state.return_at,
            on_change=state.choose_return,
            busy=state.taken_returns,
            not_before=state.return_from,
            days_ahead=HORIZON.days,
            ends=ends,
            **open_hours(at),
        ),
    )


def open_hours(at: VehiclePage | TripPanel | rx.Var[Any]) -> dict[str, Any]:
    """The hours in which the vendor of a vehicle or a booking hands over, for a picker."""
    return {"open_time": at.open_time, "close_time": at.close_time, "closing_days": at.closing_days}
