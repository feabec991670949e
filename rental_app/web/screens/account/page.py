"""The page of one's own account."""

from typing import Any

import reflex as rx

from rental_app.infrastructure.settings import settings
from rental_app.schemas.labels import LABELS
from rental_app.schemas.people import PINCODE_DIGITS
from rental_app.services.accounts.requests import CALLED
from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.public import layout
from rental_app.web.parts.block import LOCKED
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import form_dialog
from rental_app.web.parts.field import field, lasting_form
from rental_app.web.parts.notice import failure, notice, unless_unknown
from rental_app.web.parts.theme import BUTTON, CONTAINER, LIST, MUTED, PAGE_TITLE, PANEL, SECTION_TITLE, SKELETON
from rental_app.web.react.browser_draft import browser_draft
from rental_app.web.react.digits import digits
from rental_app.web.react.keep import PRINTS, keep
from rental_app.web.react.modal import modal, opens
from rental_app.web.react.secret import secret
from rental_app.web.react.translated import AS_WRITTEN
from rental_app.web.screens.account.presenter import AccountPage, DeviceRow, PasskeyRow, RequestRow
from rental_app.web.screens.account.state import (
    CODES,
    CONFIRM,
    DETAILS,
    EMAIL,
    NO_STEP,
    PASSKEY,
    PASSWORD,
    PHONE,
    REQUEST,
    STEP,
)
from rental_app.web.screens.account.state import AccountState as State
from rental_app.web.session.base import SessionState
from rental_app.web.session.login_wanted import ACCOUNT
from rental_app.web.session.pincode import TYPED

_SECTIONS = ("Details", "Email and phone", "Password and signing in", "Devices", "Messages")
_FORM = "flex flex-col gap-4"
_CODES: Any = State.codes
_ICON = "grid size-10 shrink-0 place-items-center rounded-xl bg-(--gray-a3)"
_SMALL = "max-w-full shrink-0 px-4 text-sm"


def account() -> rx.Component:
    """The account's sections, one below the other; visitors are asked to log in."""
    login = button("Log in", variant="primary", custom_attrs=opens_login(ACCOUNT))
    visitor = notice("Log in to see your account", "Your details, password and devices are there.", login)
    failed = failure("Your account could not be loaded", State.problem, State.load)
    return layout(
        rx.el.div(
            rx.el.h1("Account", class_name=f"{PAGE_TITLE} mb-6"),
            rx.cond(
                ~SessionState.ready | (SessionState.logged_in & State.loading),
                rx.el.div(class_name=f"{SKELETON} h-96"),
                rx.cond(State.page, _of_somebody(State.page), rx.cond(State.problem, failed, unless_unknown(visitor))),
            ),
            class_name=f"{CONTAINER} min-h-screen pt-8 pb-12",
        ),
        # Beside the page: they stay open while a restarted server identifies the user again.
        rx.fragment(
            _details_dialog(State.page),
            _email_dialog(),
            _request_dialog(),
            _password_dialog(),
            _phone_dialog(State.page),
            _step_dialog(State.page),
            _codes_dialog(State.page),
            _no_step_dialog(),
            _form_dialog(
                PASSKEY,
                "Add a passkey",
                State.make_passkey,
                rx.el.p("Your browser then asks where to keep it: here, on your phone or on a key.", class_name=MUTED),
                field(
                    "What to call it",
                    "name",
                    id="passkey-name",
                    required=True,
                    error=State.errors["name"],
                    hint="Such as: My phone",
                ),
                _secret("Current password", "password", "current-password"),
                _submit("Continue"),
            ),
            _confirm_dialog(),
        ),
        on_cards=True,
    )


