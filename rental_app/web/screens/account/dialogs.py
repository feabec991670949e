"""The dialogs of one's own account: details, email, mobile, password, and what is needed to log in."""

from typing import Any

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.schemas.people import PINCODE_DIGITS
from rental_app.schemas.validation import LABELS
from rental_app.services.accounts.requests import CALLED
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import form_dialog, question
from rental_app.web.parts.field import field, lasting_form, unknown_note
from rental_app.web.parts.theme import BUTTON, LOOKED_UP, MUTED, PANEL, SKELETON
from rental_app.web.react.browser_draft import browser_draft
from rental_app.web.react.digits import digits
from rental_app.web.react.keep import PRINTS, copy, keep
from rental_app.web.react.modal import modal
from rental_app.web.react.secret import secret
from rental_app.web.react.translated import AS_WRITTEN
from rental_app.web.screens.account.presenter import AccountPage
from rental_app.web.screens.account.rows import SMALL
from rental_app.web.screens.account.state import (
    CODES,
    CONFIRM,
    DETAILS,
    EMAIL,
    EVERYWHERE,
    NO_STEP,
    PASSKEY,
    PASSWORD,
    PHONE,
    REQUEST,
    STEP,
)
from rental_app.web.screens.account.state import AccountState as State

_FORM = "flex flex-col gap-4"
_CODES: Any = State.codes


def dialogs(page: rx.Var[AccountPage]) -> rx.Component:
    """Beside the page: they stay open while a restarted server identifies the user again."""
    return rx.fragment(
        _details_dialog(page),
        _email_dialog(),
        _request_dialog(),
        _password_dialog(),
        _phone_dialog(page),
        _step_dialog(page),
        _codes_dialog(page),
        _form_dialog(
            NO_STEP,
            "Turn off the authenticator app",
            State.end_step,
            _secret(),
            _code("Code from the app, or a recovery code"),
            _submit("Turn off"),
        ),
        _passkey_dialog(),
        _form_dialog(CONFIRM, "Your password", State.confirm_password, _secret(), _submit("Confirm")),
        question(
            EVERYWHERE,
            "Log out everywhere?",
            "All devices are logged out, this one too: you log in again on each.",
            about=State.page.bool(),
            yes="Log out",
            no="Stay logged in",
            on_yes=State.log_out_everywhere,
            focus_back=EVERYWHERE,
        ),
    )


def _request_dialog() -> rx.Component:
    return _form_dialog(
        REQUEST,
        "Ask for a change",
        State.ask_change,
        field(
            "What should change",
            "field",
            *[rx.el.option(called.capitalize(), value=name) for name, called in CALLED.items()],
            id="asked-field",
            control=rx.el.select,
            error=State.errors["field"],
        ),
        field(
            "What it should be",
            "value",
            id="asked-value",
            required=True,
            error=State.errors["value"],
            hint="For a bank account: bank, account number and IFSC, separated by commas",
        ),
        field("Why (optional)", "why", id="asked-why", error=State.errors["why"]),
        _secret(),
        _submit("Ask for it"),
    )


def _phone_dialog(page: rx.Var[AccountPage]) -> rx.Component:
    send = button(
        rx.cond(State.code_sent, "Send another code", "Send me a code"),
        on_click=State.send_code,
        disabled=State.busy,
        class_name=rx.cond(State.code_sent, BUTTON["quiet"], BUTTON["primary"]),
    )
    return _form_dialog(
        PHONE,
        "Confirm mobile number",
        State.verify_phone,
        rx.el.p("We text a code of six digits to ", rx.el.strong(page.phone_shown), ". It works for 10 minutes."),
        rx.cond(State.code_sent, rx.fragment(_code("Code from the text message", "numeric"), _submit("Confirm"))),
        send,
        draft=browser_draft(PHONE, State.code_sent, State.regain_code_sent),
        # With the code's field comes another form, so that what was typed into it is kept as a whole.
        key=rx.cond(State.code_sent, "coded", "plain"),
    )


def _code(label: str, keys: str = "text") -> rx.Component:
    """A code's field, and which keys a phone shows for it; a recovery code has letters."""
    return field(
        label,
        "code",
        id="one-time-code",
        required=True,
        auto_complete="one-time-code",
        input_mode=keys,
        error=State.errors["code"],
    )


