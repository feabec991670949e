"""The pages that links about an email lead to."""

import reflex as rx

from rental_app.web.frame.public import layout
from rental_app.web.parts.field import field
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice
from rental_app.web.parts.theme import BUTTON, COLUMN, MUTED, PAGE_TITLE, PANEL
from rental_app.web.react.by_link import UNLESS_LINKED, by_link
from rental_app.web.screens.mailed_links.state import TOKEN
from rental_app.web.screens.mailed_links.state import MailedLinkState as State


def verify_email() -> rx.Component:
    """Confirms the email of an account."""
    text = "Press the button, and we know that messages reach you."
    return _page("Confirm your email", text, "Confirm my email", State.verify, link_button("Go on", "/"))


def confirm_email() -> rx.Component:
    """Changes the email of an account to the one that the link was sent to."""
    text = "Press the button, and your account has this address from then on."
    return _page("Confirm your new email", text, "Use this address", State.confirm, link_button("Go on", "/account"))


def undo_email() -> rx.Component:
    """Takes a change of an account's email back."""
    text = "Press the button, and your account has its old address again. Everybody is logged out."
    set_password = link_button("Set a new password", "/reset-password")
    return _page("Keep your email", text, "This was not me", State.undo, set_password)


def keep_account() -> rx.Component:
    """Stops another email or mobile number that somebody has asked an operator for."""
    text = "Press the button, and your account keeps the email and the mobile number that it has."
    set_password = link_button("Set a new password", "/reset-password")
    return _page("Keep your account", text, "This was not me", State.keep_account, set_password)


def _page(title: str, text: str, label: str, on_press: rx.EventHandler, way_on: rx.Component) -> rx.Component:
    return layout(
        rx.el.div(
            rx.el.h1(title, class_name=f"{PAGE_TITLE} mb-6"),
            rx.cond(State.done, notice("Done", State.done, way_on), by_link(_form(text, label, on_press))),
            class_name=f"{COLUMN} min-h-[70vh] pt-8 pb-12",
        )
    )


def _form(text: str, label: str, on_press: rx.EventHandler) -> rx.Component:
    return rx.el.form(
        rx.el.p(text, class_name=MUTED),
        field(
            "Link from the message",
            "token",
            id=TOKEN,
            auto_complete="off",
            error=State.errors["token"],
            box=rx.cond(State.errors["token"], "", UNLESS_LINKED),
        ),
        rx.el.button(label, type="submit", disabled=State.busy, class_name=BUTTON["primary"]),
        on_submit=on_press,
        reset_on_submit=False,
        no_validate=True,
        class_name=f"{PANEL} flex flex-col gap-4 p-4 sm:p-6",
    )
