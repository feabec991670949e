"""The form that changes a vendor's profile."""

from datetime import time
from typing import Any

import reflex as rx

from rental_app.domain.clock import WEEKDAYS
from rental_app.domain.gst import RATES_BPS
from rental_app.domain.hours import DEFAULT_CLOSE, DEFAULT_OPEN, format_time
from rental_app.schemas.people import MAX_LINK, PINCODE_DIGITS
from rental_app.schemas.validation import LABELS
from rental_app.schemas.wire import MAX_LONG_TEXT, MAX_TEXT
from rental_app.web.parts.block import LOCKED, facts_list
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field, field_error
from rental_app.web.parts.presenters.texts import Fact
from rental_app.web.parts.theme import BLOCK_TITLE, CHECKBOX, FIELD, LABEL, MUTED, PANEL
from rental_app.web.react.digits import digits
from rental_app.web.react.unsaved_guard import unsaved_guard
from rental_app.web.session.base import SessionState
from rental_app.web.session.pincode import TYPED
from rental_app.web.vendor.profile.presenter import ProfilePage
from rental_app.web.vendor.profile.state import REQUIRED, ProfileState

FORM = "profile-form"
_GST_RATES = sorted(rate // 100 for rate in RATES_BPS)
_AS_TYPED = {"auto_capitalize": "none", "auto_complete": "off", "spell_check": False}
TIMES = [format_time(time(hour, minute)) for hour in range(24) for minute in (0, 30)]
_CHIP = (
    "inline-flex min-h-10 cursor-pointer items-center rounded-full border border-(--gray-a7) bg-(--surface) px-4"
    " text-sm font-medium peer-checked:border-transparent peer-checked:bg-(--accent-9)"
    " peer-checked:text-(--accent-contrast) peer-focus-visible:outline-2 peer-focus-visible:outline-offset-2"
    " peer-focus-visible:outline-(--brand)"
)


def profile_form(profile: rx.Var[ProfilePage]) -> rx.Component:
    """All editable fields; the locked ones can only be read."""
    error = ProfileState.errors["closing_days"]
    return rx.el.form(
        _group("Address", *_address(profile)),
        _group("Contact and business", *_business(profile)),
        _group(
            "Opening hours",
            _time("open_time", profile.open_time, DEFAULT_OPEN),
            _time("close_time", profile.close_time, DEFAULT_CLOSE),
            rx.el.fieldset(
                rx.el.legend(LABELS["closing_days"], class_name=LABEL),
                rx.el.div(*[_chip(day, profile.closing_days) for day in WEEKDAYS], class_name="flex flex-wrap gap-2"),
                field_error("closing_days", error),
                id="closing_days",
                class_name="sm:col-span-2",
                # Focusable, because a refused field gets the focus.
                custom_attrs={"aria-describedby": rx.cond(error, "closing_days-error", ""), "tabIndex": -1},
            ),
        ),
        _group("Tax", *_tax(profile)),
        _group("Terms", _terms(profile), columns=False),
        locked_group("Personal details", profile.personal),
        locked_group("Bank account", profile.bank, bank_names()),
        locked_group("Commission and wallet", profile.commission),
        rx.el.div(
            button("Cancel", on_click=ProfileState.cancel),
            submit(rx.cond(ProfileState.busy, "Saving...", "Save"), disabled=ProfileState.busy),
            class_name=f"{PANEL} sticky bottom-[calc(var(--foot)+0.75rem)] z-10 flex justify-end gap-3 p-3",
        ),
        unsaved_guard(FORM),
        id=FORM,
        on_submit=ProfileState.save,
        no_validate=True,
        custom_attrs={"aria-label": "Profile"},
        class_name="flex flex-col gap-5",
    )


def _group(title: str, *fields: rx.Component, columns: bool = True) -> rx.Component:
    return rx.el.section(
        rx.el.h2(title, class_name=BLOCK_TITLE),
        rx.el.div(*fields, class_name="mt-4 grid gap-4 sm:grid-cols-2" if columns else "mt-4"),
        class_name=f"{PANEL} p-4 sm:p-6",
    )


def _field(name: str, *options: rx.Component, wide: bool = False, **props: Any) -> rx.Component:
    """A field of the profile by its name on the wire."""
    required = name in REQUIRED
    mark = rx.el.span(" (required)", class_name=f"{MUTED} font-normal")
    return field(
        rx.fragment(LABELS[name], mark) if required else LABELS[name],
        name,
        *options,
        error=ProfileState.errors[name],
        box="sm:col-span-2" if wide else "",
        custom_attrs={"aria-required": "true" if required else "false"},
        **props,
    )


def _text(name: str, value: rx.Var[str], **props: Any) -> rx.Component:
    return _field(name, default_value=value, **({"max_length": MAX_TEXT} | props))


def _digits(name: str, value: rx.Var[str], most: int, **props: Any) -> rx.Component:
    return _field(name, control=digits, default_value=value, most=most, **props)


def _number(name: str, value: rx.Var[str]) -> rx.Component:
    return _text(name, value, input_mode="numeric", max_length=4)


def _phone(name: str, value: rx.Var[str]) -> rx.Component:
    return _digits(name, value, 10, type="tel", hint="10 digits")


def _looked_up(label: str, name: str, value: rx.Var[str]) -> rx.Component:
    unknown = ProfileState.unknown_pincode != ""
    return field(
        label,
        name,
        hint="Filled from the pincode",
        note=rx.cond(unknown, TYPED, ""),
        default_value=value,
        read_only=~unknown,
        max_length=MAX_TEXT,
        class_name=rx.cond(unknown, FIELD, f"{FIELD} bg-(--gray-a3)"),
    )


def _address(profile: rx.Var[ProfilePage]) -> tuple[rx.Component, ...]:
    return (
        _text("address", profile.address, wide=True, auto_complete="street-address"),
        _text("landmark", profile.landmark),
        _digits(
            "zipCode",
            profile.pincode,
            PINCODE_DIGITS,
            auto_complete="postal-code",
            on_change=lambda pincode: ProfileState.look_up_pincode(ProfileState.opening, pincode).debounce(200),
        ),
        _text("city", profile.city),
        _looked_up("State", "state", profile.state),
        _looked_up("District", "district", profile.district),
        _field(
            "service_location",
            rx.cond(profile.service_location == "", rx.el.option("Choose a location", value="")),
            rx.foreach(SessionState.locations, lambda place: rx.el.option(place, value=place)),
            control=rx.el.select,
            default_value=profile.service_location,
            hint="Where your vehicles are; they move with it",
        ),
    )


def _business(profile: rx.Var[ProfilePage]) -> tuple[rx.Component, ...]:
    link = {"type": "url", "placeholder": "https://", "max_length": MAX_LINK}
    return (
        _phone("booking_contact_no", profile.booking_contact_no),
        _phone("booking_whatsapp_no", profile.booking_whatsapp_no),
        _text("upi_id", profile.upi_id, hint="Lets customers pay by QR code, for example name@bank", **_AS_TYPED),
        _number("no_of_staff", profile.no_of_staff),
        _number("no_of_years", profile.no_of_years),
        _text("website", profile.website, hint="Like www.example.com", **link),
        _text("google_maps_link", profile.google_maps_link, hint="As your maps app shares it", **link),
        rx.el.label(
            rx.el.input(
                type="checkbox",
                id="delivery_supported",
                name="delivery_supported",
                default_checked=profile.delivery_supported,
                class_name=CHECKBOX,
            ),
            "Delivery supported",
            class_name="flex min-h-10 items-center gap-2 font-medium",
        ),
    )


def _time(name: str, value: rx.Var[str], default: time) -> rx.Component:
    return _field(
        name,
        rx.el.option(f"As usual ({format_time(default)})", value=""),
        # The REST edge takes any minute: what was set there must not be lost here.
        rx.cond((value != "") & ~rx.Var.create(TIMES).contains(value), rx.el.option(value, value=value)),
        *[rx.el.option(choice, value=choice) for choice in TIMES],
        control=rx.el.select,
        default_value=value,
    )


def _chip(day: str, chosen: rx.Var[list[str]]) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="checkbox", name=f"closed_{day}", default_checked=chosen.contains(day), class_name="peer sr-only"
        ),
        rx.el.span(day, class_name=_CHIP),
        class_name="relative",
    )


