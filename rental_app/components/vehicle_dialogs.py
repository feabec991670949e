"""The dialogs of Manage Vehicles: Edit Vehicle, and papers and photos."""

import reflex as rx

from rental_app.components.pricing_table import copy_prices_form
from rental_app.components.react.modal import modal
from rental_app.components.upload_form import upload_form
from rental_app.components.vehicle_files import FORM_GROUPS
from rental_app.components.vehicle_form import vehicle_fields
from rental_app.schemas.listing import REQUIRED_FIELDS
from rental_app.states.vendor.vehicle_dialogs import EDIT, FILES, EditVehicleState, VehicleFilesState

_URL = "/api/vendor/edit-vehicle"
# The buttons stay in sight while the fields scroll under them.
_FOOT = (
    "sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-end gap-3 border-t border-(--line)"
    " bg-(--color-panel-solid) px-6 py-4"
)


def edit_dialog() -> rx.Component:
    """Every field of a vehicle but its files, and its prices."""
    return _dialog(
        EDIT,
        "Edit Vehicle",
        EditVehicleState.title,
        copy_prices_form(EditVehicleState),
        upload_form(
            *vehicle_fields(EditVehicleState),
            url=_URL,
            label="Edit Vehicle",
            submit_label="Update Vehicle",
            busy_label="Updating...",
            required=list(REQUIRED_FIELDS),
            base=EditVehicleState.base,
            cancels=True,
            on_typed=EditVehicleState.check,
            on_answer=EditVehicleState.answered,
            class_name="flex flex-col gap-8",
            foot_class=_FOOT,
        ),
    )


def files_dialog() -> rx.Component:
    """A vehicle's ten groups: what is stored can be viewed, downloaded, replaced and added to."""
    return _dialog(
        FILES,
        "Documents & Photos",
        VehicleFilesState.title,
        upload_form(
            url=_URL,
            label="Documents & Photos",
            submit_label="Save Files",
            busy_label="Updating...",
            groups=FORM_GROUPS,
            groups_title="What we have",
            groups_text="Customers see the photos of the four sides; all other files are seen by you and us only.",
            existing=VehicleFilesState.files,
            base=VehicleFilesState.base,
            cancels=True,
            on_answer=VehicleFilesState.answered,
            class_name="flex flex-col gap-6",
            foot_class=_FOOT,
        ),
    )


def _dialog(name: str, title: str, vehicle: rx.Var[str], *forms: rx.Component) -> rx.Component:
    return modal(
        *forms,
        name=name,
        title=title,
        description=vehicle,
        max_width="56rem",
        max_height="90vh",
        # What has the keyboard is scrolled clear of the buttons, also where Radix itself moves it without.
        class_name="scroll-pb-24",
    )
