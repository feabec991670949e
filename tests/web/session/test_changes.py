"""Handlers that change something are marked: pages without a connection refuse them instead of sending them later."""

import inspect
import re
from collections.abc import Callable
from typing import Any

import reflex as rx

from rental_app.web.frame.vendor_state import ShellState
from rental_app.web.operator.state import ConsoleState
from rental_app.web.screens.booking_review.state import ReviewState
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.session.base import SessionState
from rental_app.web.session.login import LoginState
from rental_app.web.vendor.add_vehicle.state import AddVehicleState
from rental_app.web.vendor.booking.readings_state import ReadingState
from rental_app.web.vendor.booking.state import VendorTripState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from rental_app.web.vendor.manage_vehicles.dialogs_state import EditVehicleState, VehicleFilesState
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.profile.state import ProfileState
from tests.support.handlers import states


def writes(state: type[rx.State], method: Callable[..., Any]) -> bool:
    """Return whether a method calls a service that writes, itself or through a helper of its state."""
    source = inspect.getsource(inspect.unwrap(method))
    helpers = (getattr(state, name, None) for name in re.findall(r"self\.(_\w+)\(", source))
    return "await write(" in source or any(helper and writes(state, helper) for helper in helpers)


def test_every_handler_that_writes_is_marked_and_so_is_logging_in() -> None:
    handlers = [(state, name, entry) for state in states() for name, entry in state.event_handlers.items()]
    marked = {(state, name) for state, name, entry in handlers if entry.event_actions.get("change")}
    # It notes that an operator looks at somebody's bookings, and shows them: nothing to refuse without a connection.
    looks = {(ConsoleState, "load_row")}
    assert {(state, name) for state, name, entry in handlers if writes(state, entry.fn)} <= marked | looks
    assert marked >= {
        (SessionState, "logout"),
        (LoginState, "log_in"),
        (LoginState, "sign_up"),
        (DetailState, "book"),
        (ReviewState, "send"),
        (FleetState, "toggle"),
        (ManageBookingsState, "decide"),
        (ProfileState, "save"),
        (AddVehicleState, "submit"),
        (EditVehicleState, "submit"),
        (VehicleFilesState, "submit"),
        (ShellState, "submit"),
        (VendorTripState, "pay"),
        (VendorTripState, "reverse"),
        (VendorTripState, "mark_absent"),
        (VendorTripState, "extend"),
        (ReadingState, "note"),
        (ReadingState, "note_typed"),
        (ReadingState, "hand_over"),
        (ReadingState, "take_back"),
    }