def _tax(profile: rx.Var[ProfilePage]) -> tuple[rx.Component, ...]:
    return (
        _text("gst_name", profile.gst_name),
        _text(
            "gst_number",
            profile.gst_number,
            max_length=20,
            hint="15 characters, checked as you save. Invoices and receipts under a new number begin at 1",
        ),
        _field(
            "gst_rate",
            *[rx.el.option(f"{rate} %", value=str(rate)) for rate in _GST_RATES],
            control=rx.el.select,
            default_value=profile.gst_rate,
            hint="Your prices include it: with a GST number, your invoices show it",
        ),
    )


def _terms(profile: rx.Var[ProfilePage]) -> rx.Component:
    return rx.el.div(
        _field(
            "notes",
            control=rx.el.textarea,
            default_value=profile.notes,
            rows="8",
            max_length=MAX_LONG_TEXT,
            hint="One term on each line",
            on_change=lambda notes: ProfileState.preview_terms(ProfileState.opening, notes).debounce(300),
            class_name=f"{FIELD} h-auto min-h-48 py-2",
        ),
        rx.el.div(
            rx.el.h3("As customers see them", class_name=f"{LABEL} font-semibold"),
            terms_list(ProfileState.terms),
            class_name="rounded-xl bg-(--gray-a2) p-4",
        ),
        class_name="grid items-start gap-4 lg:grid-cols-2",
    )


