"""The dialogs of Manage Vehicles: Edit Vehicle, papers and photos, and the question before changes are lost."""

import reflex as rx

from rental_app.components.theme import BUTTON, MUTED
from rental_app.components.upload_form import upload_form
from rental_app.components.vehicle_files import FORM_GROUPS
from rental_app.components.vehicle_form import vehicle_fields
from rental_app.schemas.listing import REQUIRED_FIELDS
from rental_app.states.vendor.vehicle_dialogs import AskingDialog, EditVehicleState, VehicleFilesState

_URL = "/api/vendor/edit-vehicle"
# The buttons stay in sight while the fields scroll under them.
_FOOT = (
    "sticky -bottom-6 -mx-6 -mb-6 flex flex-wrap items-center justify-end gap-3 border-t border-(--line)"
    " bg-(--color-panel-solid) px-6 py-4"
)


def edit_dialog() -> rx.Component:
    """Every field of a vehicle but its files, and its prices."""
    return _dialog(
        EditVehicleState,
        "Edit Vehicle",
        "edit",
        upload_form(
            *vehicle_fields(EditVehicleState),
            url=_URL,
            label="Edit Vehicle",
            submit_label="Update Vehicle",
            busy_label="Updating...",
            required=list(REQUIRED_FIELDS),
            base=EditVehicleState.base,
            on_dirty=EditVehicleState.changed,
            on_cancel=EditVehicleState.close,
            on_typed=EditVehicleState.check,
            on_answer=EditVehicleState.answered,
            class_name="flex flex-col gap-8",
            foot_class=_FOOT,
        ),
    )


def files_dialog() -> rx.Component:
    """A vehicle's ten groups: what is stored can be viewed, downloaded, replaced and added to."""
    return _dialog(
        VehicleFilesState,
        "Documents & Photos",
        "files",
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
            on_dirty=VehicleFilesState.changed,
            on_cancel=VehicleFilesState.close,
            on_answer=VehicleFilesState.answered,
            class_name="flex flex-col gap-6",
            foot_class=_FOOT,
        ),
    )


def _dialog(state: type[AskingDialog], title: str, opener: str, form: rx.Component) -> rx.Component:
    # Opened by the state, the dialog does not know which button had the keyboard.
    focus_back = f"document.getElementById('{opener}-{state.base['id']}')?.focus()"
    return rx.fragment(
        rx.dialog.root(
            rx.dialog.content(
                rx.el.div(
                    rx.el.div(
                        rx.dialog.title(title, margin="0"),
                        rx.dialog.description(state.title, class_name=MUTED),
                    ),
                    rx.dialog.close(
                        rx.el.button(
                            rx.icon("x", size=20),
                            type="button",
                            class_name="inline-flex size-10 cursor-pointer items-center justify-center rounded-full",
                            custom_attrs={"aria-label": "Close"},
                        )
                    ),
                    class_name="mb-5 flex items-start justify-between gap-3",
                ),
                form,
                max_width="56rem",
                max_height="90vh",
                # What has the keyboard is scrolled clear of the buttons, also where Radix itself moves it without.
                class_name="scroll-pb-24",
                on_focus=rx.call_script("document.activeElement.scrollIntoView({block: 'nearest'})"),
                on_close_auto_focus=rx.call_script(focus_back),
            ),
            open=state.open,
            on_open_change=lambda _: state.close(),
        ),
        _question(state),
    )


def _question(state: type[AskingDialog]) -> rx.Component:
    return rx.alert_dialog.root(
        rx.alert_dialog.content(
            rx.alert_dialog.title("Discard your changes?"),
            rx.alert_dialog.description("What you changed here has not been saved."),
            rx.el.div(
                rx.el.button("Keep editing", type="button", on_click=state.keep_editing, class_name=BUTTON["quiet"]),
                rx.el.button("Discard changes", type="button", on_click=state.discard, class_name=BUTTON["primary"]),
                class_name="mt-5 flex flex-wrap justify-end gap-3",
            ),
            max_width="26rem",
        ),
        open=state.asking,
        on_open_change=lambda _: state.keep_editing(),
    )
