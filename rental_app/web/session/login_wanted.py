"""Asking for a login when something needs one, and what goes on after it."""

from typing import Any

import reflex as rx

from rental_app.web.session.events import open_dialog, open_dialog_there

DIALOG = "login"
# What can continue after the login, besides going to an address.
MY_BOOKINGS, MY_BOOKING, BOOKING, ACCOUNT = "my-bookings", "my-booking", "booking", "account"
# What follows every login, and what continues what a login interrupted: the states concerned say so themselves.
EVERY_LOGIN: list[Any] = []
CONTINUES: dict[str, Any] = {}


def after_every_login(handler: Any) -> None:
    """Have a handler run after every login."""
    EVERY_LOGIN.append(handler)


def continue_after_login(interrupted: str, handler: Any) -> None:
    """Have a handler run after a login that interrupted something."""
    CONTINUES[interrupted] = handler


def ask_to_log_in(after: str, asked_on: str) -> rx.event.EventSpec:
    """Open the login dialog over the page at this path, unless the user has left it."""
    return open_dialog(DIALOG, asked_on=asked_on, typed={"after": after})


def ask_to_log_in_there(after: str) -> rx.event.EventSpec:
    """Open the login dialog over the page that the next redirect shows."""
    return open_dialog_there(DIALOG, typed={"after": after})
