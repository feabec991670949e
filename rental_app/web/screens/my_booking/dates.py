"""A booking's dates, on its page, and other ones for it: the price is shown before anything is pressed."""

from typing import Any

import reflex as rx

from rental_app.domain.clock import HORIZON
from rental_app.web.parts.block import in_row
from rental_app.web.parts.button import button, submit
from rental_app.web.parts.presenters.bookings import FreeDates
from rental_app.web.parts.theme import BUTTON, MUTED
from rental_app.web.parts.window_pickers.pickers import open_hours, window_pickers
from rental_app.web.react.browser_draft import browser_draft
from rental_app.web.react.date_time_picker import date_time_picker
from rental_app.web.react.modal import opens
from rental_app.web.screens.my_booking.dates_state import (
    CHANGE,
    CHANGE_FORM,
    CHANGING,
    EXTEND,
    EXTEND_FORM,
    EXTENDING,
    ChangeDatesState,
    ExtendState,
)
from rental_app.web.screens.my_booking.state import CANCELLING, MyBookingState
from rental_app.web.session.events import copy, open_dialog

_TRIP = MyBookingState.trip
_FACTS = _TRIP.facts
_TIMES = _TRIP.times
# What is cancelled: before the vendor has answered, nobody speaks of a booking.
CALLED = rx.cond(_TRIP.is_request, "request", "booking")
_FORM = "mt-4 flex flex-col gap-4 border-t border-(--line) pt-4"
# Red words, never a filled button.
_CANCEL = (
    "min-h-11 cursor-pointer rounded-xl bg-transparent px-4 font-semibold text-(--red-11) hover:bg-(--red-a3)"
    " max-lg:order-first max-lg:-ml-4"
)
# On a phone the actions of the stage stay at the foot of the screen (site.css keeps room for them).
_BAR = (
    "booking-bar mt-4 flex flex-wrap gap-3 max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-20 max-lg:mt-0"
    " max-lg:justify-between max-lg:border-t max-lg:border-(--line) max-lg:bg-(--surface) max-lg:px-4 max-lg:py-3"
    " sm:max-lg:px-6 print:hidden"
)
_WIDE = "max-lg:min-h-12 max-lg:flex-1 max-w-80"
_AMBER = "rounded-xl bg-(--amber-a3) p-3 text-sm text-(--amber-12)"


def dates() -> rx.Component:
    """When the booking begins and ends, what is due then, and what can be changed about that."""
    return rx.el.section(
        rx.el.h2("Your dates", class_name="sr-only"),
        rx.el.ul(
            _row("calendar-days", rx.el.span(_TRIP.window, class_name="font-semibold text-balance")),
            rx.cond(_TRIP.where, _row("map-pin", rx.el.span(_TRIP.where, class_name="wrap-anywhere"))),
            _row("gauge", rx.el.span(_TRIP.kms, rx.cond(_TRIP.kms == "Unlimited", " km", " included"))),
            rx.cond(_TRIP.due, _row("wallet", rx.el.span("Due at pickup: ", rx.el.strong(_TRIP.due)))),
            _row("hash", _reference()),
            class_name="flex list-none flex-col gap-2 p-0",
        ),
        rx.cond(_TRIP.too_late, rx.el.p(f"{_TRIP.too_late}.", class_name=f"{_AMBER} mt-4")),
        rx.cond(_TRIP.may_extend | _TRIP.may_cancel, _actions(), rx.cond(_TRIP.may_book_again, _again())),
        rx.cond(_TRIP.request.bool() & ChangeDatesState.changes, _change_form()),
        rx.cond(_TRIP.may_extend & ExtendState.extends, _extend_form()),
    )


def _row(icon: str, *content: rx.Component) -> rx.Component:
    return rx.el.li(
        rx.icon(icon, size=20, class_name="mt-0.5 shrink-0 text-(--accent-11)"), *content, class_name="flex gap-3"
    )


