"""The vendor's page Calendar."""

from datetime import time

import reflex as rx

from rental_app.domain import clock
from rental_app.schemas.calendars import BLOCK_REASONS, MAX_BUFFER_HOURS
from rental_app.schemas.wire import MAX_TEXT
from rental_app.web.frame.vendor import vendor_layout
from rental_app.web.parts.badges import plate
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import alert_line, answers, form_dialog, question
from rental_app.web.parts.field import field
from rental_app.web.parts.links import bookings_in_the_way, link_button
from rental_app.web.parts.notice import notice, refreshable, skeleton
from rental_app.web.parts.theme import BLOCK_TITLE, BUTTON, FIELD, LABEL, LIST, MUTED, PANEL, STAGE
from rental_app.web.react.by_width import narrow_only, wide_only
from rental_app.web.react.date_time_picker import day_input
from rental_app.web.react.day_board import day_board
from rental_app.web.react.drawn_days import drawn_days, row_search
from rental_app.web.react.heartbeat import SLOW_SECONDS, heartbeat
from rental_app.web.react.shortcuts import on_key, shortcuts
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.calendar.other_calendars import other_calendars
from rental_app.web.vendor.calendar.presenter import (
    ALL,
    KINDS,
    SPANS,
    CalendarBar,
    CalendarPage,
    CalendarRow,
    DayHead,
    MonthDay,
)
from rental_app.web.vendor.calendar.state import BLOCK, UNBLOCK, field_id
from rental_app.web.vendor.calendar.state import CalendarState as State

# Words on these are white in the dark too, where the accent is too bright for bars.
_OUT = "border border-white/20 bg-(--night) text-white"
_BOOKED = "bg-[#0f766e] text-white"
_REQUESTED = "border border-dashed border-(--marigold) bg-(--amber-a3) text-(--amber-12)"
_LEGEND = {
    "clash": "bg-(--red-9)",
    "out": _OUT,
    "booking": _BOOKED,
    "hold": _REQUESTED,
    "block": "border border-(--gray-8) bg-(--gray-5)",
    "buffer": "bg-(--gray-4)",
}


def calendar() -> rx.Component:
    """Vehicles down, days across; on a phone a day with all vehicles, or one vehicle's month."""
    return vendor_layout(
        "Calendar",
        heartbeat(State.refresh, SLOW_SECONDS),
        shortcuts(),
        *refreshable(State.page, _content(State.page), State, "Your calendar", skeleton("h-120")),
        # By then, everything above them has its final height.
        rx.cond(SessionState.can_manage & State.page, other_calendars()),
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
        act=rx.el.div(
            row_search(),
            button(
                rx.icon("lock", size=16),
                "Block dates",
                on_click=State.ask_block(State.chosen, "", ""),
                id="block",
                custom_attrs=on_key("b"),
            ),
            rx.el.a(
                rx.icon("plus", size=16),
                "New booking",
                href="/vendor/new-booking",
                class_name=BUTTON["primary"],
                custom_attrs=on_key("n"),
            ),
            class_name="flex flex-wrap items-center gap-3 max-md:hidden",
        ),
    )


def _content(page: rx.Var[CalendarPage]) -> rx.Component:
    return rx.cond(
        page.chosen,
        rx.fragment(
            wide_only(
                _toolbar(page),
                rx.el.div(calendar_grid(page), class_name=f"{PANEL} max-h-[calc(100dvh-7rem)] overflow-auto"),
                rx.cond(
                    page.more > 0,
                    rx.el.div(button("Show more vehicles", on_click=State.show_more), class_name="mt-5 text-center"),
                ),
                _keys(),
            ),
            narrow_only(
                day_board(
                    vehicle_month(page),
                    board=State.board,
                    day=State.day,
                    on_block=lambda day: State.ask_block(State.chosen, day, day),
                    on_turn=State.shift,
                ),
                _legend(),
            ),
            rx.cond(SessionState.can_manage, _buffer(page)),
        ),
        notice(
            "No vehicles yet",
            "Your calendar fills as soon as you have listed one.",
            rx.cond(SessionState.can_manage, link_button("Add Vehicle", "/vendor/add-vehicle")),
        ),
    )


