"""A handover or a return on a page of its own, made for a phone beside the vehicle: one thing a step, no bars."""

from typing import Literal

import reflex as rx

from rental_app.web.frame.frame import content, frame, no_bar
from rental_app.web.parts.badges import plate
from rental_app.web.parts.links import link_button
from rental_app.web.parts.notice import failure, notice, out_of_date, unless_unknown
from rental_app.web.parts.theme import MUTED, SKELETON, STAGE
from rental_app.web.react.browser_draft import page_drafts
from rental_app.web.react.heartbeat import heartbeat
from rental_app.web.react.here import is_here
from rental_app.web.react.walk import walk
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.booking.presenter import VendorTrip
from rental_app.web.vendor.booking.questions import handover_question, return_question
from rental_app.web.vendor.booking.readings import steps
from rental_app.web.vendor.booking.readings_state import STEPS, ReadingState
from rental_app.web.vendor.booking.state import VendorTripState as State

_LOADS = [State.load, ReadingState.load]
_HERE = is_here(State.asked_url)
_CORNER = (
    "absolute top-2 z-1 inline-flex size-12 items-center justify-center rounded-full text-(--ink) hover:bg-(--gray-a3)"
)
_LABELS = {
    "papers": "Documents",
    "readings": "Readings",
    "photos": "Photos",
    "helmets": "Helmets",
    "money": "Money",
    "speedings": "Speeding fines",
    "damages": "Damages",
}
_LAST = {"handover": "Hand over", "return": "Check and finish"}
Kind = Literal["handover", "return"]


def handover() -> rx.Component:
    """Handing a vehicle over, in six steps."""
    return _page("handover", "Handover", handover_question())


def return_() -> rx.Component:
    """Taking it back, in six steps."""
    return _page("return", "Return", return_question())


def _page(kind: Kind, title: str, questions: rx.Component) -> rx.Component:
    shown = rx.cond(State.trip.bool() & _HERE, _trip(kind, title, State.trip), _not_there(title))
    return frame(
        page_drafts(),
        no_bar(),
        content(rx.cond(SessionState.is_staff, shown, unless_unknown(_skeleton()))),
        questions,
        heartbeat(State.refresh),
        heartbeat(ReadingState.follow),
        extra="",
    )


def _trip(kind: Kind, title: str, trip: rx.Var[VendorTrip]) -> rx.Component:
    is_due = ReadingState.shown == f"{trip.facts.reference} {kind}"
    return rx.cond(is_due, _walk(kind, title, trip), rx.cond(trip.reading == kind, _skeleton(), _not_now(title, trip)))


def _walk(kind: Kind, title: str, trip: rx.Var[VendorTrip]) -> rx.Component:
    return walk(
        rx.el.a(
            rx.icon("x", size=24),
            href=f"/vendor/bookings/{trip.facts.reference}",
            class_name=f"{_CORNER} left-2",
            custom_attrs={"aria-label": "Close, go on later"},
        ),
        rx.cond(
            trip.facts.contact.phone,
            rx.el.a(
                rx.icon("phone", size=22),
                href=f"tel:{trip.facts.contact.phone}",
                class_name=f"{_CORNER} right-2",
                custom_attrs={"aria-label": f"Call {trip.customer}"},
            ),
        ),
        rx.cond(State.problem, out_of_date(State.problem, _LOADS)),
        _vehicle(trip),
        steps(kind),
        title=title,
        steps=[{"id": step, "label": _LABELS.get(step, _LAST[kind])} for step in STEPS[kind]],
        done=ReadingState.passed,
        to=ReadingState.to,
        turn=ReadingState.turn,
        saved=ReadingState.saved,
        dark=["photos"],
    )


def _vehicle(trip: rx.Var[VendorTrip]) -> rx.Component:
    return rx.el.div(
        rx.el.img(
            src=trip.facts.image,
            alt="",
            custom_attrs={"width": "640", "height": "400"},
            class_name=f"aspect-[8/5] h-auto w-20 shrink-0 rounded-xl object-contain {STAGE}",
        ),
        rx.el.div(
            plate(trip.plate, large=True),
            rx.el.p(
                rx.el.strong(trip.facts.vehicle, class_name="text-(--ink)"),
                " · ",
                trip.customer,
                ", ",
                rx.el.span(trip.facts.reference, class_name="whitespace-nowrap"),
                class_name=f"{MUTED} mt-1 text-[13px] wrap-anywhere",
            ),
            class_name="min-w-0",
        ),
        custom_attrs={"role": "group", "aria-label": "Vehicle"},
        class_name="flex items-center gap-3 rounded-2xl bg-(--gray-a3) p-2 max-[17.5rem]:flex-wrap",
    )


def _not_now(title: str, trip: rx.Var[VendorTrip]) -> rx.Component:
    text = rx.cond(trip.wait, trip.wait, trip.stage)
    return rx.el.div(
        notice(f"{title}: not now", text, link_button("The booking", f"/vendor/bookings/{trip.facts.reference}")),
        class_name="p-4",
    )


def _not_there(title: str) -> rx.Component:
    failed = failure(f"{title}: it could not be loaded", State.problem, _LOADS)
    missing = notice(
        "There is no such booking",
        "It may belong to somebody else's vehicle.",
        link_button("All bookings", "/vendor/manage-bookings"),
    )
    other = rx.cond(State.problem, failed, _skeleton())
    return rx.el.div(rx.cond(State.missing & _HERE, missing, other), class_name="p-4")


def _skeleton() -> rx.Component:
    return rx.el.div(
        rx.el.div(class_name=f"{SKELETON} h-24"),
        rx.el.div(class_name=f"{SKELETON} mt-4 h-96"),
        custom_attrs={"aria-hidden": "true"},
        class_name="p-4",
    )
