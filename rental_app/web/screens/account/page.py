"""The page of one's own account."""

from typing import Any

import reflex as rx

from rental_app.schemas.labels import LABELS
from rental_app.schemas.people import PINCODE_DIGITS
from rental_app.services.accounts.requests import CALLED
from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.public import layout
from rental_app.web.parts.block import LOCKED
from rental_app.web.parts.field import field
from rental_app.web.parts.notice import failure, notice, unless_unknown
from rental_app.web.parts.theme import BUTTON, CONTAINER, LIST, MUTED, PAGE_TITLE, PANEL, SECTION_TITLE, SKELETON
from rental_app.web.react.digits import digits
from rental_app.web.react.modal import modal, opens
from rental_app.web.react.secret import secret
from rental_app.web.screens.account.presenter import AccountPage, DeviceRow, RequestRow
from rental_app.web.screens.account.state import DETAILS, EMAIL, PASSWORD, REQUEST
from rental_app.web.screens.account.state import AccountState as State
from rental_app.web.session.base import SessionState
from rental_app.web.session.login_wanted import ACCOUNT
from rental_app.web.session.pincode import TYPED

_SECTIONS = ("Details", "Email and phone", "Password and signing in", "Devices")
_FORM = "flex flex-col gap-4"
_ICON = "grid size-10 shrink-0 place-items-center rounded-xl bg-(--gray-a3)"
_SMALL = f"{BUTTON['quiet']} shrink-0 px-4 text-sm"


def account() -> rx.Component:
    """The account's sections, one below the other; visitors are asked to log in."""
    return layout(
        rx.el.div(
            rx.el.h1("Account", class_name=f"{PAGE_TITLE} mb-6"),
            rx.cond(
                State.loading | ~SessionState.ready,
                rx.el.div(class_name=f"{SKELETON} h-96"),
                rx.cond(State.page, _of_somebody(State.page), _otherwise()),
            ),
            class_name=f"{CONTAINER} min-h-screen pt-8 pb-12",
        )
    )


def _otherwise() -> rx.Component:
    login = rx.el.button("Log in", type="button", class_name=BUTTON["primary"], custom_attrs=opens_login(ACCOUNT))
    visitor = notice("Log in to see your account", "Your details, password and devices are there.", login)
    failed = failure("Your account could not be loaded", State.problem, State.load)
    return rx.cond(State.problem, failed, unless_unknown(visitor))


def _of_somebody(page: rx.Var[AccountPage]) -> rx.Component:
    return rx.el.div(
        rx.el.nav(
            *[_anchor(title) for title in _SECTIONS],
            class_name="sticky top-24 hidden w-60 shrink-0 flex-col gap-1 self-start lg:flex",
            custom_attrs={"aria-label": "Sections"},
        ),
        rx.el.div(
            _person(page),
            _details(page),
            _contacts(page),
            _signing_in(page),
            _devices(page),
            class_name="max-w-160 flex-1",
        ),
        _details_dialog(page),
        _email_dialog(),
        _request_dialog(),
        _password_dialog(),
        class_name="flex gap-10",
    )


def _id(title: str) -> str:
    return title.lower().replace(" ", "-")


def _anchor(title: str) -> rx.Component:
    # `rx.el.a` would be the router's link, which leaves the focus behind.
    look = "rounded-lg px-3 py-2 text-sm font-medium text-(--ink) no-underline hover:bg-(--gray-a3)"
    return rx.el.A.create(title, href=f"#{_id(title)}", class_name=look)


def _person(page: rx.Var[AccountPage]) -> rx.Component:
    face = "grid size-16 shrink-0 place-items-center rounded-full bg-(--accent-a4) text-xl font-bold text-(--accent-12)"
    return rx.el.div(
        rx.el.span(page.initials, class_name=face, aria_hidden="true"),
        rx.el.p(page.name, class_name="min-w-0 text-xl font-bold wrap-anywhere"),
        class_name="mb-2 flex items-center gap-4",
    )


def _section(title: str, *rows: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title, id=f"{_id(title)}-title", class_name=f"{SECTION_TITLE} mb-3"),
        rx.el.ul(*rows, class_name=f"{LIST} {PANEL} overflow-hidden"),
        id=_id(title),
        class_name="mt-8 scroll-mt-24",
        custom_attrs={"aria-labelledby": f"{_id(title)}-title"},
    )


def _row(icon: rx.Component, title: rx.Var[str] | str, note: rx.Var[str] | str, *more: rx.Component) -> rx.Component:
    return rx.el.li(
        rx.el.span(icon, class_name=_ICON, aria_hidden="true"),
        rx.el.div(
            rx.el.p(title, class_name="font-semibold wrap-anywhere"),
            rx.el.p(note, class_name=f"{MUTED} text-sm wrap-anywhere"),
            class_name="min-w-0 flex-1",
        ),
        *more,
        class_name="flex min-h-16 items-center gap-3 px-4 py-3",
    )


def _details(page: rx.Var[AccountPage]) -> rx.Component:
    change = rx.el.button("Change", type="button", class_name=_SMALL, custom_attrs=opens(DETAILS))
    ask = rx.el.button(LOCKED, type="button", class_name=_SMALL, custom_attrs=opens(REQUEST))
    place = f"{page.phone_shown}, {page.full_address}"
    return _section(
        "Details",
        rx.cond(
            page.is_vendor,
            _row(rx.icon("user", size=20), page.name, place, ask),
            _row(rx.icon("user", size=20), "Name, mobile, address", place, change),
        ),
        rx.foreach(page.requests, _request),
    )


