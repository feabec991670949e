"""The steps of a handover and of a return, done on a phone beside the vehicle."""

from typing import Any

import reflex as rx

from rental_app.domain.uploads import DAMAGE_GROUP, PUBLIC_GROUPS
from rental_app.schemas.labels import LABELS
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.parts.block import facts_list
from rental_app.web.parts.field import field, field_error
from rental_app.web.parts.presenters.trip_words import PAPERS
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, CHECKBOX, MUTED, PANEL
from rental_app.web.react.browser_draft import drafted
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.modal import opens
from rental_app.web.react.uploads import trip_photos
from rental_app.web.vendor.booking.readings_presenter import FUEL, ODOMETER, DamageText, SettlementText
from rental_app.web.vendor.booking.readings_state import HAND_OVER, TAKE_BACK
from rental_app.web.vendor.booking.readings_state import ReadingState as State
from rental_app.web.vendor.booking.state import VendorTripState

_NUMBER: dict[str, Any] = {"input_mode": "numeric", "auto_complete": "off", "max_length": 12}
_BIG = f"{BUTTON['primary']} min-h-12 w-full sm:w-auto"


def handover_steps() -> rx.Component:
    """What is done beside the vehicle when it goes out."""
    return _steps(
        "Handover",
        _step(1, "papers", "Documents seen", _papers()),
        _step(2, "odometer", "Odometer", *_odometer()),
        _step(3, "fuel", "Fuel or charge", _fuel()),
        _step(4, "photos", "Photos", _photos()),
        _step(5, "helmets", "Helmets", _count("helmets", State.draft.helmets)),
        rx.el.p("6. Take what is due: it stands under Payments below.", class_name=MUTED),
        _finish(HAND_OVER, "Hand the vehicle over"),
    )


def return_steps() -> rx.Component:
    """What is done beside the vehicle when it comes back."""
    return _steps(
        "Return",
        _step(1, "odometer", "Odometer", *_odometer()),
        _step(
            2, "fuel", "Fuel or charge", _fuel(), hint="Fuel that is missing is added under Damages, with its price."
        ),
        _step(3, "photos", "Photos", _photos()),
        _step(4, "helmets", "Helmets", _count("helmets", State.draft.helmets)),
        _step(5, "speedings", "Speeding fines", _count("speedings", State.draft.speedings)),
        _damages(),
        rx.cond(State.settlement, _settlement(State.settlement)),
        _finish(TAKE_BACK, "Take the vehicle back"),
    )


def _steps(title: str, *steps: rx.Component) -> rx.Component:
    return rx.el.section(
        rx.el.div(
            rx.el.h2(title, class_name=BLOCK_TITLE),
            rx.el.p("Each step is saved as it is done: you can go on later, or on another phone.", class_name=MUTED),
        ),
        *steps,
        # So that nothing of one form is left in the other.
        key=f"{title}-{State.round}",
        class_name=f"{PANEL} flex flex-col gap-6 p-4 sm:p-6",
        custom_attrs={"aria-label": title},
    )


def _step(number: int, name: str, title: str, *content: rx.Component, hint: str = "") -> rx.Component:
    form = f"step-{name}"
    return rx.el.div(
        _title(f"{number}. {title}", rx.Var.create(State.draft.done).contains(name)),
        rx.el.p(hint, class_name=f"{MUTED} text-sm") if hint else rx.fragment(),
        rx.el.form(
            *content,
            rx.el.button("Save", rx.el.span(f" {title}", class_name="sr-only"), type="submit", class_name=_SAVE),
            id=form,
            on_submit=State.note,
            no_validate=True,
            auto_complete="off",
            custom_attrs={"aria-label": title},
            class_name="mt-3 flex flex-col gap-3",
        ),
        form_changes(form, on_typed=State.note_typed),
        class_name="border-t border-(--line) pt-5",
    )


_SAVE = f"{BUTTON['quiet']} self-start"


def _title(text: str, done: rx.Var[bool]) -> rx.Component:
    return rx.el.h3(
        text,
        rx.cond(
            done,
            rx.el.span(
                rx.icon("check", size=18),
                "Done",
                class_name="inline-flex items-center gap-1 text-sm font-medium text-(--green-11)",
            ),
            rx.el.span("To do", class_name=f"{MUTED} text-sm font-medium"),
        ),
        class_name="flex items-center justify-between gap-3 font-semibold",
    )


def _papers() -> rx.Component:
    return rx.el.fieldset(
        rx.el.legend(LABELS["papersSeen"], class_name="sr-only"),
        rx.el.input(type="hidden", name="papers", value="1"),
        *[_paper(name, label) for name, label in PAPERS.items()],
        field_error("papersSeen", State.errors["papersSeen"]),
    )


