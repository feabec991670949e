"""The vendor's page Manage Vehicles."""

from typing import Any

import reflex as rx

from rental_app.domain.uploads import FILE_GROUPS
from rental_app.schemas.vehicles import FileView
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.badges import plate
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import STAYING_FOOT
from rental_app.web.parts.field import field
from rental_app.web.parts.fleet_search import fleet_search, nothing_fits
from rental_app.web.parts.links import bookings_in_the_way, link_button
from rental_app.web.parts.notice import failure, notice, out_of_date
from rental_app.web.parts.sent_form.form import sent_form
from rental_app.web.parts.table import bare_cell, cell, row, table
from rental_app.web.parts.theme import BLOCK_TITLE, CHECKBOX, FIELD, MUTED, PANEL, SKELETON, STAGE
from rental_app.web.parts.vehicle_form.form import copy_prices_form, vehicle_fields
from rental_app.web.react.browser_draft import browser_draft, draft_dialog, drafted
from rental_app.web.react.fleet_rows import TICK_ALL, fleet_rows, menu_of, tick_of
from rental_app.web.react.form_changes import form_changes
from rental_app.web.react.heartbeat import SLOW_SECONDS, heartbeat
from rental_app.web.react.modal import modal
from rental_app.web.react.own_files import download
from rental_app.web.react.toggle import switch
from rental_app.web.react.unsaved_guard import unsaved_guard
from rental_app.web.react.uploads import uploads
from rental_app.web.vendor.manage_vehicles.care_dialogs import maintenance_sheet, renew_dialog, retire_question
from rental_app.web.vendor.manage_vehicles.day_price import DayPriceState, button_id
from rental_app.web.vendor.manage_vehicles.dialogs_state import EDIT, FILES, EditVehicleState, VehicleFilesState
from rental_app.web.vendor.manage_vehicles.maintenance_state import MaintenanceState
from rental_app.web.vendor.manage_vehicles.many_dialog import many_dialog, row_menu, selection_bar, undo_line
from rental_app.web.vendor.manage_vehicles.many_state import ManyState
from rental_app.web.vendor.manage_vehicles.presenter import Chip, FleetLine
from rental_app.web.vendor.manage_vehicles.renewal_state import RenewState, RetireState
from rental_app.web.vendor.manage_vehicles.state import AHEAD, SEARCH, FleetState

ORDERS = {
    "needs": "Needs you first",
    "newest": "Newest first",
    "name": "Name",
    "rc": "RC number",
    "papers": "Documents that expire first",
}


def manage_vehicles() -> rx.Component:
    """The fleet: search, filter, table, pages, and the two dialogs."""
    return vendor_layout(
        "Manage Vehicles",
        rx.el.p(
            "View all listed vehicles, update details, or block them from the booking platform.",
            class_name=f"{MUTED} -mt-3 mb-5",
        ),
        undo_line(),
        fleet_rows(
            _toolbar(),
            rx.cond(FleetState.problem & FleetState.lines, out_of_date(FleetState.problem, FleetState.load)),
            _bookings_ahead(),
            rx.cond(FleetState.loading, _skeleton(), rx.cond(FleetState.lines, _fleet(), _without())),
            selection_bar(),
            row_menu(),
            ids=FleetState.ids,
            on_act=lambda act, ids: rx.cond(
                (act == "pause") | (act == "resume"), ManyState.switch(act, ids), ManyState.begin(act, ids)
            ),
            on_menu=lambda item, vehicle: _chosen(item, vehicle),
        ),
        # A row that goes away meanwhile would take the price that is being typed into it along.
        rx.cond(DayPriceState.vehicle, rx.fragment(), heartbeat(FleetState.refresh, SLOW_SECONDS)),
        waiting=_skeleton(),
        dialog=rx.fragment(
            edit_dialog(), files_dialog(), many_dialog(), renew_dialog(), retire_question(), maintenance_sheet()
        ),
    )


