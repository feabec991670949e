"""The vendor's page Confirm at once."""

import reflex as rx

from rental_app.domain.confirm_at_once import MOST_HOURS, MOST_OPEN
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.button import submit
from rental_app.web.parts.field import field, lasting_form
from rental_app.web.parts.notice import refreshable, skeleton
from rental_app.web.parts.theme import BLOCK_TITLE, CHECKBOX, MUTED, PANEL
from rental_app.web.react.browser_draft import drafted
from rental_app.web.react.unsaved_guard import unsaved_guard
from rental_app.web.vendor.confirm_at_once.state import ConfirmAtOnceState as State
from rental_app.web.vendor.confirm_at_once.state import VehicleBox

_FORM = "confirm-at-once"
_LINE = "flex min-h-11 w-fit cursor-pointer items-center gap-3"


def confirm_at_once() -> rx.Component:
    """Whether the vendor answers each request, or lets those be confirmed that meet the vendor's conditions."""
    return vendor_layout(
        "Confirm at once",
        rx.el.p(
            "Bookings that meet your conditions need no answer: the customer's button says Book, and both of you are"
            " told. All others stay requests that you answer.",
            class_name=f"{MUTED} -mt-3 mb-5 max-w-2xl",
        ),
        *refreshable(State.shown > 0, _settings(), State, "Your settings", skeleton("h-96")),
        waiting=skeleton("h-96"),
    )


def _settings() -> rx.Component:
    return lasting_form(
        _who_answers(),
        _conditions(),
        _exceptions(),
        rx.el.div(
            submit(rx.cond(State.busy, "Saving...", "Save"), disabled=State.busy),
            class_name=f"{PANEL} sticky bottom-[calc(var(--foot)+0.75rem)] z-10 flex justify-end p-3",
        ),
        unsaved_guard(_FORM),
        on_submit=State.save,
        id=_FORM,
        # What was saved is shown by a new form.
        key=f"settings-{State.shown}",
        custom_attrs=drafted(_FORM) | {"aria-label": "Confirm at once"},
        class_name="flex max-w-3xl flex-col gap-5",
    )


def _panel(title: str, *content: rx.Component) -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(title, class_name=f"{BLOCK_TITLE} float-left mb-2 w-full"),
        rx.el.div(*content, class_name="clear-both"),
        class_name=f"{PANEL} p-4 sm:p-6",
    )


def _who_answers() -> rx.Component:
    return _panel(
        "New bookings",
        _choice("I answer each request", "no", ~State.is_on),
        _choice("Confirm them at once", "yes", State.is_on),
    )


def _choice(label: str, value: str, checked: rx.Var[bool]) -> rx.Component:
    radio = rx.el.input(type="radio", name="on", value=value, default_checked=checked, class_name=CHECKBOX)
    return rx.el.label(radio, label, class_name=_LINE)


def _conditions() -> rx.Component:
    return _panel(
        "Only if",
        rx.el.label(
            rx.el.input(
                type="checkbox",
                name="verifiedMobile",
                value="true",
                default_checked=State.verified_phone,
                class_name=CHECKBOX,
            ),
            "the customer's mobile number is confirmed",
            class_name=_LINE,
        ),
        rx.el.div(
            _number(
                "Hours until the pickup, at least", "hoursAhead", State.hours_ahead, f"0 to {MOST_HOURS}; 0 for any"
            ),
            _number(
                "Bookings a customer may have with you",
                "mostOpen",
                State.most_open,
                f"1 to {MOST_OPEN}, ahead or out, the new one included",
            ),
            class_name="mt-2 grid gap-4 sm:grid-cols-2",
        ),
    )


def _number(label: str, name: str, value: rx.Var[str], hint: str) -> rx.Component:
    return field(
        label,
        name,
        hint=hint,
        error=State.errors[name],
        default_value=value,
        input_mode="numeric",
        auto_complete="off",
        max_length=4,
    )


def _exceptions() -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            "The other way round for some vehicles",
            rx.cond(State.exceptions > 0, f" ({State.exceptions})", ""),
            class_name=f"{BLOCK_TITLE} flex min-h-11 cursor-pointer items-center",
        ),
        rx.el.p(
            "Those ticked are answered by you while the others are confirmed at once, or confirmed at once while you"
            " answer for the others.",
            class_name=f"{MUTED} text-sm",
        ),
        rx.el.div(
            rx.foreach(State.vehicles, _vehicle),
            class_name="mt-2 grid max-h-96 gap-x-4 overflow-y-auto sm:grid-cols-2",
            tab_index=0,
            role="group",
            custom_attrs={"aria-label": "Vehicles"},
        ),
        open=State.exceptions > 0,
        class_name=f"{PANEL} px-4 py-3 sm:px-6",
    )


def _vehicle(vehicle: rx.Var[VehicleBox]) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="checkbox", name=vehicle.name, value="true", default_checked=vehicle.ticked, class_name=CHECKBOX
        ),
        rx.el.span(vehicle.label, class_name="min-w-0 wrap-anywhere"),
        class_name=_LINE,
        key=vehicle.name,
    )