def _paper(name: str, label: str) -> rx.Component:
    return rx.el.label(
        rx.el.input(
            type="checkbox",
            name=name,
            default_checked=rx.Var.create(State.draft.papers).contains(name),
            class_name=CHECKBOX,
        ),
        label,
        class_name="flex min-h-11 items-center gap-3",
    )


def _odometer() -> tuple[rx.Component, ...]:
    return (
        field(
            "Odometer (km)",
            "odometer",
            default_value=State.draft.odometer,
            error=State.errors["odometer"],
            **_NUMBER,
        ),
        trip_photos(ODOMETER, waiting=State.draft.odometer_photos, errors=State.errors),
    )


def _fuel() -> rx.Component:
    return field(
        "How full, in eighths",
        "fuelEighths",
        rx.el.option("Choose", value=""),
        *[rx.el.option(choice.label, value=choice.value) for choice in FUEL],
        control=rx.el.select,
        default_value=State.draft.fuel,
        error=State.errors["fuelEighths"],
    )


def _photos() -> rx.Component:
    return trip_photos(*PUBLIC_GROUPS, waiting=State.draft.photos, errors=State.errors)


def _count(name: str, value: rx.Var[str]) -> rx.Component:
    return field(LABELS[name], name, default_value=value, error=State.errors[name], **_NUMBER)


def _damages() -> rx.Component:
    return rx.el.div(
        rx.el.h3("6. Damages, if there are any", class_name="font-semibold"),
        rx.el.ul(rx.foreach(State.draft.damages, _damage), class_name="list-none p-0"),
        rx.el.form(
            field("What is damaged", "note", max_length=MAX_TEXT, error=State.errors["note"]),
            field(
                "Price (₹)",
                "amount",
                input_mode="decimal",
                max_length=12,
                error=State.errors["amount"],
            ),
            trip_photos(DAMAGE_GROUP, most=1, waiting=rx.Var.create([]), errors=State.errors),
            rx.el.button("Add damage", type="submit", class_name=_SAVE),
            key=f"damage-{State.damage_round}",
            on_submit=State.add_damage,
            no_validate=True,
            auto_complete="off",
            custom_attrs=drafted("damage") | {"aria-label": "Damage"},
            class_name="mt-3 flex flex-col gap-3",
        ),
        class_name="border-t border-(--line) pt-5",
    )


def _damage(damage: rx.Var[DamageText]) -> rx.Component:
    return rx.el.li(
        rx.el.span(damage.note, ": ", rx.el.strong(damage.amount), class_name="wrap-anywhere"),
        rx.el.button(
            "Remove",
            rx.el.span(" ", damage.note, class_name="sr-only"),
            type="button",
            on_click=State.drop_damage(damage.id),
            class_name=BUTTON["quiet"],
        ),
        class_name="flex items-center justify-between gap-3 py-2",
    )


def _settlement(found: rx.Var[SettlementText]) -> rx.Component:
    return rx.el.div(
        rx.el.h3("What a return now costs", class_name="font-semibold"),
        rx.cond(
            found.lines,
            facts_list(found.lines),
            rx.el.p("Nothing beyond the rent.", class_name="mt-2"),
        ),
        rx.cond(found.fuel, _fuel_missing(found.fuel)),
        rx.el.p("In all: ", rx.el.strong(found.total), ", kept from the deposit: ", rx.el.strong(found.kept)),
        rx.el.p("Rent after it: ", found.rent, ". Deposit: ", found.deposit, "."),
        role="status",
        custom_attrs={"aria-label": "What a return now costs"},
        class_name="flex flex-col gap-1 rounded-2xl bg-(--accent-a3) p-4",
    )


def _fuel_missing(less: rx.Var[str]) -> rx.Component:
    return rx.el.p("Fuel or charge: ", rx.el.strong(less), ". It costs what you add for it under Damages.")


def _finish(dialog: str, text: str) -> rx.Component:
    return rx.el.div(
        rx.cond(State.draft.missing, rx.el.p("Still to do: ", State.draft.missing, class_name=f"{MUTED} mb-2")),
        rx.el.button(text, type="button", class_name=_BIG, custom_attrs=opens(dialog) | {"aria-haspopup": "dialog"}),
    )


def steps() -> rx.Component:
    """The steps of the reading that can be taken now, once its draft has been loaded."""
    trip = VendorTripState.trip
    known = State.shown == f"{trip.reference} {trip.reading}"
    return rx.cond(
        known & (trip.reading != ""),
        rx.match(trip.reading, ("handover", handover_steps()), ("return", return_steps()), rx.fragment()),
    )