def _bookings_ahead() -> rx.Component:
    """The bookings of a vehicle that is off: they stand until their vendor moves or cancels each."""
    return rx.cond(
        FleetState.ahead,
        rx.el.section(
            rx.el.h2(f"Bookings ahead of {FleetState.ahead_of}", class_name=BLOCK_TITLE, id=AHEAD, tab_index=-1),
            bookings_in_the_way(FleetState.ahead),
            class_name=f"{PANEL} mb-4 flex flex-col gap-3 p-4",
            custom_attrs={"aria-labelledby": AHEAD},
        ),
    )


def _fleet() -> rx.Component:
    return rx.fragment(fleet_table(), _pages())


def _without() -> rx.Component:
    """What stands in place of rows."""
    return rx.cond(
        FleetState.problem,
        failure("Your vehicles could not be loaded", FleetState.problem, FleetState.load),
        rx.cond(
            FleetState.size > 0,
            nothing_fits("Try fewer words or another filter.", FleetState.clear),
            notice(
                "No vehicles yet",
                f"List your first vehicle: you need a file or photo of each of these: {', '.join(FILE_GROUPS)}.",
                link_button("Add Vehicle", "/vendor/add-vehicle"),
            ),
        ),
    )


def _chosen(item: rx.Var[str], vehicle: rx.Var[int]) -> Any:
    """What an item of a row's menu does."""
    does: Any = rx.noop()
    for name, handler in {
        "files": VehicleFilesState.show(vehicle),
        "duplicate": FleetState.duplicate(vehicle),
        "renew": RenewState.begin(vehicle),
        "block": ManyState.begin("block", [vehicle]),
        "maintenance": MaintenanceState.begin(vehicle),
        "retire": RetireState.ask(vehicle),
        "bring-back": RetireState.bring_back(vehicle),
    }.items():
        does = rx.cond(item == name, handler, does)
    return does


def _skeleton() -> rx.Component:
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-44 md:h-20") for _ in range(5)],
        class_name="grid gap-3",
        custom_attrs={"aria-hidden": "true"},
    )


def _toolbar() -> rx.Component:
    return rx.el.div(
        fleet_search(SEARCH, FleetState.text, FleetState.search, "sm:max-w-xs"),
        rx.el.div(
            rx.foreach(FleetState.chips, _chip),
            role="group",
            class_name="flex flex-wrap gap-2",
            custom_attrs={"aria-label": "Show"},
        ),
        rx.el.div(
            _select(
                "Vehicle type",
                FleetState.type_id,
                FleetState.choose_type,
                rx.el.option("All types", value="0"),
                rx.foreach(FleetState.types, lambda kind: rx.el.option(kind.label, value=kind.value)),
            ),
            _select("Sort by", FleetState.order, FleetState.choose_sorting, *_options(ORDERS)),
            class_name="grid grid-cols-2 gap-2 max-sm:w-full max-[17.5rem]:grid-cols-1 fleet-choices xl:ml-auto",
        ),
        rx.el.p(FleetState.count_line, role="status", class_name=f"{MUTED} w-full text-sm"),
        class_name="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2",
        role="search",
    )


def _chip(chip: rx.Var[Chip]) -> rx.Component:
    is_on = FleetState.shown == chip.value
    return button(
        f"{chip.label} {chip.count}",
        on_click=FleetState.choose_shown(chip.value),
        class_name="fleet-chip",
        custom_attrs={"aria-pressed": rx.cond(is_on, "true", "false")},
    )


def _options(labels: dict[str, str]) -> list[rx.Component]:
    return [rx.el.option(label, value=value) for value, label in labels.items()]


def _select(label: str, value: rx.Var[str], on_change: rx.event.EventType[str], *options: rx.Component) -> rx.Component:
    return rx.el.select(
        *options,
        value=value,
        on_change=on_change,
        class_name=FIELD,
        custom_attrs={"aria-label": label},
    )


def _pages() -> rx.Component:
    return rx.cond(
        FleetState.pages > 1,
        rx.el.nav(
            _step("Previous", FleetState.page - 1, FleetState.page == 1),
            rx.el.p(f"Page {FleetState.page} of {FleetState.pages}", class_name="text-sm font-medium"),
            _step("Next", FleetState.page + 1, FleetState.page == FleetState.pages),
            class_name="mt-5 flex items-center justify-center gap-4",
            custom_attrs={"aria-label": "Pages"},
        ),
    )


