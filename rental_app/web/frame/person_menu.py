"""The menu behind the person's name, in both frames."""

import reflex as rx

from rental_app.web.parts.button import button
from rental_app.web.session.base import SessionState

_MENU = "person-menu"
_ENTRY = "block rounded-lg px-3 py-2.5 font-medium text-(--ink) no-underline hover:bg-(--gray-a3)"


def person_menu(*face: rx.Component, class_name: str) -> rx.Component:
    """A button with the person's name or what stands for it (`face`), which opens the menu; the browser closes it by
    Esc and by a press elsewhere."""
    return rx.fragment(
        button(
            *(face or (rx.el.span(SessionState.user_name, class_name="max-w-32 truncate"),)),
            class_name=class_name,
            custom_attrs={"popoverTarget": _MENU},
        ),
        rx.el.nav(
            *person_links(_ENTRY),
            id=_MENU,
            class_name="person-menu",
            custom_attrs={"popover": "auto", "aria-label": "Account"},
        ),
    )


def person_links(class_name: str) -> tuple[rx.Component, ...]:
    """What the menu leads to."""
    return (
        rx.el.a("Account", href="/account", class_name=class_name),
        rx.cond(
            SessionState.is_staff,
            rx.el.a("Dashboard", href="/vendor", class_name=class_name),
            rx.cond(
                SessionState.is_operator,
                rx.el.a("Console", href="/operator", class_name=class_name),
                rx.el.a("My Bookings", href="/my-bookings", class_name=class_name),
            ),
        ),
    )
