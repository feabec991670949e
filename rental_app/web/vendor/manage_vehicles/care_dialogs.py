"""The dialogs of one vehicle that its menu opens: a renewed paper, its maintenance, and retiring it."""

from typing import Any

import reflex as rx

from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import STAYING_FOOT, answers, form_dialog
from rental_app.web.parts.field import field
from rental_app.web.parts.links import bookings_in_the_way
from rental_app.web.parts.sent_form.form import sent_form
from rental_app.web.parts.theme import BLOCK_TITLE, FIELD, MUTED, SKELETON
from rental_app.web.react.browser_draft import browser_draft, draft_dialog
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.modal import CLOSES, modal
from rental_app.web.react.unsaved_guard import unsaved_guard
from rental_app.web.react.uploads import paper_files
from rental_app.web.vendor.manage_vehicles.maintenance_presenter import KINDS, EntryLine
from rental_app.web.vendor.manage_vehicles.maintenance_state import FIELDS, MAINTENANCE, field_id
from rental_app.web.vendor.manage_vehicles.maintenance_state import MaintenanceState as Maintenance
from rental_app.web.vendor.manage_vehicles.renewal_state import RENEW, RETIRE, RenewState, RetireState

_RENEW_FORM, _MAINTENANCE_FORM = f"{RENEW}-form", f"{MAINTENANCE}-form"
_PAIR = "grid items-start gap-4 sm:grid-cols-2"
_SMALL = "fleet-link inline-flex cursor-pointer items-center px-2 text-sm font-semibold text-(--accent-11)"


def renew_dialog() -> rx.Component:
    """The new day and the new files of a paper, together."""
    form = sent_form(
        rx.el.input(type="hidden", name="vehicle_id", default_value=RenewState.vehicle),
        rx.el.input(type="hidden", name="shown", value=RenewState.shown, read_only=True),
        rx.el.div(
            field(
                "Document",
                "paper",
                rx.el.option("Insurance", value="Insurance"),
                rx.el.option("Pollution", value="Pollution"),
                control=rx.el.select,
                id="renew-document",
                value=RenewState.paper,
                on_change=RenewState.choose,
                hint=RenewState.valid,
                class_name=FIELD,
            ),
            field(
                "Valid until",
                "validUntil",
                control=day_input("Valid until"),
                error=RenewState.errors["validUntil"],
                class_name=FIELD,
            ),
            class_name=_PAIR,
        ),
        rx.el.div(
            rx.el.h2("The new document", class_name=f"{BLOCK_TITLE} mb-2"),
            rx.cond(RenewState.paper == "Insurance", _files("Insurance"), _files("Pollution")),
        ),
        rx.el.p("The document it replaces is kept under Files.", class_name=f"{MUTED} text-sm"),
        state=RenewState,
        form_id=_RENEW_FORM,
        label="Renew a document",
        submit_label="Renew",
        busy_label="Renewing...",
        cancels=True,
        class_name="flex flex-col gap-5",
        foot_class=STAYING_FOOT,
    )
    dialog = modal(
        rx.cond(RenewState.vehicle != 0, form, rx.el.div(class_name=f"{SKELETON} h-64")),
        browser_draft(_RENEW_FORM, RenewState.vehicle, RenewState.regain),
        form_changes(_RENEW_FORM),
        unsaved_guard(_RENEW_FORM),
        name=RENEW,
        title="Renew a document",
        description=RenewState.title,
        about=RenewState.title != "",
        max_width="40rem",
        max_height="90vh",
        class_name="sheet-on-phone scroll-pb-24",
    )
    return rx.fragment(dialog, draft_dialog(_RENEW_FORM, RENEW))


def _files(paper: str) -> rx.Component:
    return paper_files(paper, stored=[], waiting=RenewState.waiting, errors=RenewState.errors)


def retire_question() -> rx.Component:
    """The question before a vehicle is retired, with the bookings for which it cannot be."""
    return modal(
        bookings_in_the_way(RetireState.in_the_way),
        answers("Keep it", button("Retire", variant="destroy", on_click=RetireState.retire)),
        question=True,
        name=RETIRE,
        title="Retire this vehicle?",
        description=(
            f"{RetireState.title}: it leaves search, your lists and the calendar. Its bookings, statements and reviews"
            " stay, and you can bring it back."
        ),
        about=RetireState.title != "",
        max_width="28rem",
        focus_back="fleet-search",
    )