def _legend() -> rx.Component:
    return rx.el.ul(
        *[
            rx.el.li(
                rx.el.span(class_name=f"h-3 w-4 rounded-sm {_LEGEND[kind]}", custom_attrs={"aria-hidden": "true"}),
                label,
                class_name="flex items-center gap-1.5",
            )
            for kind, label in KINDS.items()
        ],
        class_name=f"{MUTED} flex list-none flex-wrap gap-x-4 gap-y-1 p-0 text-sm max-md:mt-3",
        custom_attrs={"aria-label": "Colours"},
    )


def _toolbar(page: rx.Var[CalendarPage]) -> rx.Component:
    return rx.el.div(
        button(
            rx.icon("chevron-left", size=18),
            label="Earlier",
            on_click=State.shift(-1),
            class_name=f"{BUTTON['quiet']} px-3",
        ),
        button("Today", on_click=State.shift(0), extra="px-4"),
        button(
            rx.icon("chevron-right", size=18),
            label="Later",
            on_click=State.shift(1),
            class_name=f"{BUTTON['quiet']} px-3",
        ),
        rx.el.h2(page.title, class_name=f"{BLOCK_TITLE} mr-auto", custom_attrs={"aria-live": "polite"}),
        _legend(),
        rx.el.select(
            *[rx.el.option(label, value=days) for days, label in SPANS.items()],
            id="span",
            value=State.span,
            on_change=State.choose_span,
            class_name=f"{FIELD} w-auto!",
            custom_attrs={"aria-label": "Show"},
        ),
        class_name="mb-4 flex flex-wrap items-center gap-2",
    )


def _buffer(page: rx.Var[CalendarPage]) -> rx.Component:
    """The hours between two trips, below what is looked at every day."""
    return field(
        "Free between trips",
        "buffer",
        *[rx.el.option(f"{hours} h", value=str(hours)) for hours in range(MAX_BUFFER_HOURS + 1)],
        control=rx.el.select,
        value=page.buffer,
        on_change=State.set_buffer,
        box="mt-4 max-w-48",
    )


_KEY = "rounded border border-(--line) bg-(--surface) px-1.5 text-xs leading-5"
_KEYS = (("← → ↑ ↓", "move"), ("Shift", "+ arrow picks days"), ("N", "new booking"), ("B", "block"), ("Esc", "clear"))


def _keys() -> rx.Component:
    return rx.el.p(
        *[
            rx.el.span(rx.el.kbd(key, class_name=_KEY), f" {what}", class_name="whitespace-nowrap")
            for key, what in _KEYS
        ],
        class_name=f"{MUTED} mt-3 flex flex-wrap gap-x-4 gap-y-1 text-sm max-lg:hidden",
    )


def _block_dialog(page: rx.Var[CalendarPage]) -> rx.Component:
    days_drawn = State.asked_first != ""
    booking = f"/vendor/new-booking?vehicle={State.asked_vehicle}&day={State.asked_first}&until={State.asked_last}"
    return form_dialog(
        # Of days that were pressed or drawn, most are to be booked.
        rx.cond(days_drawn, rx.el.a("New booking", href=booking, class_name=BUTTON["primary"])),
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
            *[rx.el.option(reason.capitalize(), value=reason) for reason in BLOCK_REASONS],
            control=rx.el.select,
            id="block-reason",
        ),
        field(
            "Note, for your team",
            "note",
            id=field_id("note"),
            error=State.errors["note"],
            max_length=MAX_TEXT,
            auto_complete="off",
        ),
        alert_line(State.refusal, "text-sm"),
        bookings_in_the_way(State.in_the_way),
        answers(
            "Not now",
            submit("Block these days", class_name=rx.cond(days_drawn, BUTTON["quiet"], BUTTON["primary"])),
            stays=True,
        ),
        name=BLOCK,
        title=rx.cond(days_drawn, "Book or block these days", "Block dates"),
        label="Block dates",
        description="Nobody can book the vehicle on blocked days. Existing bookings are not affected.",
        form_id=f"{BLOCK}-form",
        # Its vehicles come from the page.
        subject=rx.cond(
            page.bool() & (State.asked_vehicle > 0),
            f"{State.asked_vehicle} {State.asked_first} {State.asked_last}",
            "",
        ),
        regain=State.ask_again,
        waiting="h-80",
        max_width="30rem",
        focus_back="block",
        on_submit=State.block,
        look="flex flex-col gap-4",
    )