def _step(text: str, page: rx.Var[int], at_the_end: rx.Var[bool]) -> rx.Component:
    return button(text, disabled=at_the_end, on_click=FleetState.go_to(page))


COLUMNS = ("Vehicle", "Category", "RC Number", "Status", "Active", "Edit")
_ACTION = (
    "inline-flex min-h-(--press) cursor-pointer items-center justify-center gap-2 rounded-xl border border-(--gray-a7)"
    " bg-(--surface) px-4 text-sm font-semibold whitespace-nowrap text-(--ink) hover:bg-(--gray-a3)"
)


def fleet_table() -> rx.Component:
    """The vehicles shown."""
    rows = rx.foreach(FleetState.lines, _row)
    every = _tick(TICK_ALL, "Select all vehicles found")
    return rx.el.div(
        # Where rows are cards, the head of the table is out of sight.
        rx.el.div(
            _tick(TICK_ALL, "Select all vehicles found"),
            rx.el.span("Select all", class_name="text-sm font-medium", aria_hidden=True),
            class_name="flex items-center gap-2 border-b border-(--line) px-4 py-2 lg:hidden",
        ),
        table("Your vehicles", COLUMNS, rows, before=every),
        on_mount=DayPriceState.forget,
        class_name=f"{PANEL} overflow-x-auto",
    )


def _tick(marks: dict[str, Any], label: rx.Var[str] | str) -> rx.Component:
    """A box to tick; a finger's target is larger than what is drawn."""
    return rx.el.label(
        rx.el.input(type="checkbox", class_name=CHECKBOX, custom_attrs=marks | {"aria-label": label}),
        class_name="fleet-tick",
    )


def _row(line: rx.Var[FleetLine]) -> rx.Component:
    called = f"{line.title}, {line.rc_number}"
    return row(
        rx.el.td(
            _tick(tick_of(line.id), f"Select {called}"),
            role="cell",
        ),
        bare_cell(_vehicle(line), across=True),
        cell("Category", line.category),
        cell("RC Number", plate(line.rc_number)),
        cell("Status", _status(line)),
        cell(
            "Active",
            rx.cond(
                line.is_retired,
                rx.el.span("Retired", class_name=f"{MUTED} text-sm"),
                switch(
                    vehicle=line.id,
                    label=f"Active: {called}",
                    is_on=line.is_active,
                    answered=FleetState.answered,
                    on_toggle=FleetState.toggle,
                ),
            ),
        ),
        bare_cell(_actions(line), across=True),
        key=line.id,
        columns="fleet-row max-md:grid-cols-2 md:max-lg:grid-cols-4",
    )


def _vehicle(line: rx.Var[FleetLine]) -> rx.Component:
    small = f"{MUTED} fleet-small"
    return rx.el.div(
        rx.el.div(
            rx.el.img(
                src=line.image,
                alt="",
                custom_attrs={"width": "72", "height": "54"},
                loading="lazy",
            ),
            class_name=f"fleet-picture shrink-0 overflow-hidden rounded-xl {STAGE}",
        ),
        rx.el.div(
            rx.el.p(line.title, class_name="fleet-title"),
            rx.el.p(line.details, rx.el.span(f" · {line.location}", class_name="fleet-place"), class_name=small),
            rx.el.div(
                _price(line),
                rx.el.span(line.earned, class_name=f"{small} whitespace-nowrap"),
                class_name="fleet-price flex items-center gap-x-2",
            ),
        ),
        class_name="flex items-center gap-3 max-[17.5rem]:flex-wrap lg:min-w-50",
    )


