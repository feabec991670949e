"""The vendor's page Add New Vehicle."""

import reflex as rx

from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.button import button
from rental_app.web.parts.notice import retry_strip, skeleton
from rental_app.web.parts.sent_form.form import sent_form
from rental_app.web.parts.theme import BLOCK_TITLE, MUTED, NOTE, PANEL
from rental_app.web.parts.vehicle_form.form import copy_prices_form, vehicle_fields
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.steps import PHOTOS, of_step, steps
from rental_app.web.react.unsaved_guard import unsaved_guard
from rental_app.web.react.uploads import uploads
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.add_vehicle.state import AddVehicleState

_FORM = "add-vehicle-form"


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
                rx.cond(
                    AddVehicleState.offer,
                    rx.el.section(
                        rx.el.p(rx.el.strong(AddVehicleState.offer.title), f" {AddVehicleState.offer.text}"),
                        rx.el.div(
                            button("Continue your draft", variant="primary", on_click=AddVehicleState.continue_draft),
                            button(AddVehicleState.offer.otherwise, on_click=AddVehicleState.decline_draft),
                            class_name="mt-3 flex flex-wrap gap-3",
                        ),
                        class_name=f"mb-4 {NOTE}",
                        custom_attrs={"aria-label": "Your draft"},
                    ),
                ),
                rx.el.p(
                    "Everything is needed unless it says optional. ",
                    AddVehicleState.saved_line,
                    class_name=f"{MUTED} mb-4",
                ),
                steps(_form()),
                copy_prices_form(AddVehicleState),
                unsaved_guard(_FORM, "It is not listed yet. What you have typed stays as your draft."),
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
                "Add at least one file to each group: drop files on it or choose them. They are checked and saved at"
                " once, and large photos are made smaller first. Only you and we can see the documents.",
                class_name=f"{MUTED} mt-1 mb-4 text-sm",
            ),
            uploads(waiting=AddVehicleState.waiting, errors=AddVehicleState.errors),
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
