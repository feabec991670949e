"""Asking for a login when something needs one."""

import reflex as rx

from rental_app.states.events import open_dialog, open_dialog_there

DIALOG = "login"
# What goes on after the login, besides the way to an address.
MY_BOOKINGS, MY_BOOKING, BOOKING = "my-bookings", "my-booking", "booking"


def ask_to_log_in(after: str, asked_on: str) -> rx.event.EventSpec:
    """Open the login dialog over the page of this path, unless it was left."""
    return open_dialog(DIALOG, asked_on=asked_on, typed={"after": after})


def ask_to_log_in_there(after: str) -> rx.event.EventSpec:
    """Open the login dialog over the page that the next redirect shows."""
    return open_dialog_there(DIALOG, typed={"after": after})