def _hour(label: str, name: str, whole: str) -> rx.Component:
    hours = [time(hour, minute) for hour in range(24) for minute in (0, 30)]
    return field(
        label,
        name,
        rx.el.option(whole, value=""),
        *[rx.el.option(clock.hour_text(hour), value=f"{hour:%H:%M}") for hour in hours],
        control=rx.el.select,
        id=field_id(name),
    )


def _day(label: str, name: str, value: rx.Var[str]) -> rx.Component:
    return field(
        label,
        name,
        id=field_id(name),
        control=day_input(label),
        error=State.errors[name],
        default_value=value,
        required=True,
        class_name=FIELD,
    )


_NAME = "sticky left-0 z-20 w-52 shrink-0 border-r border-(--line) bg-(--surface) px-3 py-1.5"
_CELL = (
    "min-w-0 flex-1 cursor-pointer border-l border-(--line) hover:bg-(--accent-a4) focus-visible:z-1"
    " focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-(--accent-9)"
    " data-drawn:bg-(--accent-a4)"
)
# Over the days of a vehicle that cannot be booked at all.
_OFF = (
    "pointer-events-none absolute inset-x-0 inset-y-2 flex items-center px-2 text-xs font-semibold text-(--red-11)"
    " bg-[repeating-linear-gradient(135deg,var(--red-a3)_0_6px,transparent_6px_12px)]"
)
_BAR = (
    "group absolute top-2 bottom-2 z-10 flex cursor-pointer rounded-md text-xs font-semibold leading-tight no-underline"
    " hover:z-20 focus-visible:z-20"
)
# Tailwind has to find each class written out.
_BARS = {
    "clash": "absolute bottom-0 z-20 h-2 rounded-full bg-(--red-9)",
    # Cut where it went out: that is over.
    "out": f"{_BAR} rounded-l-none {_OUT}",
    "booking": f"{_BAR} {_BOOKED}",
    "hold": f"{_BAR} {_REQUESTED}",
    "block": f"{_BAR} border border-(--gray-8) bg-(--gray-5) text-(--gray-12)",
    "buffer": f"{_BAR} bg-(--gray-4) text-(--gray-12)",
}
# What fits is shown whole, what does not is not shown: a text that is too wide goes to a second line, which is out of
# sight. Where it fits it covers the initials, which take no room of their own.
_FITTING = "@container flex size-full flex-wrap overflow-hidden rounded-[inherit] bg-inherit"
_INITIALS = (
    "h-full w-0 flex-none @max-[1.375rem]:invisible before:absolute before:inset-0 before:grid"
    " before:place-items-center before:content-[attr(data-initials)/'']"
)
_WHOLE = "relative flex h-full min-w-min flex-1 basis-0 flex-wrap content-center gap-x-1 bg-inherit px-0.75"
_POINTED_AT = (
    "pointer-events-none absolute inset-y-0 hidden min-w-full items-center rounded-[inherit] bg-inherit px-0.75"
    " whitespace-nowrap shadow-md group-hover:flex group-focus-visible:flex"
)
_DAY = "flex min-h-11 cursor-pointer items-center justify-center rounded-lg text-sm font-medium"
_DAYS = {
    "clash": f"{_DAY} bg-(--refuse) text-white",
    "out": f"{_DAY} {_OUT}",
    "booking": f"{_DAY} {_BOOKED}",
    "hold": f"{_DAY} {_REQUESTED}",
    "block": f"{_DAY} bg-(--gray-5) text-(--gray-12)",
    "buffer": f"{_DAY} bg-(--gray-4)",
}
_FREE = f"{_DAY} border border-(--line) bg-(--surface) hover:bg-(--gray-a3)"