def _reference() -> rx.Component:
    """The reference with its button, which goes below where the widest reference leaves no room beside it."""
    copying = button(
        "Copy",
        rx.el.span(" the reference", class_name="sr-only"),
        on_click=copy(_FACTS.reference),
        class_name="-my-2 ml-auto min-h-10 cursor-pointer px-1 font-medium text-(--accent-11) underline",
    )
    name = rx.el.span("Booking ", rx.el.strong(_FACTS.reference, class_name="tabular-nums"))
    return rx.el.div(name, copying, class_name="flex min-w-0 flex-1 flex-wrap gap-x-3")


def restored_forms() -> rx.Component:
    """Placed outside of what disappears when the server loses the booking; restores its forms."""
    change, extend = ChangeDatesState, ExtendState
    return rx.fragment(
        browser_draft(CHANGE_FORM, _TRIP.request.bool() & change.changes, change.regain_change),
        browser_draft(EXTEND_FORM, _TRIP.may_extend & extend.extends, extend.regain_extension),
    )


def _again() -> rx.Component:
    return rx.el.div(
        rx.el.a("Book again", href=_FACTS.vehicle_url, class_name=f"{BUTTON['primary']} grow"), class_name=_BAR
    )


def _actions() -> rx.Component:
    return rx.el.div(
        rx.cond(
            _TRIP.request,
            _action("Change dates", CHANGE, ChangeDatesState.open_change, ChangeDatesState.changes),
        ),
        rx.cond(
            _TRIP.may_extend,
            rx.fragment(
                rx.cond(
                    _TRIP.on_road,
                    rx.el.p(
                        "Need it longer?",
                        rx.cond(
                            _TRIP.on_road.one_day.bool() & ~ExtendState.extends,
                            rx.el.span(
                                f"One more day +{_TRIP.on_road.one_day}",
                                class_name=f"{MUTED} block text-sm font-normal",
                            ),
                        ),
                        class_name="flex-1 self-center font-semibold lg:hidden",
                    ),
                ),
                _action(
                    # Once a later return has its price, the bar sends it.
                    rx.cond(
                        ExtendState.extends & ExtendState.extension.bool(),
                        f"Extend - {ExtendState.extension.extra}",
                        "Extend",
                    ),
                    EXTEND,
                    ExtendState.open_extension,
                    ExtendState.extends,
                    rx.cond(_TRIP.on_road.bool() & ~ExtendState.extends, BUTTON["primary"], BUTTON["quiet"]),
                ),
            ),
        ),
        rx.cond(
            _TRIP.may_cancel,
            button("Cancel ", CALLED, class_name=_CANCEL, custom_attrs=opens(CANCELLING)),
        ),
        class_name=_BAR,
    )


def _action(
    label: rx.Var[str] | str,
    name: str,
    on_click: rx.event.EventType[()],
    is_open: rx.Var[bool],
    look: rx.Var[str] | str = BUTTON["quiet"],
) -> rx.Component:
    shows = {"aria-expanded": rx.cond(is_open, "true", "false")}
    return button(label, id=name, on_click=on_click, class_name=f"{look} {_WIDE}", custom_attrs=shows)


def _change_form() -> rx.Component:
    """Other dates for a request, and what they cost."""
    state = ChangeDatesState
    return _form(
        CHANGE_FORM,
        "Other dates",
        rx.cond(state.price, open_dialog(CHANGING), rx.noop()),
        rx.el.div(
            *window_pickers(state, _TIMES, "change", "New pickup", "New return"),
            class_name="grid gap-4 sm:grid-cols-2",
        ),
        rx.el.div(_new_price(), role="status", class_name="min-h-16"),
        _buttons(state.price, "Move to these dates", state.leave_change),
    )


