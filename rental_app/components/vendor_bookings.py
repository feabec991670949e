"""The table of a vendor's bookings: cards on a phone, and the last word before a decision."""

import reflex as rx

from rental_app.components.modal import CLOSES, modal
from rental_app.components.status_badge import status_badge
from rental_app.components.theme import BUTTON, MUTED, PANEL, STAGE
from rental_app.states.vendor.manage_bookings import DECISION
from rental_app.states.vendor.manage_bookings import ManageBookingsState as State
from rental_app.views.vendor.bookings import BookingRow

_COLUMNS = ("Car", "Date Range", "Total", "Payment", "Actions")
_TABLE = "block w-full border-collapse md:table md:rounded-2xl md:bg-(--surface) md:outline md:outline-(--line)"
_HEAD = f"{MUTED} whitespace-nowrap px-2 py-3 lg:px-4 text-left text-sm font-medium"
_ROW = f"{PANEL} block p-4 md:table-row md:border-0 md:bg-transparent md:shadow-none md:[&>td]:border-t"
_FLAT = "border-(--line) md:table-cell md:px-2 md:py-4 md:align-middle lg:px-4"
_CELL = f"flex justify-between gap-4 py-1.5 {_FLAT}"
_CAR_CELL = f"block pb-3 {_FLAT}"
_ACTION_CELL = f"block pt-3 {_FLAT}"
_DECLINE = (
    "inline-flex min-h-10 cursor-pointer items-center justify-center rounded-full bg-(--red-9) px-5 text-base"
    " font-semibold text-white hover:bg-(--red-10) disabled:cursor-default disabled:opacity-60"
)


def booking_table() -> rx.Component:
    """One row a booking."""
    # The roles are named because a table laid out as blocks loses its own.
    return rx.el.table(
        rx.el.caption("Bookings of your vehicles, newest first", class_name="sr-only"),
        rx.el.thead(
            rx.el.tr(
                *[rx.el.th(name, scope="col", role="columnheader", class_name=_HEAD) for name in _COLUMNS], role="row"
            ),
            role="rowgroup",
            class_name="sr-only md:not-sr-only md:table-header-group",
        ),
        rx.el.tbody(
            rx.foreach(State.rows, _row),
            role="rowgroup",
            class_name="flex flex-col gap-4 md:table-row-group",
        ),
        id="bookings",
        role="table",
        tab_index=-1,
        class_name=_TABLE,
    )


def _row(row: rx.Var[BookingRow]) -> rx.Component:
    return rx.el.tr(
        rx.el.td(
            _car(row),
            role="cell",
            class_name=_CAR_CELL,
        ),
        _cell("Date Range", _dates(row)),
        _cell("Total", rx.el.span(row.total, class_name="font-semibold")),
        _cell("Payment", rx.el.span("offline")),
        rx.el.td(
            rx.cond(row.status == "pending", _decision(row), _verdict(row)),
            role="cell",
            class_name=_ACTION_CELL,
        ),
        key=row.id,
        role="row",
        class_name=_ROW,
    )


def _cell(label: str, value: rx.Component) -> rx.Component:
    name = rx.el.span(label, aria_hidden="true", class_name=f"{MUTED} text-sm whitespace-nowrap md:hidden")
    return rx.el.td(name, value, role="cell", class_name=f"{_CELL} text-right md:text-left")


def _dates(row: rx.Var[BookingRow]) -> rx.Component:
    return rx.el.span(
        rx.el.span(row.first_day, " to ", class_name="block"),
        rx.el.span(row.last_day, class_name="block"),
        class_name="whitespace-nowrap",
    )


def _car(row: rx.Var[BookingRow]) -> rx.Component:
    return rx.el.div(
        rx.el.img(
            src=row.image,
            alt="",
            custom_attrs={"width": "640", "height": "400"},
            loading="lazy",
            class_name=f"aspect-[8/5] h-auto w-24 shrink-0 md:w-20 lg:w-24 rounded-xl object-contain {STAGE}",
        ),
        rx.el.div(
            rx.el.p(row.title, class_name="font-semibold"),
            rx.el.p("Booked by ", row.customer, class_name=f"{MUTED} text-sm wrap-anywhere"),
            rx.cond(
                row.phone,
                rx.el.a(
                    rx.icon("phone", size=14),
                    row.phone,
                    href=f"tel:{row.phone}",
                    custom_attrs={"aria-label": f"Call {row.customer}, {row.phone}"},
                    class_name="inline-flex min-h-6 items-center gap-1 text-sm font-medium text-(--accent-11)",
                ),
            ),
            class_name="min-w-0",
        ),
        class_name="flex items-center gap-3",
    )


def _decision(row: rx.Var[BookingRow]) -> rx.Component:
    return rx.el.div(
        # Not the browser's own select: its arrow keys would choose, and ask, on the way to another option.
        rx.select.root(
            rx.select.trigger(
                id=f"status-{row.id}",
                custom_attrs={"aria-label": f"Status of {row.title} for {row.customer}"},
                class_name="w-full min-w-34",
            ),
            rx.select.content(
                rx.select.item("Pending", value="pending"),
                rx.select.item("Cancelled", value="cancelled"),
                rx.select.item("Confirmed", value="confirmed"),
                position="popper",
            ),
            # It stays so until the question that a choice opens has been answered.
            value="pending",
            on_change=State.ask(row.id),
            size="3",
        ),
        rx.el.p(
            rx.icon("clock", size=14, class_name="shrink-0"),
            rx.el.span(f"{row.time_left} left", rx.el.span(" to answer", class_name="sr-only")),
            class_name=rx.cond(
                row.urgent,
                "mt-1.5 flex items-center gap-1 text-sm font-semibold text-(--red-11)",
                f"{MUTED} mt-1.5 flex items-center gap-1 text-sm",
            ),
        ),
    )


def _verdict(row: rx.Var[BookingRow]) -> rx.Component:
    return rx.el.div(
        status_badge(row.status),
        rx.cond(row.note, rx.el.p(row.note, class_name=f"{MUTED} text-sm")),
        class_name="flex flex-wrap items-center justify-between gap-x-3 gap-y-1.5 md:block md:space-y-1.5",
    )


def decision_dialog() -> rx.Component:
    """Asks before a decision, which is final; leaving it leaves the booking pending."""
    confirming = State.asked_status == "confirmed"
    consequence = rx.cond(
        confirming,
        "The customer sees your answer, and you see their phone number.",
        "The customer sees your answer, and the vehicle is free for others again.",
    )
    return modal(
        rx.el.div(
            rx.el.div(
                rx.el.button("Keep it pending", type="button", class_name=f"{BUTTON['quiet']} w-full"),
                custom_attrs=CLOSES,
            ),
            rx.el.button(
                rx.cond(confirming, "Confirm booking", "Cancel request"),
                type="button",
                on_click=State.decide,
                disabled=State.busy,
                class_name=rx.cond(confirming, BUTTON["primary"], _DECLINE),
            ),
            class_name="mt-6 flex flex-col-reverse gap-3 sm:flex-row sm:justify-end",
        ),
        name=DECISION,
        title=rx.cond(confirming, "Confirm this booking?", "Cancel this request?"),
        description=f"{State.asked_about}. {consequence} A decision is final.",
        question=True,
        max_width="28rem",
        # Once decided, the choice that opened it is gone.
        focus_back="bookings",
    )
