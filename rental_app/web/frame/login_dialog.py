"""The dialog to log in or sign up."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from rental_app.infrastructure.security import MIN_PASSWORD_BYTES
from rental_app.schemas.people import PINCODE_DIGITS
from rental_app.schemas.validation import LABELS
from rental_app.services.accounts.sign_up import KNOWN_EMAIL
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field, lasting_form, unknown_note
from rental_app.web.parts.theme import CHECKBOX, LOOKED_UP, STAGE
from rental_app.web.react.digits import digits
from rental_app.web.react.modal import CLOSES, REVEALS, TURNS, modal, opens
from rental_app.web.session.login import BY_PHONE, LoginState
from rental_app.web.session.login_wanted import DIALOG

_LINK = "inline-flex min-h-6 items-center text-(--accent-11) underline underline-offset-2"
_WHY = "hidden rounded-2xl bg-(--accent-3) p-3 text-sm group-has-[[name=after][value=booking]]/form:block"
_SHOW = "absolute inset-y-0 right-0 cursor-pointer px-3 text-sm font-semibold text-(--accent-11)"
# A thumb's height for what is typed into and for what sends it.
_HIGH = "[&_button[type=submit]]:min-h-12 [&_input:not([type=checkbox])]:h-12"
_STEP = "flex flex-col gap-4"
_RULE = f"At least {MIN_PASSWORD_BYTES} characters, not a common word."
# As where the steps of the sign-up are hidden from each other.
_IS_PHONE = rx.Var('window.matchMedia("(max-width: 639px)").matches', _var_type=bool)
_SWITCH = "cursor-pointer rounded bg-transparent p-1 font-medium text-(--accent-11) underline"


def opens_login(after: str = "") -> dict[str, str]:
    """The attributes of a control that opens the dialog; a login leads home unless `after` says what continues."""
    return opens(DIALOG, typed={"after": after})


def opens_vendor_sign_up() -> dict[str, str]:
    """The attributes of a control that opens the sign-up with the vendor's box ticked."""
    return opens(DIALOG, turned=True, typed={"after": "", "isVendor": True})


def login_dialog() -> rx.Component:
    """Shown over any page; its backdrop, Esc, cross and Back close it and keep what was typed."""
    return modal(
        _log_in(),
        _sign_up(),
        name=DIALOG,
        title="Login",
        other_title="Sign Up",
        keeps=True,
        max_width="32rem",
        on_open=LoginState.begin,
    )


def _log_in() -> rx.Component:
    with_password = rx.fragment(
        _email(LoginState.login_errors["email"]),
        _password("current-password", LoginState.login_errors["password"]),
        _forgot(),
    )
    return _form(
        rx.cond(LoginState.step, _typed(), with_password),
        submit(rx.cond(LoginState.step == BY_PHONE, "Text me a code", "Login"), disabled=LoginState.busy),
        _other_way(LoginState.other_label, LoginState.other_way),
        _other_way("Use a passkey", LoginState.use_passkey),
        _switch("Create an account?"),
        on_submit=LoginState.log_in,
    )


def _typed() -> rx.Component:
    """The one field of a step: a mobile number, or a code, which phones offer to fill in from the message."""
    return rx.fragment(
        rx.el.p(LoginState.step_note),
        field(
            LoginState.step_label,
            "typed",
            key=LoginState.step,
            error=LoginState.login_errors["typed"],
            auto_complete=LoginState.step_fill,
            input_mode=LoginState.step_keys,
        ),
    )


def _other_way(text: rx.Var[str] | str, on_click: rx.EventHandler) -> rx.Component:
    return button(text, on_click=on_click, class_name=_SWITCH)


def _forgot() -> rx.Component:
    """The way to the page that sends a link; it closes the dialog, which keeps what was typed."""
    link = rx.el.a("Forgot password?", href="/reset-password", class_name=_LINK, custom_attrs=CLOSES)
    return rx.el.p(link, class_name="-mt-2 text-sm")


def _sign_up() -> rx.Component:
    return _form(
        _steps(),
        rx.el.div(*_who(), class_name=rx.cond(LoginState.asks_where, f"{_STEP} max-sm:hidden", _STEP)),
        rx.el.div(*_where(), class_name=rx.cond(LoginState.asks_where, _STEP, f"{_STEP} max-sm:hidden")),
        rx.el.div(_notice(), class_name=rx.cond(LoginState.asks_where, "", "max-sm:hidden")),
        rx.el.div(
            rx.cond(LoginState.asks_where, button("Back", extra="sm:hidden", on_click=LoginState.ask_who)),
            _create(),
            class_name="flex gap-3",
        ),
        _switch("Already have account?"),
        on_submit=lambda form: LoginState.sign_up(form, _IS_PHONE),
    )


def _steps() -> rx.Component:
    """Which of the two steps a phone shows."""
    done, ahead = "h-1 flex-1 rounded-full bg-(--accent-9)", "h-1 flex-1 rounded-full bg-(--gray-a5)"
    return rx.el.div(
        rx.el.p(
            rx.el.strong(rx.cond(LoginState.asks_where, "Where you live", "Who you are")),
            rx.el.span(rx.cond(LoginState.asks_where, "2 of 2", "1 of 2"), class_name="text-sm text-(--muted)"),
            role="status",
            class_name="flex items-baseline justify-between",
        ),
        rx.el.div(
            rx.el.span(class_name=done),
            rx.el.span(class_name=rx.cond(LoginState.asks_where, done, ahead)),
            class_name="mt-2 flex gap-2",
        ),
        class_name="sm:hidden",
    )