def _price(line: rx.Var[FleetLine]) -> rx.Component:
    is_open = DayPriceState.vehicle == line.id
    return rx.fragment(
        button(
            rx.cond(line.price, line.price, "Set a price"),
            rx.icon("pencil", size=14),
            id=button_id(line.id),
            on_click=DayPriceState.begin(line.id),
            class_name="fleet-link inline-flex cursor-pointer items-center gap-1.5 text-left text-sm font-semibold"
            " whitespace-nowrap hover:underline",
            label=f"Day's price of {line.title}, {line.rc_number}: {line.price}",
            custom_attrs={"aria-expanded": rx.cond(is_open, "true", "false")},
        ),
        rx.cond(
            is_open,
            rx.el.form(
                field(
                    "",
                    "day-price",
                    error=DayPriceState.error,
                    default_value=line.day_price,
                    input_mode="decimal",
                    auto_complete="off",
                    auto_focus=True,
                    on_key_down=lambda key: rx.cond(key == "Escape", DayPriceState.leave, rx.noop()),
                    class_name=f"{FIELD} w-24",
                    custom_attrs={"aria-label": f"New price in ₹ per day of {line.title}, {line.rc_number}"},
                ),
                submit("Save", class_name=_ACTION),
                button("Cancel", on_click=DayPriceState.leave, class_name=_ACTION),
                on_submit=DayPriceState.save,
                no_validate=True,
                class_name="flex flex-wrap items-start gap-2",
                custom_attrs=drafted(f"day-price {line.id}")
                | {"aria-label": f"Day's price of {line.title}, {line.rc_number}"},
            ),
        ),
    )


def _status(line: rx.Var[FleetLine]) -> rx.Component:
    now = "fleet-small fleet-now font-medium"
    return rx.el.div(
        rx.badge(
            rx.cond(line.is_available, "Available", "Unavailable"),
            color_scheme=rx.cond(line.is_available, "green", "red"),
            high_contrast=True,
            size="2",
        ),
        rx.el.span(line.now, class_name=rx.cond(line.is_late, f"{now} text-(--red-11)", now)),
        rx.cond(line.following, rx.el.span(line.following, class_name=f"{MUTED} fleet-small")),
        rx.cond(
            line.is_off_ahead,
            button(
                "Bookings ahead",
                rx.el.span(f" of {line.title}, {line.rc_number}", class_name="sr-only"),
                on_click=FleetState.show_ahead(line.id),
                class_name="fleet-link cursor-pointer text-sm font-medium text-(--accent-11) underline",
            ),
        ),
        rx.foreach(
            line.notes,
            lambda note: rx.el.span(
                rx.icon("triangle-alert", size=14, class_name="mt-0.5 shrink-0"),
                note,
                class_name="fleet-small flex gap-1 text-(--amber-11)",
            ),
        ),
        class_name="flex flex-col items-start gap-1",
    )


def _actions(line: rx.Var[FleetLine]) -> rx.Component:
    called = f"{line.title}, {line.rc_number}"
    return rx.el.div(
        rx.cond(
            line.is_retired,
            rx.fragment(),
            button(
                rx.icon("pencil", size=16),
                "Edit",
                on_click=EditVehicleState.edit(line.id),
                class_name=_ACTION,
                id=f"edit-{line.id}",
                label=f"Edit {called}",
            ),
        ),
        button(
            rx.icon("ellipsis", size=18),
            class_name=_ACTION,
            label=f"More for {called}",
            custom_attrs=menu_of(line.id, kind=rx.cond(line.is_retired, "retired", "listed")),
        ),
        class_name="flex gap-2 max-[17.5rem]:flex-wrap",
    )


_EDIT_FORM, _FILES_FORM = f"{EDIT}-form", f"{FILES}-form"


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
        foot_class=STAYING_FOOT,
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
        rx.cond(
            VehicleFilesState.replaced,
            rx.el.div(
                rx.el.h2("Replaced by renewed ones", class_name=BLOCK_TITLE),
                rx.el.ul(rx.foreach(VehicleFilesState.replaced, _replaced), class_name="mt-2 list-none p-0"),
            ),
        ),
        state=VehicleFilesState,
        form_id=_FILES_FORM,
        label="Documents & Photos",
        submit_label="Save Files",
        busy_label="Updating...",
        cancels=True,
        class_name="flex flex-col gap-6",
        foot_class=STAYING_FOOT,
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


def _replaced(file: rx.Var[FileView]) -> rx.Component:
    look = "fleet-link inline-flex cursor-pointer items-center font-medium text-(--accent-11) underline"
    name = f"{file.group}-{file.id}"
    return rx.el.li(download(f"{file.group}, file {file.id}", url=file.url, save_as=name, class_name=look), key=file.id)


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
