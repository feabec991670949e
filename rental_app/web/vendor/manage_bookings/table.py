"""The table of a vendor's bookings, and the question before a decision."""

import reflex as rx

from rental_app.domain.bookings import BookingStatus
from rental_app.web.parts.badges import status_badge
from rental_app.web.parts.button import button
from rental_app.web.parts.dialogs import asking
from rental_app.web.parts.links import call_link
from rental_app.web.parts.table import bare_cell, cell, row, table
from rental_app.web.parts.theme import BUTTON, MUTED, PANEL, ROW_LINK, STAGE
from rental_app.web.vendor.manage_bookings.presenter import BookingTableRow
from rental_app.web.vendor.manage_bookings.state import DECISION, status_id
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState as State

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
                    class_name=(
                        f"aspect-[8/5] h-auto w-24 shrink-0 self-start md:w-20 lg:w-24 rounded-xl object-cover {STAGE}"
                    ),
                ),
                rx.el.div(
                    rx.el.a(booking.title, href=booking.href, class_name=ROW_LINK),
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
                class_name="md:whitespace-nowrap",
            ),
        ),
        cell("Total", rx.el.span(booking.total, class_name="font-semibold")),
        cell("Payment", rx.el.span("offline")),
        bare_cell(rx.cond(booking.status == BookingStatus.PENDING, _decision(booking), _verdict(booking)), across=True),
        key=booking.id,
        columns="max-md:grid-cols-[minmax(0,1fr)_auto_auto]",
    )


def _decision(booking: rx.Var[BookingTableRow]) -> rx.Component:
    return rx.el.div(
        # Not the browser's own select: its arrow keys would choose, and so ask, on the way to another option.
        rx.select.root(
            rx.select.trigger(
                id=status_id(booking.id),
                custom_attrs={"aria-label": f"Status of {booking.title} for {booking.customer}"},
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
        class_name="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 md:block md:space-y-1.5",
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