def _of_somebody(page: rx.Var[AccountPage]) -> rx.Component:
    face = "grid size-16 shrink-0 place-items-center rounded-full bg-(--accent-a4) text-xl font-bold text-(--accent-12)"
    change = button("Change", extra=_SMALL, custom_attrs=opens(DETAILS))
    ask = button(LOCKED, extra=_SMALL, custom_attrs=opens(REQUEST))
    place = f"{page.phone_shown}, {page.full_address}"
    everywhere = button("Log out everywhere", extra="mt-4", on_click=State.log_out_everywhere)
    note = "Always on: they carry times, amounts and codes."
    return rx.el.div(
        rx.el.nav(
            *[_anchor(title) for title in _SECTIONS],
            class_name="sticky top-24 hidden w-60 shrink-0 flex-col gap-1 self-start lg:flex",
            custom_attrs={"aria-label": "Sections"},
        ),
        rx.el.div(
            rx.el.div(
                rx.el.span(page.initials, class_name=face, aria_hidden="true"),
                rx.el.p(page.name, class_name="min-w-0 text-xl font-bold wrap-anywhere"),
                class_name="mb-2 flex items-center gap-4",
            ),
            rx.cond(page.moving, _recovery(page)),
            _section(
                "Details",
                rx.cond(
                    page.is_vendor,
                    _row(rx.icon("user", size=20), page.name, place, ask, length=_LONG),
                    _row(rx.icon("user", size=20), "Name, mobile, address", place, change, length=_LONG),
                ),
                rx.foreach(page.requests, _request),
            ),
            _contacts(page),
            _signing_in(page),
            rx.fragment(_section("Devices", rx.foreach(page.devices, _device)), everywhere),
            _section(
                "Messages", _row(rx.icon("bell", size=20), "Bookings and your account, by email and text message", note)
            ),
            class_name="max-w-160 min-w-0 flex-1",
        ),
        class_name="flex gap-10",
    )


def _id(title: str) -> str:
    return title.lower().replace(" ", "-")


def _anchor(title: str) -> rx.Component:
    # `rx.el.a` would be the router's link, which leaves the focus behind.
    look = "rounded-lg px-3 py-2 text-sm font-medium text-(--ink) no-underline hover:bg-(--gray-a3)"
    return rx.el.A.create(title, href=f"#{_id(title)}", class_name=look)


def _recovery(page: rx.Var[AccountPage]) -> rx.Component:
    """Somebody claims to have lost this account's email or phone: its owner can object here."""
    stop = button(
        "This was not me: stop it",
        variant="primary",
        extra="mt-4 max-[30rem]:w-full",
        on_click=State.stop_recovery,
        disabled=State.busy,
    )
    return rx.el.section(
        rx.el.h2("Somebody asked for another ", page.moving, class_name="font-bold wrap-anywhere"),
        rx.el.p(
            "They told us that the ones here are lost. From ",
            rx.el.strong(page.moves_at),
            " this account has the other ",
            page.moving,
            " instead, and every device is logged out. If you did not ask for it, stop it: all addresses are told.",
            class_name="mt-1 text-sm",
        ),
        stop,
        class_name="mt-6 rounded-2xl border border-(--red-a7) bg-(--red-a3) p-5",
        custom_attrs={"aria-label": "Your account is about to change"},
    )


def _section(title: str, *rows: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title, id=f"{_id(title)}-title", class_name=f"{SECTION_TITLE} mb-3"),
        rx.el.ul(*rows, class_name=f"{LIST} {PANEL} overflow-hidden"),
        id=_id(title),
        class_name="mt-8 scroll-mt-24",
        custom_attrs={"aria-labelledby": f"{_id(title)}-title"},
    )


# Below its text a row's button goes rather than squeeze it: beside the icon a long one has most of a phone's width.
_SHORT, _LONG = "basis-44", "basis-64"


def _row(
    icon: rx.Component,
    title: rx.Component | rx.Var[str] | str,
    note: rx.Var[str] | str,
    *more: rx.Component,
    length: str = _SHORT,
) -> rx.Component:
    text = rx.el.div(
        rx.el.p(title, class_name="font-semibold wrap-anywhere"),
        rx.el.p(note, class_name=f"{MUTED} text-sm text-pretty wrap-anywhere"),
        class_name="min-w-0 flex-1",
    )
    return rx.el.li(
        rx.el.div(
            rx.el.span(icon, class_name=_ICON, aria_hidden="true"),
            text,
            class_name=f"flex min-w-0 grow items-center gap-3 {length}",
        ),
        *more,
        class_name="flex min-h-16 flex-wrap items-center justify-end gap-x-3 gap-y-2 px-4 py-3",
    )


def _request(request: rx.Var[RequestRow]) -> rx.Component:
    withdraw = button("Withdraw", on_click=State.withdraw(request.id), extra=_SMALL, label=f"Withdraw: {request.title}")
    return _row(
        rx.icon("pencil", size=20), request.title, request.note, rx.cond(request.is_open, withdraw), length=_LONG
    )