def _form(form_id: str, title: str, on_submit: Any, *content: rx.Component) -> rx.Component:
    """A form that asks for confirmation when it is sent; typed text that was refused gets the focus instead."""
    return rx.el.form(
        rx.el.h3(title, class_name="font-semibold"),
        rx.el.input(type="hidden", name="ref", default_value=_FACTS.reference),
        *content,
        id=form_id,
        on_submit=on_submit,
        class_name=_FORM,
        custom_attrs={"aria-label": title},
    )


def _new_price() -> rx.Component:
    state = ChangeDatesState
    return rx.fragment(
        rx.cond(state.refusal, _refusal(state.refusal, state.price, state.price_again)),
        rx.cond(
            state.price,
            rx.fragment(
                rx.el.dl(
                    rx.foreach(state.price.lines, in_row),
                    _amount("New total", state.price.total),
                    _amount("Security deposit, at pickup", state.price.deposit),
                ),
                rx.el.p("A request: ", state.price.answer, class_name=f"{MUTED} mt-1 text-sm"),
            ),
            rx.cond(state.refusal, rx.fragment(), rx.el.p("Choose other dates to see their price.", class_name=MUTED)),
        ),
        rx.cond(state.nearest, rx.el.p("Free dates nearby:", class_name="mt-3 text-sm font-semibold")),
        rx.foreach(state.nearest, _free),
    )


def _free(window: rx.Var[FreeDates]) -> rx.Component:
    return button(
        window.text, extra="mt-2 w-full text-sm", on_click=ChangeDatesState.take_window(window.pickup, window.return_at)
    )


def _extend_form() -> rx.Component:
    """A later return, and what it costs on top."""
    state = ExtendState
    return _form(
        EXTEND_FORM,
        "A later return",
        rx.cond(state.extension, open_dialog(EXTENDING), rx.noop()),
        date_time_picker(
            id="later-return",
            name="returnDate",
            label="New return",
            value=state.later,
            on_change=state.choose_later,
            hour=_TIMES.return_at[11:],
            busy=state.unavailable_later,
            not_before=_TIMES.earliest,
            days_ahead=HORIZON.days,
            **open_hours(_TIMES),
        ),
        rx.el.div(
            rx.cond(
                state.extension_refusal,
                _refusal(state.extension_refusal, state.extension, state.price_extension_again),
            ),
            rx.cond(
                state.extension,
                rx.el.dl(
                    _amount("Extra", state.extension.extra),
                    _amount("New total", state.extension.total),
                    _amount("Kilometres included", state.extension.kms),
                ),
                rx.cond(
                    state.extension_refusal,
                    rx.fragment(),
                    rx.el.p("Choose a later return to see what it costs.", class_name=MUTED),
                ),
            ),
            role="status",
            class_name="min-h-16",
        ),
        _buttons(state.extension, "Extend to this return", state.leave_extension),
    )


def _refusal(text: rx.Var[str], price: Any, again: Any) -> rx.Component:
    """Why there is no price, or why it has changed."""
    retry = button("Try again", on_click=again)
    return rx.el.div(
        rx.el.p(text, class_name="min-w-0 flex-1"),
        rx.cond(price, rx.fragment(), retry),
        class_name="mb-2 flex flex-wrap items-center gap-3 rounded-xl bg-(--amber-a3) p-3 text-sm text-(--amber-12)",
    )


def _amount(label: str, value: rx.Var[str]) -> rx.Component:
    return rx.el.div(
        rx.el.dt(label),
        rx.el.dd(value, class_name="text-xl font-bold"),
        class_name="flex items-baseline justify-between gap-4 border-t border-(--line) py-2 first:border-t-0",
    )


def _buttons(price: Any, label: str, leave: Any) -> rx.Component:
    """A button that leaves things as they are and, once there is a price, one that asks for confirmation."""
    asks = submit(label, disabled=MyBookingState.busy)
    return rx.el.div(
        button("Never mind", on_click=leave),
        rx.cond(price, asks),
        class_name="flex flex-wrap justify-end gap-3",
    )
