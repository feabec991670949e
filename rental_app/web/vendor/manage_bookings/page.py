"""The vendor's page Manage Bookings."""

import reflex as rx

from rental_app.domain.bookings import BookingStatus
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.badges import plate, status_badge
from rental_app.web.parts.button import button
from rental_app.web.parts.dialogs import asking
from rental_app.web.parts.field import field, typed_input
from rental_app.web.parts.links import call_link, link_button
from rental_app.web.parts.notice import notice, out_of_date
from rental_app.web.parts.table import bare_cell, cell, row, table
from rental_app.web.parts.theme import BUTTON, MUTED, PANEL, ROW_LINK, SKELETON, STAGE
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.own_files import download
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.manage_bookings.filters_state import ORDERS, SEARCH, STATUSES
from rental_app.web.vendor.manage_bookings.presenter import BookingTableRow
from rental_app.web.vendor.manage_bookings.state import DECISION, status_id
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState as State

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
    return field(
        label,
        f"filter-{name}",
        error=State.errors[name],
        # What is not a day leaves the field, too.
        key=f"{name}-{State.times_cleared}",
        control=day_input(label),
        default_value=value,
        on_change=handler,
        box="min-w-0 sm:w-40",
    )


def _skeleton() -> rx.Component:
    return rx.el.div(
        *[rx.el.div(class_name=f"{SKELETON} h-56 lg:h-24") for _ in range(5)],
        class_name="flex flex-col gap-4 lg:gap-2",
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
                    rx.cond(SessionState.can_manage, link_button("Manage vehicles", "/vendor/manage-vehicles")),
                ),
            ),
        ),
    )


_COLUMNS = ("Car", "Date Range", "Total", "Payment", "Actions")


def booking_table() -> rx.Component:
    """One row per booking, in the chosen order."""
    rows = rx.foreach(State.rows, _row)
    bookings = table("Bookings of your vehicles", _COLUMNS, rows, id="bookings", tab_index=-1)
    return rx.el.div(bookings, class_name=f"{PANEL} overflow-x-auto")


def _row(booking: rx.Var[BookingTableRow]) -> rx.Component:
    return row(
        bare_cell(
            rx.el.div(
                rx.el.img(
                    src=booking.image,
                    alt="",
                    custom_attrs={"width": "640", "height": "400"},
                    loading="lazy",
                    class_name=(f"aspect-[8/5] h-auto w-24 shrink-0 self-start rounded-xl object-cover {STAGE}"),
                ),
                rx.el.div(
                    rx.el.a(booking.title, href=booking.href, class_name=ROW_LINK),
                    rx.el.p(plate(booking.plate)),
                    rx.el.p(booking.reference, class_name=f"{MUTED} text-sm tabular-nums"),
                    rx.el.p("Booked by ", booking.customer, class_name=f"{MUTED} text-sm wrap-anywhere"),
                    rx.cond(booking.rating, rx.el.p(booking.rating, class_name="text-sm font-medium")),
                    rx.cond(booking.phone, call_link(booking.phone, booking.customer, "text-sm")),
                    class_name="min-w-0",
                ),
                class_name="flex items-center gap-3 max-[17.5rem]:flex-wrap",
            ),
            across=True,
        ),
        cell(
            "Date Range",
            rx.el.span(
                rx.el.span(booking.first_day, " to ", class_name="block"),
                rx.el.span(booking.last_day, class_name="block"),
                rx.el.span(booking.pickup_time, " to ", booking.return_time, class_name=f"{MUTED} block text-sm"),
                class_name="lg:whitespace-nowrap",
            ),
        ),
        cell("Total", rx.el.span(booking.total, class_name="font-semibold")),
        cell("Payment", rx.el.span("offline")),
        bare_cell(rx.cond(booking.status == BookingStatus.PENDING, _decision(booking), _verdict(booking)), across=True),
        key=booking.id,
        columns="max-lg:grid-cols-[minmax(0,1fr)_auto_auto]",
    )


def _decision(booking: rx.Var[BookingTableRow]) -> rx.Component:
    return rx.el.div(
        # Not the browser's own select: its arrow keys would choose, and so ask, on the way to another option.
        rx.select.root(
            rx.select.trigger(
                id=status_id(booking.id),
                custom_attrs={"aria-label": f"Status of {booking.title}, {booking.plate} for {booking.customer}"},
                class_name="w-full min-w-34",
            ),
            rx.select.content(
                rx.select.item("Pending", value="pending"),
                rx.select.item("Cancelled", value="cancelled"),
                rx.select.item("Confirmed", value="confirmed"),
                position="popper",
            ),
            # Stays at this value until the question that a choice opens has been answered.
            value="pending",
            on_change=State.ask(booking.id),
            size="3",
        ),
        rx.el.p(
            rx.icon("clock", size=14, class_name="shrink-0"),
            rx.el.span(f"{booking.time_left} left", rx.el.span(" to answer", class_name="sr-only")),
            class_name=rx.cond(
                booking.urgent,
                "mt-1.5 flex items-center gap-1 text-sm font-semibold text-(--red-11)",
                f"{MUTED} mt-1.5 flex items-center gap-1 text-sm",
            ),
        ),
    )


def _verdict(booking: rx.Var[BookingTableRow]) -> rx.Component:
    return rx.el.div(
        status_badge(booking.status),
        rx.cond(booking.note, rx.el.p(booking.note, class_name=f"{MUTED} text-sm")),
        class_name="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 lg:block lg:space-y-1.5",
    )


def decision_dialog() -> rx.Component:
    """Asks before a decision, which is final; closing it leaves the booking pending."""
    confirming = State.asked_status == BookingStatus.CONFIRMED
    consequence = rx.cond(
        confirming,
        "The customer sees your answer, and you see their phone number.",
        "The customer sees your answer, and the vehicle is free for others again.",
    )
    return asking(
        stay="Keep it pending",
        answer=button(
            rx.cond(confirming, "Confirm booking", "Cancel request"),
            on_click=State.decide,
            disabled=State.busy | (State.asked_id == 0),
            class_name=rx.cond(confirming, BUTTON["primary"], BUTTON["refuse"]),
        ),
        name=DECISION,
        title=rx.cond(confirming, "Confirm this booking?", "Cancel this request?"),
        about=State.asked_about != "",
        description=f"{State.asked_about}. {consequence} A decision is final.",
        # Once decided, the control that opened it is gone.
        focus_back="bookings",
    )