def _request_dialog() -> rx.Component:
    return _form_dialog(
        REQUEST,
        "Ask for a change",
        State.ask_change,
        field(
            "What is to change",
            "field",
            *[rx.el.option(called.capitalize(), value=name) for name, called in CALLED.items()],
            id="asked-field",
            control=rx.el.select,
            error=State.errors["field"],
        ),
        field(
            "What it is to be",
            "value",
            id="asked-value",
            required=True,
            error=State.errors["value"],
            hint="Of a bank account: bank, account number and IFSC, with commas between them",
        ),
        field("Why (optional)", "why", id="asked-why", error=State.errors["why"]),
        _secret("Current password", "password", "current-password"),
        _submit("Ask for it"),
    )


def _contacts(page: rx.Var[AccountPage]) -> rx.Component:
    # Vendors ask for another email, as for the rest of what is locked.
    change = button("Change", extra=_SMALL, label="Change email", custom_attrs=opens(EMAIL))
    return _section(
        "Email and phone",
        _row(
            rx.icon("at-sign", size=20),
            rx.foreach(page.email_parts, lambda part: rx.fragment(part, rx.el.wbr())),
            rx.cond(
                page.email_verified,
                "Confirmed",
                rx.cond(
                    page.vehicles_wait,
                    "Not confirmed yet: your vehicles are listed when it is",
                    "Not confirmed yet: mobile number, authenticator app and passkeys wait for it",
                ),
            ),
            rx.cond(
                page.email_verified | (page.email == ""),
                None,
                button("Send the link again", on_click=State.send_link, extra=_SMALL),
            ),
            rx.cond(page.is_vendor, None, change),
            length=_LONG,
        ),
        _row(
            rx.icon("smartphone", size=20),
            page.phone_shown,
            rx.cond(
                page.phone_opens,
                "Confirmed: a code sent there logs you in",
                rx.cond(
                    page.phone_verified, "Confirmed", "Not confirmed yet. The other side of a confirmed booking sees it"
                ),
            ),
            # A number that was not used for long logs in again once it is confirmed anew.
            rx.cond(
                page.phone_opens | (page.phone_verified & page.second_step) | ~page.email_verified,
                None,
                _opener("Verify", PHONE, "Verify mobile number"),
            ),
        ),
    )


def _opener(text: str, dialog: str, label: str) -> rx.Component:
    return button(text, extra=_SMALL, label=label, custom_attrs=opens(dialog))


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
        _secret("Current password", "password", "current-password"),
        rx.el.p("It changes when you press the button in the message we send there.", class_name=MUTED),
        _submit("Send me a link"),
    )


def _signing_in(page: rx.Var[AccountPage]) -> rx.Component:
    change = button("Change", extra=_SMALL, label="Change password", custom_attrs=opens(PASSWORD))
    app = rx.cond(
        page.second_step,
        _opener("Turn off", NO_STEP, "Turn off authenticator app"),
        rx.cond(page.email_verified, _opener("Set up", STEP, "Set up app")),
    )
    opener = rx.cond(
        page.codes_wait,
        _opener("Show codes", CODES, "Show recovery codes"),
        _opener("New codes", CODES, "New recovery codes"),
    )
    return _section(
        "Password and signing in",
        _row(rx.icon("lock", size=20), "Password", page.password_note, change),
        _row(
            rx.icon("shield-check", size=20),
            "Authenticator app",
            rx.cond(page.second_step, "On: logging in takes its code, too", "Off"),
            app,
        ),
        rx.cond(page.second_step, _row(rx.icon("life-buoy", size=20), "Recovery codes", page.codes_note, opener)),
        _row(
            rx.icon("key-round", size=20),
            "Passkeys",
            "A finger, a face or a PIN of your device logs you in without the password",
            rx.cond(page.email_verified, _opener("Add", PASSKEY, "Add passkey")),
        ),
        rx.foreach(page.passkeys, _passkey),
        rx.cond(
            page.by_code,
            _row(
                rx.icon("lock", size=20),
                "You have logged in with a code",
                "Changing what is paid to whom takes your password first",
                _opener("Give password", CONFIRM, "Give password"),
            ),
        ),
    )


def _passkey(passkey: rx.Var[PasskeyRow]) -> rx.Component:
    remove = button(
        "Remove", on_click=State.remove_passkey(passkey.id), extra=_SMALL, label=f"Remove passkey {passkey.name}"
    )
    return _row(rx.icon("key-round", size=20), passkey.name, passkey.note, remove)


