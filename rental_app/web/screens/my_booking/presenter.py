"""The page of one booking, as its customer reads it."""

from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.booking_events import STEPS, EventKind, meaning_of
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.hours import OpeningHours
from rental_app.domain.money import format_rupees
from rental_app.domain.pictures import Picture
from rental_app.domain.pricing import FULL_DAY
from rental_app.domain.reviews import answers_within
from rental_app.domain.settlement import GRACE, TIME_TO_OBJECT, late_charge, late_hours
from rental_app.schemas.trips import EqualVehicle, TripView
from rental_app.services.bookings.ledger import is_open
from rental_app.services.trips.changes import too_late
from rental_app.web.parts.presenters.bookings import end_text, same_dates
from rental_app.web.parts.presenters.links import review_url, search_url
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

DONE, CURRENT, AHEAD, ENDED = "done", "current", "ahead", "ended"
_STAGES = ("booked", "out", "returned", "settled")


class Step(BaseModel):
    """A step of a trip, done or ahead; the current one is the last that was done, unless the booking ended early."""

    label: str
    at: str
    state: str


class Countdown(BaseModel):
    """How long it is until the pickup or, on the road, until the return; from then on, how late it is and what that
    costs so far.

    `share` of the time on the road has passed, in percent; -1 while the vehicle is still to be picked up.
    """

    label: str
    left: str
    what: str
    share: int
    begins: str
    ends: str
    late: bool


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
    # The vehicle may still be picked up, once confirmed; or it may, or is on the road.
    is_to_come = (waits or is_confirmed) and is_booked and view.return_at > instant
    is_ahead = is_confirmed and (is_to_come or is_out)
    is_extendable = instant <= clock.extendable_until(view.return_at)
    closed = f"closed on {', '.join(view.closed)}" if view.closed else "all week"
    return CustomerTrip(
        facts=trip_facts(view, instant),
        times=picker_times(view),
        review=trip_review(view.reviews),
        request=_request(view, instant) if waits else None,
        turned_down=_turned_down(view) if view.pickup > instant else None,
        on_road=_on_road(view) if is_out else None,
        countdown=_countdown(view, instant) if is_ahead else None,
        asks_until=clock.brief(view.handover.written_at + TIME_TO_OBJECT)
        if view.handover and asks_about_handover(view)
        else "",
        subtitle=f"{view.car.year} · {view.car.body_type} · {view.car.service_location}",
        steps=steps(view),
        window=f"{clock.brief(view.pickup)} – {clock.brief(view.return_at)}",
        where=_where(view),
        kms=kilometres(view.kms_included),
        due=format_rupees(view.due_at_pickup) if view.due_at_pickup else "",
        total=format_rupees(view.price),
        deposit=format_rupees(view.deposit),
        receipt_number=view.receipt_number or "",
        may_book_again=(is_confirmed and not is_ahead) or view.cancelled_by == "customer",
        hours=f"{OpeningHours(view.hours.open_time, view.hours.close_time).text}, {closed}",
        bring=view.bring if is_to_come else [],
        terms=lines(view.terms),
        vendor_terms=lines(view.vendor_terms),
        # A request that ends was never confirmed, and stays a request.
        is_request=not is_confirmed and not _has(view, EventKind.CONFIRMED),
        may_cancel=waits or (is_confirmed and is_booked),
        may_extend=is_ahead and is_extendable,
        too_late=too_late(view.late_penalty, view.contact.phone)
        if is_ahead and not is_extendable and view.contact
        else "",
    )