def _request(request: rx.Var[RequestRow]) -> rx.Component:
    withdraw = rx.el.button(
        "Withdraw",
        type="button",
        on_click=State.withdraw(request.id),
        class_name=_SMALL,
        custom_attrs={"aria-label": f"Withdraw: {request.title}"},
    )
    return _row(rx.icon("pencil", size=20), request.title, request.note, rx.cond(request.is_open, withdraw))


def _request_dialog() -> rx.Component:
    form = rx.el.form(
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
        _secret("Present password", "password", "current-password"),
        _submit("Ask for it"),
        on_submit=State.ask_change,
        reset_on_submit=False,
        no_validate=True,
        class_name=_FORM,
    )
    return modal(form, name=REQUEST, title="Ask for a change", max_width="28rem", on_open=State.begin)


def _contacts(page: rx.Var[AccountPage]) -> rx.Component:
    return _section(
        "Email and phone",
        _row(
            rx.icon("at-sign", size=20),
            page.email,
            rx.cond(
                page.email_verified,
                "Confirmed",
                rx.cond(
                    page.vehicles_wait, "Not confirmed yet: your vehicles are listed when it is", "Not confirmed yet"
                ),
            ),
            rx.cond(page.email_verified, None, _send_again()),
            _change_email(page),
        ),
        _row(rx.icon("smartphone", size=20), page.phone_shown, "The other side of a confirmed booking sees it"),
    )


def _send_again() -> rx.Component:
    return rx.el.button("Send the link again", type="button", on_click=State.send_link, class_name=_SMALL)


def _change_email(page: rx.Var[AccountPage]) -> rx.Component:
    """Vendors ask for another email, as for the rest of what is locked."""
    change = rx.el.button(
        "Change", type="button", class_name=_SMALL, custom_attrs=opens(EMAIL) | {"aria-label": "Change email"}
    )
    return rx.cond(page.is_vendor, None, change)


def _email_dialog() -> rx.Component:
    form = rx.el.form(
        field(
            "New email",
            "email",
            id="new-email",
            type="email",
            auto_complete="email",
            required=True,
            error=State.errors["email"],
        ),
        _secret("Present password", "password", "current-password"),
        rx.el.p("It changes when you press the button in the message we send there.", class_name=MUTED),
        _submit("Send me a link"),
        on_submit=State.change_email,
        reset_on_submit=False,
        no_validate=True,
        class_name=_FORM,
    )
    return modal(form, name=EMAIL, title="Change email", max_width="28rem", on_open=State.begin)


def _signing_in(page: rx.Var[AccountPage]) -> rx.Component:
    change = rx.el.button(
        "Change",
        type="button",
        class_name=_SMALL,
        custom_attrs=opens(PASSWORD) | {"aria-label": "Change password"},
    )
    return _section("Password and signing in", _row(rx.icon("lock", size=20), "Password", page.password_note, change))


def _devices(page: rx.Var[AccountPage]) -> rx.Component:
    everywhere = rx.el.button(
        "Log out everywhere", type="button", on_click=State.log_out_everywhere, class_name=f"{BUTTON['quiet']} mt-4"
    )
    return rx.fragment(_section("Devices", rx.foreach(page.devices, _device)), everywhere)


def _device(device: rx.Var[DeviceRow]) -> rx.Component:
    end = rx.el.button(
        "End",
        type="button",
        on_click=State.end_session(device.id),
        class_name=_SMALL,
        custom_attrs={"aria-label": f"End {device.name}, {device.note}"},
    )
    return _row(rx.icon("monitor-smartphone", size=20), device.name, device.note, rx.cond(device.is_current, None, end))


def _details_dialog(page: rx.Var[AccountPage]) -> rx.Component:
    form = rx.el.form(
        _text("name", page.name, auto_complete="name"),
        _text("phoneNumber", page.phone, control=digits, most=10, auto_complete="tel-national"),
        _text("address", page.address, auto_complete="street-address"),
        field("Landmark (optional)", "landmark", default_value=page.landmark, error=State.errors["landmark"]),
        rx.el.div(*_place(page), class_name="grid gap-4 sm:grid-cols-2"),
        _submit("Save"),
        on_submit=State.save_details,
        reset_on_submit=False,
        no_validate=True,
        class_name=_FORM,
    )
    return modal(form, name=DETAILS, title="Your details", max_width="32rem", on_open=State.begin)


def _text(name: str, value: rx.Var[str], **props: Any) -> rx.Component:
    return field(LABELS[name], name, default_value=value, required=True, error=State.errors[name], **props)


def _place(page: rx.Var[AccountPage]) -> tuple[rx.Component, ...]:
    unknown = State.unknown_pincode != ""
    typed = {"note": rx.cond(unknown, TYPED, ""), "read_only": ~unknown}
    return (
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
    )


def _password_dialog() -> rx.Component:
    form = rx.el.form(
        _secret("Present password", "current", "current-password"),
        _secret("New password", "password", "new-password"),
        rx.el.p("Every other device is logged out.", class_name=MUTED),
        _submit("Change password"),
        on_submit=State.change_password,
        reset_on_submit=False,
        no_validate=True,
        class_name=_FORM,
    )
    return modal(form, name=PASSWORD, title="Change password", max_width="28rem", on_open=State.begin)


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


def _submit(text: str) -> rx.Component:
    return rx.el.button(text, type="submit", disabled=State.busy, class_name=BUTTON["primary"])