def _confirm_dialog() -> rx.Component:
    return _form_dialog(
        CONFIRM,
        "Your password",
        State.confirm_password,
        _secret("Current password", "password", "current-password"),
        _submit("Confirm"),
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
    content = rx.cond(_CODES, _recovery_codes(page, CODES), rx.cond(page.codes_wait, waiting, _new_codes_form()))
    draft = browser_draft(CODES, _CODES.length(), State.regain_codes)
    events = {"on_open": State.show_codes, "on_closed": State.hide_codes}
    return _dialog(content, draft, name=CODES, title="Recovery codes", **events)


def _new_codes_form() -> rx.Component:
    return lasting_form(
        rx.el.p("You get ten new codes. The ones you have are void from then on: throw them away.", class_name=MUTED),
        _secret("Current password", "password", "current-password"),
        _code("Code from the app, or a recovery code"),
        _submit("Make new codes"),
        on_submit=State.renew_codes,
        class_name=_FORM,
    )


def _begin_form() -> rx.Component:
    return lasting_form(
        rx.el.p("Logging in will take a code of an app on your phone besides the password.", class_name=MUTED),
        _secret("Current password", "password", "current-password"),
        _submit("Continue"),
        on_submit=State.set_up_step,
        class_name=_FORM,
    )


def _key_form() -> rx.Component:
    picture = rx.el.img(
        src=State.key_picture, alt="QR code with the key for your app", class_name="mx-auto size-48 rounded-xl"
    )
    return lasting_form(
        rx.el.p("Scan this with your authenticator app, or type the key into it:"),
        picture,
        rx.el.p(
            State.key,
            class_name="text-center font-mono text-sm break-all",
            custom_attrs=AS_WRITTEN | {"aria-label": "Key"},
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
            "Keep these recovery codes where you find them without your phone. Each logs you in once in place of the"
            " app. Until you say that you have kept them, and for a week at most, you can see them again here."
        ),
        shown,
        keep(f"{whose}\n\n{lines}\n", "recovery-codes.txt", f"{BUTTON['quiet']} {_SMALL}"),
        button("I have kept them", variant="primary", on_click=State.keep_codes, disabled=State.busy),
        id=form_id,
        class_name=_FORM,
    )


def _no_step_dialog() -> rx.Component:
    return _form_dialog(
        NO_STEP,
        "Turn off the authenticator app",
        State.end_step,
        _secret("Current password", "password", "current-password"),
        _code("Code from the app, or a recovery code"),
        _submit("Turn off"),
    )


def _device(device: rx.Var[DeviceRow]) -> rx.Component:
    end = button("End", on_click=State.end_session(device.id), extra=_SMALL, label=f"End {device.name}, {device.note}")
    return _row(rx.icon("monitor-smartphone", size=20), device.name, device.note, rx.cond(device.is_current, None, end))


def _details_dialog(page: rx.Var[AccountPage]) -> rx.Component:
    unknown = State.unknown_pincode != ""
    typed = {"note": rx.cond(unknown, TYPED, ""), "read_only": ~unknown}
    return _form_dialog(
        DETAILS,
        "Your details",
        State.save_details,
        _text("name", page.name, auto_complete="name"),
        _text("phoneNumber", page.phone, control=digits, most=10, auto_complete="tel-national"),
        _text("address", page.address, auto_complete="street-address"),
        field("Landmark (optional)", "landmark", default_value=page.landmark, error=State.errors["landmark"]),
        rx.el.div(
            *(
                _text(
                    "pincode",
                    page.pincode,
                    control=digits,
                    most=PINCODE_DIGITS,
                    auto_complete="postal-code",
                    on_change=State.look_up_pincode.debounce(200),
                ),
                _text("city", page.city),
                field("State", "state", default_value=page.state, error=State.errors["state"], **typed),
                field("District", "district", default_value=page.district, error=State.errors["county"], **typed),
            ),
            class_name="grid gap-4 sm:grid-cols-2",
        ),
        _submit("Save"),
        max_width="32rem",
    )


def _text(name: str, value: rx.Var[str], **props: Any) -> rx.Component:
    return field(LABELS[name], name, default_value=value, required=True, error=State.errors[name], **props)


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


def _secret(label: str, name: str, purpose: str) -> rx.Component:
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
