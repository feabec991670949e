"""A guest's booking: how it stands, its account, how to reach the vendor, and its files."""

import reflex as rx

from rental_app.web.frame.plain_pages import nothing_here
from rental_app.web.frame.public import layout
from rental_app.web.parts.block import block, facts_list, in_row, numbered
from rental_app.web.parts.links import other_bookings
from rental_app.web.parts.notice import failure
from rental_app.web.parts.theme import BUTTON, CONTAINER, MUTED, NOTE, PAGE_TITLE, PANEL, SKELETON
from rental_app.web.react.here import is_here
from rental_app.web.react.server_rendered import server_rendered
from rental_app.web.screens.guest_trip.state import GuestTripState as State

_LINK = "inline-flex min-h-10 items-center font-medium text-(--accent-11) underline"


def guest_trip() -> rx.Component:
    """The booking of the link; one that is wrong or has ended is not found."""
    return layout(
        rx.el.div(
            server_rendered(
                "trip",
                (State.trip.bool() | State.missing) & is_here(State.asked_url),
                rx.cond(State.trip, _trip(), nothing_here()),
                rx.cond(State.problem, _failed(), _waiting()),
            ),
            class_name="min-h-screen",
        )
    )


def _failed() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Your booking", class_name="sr-only"),
        failure("This booking could not be loaded", State.problem, State.load),
        class_name=f"{CONTAINER} pt-8",
    )


def _waiting() -> rx.Component:
    return rx.el.div(
        rx.el.h1("Your booking", class_name="sr-only"),
        rx.el.div(class_name=f"{SKELETON} h-144"),
        class_name=f"{CONTAINER} pt-8",
    )


def _trip() -> rx.Component:
    trip = State.trip
    return rx.el.div(
        _head(),
        rx.el.div(
            rx.el.div(_price(), _account(), class_name="flex min-w-0 flex-col gap-6"),
            rx.el.div(
                _vendor(),
                _files(),
                rx.cond(trip.bring, block("Documents", _points(trip.bring))),
                rx.cond(trip.terms, block("Terms & Conditions", numbered(trip.terms))),
                block("History", rx.el.dl(rx.foreach(trip.history, in_row))),
                class_name="flex min-w-0 flex-col gap-6",
            ),
            class_name="mt-6 grid gap-6 wrap-anywhere lg:grid-cols-[minmax(0,1fr)_22rem]",
        ),
        class_name=f"{CONTAINER} pt-6",
    )


def _head() -> rx.Component:
    trip = State.trip
    return rx.el.div(
        rx.el.h1(trip.title, class_name=f"{PAGE_TITLE} wrap-anywhere"),
        rx.el.p("Booking ", rx.el.strong(trip.reference, class_name="tabular-nums")),
        rx.cond(trip.note, rx.el.p(trip.note, class_name="mt-1 font-medium")),
        rx.cond(
            trip.proposal,
            rx.el.p(f"{trip.vendor} proposes: {trip.proposal}. Tell them your answer.", class_name=f"{NOTE} mt-3"),
        ),
        facts_list(trip.facts),
        other_bookings(trip.other_bookings),
        rx.el.a("View vehicle", href=trip.vehicle, class_name=f"{_LINK} mt-2"),
        rx.el.p("Whoever has this page's address can read it: keep it to yourself.", class_name=f"{MUTED} text-sm"),
        class_name=f"{PANEL} p-4 sm:p-6",
    )


def _price() -> rx.Component:
    return block("Price", rx.el.dl(rx.foreach(State.trip.prices, in_row)))


def _account() -> rx.Component:
    trip = State.trip
    return block(
        "Account",
        rx.el.dl(rx.foreach(trip.account, in_row)),
        rx.el.p("Rent: ", rx.el.strong(trip.rent), class_name="mt-2"),
        rx.el.p("Deposit: ", rx.el.strong(trip.deposit)),
    )


def _vendor() -> rx.Component:
    trip = State.trip
    return block(
        "Your vendor",
        rx.el.p(trip.vendor, class_name="font-semibold"),
        rx.cond(trip.phone, rx.el.p(rx.el.a("Call ", trip.phone, href=trip.call, class_name=_LINK))),
        rx.cond(trip.address, rx.el.p("Meet at: ", trip.address, class_name=MUTED)),
        rx.cond(
            trip.maps,
            rx.el.a(
                "Directions (opens in a new tab)", href=trip.maps, target="_blank", rel="noopener", class_name=_LINK
            ),
        ),
    )


def _files() -> rx.Component:
    trip = State.trip
    return block(
        "To keep",
        rx.el.div(
            _file("Calendar file", trip.calendar, "booking.ics"),
            rx.cond(trip.receipt, _file("Receipt (PDF)", trip.receipt, "receipt.pdf")),
            class_name="flex flex-col gap-2",
        ),
    )


def _file(label: str, address: rx.Var[str], save_as: str) -> rx.Component:
    """A link to a file, which the browser loads itself: the app's router would look for a page there."""
    return rx.el.a(label, href=address, download=save_as, reload_document=True, class_name=BUTTON["quiet"])


def _points(points: rx.Var[list[str]]) -> rx.Component:
    return rx.el.ul(rx.foreach(points, lambda point: rx.el.li(point)), class_name="list-disc space-y-1 pl-5")
