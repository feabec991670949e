"""The page of one's own account."""

import reflex as rx

from rental_app.web.frame.login_dialog import opens_login
from rental_app.web.frame.public import layout
from rental_app.web.parts.block import LOCKED
from rental_app.web.parts.button import button
from rental_app.web.parts.notice import failure, notice, unless_unknown
from rental_app.web.parts.theme import CONTAINER, PAGE_TITLE, SKELETON
from rental_app.web.react.modal import opens
from rental_app.web.screens.account.dialogs import dialogs
from rental_app.web.screens.account.documents import TITLE as DOCUMENTS
from rental_app.web.screens.account.documents import document_dialogs, documents_card, documents_section
from rental_app.web.screens.account.presenter import AccountPage, DeviceRow, PasskeyRow, RequestRow
from rental_app.web.screens.account.rows import SMALL, row, row_opener, section, section_id
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
from rental_app.web.screens.account.your_data import TITLE as YOUR_DATA
from rental_app.web.screens.account.your_data import export_dialog, your_data_section
from rental_app.web.session.base import SessionState
from rental_app.web.session.login_wanted import ACCOUNT

_SECTIONS = ("Details", "Email and phone", "Password and signing in", "Devices", DOCUMENTS, "Messages", YOUR_DATA)
_ANCHOR = "rounded-lg px-3 py-2 text-sm font-medium text-(--ink) no-underline hover:bg-(--gray-a3)"


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
        dialogs(State.page),
        document_dialogs(),
        export_dialog(State.page.data),
        on_cards=True,
    )


def _of_somebody(page: rx.Var[AccountPage]) -> rx.Component:
    face = "grid size-16 shrink-0 place-items-center rounded-full bg-(--accent-a4) text-xl font-bold text-(--accent-12)"
    return rx.el.div(
        rx.el.nav(
            # `rx.el.a` would be the router's link, which leaves the focus behind.
            *[_anchor(title, page) for title in _SECTIONS],
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
            rx.cond(State.documents.card, documents_card(State.documents.card)),
            _details(page),
            _contacts(page),
            _signing_in(page),
            _devices(page),
            rx.cond(State.documents, documents_section(State.documents)),
            _messages(),
            rx.cond(page.data, your_data_section(page.data)),
            class_name="min-w-0 flex-1 lg:max-w-160",
        ),
        class_name="flex gap-10",
    )


def _anchor(title: str, page: rx.Var[AccountPage]) -> rx.Component:
    """The link to a section, which not everybody has."""
    link = rx.el.A.create(title, href=f"#{section_id(title)}", class_name=_ANCHOR)
    if title == DOCUMENTS:
        return rx.cond(State.documents, link)
    return rx.cond(page.data, link) if title == YOUR_DATA else link


def _details(page: rx.Var[AccountPage]) -> rx.Component:
    place = f"{page.phone_shown}, {page.full_address}"
    ask = button(LOCKED, extra=SMALL, custom_attrs=opens(REQUEST))
    return section(
        "Details",
        rx.cond(
            page.is_vendor,
            row(rx.icon("file-user", size=20), page.name, place, ask),
            row(rx.icon("file-user", size=20), "Name, mobile, address", place, row_opener("Change", DETAILS)),
        ),
        rx.foreach(page.requests, _request),
    )


def _devices(page: rx.Var[AccountPage]) -> rx.Component:
    everywhere = button("Log out everywhere", extra="mt-4", id=EVERYWHERE, custom_attrs=opens(EVERYWHERE))
    return rx.fragment(section("Devices", rx.foreach(page.devices, _device)), everywhere)


def _messages() -> rx.Component:
    note = "Always on: they carry times, amounts and codes."
    return section(
        "Messages", row(rx.icon("bell", size=20), "Bookings and your account, by email and text message", note)
    )


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
        rx.el.h2("Someone asked for another ", page.moving, class_name="font-bold wrap-anywhere"),
        rx.el.p(
            "They told us that they have lost access to the one here. From ",
            rx.el.strong(page.moves_at),
            " this account will have the other ",
            page.moving,
            " instead, and every device will be logged out. If you did not ask for this, stop it: we tell all your"
            " addresses.",
            class_name="mt-1 text-sm",
        ),
        stop,
        class_name="mt-6 rounded-2xl border border-(--red-a7) bg-(--red-a3) p-5",
        custom_attrs={"aria-label": "Your account is about to change"},
    )


def _request(request: rx.Var[RequestRow]) -> rx.Component:
    withdraw = button("Withdraw", on_click=State.withdraw(request.id), extra=SMALL, label=f"Withdraw: {request.title}")
    return row(rx.icon("pencil-line", size=20), request.title, request.note, rx.cond(request.is_open, withdraw))


