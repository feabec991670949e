"""The page of one booking, as its customer reads it."""

from datetime import datetime

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.hours import OpeningHours
from rental_app.domain.money import format_rupees
from rental_app.domain.pictures import Picture
from rental_app.domain.reviews import answers_within
from rental_app.domain.settlement import late_from, object_until
from rental_app.schemas.trips import EqualVehicle, TripView
from rental_app.services.trips.changes import too_late
from rental_app.web.parts.presenters.bookings import same_dates
from rental_app.web.parts.presenters.links import review_url, search_url
from rental_app.web.parts.presenters.progress import Countdown, Step, countdown, full_day, is_ahead, steps
from rental_app.web.parts.presenters.terms import cancelling
from rental_app.web.parts.presenters.texts import Fact, facts, kilometres, lines
from rental_app.web.parts.presenters.trip import (
    PickerTimes,
    TripFacts,
    asks_about_handover,
    picker_times,
    trip_facts,
)
from rental_app.web.parts.reviews.presenter import TripReview, trip_review


class EqualCard(BaseModel):
    """A vehicle to have instead; one that is confirmed `at_once` is taken by a press, others by a request at `href`."""

    id: int
    title: str
    image: str
    about: str
    total: str
    at_once: bool
    href: str


class WaitingRequest(BaseModel):
    """A request that waits for its answer: how soon it usually comes, until when the dates are held, what happens next,
    and what a change of mind costs."""

    answers: str
    held: str
    next_steps: list[Fact]
    plans: list[Fact]


class TurnedDown(BaseModel):
    """A booking that its vendor did not take or keep: why, and where others for its dates are found.

    `has_equals` if there may be vehicles to have instead of one that was promised.
    """

    title: str
    reason: str
    others: str
    has_equals: bool


class OnRoad(BaseModel):
    """What counts on the road, and what one more day costs, if that is known."""

    good_to_know: list[Fact]
    one_day: str


class CustomerTrip(BaseModel):
    """What the page says besides the facts; texts are blank where there is nothing to say.

    `asks_until` is until when they may object to the handover, while they are asked whether it was as noted.
    """

    facts: TripFacts
    times: PickerTimes
    review: TripReview | None
    request: WaitingRequest | None
    turned_down: TurnedDown | None
    on_road: OnRoad | None
    countdown: Countdown | None
    asks_until: str
    subtitle: str
    steps: list[Step]
    window: str
    where: str
    kms: str
    due: str
    total: str
    deposit: str
    receipt_number: str
    hours: str
    bring: list[str]
    terms: list[str]
    vendor_terms: list[str]
    is_request: bool
    may_cancel: bool
    may_extend: bool
    may_book_again: bool
    too_late: str


def trip_page(view: TripView, instant: datetime) -> CustomerTrip:
    """A booking's page at an instant."""
    waits, is_confirmed = view.status == BookingStatus.PENDING, view.status == BookingStatus.CONFIRMED
    is_booked, is_out = view.stage == TripStage.BOOKED, view.stage == TripStage.OUT
    # The vehicle may still be picked up, once confirmed.
    is_to_come = (waits or is_confirmed) and is_booked and view.return_at > instant
    is_coming = is_ahead(view, instant)
    is_extendable = instant <= clock.extendable_until(view.return_at, view.policies)
    closed = f"closed on {', '.join(view.closed)}" if view.closed else "all week"
    return CustomerTrip(
        facts=trip_facts(view, instant),
        times=picker_times(view),
        review=trip_review(view.reviews),
        request=_request(view, instant) if waits else None,
        turned_down=_turned_down(view) if view.pickup > instant else None,
        on_road=_on_road(view) if is_out else None,
        countdown=countdown(view, instant),
        asks_until=clock.friendly(object_until(view.handover.written_at, view.policies))
        if view.handover and asks_about_handover(view)
        else "",
        subtitle=f"{view.car.year} · {view.car.body_type} · {view.car.service_location}",
        steps=steps(view),
        window=f"{clock.friendly(view.pickup)} – {clock.friendly(view.return_at)}",
        where=_where(view),
        kms=kilometres(view.kms_included),
        due=format_rupees(view.due_at_pickup) if view.due_at_pickup else "",
        total=format_rupees(view.price),
        deposit=format_rupees(view.deposit),
        receipt_number=view.receipt_number or "",
        may_book_again=(is_confirmed and not is_coming) or view.cancelled_by == "customer",
        hours=f"{OpeningHours(view.hours.open_time, view.hours.close_time).text}, {closed}",
        bring=view.bring if is_to_come else [],
        terms=lines(view.terms),
        vendor_terms=lines(view.vendor_terms),
        # A request that ends was never confirmed, and stays a request.
        is_request=not is_confirmed and not _has(view, EventKind.CONFIRMED),
        may_cancel=waits or (is_confirmed and is_booked),
        may_extend=is_coming and is_extendable,
        too_late=too_late(view.late_penalty, view.contact.phone, view.policies)
        if is_coming and not is_extendable and view.contact
        else "",
    )