def _email_dialog() -> rx.Component:
    return _form_dialog(
        EMAIL,
        "Change email",
        State.change_email,
        field(
            "New email",
            "email",
            id="new-email",
            type="email",
            auto_complete="email",
            required=True,
            error=State.errors["email"],
        ),
        _secret(),
        rx.el.p("It changes when you press the button in the message we send there.", class_name=MUTED),
        _submit("Send me a link"),
    )


def _passkey_dialog() -> rx.Component:
    return _form_dialog(
        PASSKEY,
        "Add a passkey",
        State.make_passkey,
        rx.el.p("Your browser then asks where to keep it: here, on your phone or on a security key.", class_name=MUTED),
        field(
            "What to call it",
            "name",
            id="passkey-name",
            required=True,
            error=State.errors["name"],
            hint="For example: My phone",
        ),
        _secret(),
        _submit("Continue"),
    )


def _step_dialog(page: rx.Var[AccountPage]) -> rx.Component:
    """Password, key and code, recovery codes: one after the other."""
    content = rx.cond(_CODES, _recovery_codes(page, STEP), rx.cond(State.key, _key_form(), _begin_form()))
    stage = rx.cond(_CODES, 2, rx.cond(State.key, 1, 0))
    draft = browser_draft(STEP, stage, State.regain_step)
    return _dialog(content, draft, name=STEP, title="Authenticator app", on_closed=State.hide_codes)


def _codes_dialog(page: rx.Var[AccountPage]) -> rx.Component:
    """The recovery codes until they are kept; then what makes new ones."""
    waiting = rx.el.div(class_name=f"{SKELETON} h-48")
    makes = rx.cond(page.second_step, _new_codes_form(), rx.el.p("The authenticator app of this account is off."))
    content = rx.cond(_CODES, _recovery_codes(page, CODES), rx.cond(page.codes_wait, waiting, makes))
    draft = browser_draft(CODES, _CODES.length(), State.regain_codes)
    events = {"on_open": State.show_codes, "on_closed": State.hide_codes}
    return _dialog(content, draft, name=CODES, title="Recovery codes", **events)


def _new_codes_form() -> rx.Component:
    return lasting_form(
        rx.el.p("You get ten new codes. The ones you have now stop working: throw them away.", class_name=MUTED),
        _secret(),
        _code("Code from the app, or a recovery code"),
        _submit("Make new codes"),
        on_submit=State.renew_codes,
        class_name=_FORM,
    )


def _begin_form() -> rx.Component:
    return lasting_form(
        rx.el.p("You will log in with your password and a code from an app on your phone.", class_name=MUTED),
        _secret(),
        _submit("Continue"),
        on_submit=State.set_up_step,
        class_name=_FORM,
    )


def _key_form() -> rx.Component:
    picture = rx.el.img(
        src=State.key_picture, alt="QR code with the key for your app", class_name="mx-auto size-48 rounded-xl"
    )
    return lasting_form(
        rx.el.p("Scan this with your authenticator app. If the app is on this device, open it or copy the key:"),
        picture,
        rx.el.p(
            State.key,
            class_name="text-center font-mono text-sm break-all",
            custom_attrs=AS_WRITTEN | {"aria-label": "Key"},
        ),
        rx.el.div(
            rx.el.a("Open the app", href=State.key_link, class_name=f"{BUTTON['quiet']} {SMALL} pointer-fine:hidden"),
            copy("Copy the key", State.key, f"{BUTTON['quiet']} {SMALL}"),
            class_name="flex flex-wrap justify-center gap-2",
        ),
        rx.el.input(type="hidden", name="key", default_value=State.key),
        _code("Code that the app shows", "numeric"),
        _submit("Confirm"),
        id=STEP,
        on_submit=State.confirm_step,
        class_name=_FORM,
    )


