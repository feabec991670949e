"""The vendor's page Manage Bookings."""

import reflex as rx

from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.button import button
from rental_app.web.parts.field import field, typed_input
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import notice, out_of_date
from rental_app.web.parts.theme import BUTTON, MUTED, SKELETON
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.own_files import download
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.manage_bookings.filters_state import ORDERS, SEARCH, STATUSES
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState as State
from rental_app.web.vendor.manage_bookings.table import booking_table, decision_dialog

_HERE = "/vendor/manage-bookings"


def manage_bookings() -> rx.Component:
    """The bookings of the vendor's vehicles: filters, table, pages, and the decision about pending ones."""
    count = rx.match(
        State.waiting,
        (0, "No requests are waiting for your answer."),
        (1, "1 request is waiting for your answer."),
        f"{State.waiting} requests are waiting for your answer.",
    )
    return vendor_layout(
        "Manage Bookings",
        rx.el.p(
            rx.cond(State.loading | (State.problem & ~State.rows), "", count),
            role="status",
            class_name=f"{MUTED} -mt-3 mb-5 min-h-6",
        ),
        rx.cond(
            State.only_id,
            rx.el.div(
                rx.el.p("Showing one booking."),
                link_button("Show all bookings", _HERE, "quiet"),
                class_name="mb-5 flex flex-wrap items-center justify-between gap-3",
            ),
            _filters(),
        ),
        rx.cond(State.problem & State.rows, out_of_date(State.problem, State.load)),
        rx.cond(State.loading, _skeleton(), rx.cond(State.rows, _bookings(), _nothing())),
        heartbeat(State.refresh),
        waiting=_skeleton(),
        act=link_button("New booking", "/vendor/new-booking"),
        dialog=decision_dialog(),
    )


def _filters() -> rx.Component:
    return rx.el.div(
        field(
            "Search",
            SEARCH,
            control=typed_input,
            error=State.errors["q"],
            text=State.text,
            on_type=State.filter_text,
            type="search",
            placeholder="Name, phone, RC number, reference",
            box="col-span-full sm:w-80",
        ),
        field(
            "Status",
            "filter-status",
            rx.el.option("All", value=""),
            *[rx.el.option(status.capitalize(), value=status) for status in STATUSES],
            control=rx.el.select,
            value=State.status,
            on_change=State.filter_status,
            box="sm:w-36",
        ),
        field(
            "Vehicle",
            "filter-vehicle",
            rx.el.option("All vehicles", value=""),
            rx.foreach(State.vehicles, lambda choice: rx.el.option(choice.label, value=choice.value)),
            control=rx.el.select,
            value=State.vehicle,
            on_change=State.filter_vehicle,
            box="min-w-0 sm:w-56",
        ),
        rx.el.div(
            _day("From", "from", State.first_day, State.filter_from),
            _day("To", "to", State.last_day, State.filter_to),
            class_name="contents sm:flex sm:gap-3",
        ),
        field(
            "First",
            "order",
            *[rx.el.option(label, value=order) for order, label in ORDERS.items()],
            control=rx.el.select,
            value=State.order,
            on_change=State.choose_sorting,
            box="sm:w-48",
        ),
        rx.cond(
            SessionState.is_vendor,
            download(
                "Spreadsheet (CSV)",
                url=State.csv,
                save_as="bookings.csv",
                class_name=f"{BUTTON['quiet']} self-end max-sm:px-2 max-sm:text-sm",
            ),
        ),
        rx.cond(State.month, _month()),
        rx.cond(
            State.filtered,
            button("Clear filters", extra="col-span-full self-end", on_click=State.clear_filters),
        ),
        role="search",
        custom_attrs={"aria-label": "Filter bookings"},
        class_name="mb-5 grid grid-cols-2 items-start gap-3 max-[17.5rem]:grid-cols-1 sm:flex sm:flex-wrap",
    )


def _month() -> rx.Component:
    return button(
        f"Pickup in {State.month_name}",
        rx.icon("x", size=16),
        extra="self-end max-sm:col-span-full",
        on_click=State.drop_month,
        label=f"Remove the filter: pickup in {State.month_name}",
    )


def _day(label: str, name: str, value: rx.Var[str], handler: rx.EventHandler) -> rx.Component:
    # Controlling the input with the state's value would interrupt typing a year; a new key empties it instead.
    return field(
        label,
        f"filter-{name}",
        error=State.errors[name],
        key=f"{name}-{State.times_cleared}",
        type="date",
        default_value=value,
        on_change=handler.debounce(400),
        box="min-w-0 sm:w-40",
    )


def _skeleton() -> rx.Component:
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-56 md:h-24") for _ in range(5)],
        class_name="flex flex-col gap-4 md:gap-2",
        custom_attrs={"aria-hidden": "true"},
    )


def _bookings() -> rx.Component:
    return rx.fragment(
        booking_table(),
        rx.el.nav(
            rx.el.p(f"{State.first} to {State.last} of {State.total}", class_name=f"{MUTED} text-sm"),
            rx.el.div(
                _turn(rx.cond(State.order == "created", "Newer", "Previous"), State.previous_page, State.first <= 1),
                _turn(rx.cond(State.order == "created", "Older", "Next"), State.next_page, ~State.more),
                class_name="flex flex-wrap gap-3",
            ),
            custom_attrs={"aria-label": "Pages"},
            class_name="mt-5 flex flex-wrap items-center justify-between gap-3",
        ),
    )


def _turn(text: rx.Var[str], handler: rx.EventHandler, blocked: rx.Var[bool]) -> rx.Component:
    return button(text, on_click=handler, disabled=blocked)


def _nothing() -> rx.Component:
    retry = button("Try again", variant="primary", on_click=State.load)
    clear = button("Clear filters", variant="primary", on_click=State.clear_filters)
    return rx.cond(
        State.problem,
        notice("Your bookings could not be loaded", State.problem, retry),
        rx.cond(
            State.only_id,
            notice("There is no such booking", "It may belong to somebody else's vehicle."),
            rx.cond(
                State.filtered,
                notice("No bookings fit these filters", "Try another status or other dates.", clear),
                notice(
                    "No bookings yet",
                    "Requests for your vehicles appear here as soon as they are made.",
                    rx.cond(SessionState.is_vendor, link_button("Manage vehicles", "/vendor/manage-vehicles")),
                ),
            ),
        ),
    )
