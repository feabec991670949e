"""The vendor's page Calendar."""

import reflex as rx

from rental_app.schemas.calendars import MAX_BUFFER_HOURS, REASONS
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import alert_line, answers, form_dialog, question
from rental_app.web.parts.field import field
from rental_app.web.parts.links import bookings_in_the_way, link_button
from rental_app.web.parts.notice import notice, refreshable, skeleton
from rental_app.web.parts.theme import BUTTON, FIELD, LINK, MUTED, PANEL, SECTION_TITLE
from rental_app.web.react.heartbeat import SLOW_SECONDS, heartbeat
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.calendar.grid import calendar_grid, vehicle_month
from rental_app.web.vendor.calendar.other_calendars import other_calendars
from rental_app.web.vendor.calendar.presenter import ALL, KINDS, SPANS, CalendarPage
from rental_app.web.vendor.calendar.state import BLOCK, UNBLOCK
from rental_app.web.vendor.calendar.state import CalendarState as State

_LEGEND = {
    "clash": "bg-(--red-9)",
    "booking": "bg-(--accent-9)",
    "hold": "bg-(--amber-9)",
    "block": "bg-(--gray-9)",
    "buffer": "bg-(--gray-5)",
}


def calendar() -> rx.Component:
    """Vehicles down, days across; on a phone one vehicle's month."""
    return vendor_layout(
        "Calendar",
        rx.el.p(
            "Press a free day, or draw over several, to block them; press a booking to open it.",
            class_name=f"{MUTED} -mt-3 mb-5",
        ),
        heartbeat(State.refresh, SLOW_SECONDS),
        *refreshable(State.page, _content(State.page), State, "Your calendar", skeleton("h-120")),
        # By then, everything above them has its final height.
        rx.cond(SessionState.is_vendor & State.page, other_calendars()),
        question(
            UNBLOCK,
            "Unblock these days?",
            f"{State.asked_about}. The vehicle can be booked again at once.",
            about=State.asked_about != "",
            yes="Unblock",
            no="Keep it",
            on_yes=State.unblock,
            focus_back="block",
        ),
        waiting=skeleton("h-120"),
        dialog=_block_dialog(State.page),
    )


def _content(page: rx.Var[CalendarPage]) -> rx.Component:
    return rx.cond(
        page.chosen,
        rx.fragment(
            _toolbar(page),
            rx.el.ul(
                *[
                    rx.el.li(
                        rx.el.span(
                            class_name=f"size-3 rounded-full {_LEGEND[kind]}", custom_attrs={"aria-hidden": "true"}
                        ),
                        label,
                        class_name="flex items-center gap-1.5",
                    )
                    for kind, label in KINDS.items()
                ],
                class_name=f"{MUTED} mb-3 flex list-none flex-wrap gap-x-4 gap-y-1 p-0 text-sm",
                custom_attrs={"aria-label": "Colours"},
            ),
            rx.el.div(calendar_grid(page), class_name=f"{PANEL} overflow-x-auto max-md:hidden"),
            rx.el.div(vehicle_month(page), class_name="md:hidden"),
            rx.cond(
                page.more > 0,
                rx.el.div(
                    button("Show more vehicles", on_click=State.show_more),
                    class_name="mt-5 text-center max-md:hidden",
                ),
            ),
        ),
        notice(
            "No vehicles yet",
            "Your calendar fills as soon as you have listed one.",
            rx.cond(SessionState.is_vendor, link_button("Add Vehicle", "/vendor/add-vehicle")),
        ),
    )


def _toolbar(page: rx.Var[CalendarPage]) -> rx.Component:
    return rx.el.div(
        rx.el.h2(
            page.title, class_name=f"{SECTION_TITLE} col-span-full xl:mr-auto", custom_attrs={"aria-live": "polite"}
        ),
        rx.el.div(
            _button("Earlier", State.go_back),
            _button("Today", State.go_to_today),
            _button("Later", State.go_on),
            class_name="col-span-full flex flex-wrap gap-2",
        ),
        field(
            "Show",
            "span",
            *[rx.el.option(label, value=days) for days, label in SPANS.items()],
            control=rx.el.select,
            value=State.span,
            on_change=State.choose_span,
        ),
        rx.cond(
            SessionState.is_vendor,
            field(
                "Free between trips",
                "buffer",
                *[rx.el.option(f"{hours} h", value=str(hours)) for hours in range(MAX_BUFFER_HOURS + 1)],
                control=rx.el.select,
                value=page.buffer,
                on_change=State.set_buffer,
            ),
        ),
        rx.el.a(
            rx.icon("calendar-plus", size=16),
            "New booking",
            href="/vendor/new-booking",
            class_name=f"{BUTTON['quiet']} col-span-full",
        ),
        button(
            rx.icon("lock", size=16),
            "Block dates",
            variant="primary",
            extra="col-span-full",
            on_click=State.ask_block(State.chosen, "", ""),
            id="block",
        ),
        class_name="mb-4 grid grid-cols-2 items-end gap-3 max-[17.5rem]:grid-cols-1 sm:flex sm:flex-wrap",
    )


def _button(text: str, handler: rx.EventHandler) -> rx.Component:
    return button(text, extra="px-4", on_click=handler)


def _block_dialog(page: rx.Var[CalendarPage]) -> rx.Component:
    return form_dialog(
        field(
            "Vehicle",
            "vehicle",
            rx.foreach(page.choices, lambda choice: rx.el.option(choice.label, value=choice.value)),
            rx.el.option("All vehicles", value=ALL),
            control=rx.el.select,
            id="block-vehicle",
            default_value=f"{State.asked_vehicle}",
        ),
        rx.el.div(
            _day("First day", "from", State.asked_first),
            _day("Last day", "to", State.asked_last),
            _hour("From", "fromHour", "Start of the day"),
            _hour("Until", "toHour", "End of the day"),
            class_name="grid gap-4 sm:grid-cols-2",
        ),
        field(
            "Reason",
            "reason",
            *[rx.el.option(reason.capitalize(), value=reason) for reason in REASONS],
            control=rx.el.select,
            id="block-reason",
        ),
        field("Note, for your team", "note", id="block-note", max_length=MAX_TEXT, auto_complete="off"),
        alert_line(State.refusal, "text-sm"),
        bookings_in_the_way(State.in_the_way),
        rx.el.a(
            "Book it for a customer instead",
            href=f"/vendor/new-booking?vehicle={State.asked_vehicle}&day={State.asked_first}",
            class_name=f"{LINK} w-fit",
        ),
        answers("Not now", submit("Block these days")),
        name=BLOCK,
        title="Block dates",
        label="Block dates",
        description="Nobody can book the vehicle then. Bookings that stand are not touched.",
        form_id=f"{BLOCK}-form",
        no_validate=False,
        # Its vehicles come from the page.
        subject=rx.cond(page, State.asked_vehicle, 0),
        regain=State.ask_again,
        waiting="h-80",
        max_width="30rem",
        focus_back="block",
        on_submit=State.block,
        look="flex flex-col gap-4",
    )


def _hour(label: str, name: str, whole: str) -> rx.Component:
    hours = [f"{hour:02}:{minute:02}" for hour in range(24) for minute in (0, 30)]
    return field(
        label,
        name,
        rx.el.option(whole, value=""),
        *[rx.el.option(hour, value=hour) for hour in hours],
        control=rx.el.select,
        id=f"block-{name}",
    )


def _day(label: str, name: str, value: rx.Var[str]) -> rx.Component:
    return field(
        label,
        name,
        id=f"block-{name}",
        type="date",
        default_value=value,
        required=True,
        class_name=FIELD,
    )