def _who() -> tuple[rx.Component, ...]:
    return (
        _field("name", required=True, auto_complete="name"),
        _field(
            "phoneNumber",
            digits,
            most=10,
            required=True,
            auto_complete="tel-national",
            placeholder="10-digit",
        ),
        rx.el.div(_email(LoginState.errors["email"]), rx.cond(LoginState.errors["email"] == KNOWN_EMAIL, _to_login())),
        _password("new-password", LoginState.errors["password"], _RULE),
        rx.el.label(
            rx.el.input(type="checkbox", name="isVendor", class_name=CHECKBOX),
            "Register as Vendor",
            class_name="flex items-center gap-2",
        ),
    )


def _where() -> tuple[rx.Component, ...]:
    return (
        rx.el.div(*_place(), class_name="grid grid-cols-2 gap-4"),
        _field("address", required=True, auto_complete="street-address"),
        field("Landmark (optional)", "landmark", error=LoginState.errors["landmark"]),
    )


def _notice() -> rx.Component:
    """What is asked for, why and for how long, where the account is made; folded, as few read it twice."""
    short = (
        "We keep what you type here to run your bookings, until you delete your account. You can see, copy, correct and"
        " delete it under Account. "
    )
    summary = rx.el.summary("What we ask for, what for and how long", class_name=f"{_LINK} min-h-11 cursor-pointer")
    more = rx.el.details(summary, rx.foreach(LoginState.notice, lambda line: rx.el.p(line, class_name="mt-2")))
    link = rx.el.a("Privacy", href="/privacy", target="_blank", class_name=_LINK)
    return rx.el.div(rx.el.p(short, link), more, class_name="rounded-2xl bg-(--gray-a3) px-4 py-3 text-sm")


def _to_login() -> rx.Component:
    """The way to the login, which keeps the e-mail that was typed."""
    return rx.el.p(
        button("Log in with this email", class_name=_SWITCH, custom_attrs=TURNS),
        class_name="text-sm",
    )


def _create() -> rx.Component:
    following = rx.fragment(
        rx.el.span("Next: where you live", class_name="sm:hidden"),
        rx.el.span("Create Account", class_name="max-sm:hidden"),
    )
    return submit(rx.cond(LoginState.asks_where, "Create Account", following), extra="flex-1", disabled=LoginState.busy)


def _form(*content: rx.Component, on_submit: rx.EventHandler) -> rx.Component:
    # What continues after the login is set by the control that opened the dialog, and lost when the dialog is closed.
    after = rx.el.input(type="hidden", name="after")
    # Shown by the value of the field above, which the control that opens the dialog fills in without the server.
    why = rx.el.div(
        rx.cond(
            LoginState.wanted,
            rx.el.img(
                src=LoginState.wanted_image,
                alt="",
                class_name=f"mb-3 aspect-[8/5] w-28 rounded-2xl object-cover {STAGE}",
            ),
        ),
        "To send your request",
        # The server forgets it when it is started again.
        rx.cond(LoginState.wanted, rx.el.span(" for the ", rx.el.strong(LoginState.wanted))),
        ". Dates and extras are kept; nothing is booked until you press the button again.",
        class_name=_WHY,
    )
    # What is blank or wrong is told at its field: the browser's own bubble is gone with the next key.
    return lasting_form(
        after,
        why,
        *content,
        on_submit=on_submit,
        class_name=f"group/form flex flex-col gap-4 {_HIGH}",
    )


def _field(name: str, control: Callable[..., rx.Component] = rx.el.input, **props: Any) -> rx.Component:
    return field(LABELS[name], name, control=control, **({"error": LoginState.errors[name]} | props))


def _email(error: rx.Var[str]) -> rx.Component:
    return field(LABELS["email"], "email", error=error, type="email", required=True, auto_complete="email")


def _password(purpose: str, error: rx.Var[str], hint: str = "") -> rx.Component:
    return field(
        LABELS["password"],
        "password",
        control=_revealed_input,
        error=error,
        hint=hint,
        type="password",
        required=True,
        auto_complete=purpose,
    )


def _revealed_input(**props: Any) -> rx.Component:
    """An input that hides its text until the button behind it shows it."""
    show = button("Show", class_name=_SHOW, custom_attrs=REVEALS)
    return rx.el.div(rx.el.input(**props), show, class_name="relative")


def _place() -> tuple[rx.Component, ...]:
    """Pincode, and what its look-up fills."""
    return (
        _field(
            "pincode",
            digits,
            most=PINCODE_DIGITS,
            required=True,
            auto_complete="postal-code",
            placeholder="6-digit",
            # The note says it, and what to do.
            error=rx.cond(LoginState.unknown_pincode, "", LoginState.errors["pincode"]),
            note=unknown_note(LoginState.unknown_pincode),
            on_change=LoginState.look_up_pincode.debounce(200),
        ),
        _field("city", required=True),
        _looked_up("State", "state", LoginState.errors["state"]),
        _looked_up("District", "district", LoginState.errors["county"]),
    )


def _looked_up(label: str, name: str, error: rx.Var[str]) -> rx.Component:
    is_known = LoginState.unknown_pincode == ""
    return field(label, name, error=error, read_only=is_known, class_name=LOOKED_UP)


def _switch(question: str) -> rx.Component:
    return rx.el.p(
        question,
        " ",
        button("click here", class_name=_SWITCH, custom_attrs=TURNS),
        class_name="text-center text-sm",
    )