def calendar_grid(page: rx.Var[CalendarPage]) -> rx.Component:
    """One row per vehicle; each day is a cell that can be chosen, each booking a link."""
    return rx.el.div(
        drawn_days(State.ask_block),
        rx.el.div(
            rx.el.div(
                rx.el.p(page.vehicles, class_name="text-sm font-semibold"),
                rx.el.p("Free all day", class_name=f"{MUTED} text-xs"),
                role="columnheader",
                class_name=f"{_NAME} flex flex-col justify-end",
            ),
            rx.foreach(page.days, _head),
            role="row",
            class_name="sticky top-0 z-30 flex border-b border-(--line) bg-(--surface)",
        ),
        rx.foreach(page.rows, lambda row, place: _row(row, place, page.days, page.now)),
        role="grid",
        # Its own stacking context: otherwise names and bars would cover what floats above the page.
        class_name="isolate",
        # A day has room for its date and for initials, however many days there are.
        style={"min-width": f"calc(13rem + {page.days.length()} * 1.58rem)"},
        custom_attrs={"aria-label": "Vehicles by day"},
    )


def _head(day: rx.Var[DayHead]) -> rx.Component:
    look = "min-w-0 flex-1 py-1.5 text-center text-sm"
    today = (
        "mx-auto grid h-5.5 min-w-7 w-fit place-items-center rounded-full bg-(--accent-9) font-bold"
        " text-(--accent-contrast)"
    )
    return rx.el.div(
        rx.el.span(day.name, class_name=f"{MUTED} block text-xs"),
        rx.el.span(day.number, class_name=rx.cond(day.today, today, "block font-semibold")),
        rx.el.span(day.free, class_name="block text-xs font-semibold text-(--good)"),
        role="columnheader",
        class_name=rx.cond(day.closed, f"{look} bg-(--gray-a3)", look),
        custom_attrs={"aria-label": f"{day.label}, {day.free} free all day"},
    )


def _row(row: rx.Var[CalendarRow], place: rx.Var[int], days: rx.Var[list[DayHead]], now: rx.Var[str]) -> rx.Component:
    line = "pointer-events-none absolute inset-y-0 w-0.5 bg-(--marigold)"
    return rx.el.div(
        rx.el.div(
            rx.el.img(
                src=row.image,
                alt="",
                custom_attrs={"width": "640", "height": "400"},
                loading="lazy",
                class_name=f"h-9 w-12 shrink-0 rounded-md object-cover {STAGE}",
            ),
            rx.el.div(
                rx.el.p(row.title, class_name="truncate text-sm leading-tight font-semibold", title=row.title),
                rx.el.p(plate(row.rc_number), class_name="mt-0.5"),
                class_name="min-w-0",
            ),
            role="rowheader",
            class_name=f"{_NAME} flex items-center gap-2",
        ),
        rx.el.div(
            rx.foreach(
                row.cells,
                lambda state, at: button(
                    role="gridcell",
                    tab_index=rx.cond((place == 0) & (at == 0), 0, -1),
                    class_name=rx.cond(days[at].closed, f"{_CELL} bg-(--gray-a3)", f"{_CELL} bg-transparent"),
                    label=f"{row.title}, {days[at].label}, {state}",
                    custom_attrs={"data-day": days[at].iso, "data-label": days[at].short},
                ),
            ),
            rx.cond(now, rx.el.span(class_name=line, style={"left": now}, custom_attrs={"data-now": ""})),
            rx.cond(row.off, rx.el.span(row.note, class_name=_OFF)),
            rx.el.div(
                rx.foreach(row.bars, _bar),
                role="gridcell",
                class_name="pointer-events-none absolute inset-0 *:pointer-events-auto",
                custom_attrs={"aria-label": f"{row.title}: what is on"},
            ),
            class_name="relative flex min-h-14 flex-1",
            custom_attrs={
                "data-vehicle": row.id.to_string(),
                "data-title": row.title,
                "data-plate": row.rc_number,
                "data-price": row.price,
            },
        ),
        key=row.id,
        role="row",
        # Rows that are out of sight cost nothing.
        class_name=(
            "flex border-b border-(--line) last:border-0 [content-visibility:auto] [contain-intrinsic-height:3.5rem]"
        ),
        custom_attrs={"data-row-of": f"{row.title} {row.rc_number}"},
    )


