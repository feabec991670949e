"""The vendor's page Manage Vehicles."""

import reflex as rx

from rental_app.domain.uploads import FILE_GROUPS
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.button import button
from rental_app.web.parts.fleet_search import fleet_search, nothing_fits
from rental_app.web.parts.links import bookings_in_the_way, link_button
from rental_app.web.parts.notice import failure, notice, out_of_date
from rental_app.web.parts.presenters.texts import fill
from rental_app.web.parts.theme import BLOCK_TITLE, FIELD, MUTED, PANEL, SKELETON
from rental_app.web.react.heartbeat import SLOW_SECONDS, heartbeat
from rental_app.web.vendor.manage_vehicles.day_price import DayPriceState
from rental_app.web.vendor.manage_vehicles.dialogs import edit_dialog, files_dialog
from rental_app.web.vendor.manage_vehicles.state import AHEAD, SEARCH, FleetState
from rental_app.web.vendor.manage_vehicles.table import fleet_table

SHOWN = {
    "all": "All vehicles",
    "available": "Available",
    "unavailable": "Unavailable",
    "active": "Active",
    "inactive": "Switched off",
    "expiring": fill("Documents expire within {warning_days} days"),
}
ORDERS = {"newest": "Newest first", "name": "Name", "rc": "RC number", "papers": "Documents that expire first"}


def manage_vehicles() -> rx.Component:
    """The fleet: search, filter, table, pages, and the two dialogs."""
    return vendor_layout(
        "Manage Vehicles",
        rx.el.p(
            "View all listed vehicles, update details, or block them from the booking platform.",
            class_name=f"{MUTED} -mt-3 mb-5",
        ),
        _toolbar(),
        rx.cond(FleetState.problem & FleetState.lines, out_of_date(FleetState.problem, FleetState.load)),
        rx.cond(
            # The bookings of a vehicle that is off: they stand until their vendor moves or cancels each.
            FleetState.ahead,
            rx.el.section(
                rx.el.h2(f"Bookings ahead of {FleetState.ahead_of}", class_name=BLOCK_TITLE, id=AHEAD, tab_index=-1),
                bookings_in_the_way(FleetState.ahead),
                class_name=f"{PANEL} mb-4 flex flex-col gap-3 p-4",
                custom_attrs={"aria-labelledby": AHEAD},
            ),
        ),
        rx.cond(
            FleetState.loading,
            _skeleton(),
            rx.cond(
                FleetState.lines,
                rx.fragment(fleet_table(), _pages()),
                rx.cond(
                    FleetState.problem,
                    failure("Your vehicles could not be loaded", FleetState.problem, FleetState.load),
                    rx.cond(
                        FleetState.size > 0,
                        nothing_fits("Try fewer words or another filter.", FleetState.clear),
                        notice(
                            "No vehicles yet",
                            "List your first vehicle: you need a file or photo of each of these: "
                            f"{', '.join(FILE_GROUPS)}.",
                            link_button("Add Vehicle", "/vendor/add-vehicle"),
                        ),
                    ),
                ),
            ),
        ),
        # A row that goes away meanwhile would take the price that is being typed into it along.
        rx.cond(DayPriceState.vehicle, rx.fragment(), heartbeat(FleetState.refresh, SLOW_SECONDS)),
        waiting=_skeleton(),
        dialog=rx.fragment(edit_dialog(), files_dialog()),
    )


def _skeleton() -> rx.Component:
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-52 sm:h-20") for _ in range(5)],
        class_name="grid gap-3",
        custom_attrs={"aria-hidden": "true"},
    )


def _toolbar() -> rx.Component:
    return rx.el.div(
        fleet_search(SEARCH, FleetState.text, FleetState.search, "col-span-full xl:col-span-1"),
        _select("Show", FleetState.shown, FleetState.choose_shown, *_options(SHOWN), wide="max-sm:col-span-full"),
        _select(
            "Vehicle type",
            FleetState.type_id,
            FleetState.choose_type,
            rx.el.option("All types", value="0"),
            rx.foreach(FleetState.types, lambda kind: rx.el.option(kind.label, value=kind.value)),
        ),
        _select("Sort by", FleetState.order, FleetState.choose_sorting, *_options(ORDERS)),
        rx.el.p(FleetState.count_line, role="status", class_name=f"{MUTED} text-sm col-span-full"),
        class_name=(
            "mb-3 grid grid-cols-2 gap-3 max-[17.5rem]:grid-cols-1 sm:grid-cols-3 xl:grid-cols-[2fr_1.3fr_1fr_1.2fr]"
        ),
        role="search",
    )


def _options(labels: dict[str, str]) -> list[rx.Component]:
    return [rx.el.option(label, value=value) for value, label in labels.items()]


def _select(
    label: str, value: rx.Var[str], on_change: rx.event.EventType[str], *options: rx.Component, wide: str = ""
) -> rx.Component:
    return rx.el.select(
        *options,
        value=value,
        on_change=on_change,
        class_name=f"{FIELD} {wide}",
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