def _contacts(page: rx.Var[AccountPage]) -> rx.Component:
    # Vendors ask for another email, as for the rest of what is locked.
    change = row_opener("Change email", EMAIL)
    return section(
        "Email and phone",
        row(
            rx.icon("at-sign", size=20),
            rx.foreach(page.email_parts, lambda part: rx.fragment(part, rx.el.wbr())),
            rx.cond(
                page.email_verified,
                "Confirmed",
                rx.cond(
                    page.vehicles_wait,
                    "Not confirmed yet: your vehicles are listed once it is",
                    "Not confirmed yet: confirm it to add a mobile number, an authenticator app or passkeys",
                ),
            ),
            rx.cond(
                page.email_verified | (page.email == ""),
                None,
                button("Send the link again", variant="soft", on_click=State.send_link, extra=f"{SMALL} z-1"),
            ),
            rx.cond(page.is_vendor, None, change),
            good=page.email_verified,
        ),
        row(
            rx.icon("smartphone", size=20),
            page.phone_shown,
            rx.cond(
                page.phone_opens,
                "Confirmed: you can log in with a code sent to it",
                rx.cond(
                    page.phone_verified, "Confirmed", "Not confirmed yet. The other side of a confirmed booking sees it"
                ),
            ),
            # A number that was not used for long logs in again once it is confirmed anew.
            rx.cond(
                page.phone_opens | (page.phone_verified & page.second_step),
                None,
                _once_confirmed(page, "Verify", PHONE, "Verify mobile number"),
            ),
            good=page.phone_verified,
        ),
    )


def _opener(text: str, dialog: str, label: str, variant: str = "soft") -> rx.Component:
    return button(text, variant=variant, extra=SMALL, label=label, custom_attrs=opens(dialog))


def _once_confirmed(page: rx.Var[AccountPage], text: str, dialog: str, label: str) -> rx.Component:
    """What only a confirmed email may do, or the way to confirm it."""
    name = f"Confirm email, then: {label}"
    confirm = button(
        "Confirm email", variant="soft", label=name, extra=SMALL, on_click=State.send_link, disabled=State.busy
    )
    return rx.cond(page.email_verified, _opener(text, dialog, label), rx.cond(page.email, confirm))


def _signing_in(page: rx.Var[AccountPage]) -> rx.Component:
    app = rx.cond(
        page.second_step,
        _opener("Turn off", NO_STEP, "Turn off authenticator app", "quiet"),
        _once_confirmed(page, "Set up", STEP, "Set up app"),
    )
    opener = rx.cond(
        page.codes_wait,
        _opener("Show codes", CODES, "Show recovery codes"),
        _opener("New codes", CODES, "New recovery codes", "quiet"),
    )
    return section(
        "Password and signing in",
        row(rx.icon("lock-keyhole", size=20), "Password", page.password_note, row_opener("Change password", PASSWORD)),
        row(
            rx.icon("shield-check", size=20),
            "Authenticator app",
            rx.cond(page.second_step, "On: you need its code to log in, too", "Off"),
            app,
        ),
        rx.cond(page.second_step, row(rx.icon("life-buoy", size=20), "Recovery codes", page.codes_note, opener)),
        row(
            rx.icon("fingerprint", size=20),
            "Passkeys",
            "Your fingerprint, face or device PIN logs you in without the password",
            _once_confirmed(page, "Add", PASSKEY, "Add passkey"),
        ),
        rx.foreach(page.passkeys, _passkey),
        rx.cond(
            page.by_code,
            row(
                rx.icon("lock-keyhole", size=20),
                "You have logged in with a code",
                "To change where money goes, enter your password first",
                _opener("Give password", CONFIRM, "Give password"),
            ),
        ),
    )


def _passkey(passkey: rx.Var[PasskeyRow]) -> rx.Component:
    remove = button(
        "Remove", on_click=State.remove_passkey(passkey.id), extra=SMALL, label=f"Remove passkey {passkey.name}"
    )
    return row(rx.icon("key-round", size=20), passkey.name, passkey.note, remove)


def _device(device: rx.Var[DeviceRow]) -> rx.Component:
    end = button("End", on_click=State.end_session(device.id), extra=SMALL, label=f"End {device.name}, {device.note}")
    icon = rx.cond(device.is_phone, rx.icon("smartphone", size=20), rx.icon("laptop", size=20))
    return row(icon, device.name, device.note, rx.cond(device.is_current, None, end), good=device.is_current)