def _recovery_codes(page: rx.Var[AccountPage], form_id: str) -> rx.Component:
    """The codes, and ways to keep them; their form restores them after the server has lost them."""
    lines = _CODES.join("\n")
    whose = f"{settings().product_name}: recovery codes of {page.email}"
    shown = rx.el.div(
        rx.el.p(whose, class_name="mb-4 hidden wrap-anywhere print:block"),
        rx.el.ul(
            rx.foreach(_CODES, lambda code: rx.el.li(code)),
            class_name=f"{PANEL} grid list-none grid-cols-2 gap-2 p-4 text-center font-mono",
            custom_attrs=AS_WRITTEN | {"aria-label": "Recovery codes"},
        ),
        custom_attrs=PRINTS,
    )
    return rx.el.form(
        rx.el.p(
            "Keep these recovery codes where you can find them without your phone. Each one logs you in once, in place"
            " of the app. You can see them here until you say that you have kept them, for a week at most."
        ),
        shown,
        keep(f"{whose}\n\n{lines}\n", "recovery-codes.txt", f"{BUTTON['quiet']} {SMALL}"),
        button("I have kept them", variant="primary", on_click=State.keep_codes, disabled=State.busy),
        id=form_id,
        class_name=_FORM,
    )


def _details_dialog(page: rx.Var[AccountPage]) -> rx.Component:
    looked_up: dict[str, Any] = {"read_only": State.unknown_pincode == "", "class_name": LOOKED_UP}
    return _form_dialog(
        DETAILS,
        "Your details",
        State.save_details,
        _text("name", page.name, auto_complete="name"),
        _text("phoneNumber", page.phone, control=digits, most=10, auto_complete="tel-national"),
        _text("address", page.address, auto_complete="street-address"),
        field("Landmark (optional)", "landmark", default_value=page.landmark, error=State.errors["landmark"]),
        rx.el.div(
            _text(
                "pincode",
                page.pincode,
                control=digits,
                most=PINCODE_DIGITS,
                auto_complete="postal-code",
                error=rx.cond(State.unknown_pincode, "", State.errors["pincode"]),
                note=unknown_note(State.unknown_pincode),
                on_change=State.look_up_pincode.debounce(200),
            ),
            _text("city", page.city),
            field("State", "state", default_value=page.state, error=State.errors["state"], **looked_up),
            field("District", "district", default_value=page.district, error=State.errors["county"], **looked_up),
            class_name="grid gap-4 sm:grid-cols-2",
        ),
        _submit("Save"),
        max_width="32rem",
    )


def _text(name: str, value: rx.Var[str], **props: Any) -> rx.Component:
    error = {"error": State.errors[name]}
    return field(LABELS[name], name, default_value=value, required=True, **(error | props))


def _password_dialog() -> rx.Component:
    return _form_dialog(
        PASSWORD,
        "Change password",
        State.change_password,
        _secret("Current password", "current", "current-password"),
        _secret("New password", "password", "new-password"),
        rx.el.p("Every other device is logged out.", class_name=MUTED),
        _submit("Change password"),
    )


def password_form(on_submit: rx.event.EventType[Any], *answers: rx.Component) -> rx.Component:
    """The current password, and what sends it."""
    return lasting_form(_secret(), *answers, on_submit=on_submit, class_name=_FORM)


def _secret(label: str = "Current password", name: str = "password", purpose: str = "current-password") -> rx.Component:
    return field(
        label,
        name,
        id=purpose,
        control=secret,
        required=True,
        auto_complete=purpose,
        error=State.errors[name],
    )


def _form_dialog(
    name: str,
    title: str,
    on_submit: rx.event.EventType[Any],
    *content: rx.Component,
    max_width: str = "28rem",
    draft: rx.Component | None = None,
    **form: Any,
) -> rx.Component:
    """A dialog whose typed text stays when it is refused; `draft` keeps more of it (`browser_draft`)."""
    return form_dialog(
        *content,
        name=name,
        title=title,
        on_submit=on_submit,
        form_id=name,
        form={"reset_on_submit": False} | form,
        beside=(draft or rx.fragment(),),
        about=State.page.bool(),
        on_open=State.begin,
        max_width=max_width,
        look=_FORM,
    )


def _dialog(*content: rx.Component, max_width: str = "28rem", **props: Any) -> rx.Component:
    return modal(*content, max_width=max_width, about=State.page.bool(), **{"on_open": State.begin} | props)


def _submit(text: str) -> rx.Component:
    return submit(text, disabled=State.busy)