def terms_list(terms: rx.Var[list[str]]) -> rx.Component:
    """Terms, numbered."""
    return rx.cond(
        terms,
        rx.el.ol(
            rx.foreach(terms, lambda term: rx.el.li(term, class_name="pl-1 wrap-anywhere")),
            class_name="list-decimal space-y-2 pl-6",
        ),
        rx.el.p("No terms yet", class_name=MUTED),
    )


def locked_group(title: str, facts: rx.Var[list[Fact]], *more: rx.Component) -> rx.Component:
    """Fields that only the operator can change."""
    return rx.el.section(
        rx.el.div(
            rx.el.h2(title, class_name=BLOCK_TITLE),
            # Asked for on the account's page.
            rx.el.a(
                rx.icon("lock", size=15, class_name="shrink-0"),
                LOCKED,
                href="/account",
                class_name=f"{MUTED} flex min-h-6 items-center gap-1.5 text-sm underline underline-offset-2",
            ),
            class_name="flex flex-wrap items-center justify-between gap-2",
        ),
        # An email address has no room in half of a phone.
        facts_list(facts, "grid-cols-1"),
        *more,
        class_name=f"{PANEL} p-4 sm:p-6",
        custom_attrs={"aria-label": title},
    )


def bank_names() -> rx.Component:
    """All banks that vendors can be paid through, to look one up before asking for it."""
    names = rx.el.p(
        ProfileState.banks,
        tab_index=0,
        class_name="mt-2 max-h-60 overflow-y-auto text-sm",
        custom_attrs={"aria-label": "Bank names"},
        role="region",
    )
    listed = rx.el.details(
        rx.el.summary(f"Banks we pay into ({ProfileState.bank_count})", class_name="w-fit cursor-pointer"), names
    )
    failed = rx.el.p(
        "The banks we pay into could not be listed. ",
        button("Try again", on_click=ProfileState.load, class_name="cursor-pointer underline"),
        class_name=f"{MUTED} text-sm",
    )
    return rx.el.div(
        rx.cond(ProfileState.banks, listed, rx.cond(ProfileState.banks_failed, failed)), class_name="mt-4 min-h-6"
    )