def _bar(bar: rx.Var[CalendarBar]) -> rx.Component:
    looks = {
        "class_name": rx.match(bar.kind, *_BARS.items(), _BAR),
        "style": {"left": bar.left, "width": bar.width},
        "custom_attrs": {"aria-label": bar.label, "title": bar.label},
    }
    return rx.cond(
        bar.block,
        button(_text(bar), on_click=State.ask_unblock(bar.block), **looks),
        rx.cond(
            bar.href,
            rx.el.a(_text(bar), href=bar.href, **looks),
            rx.el.span(_text(bar), role="img", **looks),
        ),
    )


def _text(bar: rx.Var[CalendarBar]) -> rx.Component:
    """The text of a bar as far as it fits, and the whole one while the bar is pointed at."""
    return rx.fragment(
        rx.el.span(
            rx.el.span(class_name=_INITIALS, custom_attrs={"data-initials": bar.initials}),
            rx.el.span(
                rx.foreach(bar.lines, lambda line: rx.el.span(line, class_name="whitespace-nowrap")),
                class_name=_WHOLE,
            ),
            class_name=_FITTING,
        ),
        rx.el.span(bar.text, class_name=rx.cond(bar.grows_left, f"{_POINTED_AT} right-0", f"{_POINTED_AT} left-0")),
    )


def vehicle_month(page: rx.Var[CalendarPage]) -> rx.Component:
    """One vehicle's days, and below them what they contain."""
    return rx.el.div(
        rx.el.label("Vehicle", html_for="calendar-vehicle", class_name=LABEL),
        rx.el.select(
            rx.foreach(page.choices, lambda choice: rx.el.option(choice.label, value=choice.value)),
            id="calendar-vehicle",
            value=State.chosen,
            on_change=State.choose_vehicle,
            class_name=f"{FIELD} mb-4",
        ),
        rx.el.div(
            *[
                rx.el.span(day, class_name=f"{MUTED} text-center text-xs")
                for day in ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su")
            ],
            class_name="mb-1 grid grid-cols-7 gap-1",
            custom_attrs={"aria-hidden": "true"},
        ),
        rx.el.div(rx.foreach(page.month, _month_day), class_name="grid grid-cols-7 gap-1"),
        rx.el.ul(
            rx.foreach(page.chosen.bars, lambda bar: rx.el.li(_line(bar), class_name="py-3")),
            class_name=f"mt-4 {LIST}",
        ),
        class_name=f"{PANEL} p-4",
    )


def _month_day(day: rx.Var[MonthDay]) -> rx.Component:
    return rx.cond(
        day.iso,
        button(
            day.number,
            disabled=day.kind != "",
            on_click=State.ask_block(State.chosen, day.iso, day.iso),
            class_name=rx.match(day.kind, *_DAYS.items(), _FREE),
            label=day.label,
        ),
        rx.el.span(),
    )


def _line(bar: rx.Var[CalendarBar]) -> rx.Component:
    return rx.cond(
        bar.block,
        rx.el.div(
            rx.el.span(bar.label, class_name="min-w-0 flex-1 text-sm wrap-anywhere"),
            button(
                "Unblock",
                on_click=State.ask_unblock(bar.block),
                class_name="min-h-(--press) cursor-pointer font-semibold text-(--accent-11) underline",
            ),
            class_name="flex items-center gap-3",
        ),
        rx.cond(
            bar.href,
            rx.el.a(
                bar.label,
                href=bar.href,
                class_name="inline-flex min-h-(--press) items-center text-sm wrap-anywhere text-(--accent-11)"
                " underline",
            ),
            rx.el.span(bar.label, class_name="text-sm wrap-anywhere"),
        ),
    )
