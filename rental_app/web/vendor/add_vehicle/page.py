"""The vendor's page Add New Vehicle."""

import reflex as rx

from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.button import button
from rental_app.web.parts.dialogs import question
from rental_app.web.parts.notice import retry_strip, skeleton
from rental_app.web.parts.sent_form.form import sent_form
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, MUTED, NOTE, PANEL
from rental_app.web.parts.vehicle_form.form import copy_prices_form, vehicle_fields
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.sheet_import import sheet_import
from rental_app.web.react.steps import PHOTOS, of_step, steps
from rental_app.web.react.unsaved_guard import unsaved_guard
from rental_app.web.react.uploads import upload_tiles
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.add_vehicle.presenter import DraftRow
from rental_app.web.vendor.add_vehicle.state import DELETE, AddVehicleState

_FORM, _DRAFTS = "add-vehicle-form", "your-drafts"
# Of the drafts; the others are folded.
_IN_SIGHT = 3


def add_vehicle() -> rx.Component:
    """The form for a new vehicle, with its papers and photos."""
    return vendor_layout(
        "Add New Vehicle",
        rx.cond(AddVehicleState.problem, retry_strip(AddVehicleState.problem, AddVehicleState.load)),
        # The account's draft is compared with what the tab has: an offer that came later would push the form down.
        form_changes(
            _FORM,
            rx.cond(AddVehicleState.problem, rx.fragment(), skeleton("h-screen")),
            rx.fragment(
                rx.cond(AddVehicleState.lacks_place, _lacks_place()),
                rx.cond(AddVehicleState.listed, _listed()),
                rx.cond(AddVehicleState.offer, _offer()),
                _drafts(),
                rx.el.p(
                    "Everything is needed unless it says optional. ",
                    AddVehicleState.saved_line,
                    class_name=f"{MUTED} mb-4",
                ),
                steps(_form()),
                copy_prices_form(AddVehicleState),
                unsaved_guard(_FORM, "It is not listed yet. What you have typed stays as your draft."),
                question(
                    DELETE,
                    "Delete this draft?",
                    f"{AddVehicleState.asked_title}: what was typed and its files are gone then.",
                    about=AddVehicleState.asked_title != "",
                    yes="Delete",
                    no="Keep it",
                    on_yes=AddVehicleState.delete,
                    focus_back=_DRAFTS,
                ),
            ),
            draft=AddVehicleState.draft,
            told=AddVehicleState.drafts_sent,
            on_start=AddVehicleState.load,
            on_typed=AddVehicleState.check,
            saved=AddVehicleState.saved,
            on_keep=AddVehicleState.keep,
        ),
        waiting=skeleton("h-screen"),
    )


def _form() -> rx.Component:
    return sent_form(
        *vehicle_fields(AddVehicleState),
        rx.el.section(
            rx.el.h2("Documents & Photos", class_name=BLOCK_TITLE),
            rx.el.p(
                "At least one file in each group. They are checked and saved at once, and large photos are made smaller"
                " first.",
                class_name=f"{MUTED} mt-1 mb-4 text-sm",
            ),
            upload_tiles(waiting=AddVehicleState.waiting, errors=AddVehicleState.errors),
            class_name=of_step(PHOTOS),
        ),
        state=AddVehicleState,
        form_id=_FORM,
        # Drawn afresh each time the server has filled it in.
        key=f"{_FORM}-{AddVehicleState.round}",
        label="Add New Vehicle",
        submit_label="List Your Vehicle",
        busy_label="Listing...",
        class_name=f"{PANEL} flex flex-col gap-8 p-4 sm:p-6",
        foot_class=f"{of_step(PHOTOS)} flex flex-wrap items-center justify-end gap-3 border-t border-(--line) pt-5",
    )


def _lacks_place() -> rx.Component:
    return rx.el.p(
        rx.cond(
            SessionState.is_vendor,
            rx.fragment(
                "Choose your service location in ",
                rx.el.a("your profile", href="/vendor/profile", class_name="underline"),
                " first: that is where your vehicles are picked up.",
            ),
            "The vendor has to choose their service location in their profile first: that is where vehicles are picked"
            " up.",
        ),
        role="status",
        class_name=f"mb-4 {NOTE}",
    )


def _listed() -> rx.Component:
    """What was just listed, and what may come next."""
    vehicle = AddVehicleState.listed
    return rx.el.section(
        rx.el.p(rx.el.strong(vehicle.name), " is listed.", class_name="wrap-anywhere"),
        rx.el.div(
            button("List another like this", variant="primary", on_click=AddVehicleState.list_another),
            rx.el.a("See it", href=vehicle.href, class_name=BUTTON["quiet"]),
            class_name="mt-3 flex flex-wrap gap-3",
        ),
        role="status",
        class_name=f"mb-4 {PANEL} p-4",
        custom_attrs={"aria-label": "Just listed"},
    )


def _offer() -> rx.Component:
    return rx.el.section(
        rx.el.p(rx.el.strong("Your draft was continued elsewhere."), f" {AddVehicleState.offer.text}"),
        rx.el.div(
            button("Continue your draft", variant="primary", on_click=AddVehicleState.continue_draft),
            button("Keep what is here", on_click=AddVehicleState.decline_draft),
            class_name="mt-3 flex flex-wrap gap-3",
        ),
        class_name=f"mb-4 {NOTE}",
        custom_attrs={"aria-label": "Your draft"},
    )


def _drafts() -> rx.Component:
    """The other drafts, the last saved first: a few in sight, the rest folded."""
    rows = rx.Var.create(AddVehicleState.drafts)
    more = rx.el.details(
        rx.el.summary(f"Show all {rows.length()}", class_name="min-h-11 cursor-pointer py-2.5 font-medium"),
        rx.el.ul(rx.foreach(rows[_IN_SIGHT:], _draft), class_name="divide-y divide-(--line)"),
    )
    return rx.el.section(
        rx.el.h2("Your drafts", id=_DRAFTS, class_name=BLOCK_TITLE, tab_index=-1),
        rx.cond(
            rows.length() > 0,
            rx.fragment(
                rx.el.ul(rx.foreach(rows[:_IN_SIGHT], _draft), class_name="mt-1 divide-y divide-(--line)"),
                rx.cond(rows.length() > _IN_SIGHT, more),
            ),
            rx.el.p("No others. What you type is saved by itself, for 90 days.", class_name=f"{MUTED} mt-1 text-sm"),
        ),
        rx.el.div(
            sheet_import(on_imported=AddVehicleState.show_drafts),
            # Always in its place: what appeared while somebody types would push the form down.
            rx.el.div(
                button("Begin another vehicle", on_click=AddVehicleState.go_on(0)),
                class_name=rx.cond(AddVehicleState.saved != "", "", "invisible"),
            ),
            class_name="mt-3 flex flex-wrap items-center gap-3",
        ),
        class_name=f"mb-5 {PANEL} p-4",
        custom_attrs={"aria-labelledby": _DRAFTS},
    )


def _draft(row: rx.Var[DraftRow]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(row.title, class_name="font-semibold wrap-anywhere"),
            rx.el.p(row.saved, class_name=f"{MUTED} text-sm"),
            class_name="min-w-0 flex-1",
        ),
        button("Continue", on_click=AddVehicleState.go_on(row.id), label=f"Continue {row.title}"),
        button(
            rx.icon("trash-2", size=18),
            on_click=AddVehicleState.ask(row.id),
            label=f"Delete {row.title}",
            extra="px-3",
        ),
        key=row.id,
        class_name="flex flex-wrap items-center gap-2 py-2",
    )
