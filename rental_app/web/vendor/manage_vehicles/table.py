"""The table of the vendor's vehicles."""

import reflex as rx

from rental_app.web.parts.badges import plate
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.field import field
from rental_app.web.parts.table import bare_cell, cell, row, table
from rental_app.web.parts.theme import FIELD, MUTED, PANEL, STAGE
from rental_app.web.react.browser_draft import drafted
from rental_app.web.react.toggle import switch
from rental_app.web.vendor.manage_vehicles.day_price import DayPriceState, button_id
from rental_app.web.vendor.manage_vehicles.dialogs_state import EditVehicleState, VehicleFilesState
from rental_app.web.vendor.manage_vehicles.presenter import FleetLine
from rental_app.web.vendor.manage_vehicles.state import FleetState

COLUMNS = ("Vehicle", "Category", "RC Number", "Status", "Active", "Edit")
_ACTION = (
    "inline-flex min-h-10 cursor-pointer items-center justify-center gap-2 rounded-xl border border-(--gray-a7)"
    " bg-(--surface) px-4 text-sm font-semibold whitespace-nowrap text-(--ink) hover:bg-(--gray-a3)"
)


def fleet_table() -> rx.Component:
    """The vehicles shown."""
    rows = rx.foreach(FleetState.lines, _row)
    return rx.el.div(
        table("Your vehicles", COLUMNS, rows), on_mount=DayPriceState.forget, class_name=f"{PANEL} overflow-x-auto"
    )


def _row(line: rx.Var[FleetLine]) -> rx.Component:
    return row(
        bare_cell(
            rx.el.div(
                rx.el.div(
                    rx.el.img(
                        src=line.image,
                        alt="",
                        custom_attrs={"width": "96", "height": "60"},
                        loading="lazy",
                        class_name="aspect-[8/5] h-auto w-24 object-contain md:max-xl:w-20",
                    ),
                    class_name=f"shrink-0 overflow-hidden rounded-xl {STAGE}",
                ),
                rx.el.div(
                    rx.el.p(line.title, class_name="font-semibold"),
                    rx.el.p(line.details, class_name=f"{MUTED} text-sm"),
                    rx.el.p(line.location, class_name=f"{MUTED} text-sm"),
                    _price(line),
                    rx.el.p(line.earned, class_name="text-sm"),
                ),
                class_name="flex items-center gap-3 max-[17.5rem]:flex-wrap md:min-w-50",
            ),
            across=True,
        ),
        cell("Category", line.category),
        cell("RC Number", plate(line.rc_number)),
        cell("Status", _status(line)),
        cell(
            "Active",
            switch(
                vehicle=line.id,
                label=f"Active: {line.title}, {line.rc_number}",
                is_on=line.is_active,
                answered=FleetState.answered,
                on_toggle=FleetState.toggle,
            ),
        ),
        bare_cell(_actions(line), across=True),
        key=line.id,
    )


def _price(line: rx.Var[FleetLine]) -> rx.Component:
    is_open = DayPriceState.vehicle == line.id
    return rx.fragment(
        button(
            rx.cond(line.price, line.price, "Set a price"),
            rx.icon("pencil", size=14),
            id=button_id(line.id),
            on_click=DayPriceState.begin(line.id),
            class_name="inline-flex min-h-10 cursor-pointer items-center gap-1.5 text-left text-sm font-semibold"
            " whitespace-nowrap underline",
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
    return rx.el.div(
        rx.badge(
            rx.cond(line.is_available, "Available", "Unavailable"),
            color_scheme=rx.cond(line.is_available, "green", "red"),
            high_contrast=True,
            size="2",
        ),
        rx.el.span(line.now, class_name="text-sm font-semibold text-balance"),
        rx.cond(line.following, rx.el.span(line.following, class_name=f"{MUTED} text-sm")),
        rx.cond(
            line.is_off_ahead,
            button(
                "Bookings ahead",
                rx.el.span(f" of {line.title}, {line.rc_number}", class_name="sr-only"),
                on_click=FleetState.show_ahead(line.id),
                class_name="min-h-11 cursor-pointer text-sm font-medium text-(--accent-11) underline",
            ),
        ),
        rx.foreach(
            line.notes,
            lambda note: rx.el.span(
                rx.icon("triangle-alert", size=14, class_name="mt-0.5 shrink-0"),
                note,
                class_name="flex gap-1 text-sm text-(--amber-11)",
            ),
        ),
        class_name="flex flex-col items-start gap-1",
    )


def _actions(line: rx.Var[FleetLine]) -> rx.Component:
    return rx.el.div(
        button(
            rx.icon("pencil", size=16),
            "Edit",
            on_click=EditVehicleState.edit(line.id),
            class_name=_ACTION,
            id=f"edit-{line.id}",
            label=f"Edit {line.title}, {line.rc_number}",
        ),
        button(
            rx.icon("folder-open", size=16),
            "Files",
            on_click=VehicleFilesState.show(line.id),
            class_name=_ACTION,
            id=f"files-{line.id}",
            label=f"Files of {line.title}, {line.rc_number}",
        ),
        class_name="flex gap-2 max-[17.5rem]:flex-wrap md:max-xl:flex-col",
    )
