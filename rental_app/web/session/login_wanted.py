"""Asking for a login when something needs one."""

import reflex as rx

from rental_app.web.session.events import open_dialog, open_dialog_there

DIALOG = "login"
# What can continue after the login, besides going to an address.
MY_BOOKINGS, MY_BOOKING, BOOKING = "my-bookings", "my-booking", "booking"


def ask_to_log_in(after: str, asked_on: str) -> rx.event.EventSpec:
    """Open the login dialog over the page at this path, unless the user has left it."""
    return open_dialog(DIALOG, asked_on=asked_on, typed={"after": after})


def ask_to_log_in_there(after: str) -> rx.event.EventSpec:
    """Open the login dialog over the page that the next redirect shows."""
    return open_dialog_there(DIALOG, typed={"after": after})