def _request(view: TripView, instant: datetime) -> WaitingRequest:
    held = clock.brief(view.answer_by)
    by = f"By {held}, here and by email. If not, the request lapses and costs nothing."
    to_pay = f"Pay {format_rupees(view.price)} and the {format_rupees(view.deposit)} deposit there, then ride."
    soon = "" if view.answers_in is None else f"{view.vendor_name} usually answers {answers_within(view.answers_in)}"
    return WaitingRequest(
        answers=soon,
        held=held,
        next_steps=[
            Fact(label=f"{view.vendor_name} answers", value=by),
            Fact(label="Get your documents ready", value="The originals, as listed under Documents."),
            Fact(label=f"Pickup on {clock.brief(view.pickup)}", value=to_pay),
        ],
        plans=cancelling(view.pickup, instant, view.price),
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
    late = f"{format_rupees(view.late_penalty)} an hour after {clock.brief(view.return_at + GRACE)}"
    extendable_until = clock.brief(clock.extendable_until(view.return_at))
    full_day = _full_day(view)
    return OnRoad(
        good_to_know=facts({"Kilometres": kms, "Late": late, "Extend": f"ask by {extendable_until}"}),
        one_day=format_rupees(full_day) if full_day else "",
    )


def _where(view: TripView) -> str:
    """Where the vehicle is handed over, or given back while it is out, as far as it is known yet."""
    if view.address:
        return f"Brought to or fetched from {view.address}"
    if view.contact is None or view.stage not in (TripStage.BOOKED, TripStage.OUT):
        return ""
    return f"{'Return it to' if view.stage == TripStage.OUT else 'Meet at'} {view.contact.address}"


def _countdown(view: TripView, instant: datetime) -> Countdown:
    """The time left of a confirmed booking."""
    begins, ends = f"Since {clock.brief(view.pickup)}", f"Return {clock.brief(view.return_at)}"
    if view.stage != TripStage.OUT:
        left = _duration(max(view.pickup - instant, timedelta()))
        begins = f"Pickup {clock.brief(view.pickup)}"
        return Countdown(
            label="Confirmed", left=left, what="until the pickup", share=-1, begins=begins, ends=ends, late=False
        )
    late = instant > view.return_at
    passed = (instant - view.pickup) / (view.return_at - view.pickup)
    return Countdown(
        label="Late" if late else "On the road",
        left=_duration(abs(view.return_at - instant)),
        what=_late_cost(view, instant) if late else "left to ride",
        share=100 if late else max(0, round(passed * 100)),
        begins=begins,
        ends=ends,
        late=late,
    )


def _duration(time: timedelta) -> str:
    """A time in its two largest units, such as '1 d 20 h' or '45 min'."""
    days, hours, minutes = time.days, time.seconds // 3600, time.seconds % 3600 // 60
    if days:
        return f"{days} d {hours} h"
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _late_cost(view: TripView, instant: datetime) -> str:
    """What being late costs by now, if its ceiling is known: that depends on a Full Day's price."""
    hours, rate = late_hours(view.return_at, instant), f"{format_rupees(view.late_penalty)} an hour"
    full_day = _full_day(view)
    if not (hours and full_day):
        return f"late, {rate}"
    return f"late, {format_rupees(late_charge(hours, view.late_penalty, full_day))} so far at {rate}"


def _full_day(view: TripView) -> int:
    """What a Full Day costs (paise), if one is among the lines; else 0."""
    return next((line.rate for line in view.lines if line.plan == FULL_DAY), 0)


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


def steps(view: TripView) -> list[Step]:
    """The steps of a booking in their order: the current one is the last of those done, or the answer waited for."""
    times = {event.what: clock.friendly(event.happened_at or event.at) for event in view.timeline}
    times[EventKind.REQUESTED] = clock.friendly(view.created_at)
    names, first_ahead = list(STEPS), _done(view, times)
    done = [Step(label=STEPS[what], at=times.get(what, ""), state=DONE) for what in names[:first_ahead]]
    if end := _end(view):
        at = next((at for what, at in times.items() if meaning_of(what).is_end), "")
        return [*done, Step(label=end, at=at, state=ENDED)]
    ahead = [_ahead(view, what) for what in names[first_ahead:]]
    if view.status == BookingStatus.PENDING:
        # What is done is the customer's part: the vendor's answer is what is waited for.
        return [*done, ahead[0].model_copy(update={"label": "Waiting", "state": CURRENT}), *ahead[1:]]
    done[-1].state = CURRENT
    return [*done, *ahead]


def _done(view: TripView, times: dict[str, str]) -> int:
    """How many steps are done."""
    if view.status == BookingStatus.CONFIRMED:
        # An account that was settled is open again if a line was taken back.
        stage = "returned" if view.stage == TripStage.SETTLED and is_open(view) else view.stage
        return 2 + (_STAGES.index(stage) if stage in _STAGES else 0)
    return 1 + int(EventKind.CONFIRMED in times)


def _end(view: TripView) -> str:
    """What ended a booking before its time; '' for one that goes on, or went well."""
    if view.stage == TripStage.NO_SHOW:
        return "Not picked up"
    if view.cancelled_by == "system":
        return "Not answered in time"
    return end_text(view) if view.status == BookingStatus.CANCELLED else ""


def _ahead(view: TripView, what: EventKind) -> Step:
    due = {
        EventKind.CONFIRMED: view.answer_by,
        EventKind.HANDED_OVER: view.pickup,
        EventKind.RETURNED: view.return_at,
    }
    at = clock.friendly(due[what]) if what in due else ""
    return Step(label=STEPS[what], at=f"by {at}" if what == EventKind.CONFIRMED else at, state=AHEAD)
