"""What a booking's page says about money, about the readings at both ends, and about everything that happened."""

import reflex as rx

from rental_app.web.parts.block import block, in_row
from rental_app.web.parts.button import button
from rental_app.web.parts.presenters.texts import Fact, Link
from rental_app.web.parts.presenters.trip import AccountLine, Event, Reading
from rental_app.web.parts.theme import MUTED, NOTE
from rental_app.web.parts.trips import account_line, reading
from rental_app.web.react.own_files import photo
from rental_app.web.screens.my_booking.state import HANDOVER, MyBookingState

_TRIP = MyBookingState.trip
_FACTS = _TRIP.facts
# Odometer, fuel and helmets: what a customer can compare with what they see.
_COMPARABLE = 3
_PHOTOS = "mt-3 grid list-none grid-cols-2 gap-3 p-0 sm:grid-cols-3"


def price() -> rx.Component:
    """What was agreed."""
    return block(
        "Price",
        rx.el.dl(
            rx.foreach(_FACTS.prices, in_row),
            _total("Total", _TRIP.total),
            _total("Security deposit", _TRIP.deposit),
        ),
    )


def _total(label: str, value: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label, class_name="font-semibold"),
        rx.el.dd(value, class_name="text-right font-bold text-balance"),
        class_name="flex justify-between gap-4 border-t border-(--line) py-2",
    )


def account() -> rx.Component:
    """Every line, and the open balances of rent and deposit."""
    return block(
        "Account",
        rx.cond(
            _FACTS.account,
            rx.el.ul(rx.foreach(_FACTS.account, _line), class_name="list-none p-0"),
            rx.el.p(
                rx.cond(
                    _TRIP.may_cancel,
                    "Nothing is charged before the vendor confirms; from then on this is due:",
                    "Nothing was charged.",
                ),
                class_name=MUTED,
            ),
        ),
        _balances("mt-2"),
    )


def _line(line: rx.Var[AccountLine]) -> rx.Component:
    objecting = button(
        "Object",
        rx.el.span(f" to {line.label}, {line.amount}", class_name="sr-only"),
        on_click=MyBookingState.ask_to_object(line.id),
        extra="mt-2 text-sm",
    )
    return account_line(line, objecting)


def handover() -> rx.Component:
    """What the vendor recorded at the handover."""
    return block("Handover", _reading(_FACTS.handover))


def task() -> rx.Component:
    """The one thing a customer is asked on the road: whether the vehicle is what the vendor recorded."""
    noted = _FACTS.handover
    return rx.el.section(
        rx.el.h2("Is this how you got it?", class_name="font-semibold text-(--ink)"),
        rx.el.dl(
            rx.foreach(noted.facts[:_COMPARABLE], _short),
            class_name="mt-1 flex flex-wrap gap-x-3 text-sm tabular-nums",
        ),
        rx.cond(
            _FACTS.may_object, rx.el.p(f"Say so by {_TRIP.asks_until} if something differs.", class_name="text-sm")
        ),
        rx.el.ul(
            rx.foreach(noted.photos, lambda each: rx.el.li(photo(each.href, each.text))),
            class_name="mt-3 grid list-none grid-cols-5 gap-2 p-0",
        ),
        _say(),
        class_name=NOTE,
    )


def _short(fact: rx.Var[Fact]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(fact.label, class_name=MUTED),
        rx.el.dd(fact.value, class_name="font-semibold"),
        class_name="flex gap-1",
    )


def money() -> rx.Component:
    """What is paid and what is held."""
    return block("Money", _balances())


def _balances(look: str | None = None) -> rx.Component:
    return rx.el.dl(_total("Rent", _FACTS.rent), _total("Deposit", _FACTS.deposit), class_name=look)


def _say() -> rx.Component:
    return rx.el.div(
        button(
            "This is correct",
            variant="primary",
            extra="max-sm:px-4",
            on_click=MyBookingState.acknowledge,
            disabled=MyBookingState.busy,
        ),
        rx.cond(
            _FACTS.may_object,
            button("Something is wrong", extra="max-sm:px-4", on_click=MyBookingState.ask_to_object(HANDOVER)),
        ),
        class_name="mt-4 flex flex-wrap gap-3",
    )


def returned() -> rx.Component:
    """What was read when the vehicle came back."""
    return rx.cond(_FACTS.returned, block("Return", _reading(_FACTS.returned)))


def _reading(noted: rx.Var[Reading]) -> rx.Component:
    return reading(noted, rx.el.ul(rx.foreach(noted.photos, _photo), class_name=_PHOTOS))


def _photo(one: rx.Var[Link]) -> rx.Component:
    return rx.el.li(
        photo(one.href, one.text),
        rx.el.p(one.text, class_name=f"{MUTED} mt-1 text-sm", custom_attrs={"aria-hidden": "true"}),
    )


def history() -> rx.Component:
    """Everything that happened, latest first."""
    events = rx.el.ol(rx.foreach(_FACTS.history.reverse(), _event), class_name="flex list-none flex-col gap-3 p-0")
    return block("History", events)


def _event(event: rx.Var[Event]) -> rx.Component:
    return rx.el.li(
        rx.el.p(event.what, class_name="font-medium text-(--ink)"),
        rx.el.p(event.when, class_name="text-sm"),
        rx.cond(event.note, rx.el.p(event.note, class_name="text-sm")),
    )