def maintenance_sheet() -> rx.Component:
    """What was done to a vehicle, and a form for more."""
    state = Maintenance
    return form_dialog(
        rx.el.input(type="hidden", name="vehicle_id", default_value=state.vehicle),
        rx.el.input(type="hidden", name="entry_id", value=state.entry, read_only=True),
        _done(),
        rx.el.h2(rx.cond(state.entry > 0, "Change an entry", "Add what was done"), class_name=BLOCK_TITLE),
        # Drawn afresh with every save.
        rx.el.div(_fields(), key=state.round),
        rx.el.div(
            rx.el.div(button("Close", extra="w-full"), custom_attrs=CLOSES),
            rx.cond(state.entry > 0, button("Leave it as it was", on_click=state.leave)),
            submit(rx.cond(state.busy, "Saving...", "Save entry")),
            class_name=STAYING_FOOT,
        ),
        name=MAINTENANCE,
        title="Maintenance",
        label="Maintenance",
        description=f"{state.title}, odometer {state.odometer}",
        about=state.title != "",
        form_id=_MAINTENANCE_FORM,
        form={"auto_complete": "off"},
        subject=state.vehicle,
        regain=state.regain,
        waiting="h-96",
        max_width="40rem",
        max_height="90vh",
        focus_back="fleet-search",
        on_submit=state.save,
        look="flex flex-col gap-4",
        class_name="sheet-on-phone scroll-pb-24",
    )


def _done() -> rx.Component:
    return rx.cond(
        Maintenance.entries,
        rx.el.div(
            rx.el.p(
                rx.el.span("Cost by year: ", class_name=MUTED),
                rx.foreach(Maintenance.years, lambda year: rx.el.span(year, class_name="mr-3 font-semibold")),
                class_name="text-sm tabular-nums",
            ),
            rx.el.ul(rx.foreach(Maintenance.entries, _entry), class_name="list-none divide-y divide-(--line) p-0"),
        ),
        rx.el.p("Nothing noted yet.", class_name=MUTED),
    )


def _entry(entry: rx.Var[EntryLine]) -> rx.Component:
    called = f"{entry.title}, {entry.details}"
    return rx.el.li(
        rx.el.div(
            rx.el.p(
                rx.el.span(entry.title, class_name="font-semibold"),
                rx.el.span(entry.cost, class_name="font-semibold tabular-nums"),
                class_name="flex justify-between gap-3",
            ),
            rx.el.p(entry.details, class_name=f"{MUTED} text-sm"),
            rx.cond(
                entry.following,
                rx.el.p(
                    entry.following,
                    class_name=rx.cond(entry.is_due, "text-sm font-medium text-(--red-11)", f"{MUTED} text-sm"),
                ),
            ),
        ),
        rx.cond(
            Maintenance.asked == entry.id,
            rx.el.p(
                rx.el.span("Remove this entry?", class_name="text-sm"),
                button("Remove", on_click=Maintenance.remove(entry.id), class_name=_SMALL, label=f"Remove {called}"),
                button("Keep it", on_click=Maintenance.ask_remove(0), class_name=_SMALL),
                class_name="flex flex-wrap items-center gap-1",
            ),
            rx.el.div(
                button("Change", on_click=Maintenance.edit(entry.id), class_name=_SMALL, label=f"Change {called}"),
                button(
                    "Remove", on_click=Maintenance.ask_remove(entry.id), class_name=_SMALL, label=f"Remove {called}..."
                ),
                class_name="flex gap-1",
            ),
        ),
        class_name="py-2",
        key=entry.id,
    )


def _fields() -> rx.Component:
    kind, done, odometer, cost, note, following, kms = FIELDS
    return rx.el.div(
        _field("What", kind, *[rx.el.option(text, value=name) for name, text in KINDS.items()], control=rx.el.select),
        _field("Done on", done, control=day_input("Done on")),
        _field("Cost (₹)", cost, input_mode="decimal"),
        _field("Odometer (km)", odometer, input_mode="numeric"),
        _field("Due again on", following, control=day_input("Due again on")),
        _field("Due again at (km)", kms, input_mode="numeric"),
        _field("Note", note, box="sm:col-span-2", max_length=200),
        class_name=_PAIR,
    )


def _field(label: str, name: str, *options: rx.Component, **props: Any) -> rx.Component:
    return field(
        label,
        name,
        *options,
        id=field_id(name),
        error=Maintenance.errors[name],
        default_value=Maintenance.form.get(name, ""),
        **({"class_name": FIELD} | props),
    )