def _request(view: TripView, instant: datetime) -> WaitingRequest:
    held = clock.friendly(view.answer_by)
    by = f"By {held}, here and by email. If not, the request lapses and costs nothing."
    to_pay = f"Pay {format_rupees(view.price)} and the {format_rupees(view.deposit)} deposit there, then ride."
    soon = "" if view.answers_in is None else f"{view.vendor_name} usually answers {answers_within(view.answers_in)}"
    return WaitingRequest(
        answers=soon,
        held=held,
        next_steps=[
            Fact(label=f"{view.vendor_name} answers", value=by),
            Fact(label="Get your documents ready", value="The originals, as listed under Documents."),
            Fact(label=f"Pickup on {clock.friendly(view.pickup)}", value=to_pay),
        ],
        plans=cancelling(view.pickup, instant, view.price, view.policies),
    )


def _turned_down(view: TripView) -> TurnedDown | None:
    """What the page says of a booking that its vendor, or time, turned down; None for any other."""
    if view.status != BookingStatus.CANCELLED or view.cancelled_by not in ("vendor", "system"):
        return None
    given_up = _has(view, EventKind.VENDOR_CANCELLED)
    notes = [event.note for event in view.timeline if event.what in (EventKind.DECLINED, EventKind.VENDOR_CANCELLED)]
    return TurnedDown(
        title="Your vendor cannot give you this vehicle" if given_up else "Your dates are free again",
        reason=notes[-1] if notes else "",
        others=search_url(same_dates(view)),
        has_equals=given_up,
    )


def _has(view: TripView, what: EventKind) -> bool:
    return any(event.what == what for event in view.timeline)


def _on_road(view: TripView) -> OnRoad:
    kms = "Unlimited" if view.kms_included is None else f"{kilometres(view.kms_included)} included"
    begins = clock.friendly(late_from(view.return_at, view.policies))
    late = f"{format_rupees(view.late_penalty)} an hour after {begins}"
    extendable_until = clock.friendly(clock.extendable_until(view.return_at, view.policies))
    day = full_day(view)
    return OnRoad(
        good_to_know=facts({"Kilometres": kms, "Late": late, "Extend": f"ask by {extendable_until}"}),
        one_day=format_rupees(day) if day else "",
    )


def _where(view: TripView) -> str:
    """Where the vehicle is handed over, or given back while it is out, as far as it is known yet."""
    is_out, is_past = view.stage == TripStage.OUT, view.stage not in (TripStage.BOOKED, TripStage.OUT)
    place = view.contact.address if view.contact and not is_past else ""
    is_brought, is_fetched = "drop_off" in view.extras, "pick_up" in view.extras
    if is_brought and is_fetched:
        return f"Delivered to and collected from {view.address}"
    if is_fetched:
        before = f"Meet at {place}. " if place and not is_out else ""
        return f"{before}Collected from {view.address}"
    if is_brought and not is_out:
        back = ". Return it to the vendor's own place" if place else ""
        return f"Delivered to {view.address}{back}"
    return f"{'Return it to' if is_out else 'Meet at'} {place}" if place else ""


def equal_card(equal: EqualVehicle, trip: CustomerTrip) -> EqualCard:
    """A vehicle like the booked one as the page offers it."""
    ends = {"pickupDate": trip.times.pickup, "returnDate": trip.times.return_at}
    return EqualCard(
        id=equal.id,
        title=equal.title,
        image=Picture(equal.image).card,
        about=f"{equal.year} · {equal.location} · {equal.vendor_name}",
        total=format_rupees(equal.total),
        at_once=equal.at_once,
        href=review_url(equal.id, ends),
    )
