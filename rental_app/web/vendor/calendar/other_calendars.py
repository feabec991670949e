"""Calendars for other programs and of other platforms: a part of the calendar's page."""

import reflex as rx

from rental_app.web.parts.button import button, submit
from rental_app.web.parts.dialogs import question
from rental_app.web.parts.field import field
from rental_app.web.parts.notice import once_loaded
from rental_app.web.parts.theme import BLOCK_TITLE, FIELD, LIST, MUTED, PANEL, SKELETON
from rental_app.web.react.browser_draft import drafted
from rental_app.web.vendor.calendar.other_calendars_presenter import ALL, FeedRow, ImportRow
from rental_app.web.vendor.calendar.other_calendars_state import REMOVE, REVOKE, URL, VEHICLE
from rental_app.web.vendor.calendar.other_calendars_state import OtherCalendarsState as State

_ROWS = f"mt-3 {LIST}"
_FORM = "mt-4 flex flex-col gap-3 md:flex-row md:items-start"
_SEND = "shrink-0 md:mt-6"
_PART = "text-base font-semibold text-(--ink)"


def other_calendars() -> rx.Component:
    """What others may read, and what is read from others."""
    return rx.el.section(
        rx.el.h2("Other calendars", class_name=BLOCK_TITLE, id="other-calendars", tab_index=-1),
        once_loaded(
            State.loaded,
            rx.el.div(_feeds(), _imports(), class_name="mt-4 grid gap-8 xl:grid-cols-2"),
            State,
            "Other calendars",
            rx.el.div(class_name=f"{SKELETON} mt-4 h-40"),
        ),
        question(
            REVOKE,
            "Revoke this address?",
            f"{State.asked_about}: programs that read the calendar there will no longer get it.",
            about=State.asked_about != "",
            yes="Revoke",
            no="Keep it",
            on_yes=State.revoke,
            focus_back="other-calendars",
        ),
        question(
            REMOVE,
            "Stop reading this calendar?",
            f"{State.asked_about}: what it blocks is free again at once.",
            about=State.asked_about != "",
            yes="Stop reading",
            no="Keep it",
            on_yes=State.remove,
            focus_back="other-calendars",
        ),
        # Unlike the page's events this is for vendors alone, like the section it belongs to.
        on_mount=State.load,
        class_name=f"{PANEL} mt-5 p-4 sm:p-6",
        custom_attrs={"aria-label": "Other calendars"},
    )


def _feeds() -> rx.Component:
    return rx.el.div(
        rx.el.h3("Your calendar elsewhere", class_name=_PART),
        rx.el.p(
            "An address for your phone's calendar or for another platform. Anyone who has it sees when a vehicle is"
            " taken, but not by whom.",
            class_name=f"{MUTED} mt-1 text-sm",
        ),
        rx.el.ul(rx.foreach(State.feeds, _feed), class_name=_ROWS),
        rx.el.form(
            field(
                "Calendar of",
                "vehicle",
                rx.el.option(ALL, value=""),
                *_choices(),
                control=rx.el.select,
                id="feed-vehicle",
                box="min-w-0 flex-1",
            ),
            submit("Make an address", extra=_SEND),
            on_submit=State.give,
            class_name=_FORM,
            custom_attrs={"aria-label": "Make an address"},
        ),
        rx.cond(State.new_address, _new_address()),
        class_name="min-w-0",
    )


def _new_address() -> rx.Component:
    """An address that was just made, which is shown only once."""
    return rx.el.div(
        rx.el.p(
            f"{State.address_of}: keep this address to yourself. It is shown only once; one made before for the same"
            " calendar no longer works.",
            role="status",
            class_name="text-sm",
        ),
        rx.el.div(
            rx.el.input(
                value=State.new_address,
                read_only=True,
                class_name=f"{FIELD} min-w-0 flex-1",
                custom_attrs={"aria-label": "Address of the calendar"},
            ),
            button(rx.icon("copy", size=16), "Copy", extra="shrink-0", on_click=rx.set_clipboard(State.new_address)),
            class_name="mt-2 flex gap-2",
        ),
        class_name="mt-4 rounded-xl bg-(--accent-a3) p-3",
    )


def _choices() -> list[rx.Component]:
    return [rx.foreach(State.vehicles, lambda choice: rx.el.option(choice.label, value=choice.value))]


def _feed(row: rx.Var[FeedRow]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(row.name, class_name="font-medium wrap-anywhere"),
            rx.el.p(row.since, class_name=f"{MUTED} text-sm"),
            class_name="min-w-0 flex-1",
        ),
        _button("Revoke", f"Revoke the address: {row.name}", State.ask_revoke(row.vehicle)),
        class_name="flex items-center gap-3 py-3",
        key=row.vehicle,
    )


def _button(text: str, label: rx.Var[str] | str, event: rx.event.EventType[()]) -> rx.Component:
    return button(text, extra="shrink-0", on_click=event, label=label)


def _imports() -> rx.Component:
    return rx.el.div(
        rx.el.h3("Calendars read here", class_name=_PART),
        rx.el.p(
            "Bookings on another platform block the vehicle here. Each calendar is read every half hour.",
            class_name=f"{MUTED} mt-1 text-sm",
        ),
        rx.el.ul(rx.foreach(State.imports, _import), class_name=_ROWS),
        rx.cond(
            State.vehicles,
            _import_form(),
            rx.el.p("You can add calendars as soon as you have listed a vehicle.", class_name="mt-4 text-sm"),
        ),
        class_name="min-w-0",
    )


def _import_form() -> rx.Component:
    return rx.el.form(
        # Addresses are long: their field shares its line only with the button.
        field(
            "Vehicle",
            "vehicle",
            *_choices(),
            control=rx.el.select,
            id=VEHICLE,
            error=State.errors["vehicle"],
            box="min-w-0 md:basis-full",
        ),
        field(
            "Address of its calendar there",
            "url",
            id=URL,
            type="url",
            placeholder="https://",
            auto_complete="off",
            error=State.errors["url"],
            box="min-w-0 flex-1",
        ),
        submit("Read it", extra=_SEND),
        on_submit=State.add,
        no_validate=True,
        class_name=f"{_FORM} md:flex-wrap",
        custom_attrs=drafted("calendar-import") | {"aria-label": "Read a calendar"},
    )


def _import(row: rx.Var[ImportRow]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.p(f"{row.host}, {row.vehicle}", class_name="font-medium wrap-anywhere"),
            rx.el.p(row.url, class_name=f"{MUTED} truncate text-sm", title=row.url),
            rx.el.p(row.read, class_name=f"{MUTED} text-sm"),
            rx.cond(row.error, rx.el.p(row.error, class_name="text-sm text-(--red-11) wrap-anywhere")),
            rx.cond(
                # The entries that could not be read, as the other platform wrote them.
                row.unread,
                rx.el.ul(
                    rx.foreach(row.unread, lambda text: rx.el.li(text, class_name="wrap-anywhere")),
                    class_name=f"{MUTED} mt-1 list-disc pl-5 text-sm",
                ),
            ),
            rx.cond(row.clashes, rx.el.p(row.clashes, class_name="text-sm text-(--red-11)")),
            class_name="min-w-0 flex-1",
        ),
        _button("Stop", f"Stop reading {row.host}, {row.vehicle}", State.ask_remove(row.id)),
        class_name="flex items-center gap-3 py-3",
        key=row.id,
    )
