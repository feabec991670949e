"""The dialogs of Manage Vehicles: Edit Vehicle, and papers and photos."""

import reflex as rx

from rental_app.web.parts.sent_form.form import sent_form
from rental_app.web.parts.theme import BLOCK_TITLE, MUTED, SKELETON
from rental_app.web.parts.vehicle_form.form import vehicle_fields
from rental_app.web.parts.vehicle_form.pricing_table import copy_prices_form
from rental_app.web.react.browser_draft import browser_draft, draft_dialog
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.modal import modal
from rental_app.web.react.unsaved_guard import unsaved_guard
from rental_app.web.react.uploads import uploads
from rental_app.web.vendor.manage_vehicles.dialogs_state import EDIT, FILES, EditVehicleState, VehicleFilesState

_EDIT_FORM, _FILES_FORM = f"{EDIT}-form", f"{FILES}-form"
# The buttons stay in sight while the fields scroll under them.
_FOOT = (
    "sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-end gap-3 border-t border-(--line)"
    " bg-(--color-panel-solid) px-6 py-4"
)


def edit_dialog() -> rx.Component:
    """Every field of a vehicle but its files, and its prices."""
    form = sent_form(
        _id(EditVehicleState.vehicle_id),
        *vehicle_fields(EditVehicleState),
        state=EditVehicleState,
        form_id=_EDIT_FORM,
        label="Edit Vehicle",
        submit_label="Update Vehicle",
        busy_label="Updating...",
        cancels=True,
        class_name="flex flex-col gap-8",
        foot_class=_FOOT,
    )
    copies = copy_prices_form(EditVehicleState)
    watch = form_changes(_EDIT_FORM, on_typed=EditVehicleState.check)
    vehicle = EditVehicleState.vehicle_id
    dialog = _dialog(
        EDIT,
        "Edit Vehicle",
        EditVehicleState.title,
        copies,
        # Its drop-downs and prices depend on what the server knows about the vehicle.
        rx.cond(vehicle != 0, form, rx.el.div(class_name=f"{SKELETON} h-96")),
        browser_draft(_EDIT_FORM, vehicle, EditVehicleState.regain, reloads=True),
        watch,
        unsaved_guard(_EDIT_FORM),
    )
    return rx.fragment(dialog, draft_dialog(_EDIT_FORM, EDIT))


def files_dialog() -> rx.Component:
    """A vehicle's ten groups: what is stored can be viewed, downloaded, replaced and added to."""
    form = sent_form(
        _id(VehicleFilesState.vehicle_id),
        rx.el.div(
            rx.el.h2("What we have", class_name=BLOCK_TITLE),
            rx.el.p(
                "Customers see the photos of the four sides; all other files are seen by you and us only.",
                class_name=f"{MUTED} mt-1 mb-4 text-sm",
            ),
            uploads(stored=VehicleFilesState.files, waiting=VehicleFilesState.waiting, errors=VehicleFilesState.errors),
        ),
        state=VehicleFilesState,
        form_id=_FILES_FORM,
        label="Documents & Photos",
        submit_label="Save Files",
        busy_label="Updating...",
        cancels=True,
        class_name="flex flex-col gap-6",
        foot_class=_FOOT,
    )
    dialog = _dialog(
        FILES,
        "Documents & Photos",
        VehicleFilesState.title,
        form,
        browser_draft(_FILES_FORM, VehicleFilesState.vehicle_id, VehicleFilesState.show_again),
        form_changes(_FILES_FORM),
        unsaved_guard(_FILES_FORM),
    )
    return rx.fragment(dialog, draft_dialog(_FILES_FORM, FILES))


def _id(vehicle_id: rx.Var[int]) -> rx.Component:
    # Not `id`: in scripts that would hide the form's own.
    return rx.el.input(type="hidden", name="vehicle_id", default_value=vehicle_id)


def _dialog(name: str, title: str, vehicle: rx.Var[str], *content: rx.Component) -> rx.Component:
    return modal(
        *content,
        name=name,
        title=title,
        description=vehicle,
        about=vehicle != "",
        max_width="56rem",
        max_height="90vh",
        # The focused control is scrolled clear of the buttons, even when Radix moves the focus without scrolling.
        class_name="sheet-on-phone scroll-pb-24",
    )
