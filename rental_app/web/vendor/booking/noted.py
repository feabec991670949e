"""What is on record for a booking: its readings with their photos, objections, and who did what when."""

import reflex as rx

from rental_app.web.parts.block import facts_list, panel
from rental_app.web.parts.button import button
from rental_app.web.parts.presenters.texts import Link
from rental_app.web.parts.presenters.trip import Event, Objection, Reading
from rental_app.web.parts.theme import LIST, MUTED
from rental_app.web.parts.trips import objection
from rental_app.web.react.own_files import photo
from rental_app.web.vendor.booking.state import VendorTripState

_LIST = f"mt-3 {LIST}"


def noted(title: str, reading: rx.Var[Reading]) -> rx.Component:
    """A final reading."""
    return panel(
        title,
        rx.el.p(reading.at, class_name=MUTED),
        facts_list(reading.facts),
        rx.el.ul(
            rx.foreach(reading.photos, _photo),
            class_name="mt-4 grid list-none grid-cols-2 gap-3 p-0 sm:grid-cols-3",
        ),
    )


def _photo(one: rx.Var[Link]) -> rx.Component:
    return rx.el.li(photo(one.href, one.text), rx.el.p(one.text, class_name=f"{MUTED} mt-1 text-sm"), key=one.href)


def objections(items: rx.Var[list[Objection]]) -> rx.Component:
    """What the customer does not agree with."""
    return panel(
        "Objections",
        rx.el.p(
            "Ring the customer; a line that is wrong can be reversed. You can answer each one once, with photos.",
            class_name=MUTED,
        ),
        rx.el.ul(rx.foreach(items, _objection), class_name=_LIST),
    )


def _objection(one: rx.Var[Objection]) -> rx.Component:
    answer = button(
        "Answer",
        rx.el.span(f" the objection to {one.about}", class_name="sr-only"),
        extra="mt-2",
        on_click=VendorTripState.ask_answer(one.id),
    )
    return objection(one, answer)


def history(events: rx.Var[list[Event]]) -> rx.Component:
    """Who did what when, oldest first."""
    return panel(
        "History",
        rx.el.ol(rx.foreach(events, _event), class_name=_LIST),
    )


def _event(event: rx.Var[Event]) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.el.span(
                event.what,
                rx.cond(event.who, rx.el.span(", ", event.who, class_name=MUTED)),
                class_name="min-w-0 flex-[1_1_10rem] wrap-anywhere",
            ),
            rx.el.span(event.when, class_name=f"{MUTED} text-sm"),
            class_name="flex flex-wrap items-baseline gap-x-3",
        ),
        rx.cond(event.note, rx.el.p(event.note, class_name=f"{MUTED} text-sm wrap-anywhere")),
        class_name="py-2",
    )
