"""The dialog to log in or sign up."""

import reflex as rx

from rental_app.components.form import field
from rental_app.components.modal import modal
from rental_app.components.theme import BUTTON
from rental_app.states.login import LoginState

_SWITCH = "cursor-pointer rounded bg-transparent p-1 font-medium text-(--accent-11) underline"


def login_dialog() -> rx.Component:
    """Shown over any page; its backdrop, Esc and cross close it."""
    return modal(
        rx.cond(LoginState.registering, _sign_up(), _log_in()),
        title=rx.cond(LoginState.registering, "Sign Up", "Login"),
        max_width="32rem",
        open=LoginState.open,
        on_open_change=LoginState.set_open,
    )


def _log_in() -> rx.Component:
    return rx.el.form(
        _email(),
        _password("current-password"),
        _submit("Login"),
        _switch("Create an account?"),
        on_submit=LoginState.submit,
        reset_on_submit=False,
        key="login",
        class_name="flex flex-col gap-4",
    )


def _sign_up() -> rx.Component:
    return rx.el.form(
        field("Name", "name", LoginState.errors["name"], required=True, auto_complete="name"),
        _email(),
        field(
            "Mobile Number",
            "phoneNumber",
            LoginState.errors["phoneNumber"],
            required=True,
            max_length=10,
            input_mode="numeric",
            pattern="[0-9]{10}",
            title="10 digits",
            auto_complete="tel-national",
            placeholder="10-digit",
        ),
        field("Address", "address", LoginState.errors["address"], required=True, auto_complete="street-address"),
        field("Landmark (optional)", "landmark", LoginState.errors["landmark"]),
        rx.el.div(*_place(), class_name="grid gap-4 sm:grid-cols-2"),
        _password("new-password"),
        rx.el.label(
            rx.el.input(
                type="checkbox",
                name="isVendor",
                default_checked=LoginState.as_vendor,
                class_name="size-5 accent-(--accent-9)",
            ),
            "Register as Vendor",
            class_name="flex items-center gap-2",
        ),
        _submit("Create Account"),
        _switch("Already have account?"),
        on_submit=LoginState.submit,
        reset_on_submit=False,
        key="register",
        class_name="flex flex-col gap-4",
    )


def _email() -> rx.Component:
    return field("Email", "email", LoginState.errors["email"], type="email", required=True, auto_complete="email")


def _password(purpose: str) -> rx.Component:
    return field(
        "Password", "password", LoginState.errors["password"], type="password", required=True, auto_complete=purpose
    )


def _place() -> tuple[rx.Component, ...]:
    """Pincode, and what its look-up fills."""
    return (
        field(
            "Pincode",
            "pincode",
            LoginState.errors["pincode"],
            required=True,
            max_length=6,
            input_mode="numeric",
            auto_complete="postal-code",
            placeholder="6-digit",
            on_change=LoginState.look_up_pincode.debounce(200),
        ),
        field(
            "City",
            "city",
            LoginState.errors["city"],
            required=True,
            default_value=LoginState.city,
        ),
        field("State", "state", read_only=True, value=LoginState.state),
        field("District", "district", read_only=True, value=LoginState.district),
    )


def _submit(text: str) -> rx.Component:
    return rx.el.button(text, type="submit", disabled=LoginState.busy, class_name=BUTTON["primary"])


def _switch(question: str) -> rx.Component:
    return rx.el.p(
        question,
        " ",
        rx.el.button("click here", type="button", on_click=LoginState.toggle_mode, class_name=_SWITCH),
        class_name="text-center text-sm",
    )
