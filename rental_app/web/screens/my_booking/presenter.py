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
from rental_app.schemas.trips import EqualVehicle, Happening, TripView
from rental_app.services.bookings.ledger import is_open, open_balance
from rental_app.services.trips.changes import too_late
from rental_app.web.parts.presenters.bookings import end_text, line_label, note_of, other_bookings, same_dates
from rental_app.web.parts.presenters.customer_account import (
    AccountLine,
    ProposalText,
    account_lines,
    asks_about_handover,
    is_recent,
    proposal_text,
)
from rental_app.web.parts.presenters.links import review_url, search_url, vehicle_url, wall_text
from rental_app.web.parts.presenters.objections import Objection, note_with_photos, objections
from rental_app.web.parts.presenters.readings import Reading, reading_text
from rental_app.web.parts.presenters.terms import cancelling
from rental_app.web.parts.presenters.texts import Fact, Link, kilometres, lines
from rental_app.web.parts.presenters.trip_words import event_time
from rental_app.web.parts.reviews.presenter import TripReview, trip_review

DONE, CURRENT, AHEAD, ENDED = "done", "current", "ahead", "ended"
_STAGES = ("booked", "out", "returned", "settled")
# Odometer, fuel and helmets: what a customer can compare with what they see.
_ASKED_FACTS = 3


class Step(BaseModel):
    """A step of a trip, done or ahead; the current one is the last that was done, unless the booking ended early."""

    label: str
    at: str
    state: str


class Happened(BaseModel):
    """Something that happened."""

    label: str
    at: str
    note: str


class ContactLinks(BaseModel):
    """How to reach the vendor, and where to meet."""

    phone: str
    whatsapp: str
    address: str
    maps: str


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


class Task(BaseModel):
    """What the customer is asked about the handover: its readings and photos, and until when they may object."""

    facts: list[Fact]
    photos: list[Link]
    by: str


class TripPanel(BaseModel):
    """Everything the page says about a booking; texts are blank where there is nothing to say.

    `earliest` is the earliest return for an extension, in the pickers' format, like both ends of the window.
    """

    ref: str
    title: str
    image: str
    vehicle: str
    subtitle: str
    status: str
    note: str
    sent: str
    answers: str
    held: str
    next_steps: list[Fact]
    countdown: Countdown | None
    good_to_know: list[Fact]
    one_day: str
    is_out: bool
    reason: str
    others: str
    has_equals: bool
    proposal: ProposalText | None
    other_bookings: list[Link]
    turned_down: str
    steps: list[Step]
    history: list[Happened]
    history_length: str
    objections: list[Objection]
    pickup: str
    return_at: str
    pickup_wall: str
    return_wall: str
    earliest: str
    kms: str
    window: str
    where: str
    plans: list[Fact]
    again: str
    prices: list[Fact]
    total: str
    deposit: str
    due: str
    lines: list[AccountLine]
    rent_balance: str
    deposit_balance: str
    vendor: str
    contact: ContactLinks | None
    hours: str
    open_time: str
    close_time: str
    closing_days: list[str]
    bring: list[str]
    terms: list[str]
    vendor_terms: list[str]
    is_request: bool
    may_cancel: bool
    may_change: bool
    may_extend: bool
    too_late: str
    handover: Reading | None
    asks: bool
    task: Task | None
    may_object: bool
    returned: Reading | None
    has_receipt: bool
    receipt_number: str
    review: TripReview | None


def trip_page(view: TripView, instant: datetime) -> TripPanel:
    """A booking's page at an instant."""
    asks = asks_about_handover(view)
    open_now = open_balance(view, for_customer=True)
    return TripPanel(
        ref=view.reference,
        title=view.car.title,
        image=Picture(view.car.image).card,
        vehicle=vehicle_url(view.car.id),
        subtitle=f"{view.car.year} · {view.car.body_type} · {view.car.service_location}",
        status=view.status,
        note=note_of(view, instant),
        sent="Request sent." if view.status == BookingStatus.PENDING else "",
        answers=_answers(view),
        held=clock.brief(view.answer_by) if view.status == BookingStatus.PENDING else "",
        next_steps=_next(view) if view.status == BookingStatus.PENDING else [],
        countdown=countdown(view, instant),
        good_to_know=_good_to_know(view),
        one_day=format_rupees(_full_day(view)) if _full_day(view) else "",
        is_out=view.stage == TripStage.OUT,
        reason=_reason(view),
        others=_others(view, instant),
        has_equals=_was_given_up(view) and view.pickup > instant,
        proposal=proposal_text(view),
        other_bookings=other_bookings(view),
        turned_down="Your vendor cannot give you this vehicle" if _was_given_up(view) else "Your dates are free again",
        steps=steps(view),
        history=happened(view),
        history_length=_entries(len(view.timeline)),
        objections=objections(view),
        pickup=clock.friendly(view.pickup),
        return_at=clock.friendly(view.return_at),
        pickup_wall=wall_text(view.pickup),
        return_wall=wall_text(view.return_at),
        earliest=wall_text(view.return_at + timedelta(hours=1)),
        kms=kilometres(view.kms_included),
        window=f"{clock.brief(view.pickup)} – {clock.brief(view.return_at)}",
        where=_where(view),
        plans=cancelling(view.pickup, instant, view.price) if view.status == BookingStatus.PENDING else [],
        again=vehicle_url(view.car.id) if _is_over(view, instant) else "",
        prices=[Fact(label=line_label(line), value=format_rupees(line.amount)) for line in view.lines],
        total=format_rupees(view.price),
        deposit=format_rupees(view.deposit),
        due=format_rupees(view.due_at_pickup) if view.due_at_pickup else "",
        lines=account_lines(view, instant),
        rent_balance=open_now.rent_text,
        deposit_balance=open_now.deposit_text,
        vendor=view.vendor_name,
        contact=ContactLinks(**dict(view.contact)) if view.contact else None,
        hours=_hours(view),
        open_time=f"{view.hours.open_time:%H:%M}",
        close_time=f"{view.hours.close_time:%H:%M}",
        closing_days=view.closed,
        bring=view.bring if _is_to_come(view, instant) else [],
        terms=lines(view.terms),
        vendor_terms=lines(view.vendor_terms),
        is_request=_is_request(view),
        may_cancel=view.status == BookingStatus.PENDING
        or (view.status == BookingStatus.CONFIRMED and view.stage == TripStage.BOOKED),
        may_change=view.status == BookingStatus.PENDING,
        may_extend=_is_ahead(view, instant) and instant <= clock.extendable_until(view.return_at),
        too_late=_too_late(view, instant),
        handover=reading_text(view.handover),
        asks=asks,
        task=_task(view) if asks else None,
        may_object=asks and is_recent(view.handover.written_at if view.handover else None, instant),
        returned=reading_text(view.returned, view.handover),
        has_receipt=view.status != BookingStatus.PENDING and bool(view.ledger),
        receipt_number=view.receipt_number or "",
        review=trip_review(view.reviews),
    )


def _task(view: TripView) -> Task | None:
    reading = reading_text(view.handover)
    if reading is None or view.handover is None:
        return None
    by = clock.brief(view.handover.written_at + TIME_TO_OBJECT)
    return Task(facts=reading.facts[:_ASKED_FACTS], photos=reading.photos, by=by)


def _entries(count: int) -> str:
    return f"{count} {'entry' if count == 1 else 'entries'}"


def _where(view: TripView) -> str:
    """Where the vehicle is handed over, or given back while it is out, as far as it is known yet."""
    if view.address:
        return f"Brought to or fetched from {view.address}"
    if view.contact is None or view.stage not in (TripStage.BOOKED, TripStage.OUT):
        return ""
    return f"{'Return it to' if view.stage == TripStage.OUT else 'Meet at'} {view.contact.address}"


def _is_over(view: TripView, instant: datetime) -> bool:
    """Whether nothing more is expected of a booking that its vendor did not turn down."""
    if view.status == BookingStatus.CANCELLED:
        return view.cancelled_by == "customer"
    return view.status == BookingStatus.CONFIRMED and view.stage != TripStage.OUT and not _is_to_come(view, instant)


def _answers(view: TripView) -> str:
    """How soon the vendor usually answers, while a request waits for that and if enough answers are known."""
    if view.answers_in is None:
        return ""
    return f"{view.vendor_name} usually answers {answers_within(view.answers_in)}"


def _next(view: TripView) -> list[Fact]:
    """What happens with a request that waits."""
    by = f"By {clock.brief(view.answer_by)}, here and by email. If not, the request lapses and costs nothing."
    to_pay = f"Pay {format_rupees(view.price)} and the {format_rupees(view.deposit)} deposit there, then ride."
    return [
        Fact(label=f"{view.vendor_name} answers", value=by),
        Fact(label="Get your documents ready", value="The originals, as listed under Documents."),
        Fact(label=f"Pickup on {clock.brief(view.pickup)}", value=to_pay),
    ]


def countdown(view: TripView, instant: datetime) -> Countdown | None:
    """The time left of a confirmed booking; None if nothing is awaited."""
    if not _is_ahead(view, instant):
        return None
    begins, ends = f"Since {clock.brief(view.pickup)}", f"Return {clock.brief(view.return_at)}"
    if view.stage != TripStage.OUT:
        left = duration(max(view.pickup - instant, timedelta()))
        begins = f"Pickup {clock.brief(view.pickup)}"
        return Countdown(
            label="Confirmed", left=left, what="until the pickup", share=-1, begins=begins, ends=ends, late=False
        )
    late = instant > view.return_at
    passed = (instant - view.pickup) / (view.return_at - view.pickup)
    return Countdown(
        label="Late" if late else "On the road",
        left=duration(abs(view.return_at - instant)),
        what=_late_cost(view, instant) if late else "left to ride",
        share=100 if late else max(0, round(passed * 100)),
        begins=begins,
        ends=ends,
        late=late,
    )


def duration(time: timedelta) -> str:
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


def _good_to_know(view: TripView) -> list[Fact]:
    """What counts on the road."""
    late_from = clock.brief(view.return_at + GRACE)
    return [
        Fact(
            label="Kilometres",
            value="Unlimited" if view.kms_included is None else f"{kilometres(view.kms_included)} included",
        ),
        Fact(label="Late", value=f"{format_rupees(view.late_penalty)} an hour after {late_from}"),
        Fact(label="Extend", value=f"ask by {clock.brief(clock.extendable_until(view.return_at))}"),
    ]


def _reason(view: TripView) -> str:
    """Why the vendor declined or cancelled, in their words."""
    notes = [event.note for event in view.timeline if event.what in (EventKind.DECLINED, EventKind.VENDOR_CANCELLED)]
    return notes[-1] if notes else ""


def _is_request(view: TripView) -> bool:
    """Whether a booking was never confirmed; a request that ends stays a request."""
    return view.status != BookingStatus.CONFIRMED and all(event.what != EventKind.CONFIRMED for event in view.timeline)


def _was_given_up(view: TripView) -> bool:
    return any(event.what == EventKind.VENDOR_CANCELLED for event in view.timeline)


def equal_card(equal: EqualVehicle, view: TripPanel) -> EqualCard:
    """A vehicle like the booked one as the page offers it."""
    ends = {"pickupDate": view.pickup_wall, "returnDate": view.return_wall}
    return EqualCard(
        id=equal.id,
        title=equal.title,
        image=Picture(equal.image).card,
        about=f"{equal.year} · {equal.location} · {equal.vendor_name}",
        total=format_rupees(equal.total),
        at_once=equal.at_once,
        href=review_url(equal.id, ends),
    )


def _others(view: TripView, instant: datetime) -> str:
    """Where vehicles for the same dates are found, if the vendor turned the customer down and there is time left."""
    turned_down = view.status == BookingStatus.CANCELLED and view.cancelled_by in ("vendor", "system")
    return search_url(same_dates(view)) if turned_down and view.pickup > instant else ""


def _is_ahead(view: TripView, instant: datetime) -> bool:
    """Whether the vehicle is on the road, or still to be picked up."""
    return view.status == BookingStatus.CONFIRMED and (_is_to_come(view, instant) or view.stage == TripStage.OUT)


def _is_to_come(view: TripView, instant: datetime) -> bool:
    """Whether the vehicle may still be picked up, once confirmed."""
    return view.status != BookingStatus.CANCELLED and view.stage == TripStage.BOOKED and view.return_at > instant


def _too_late(view: TripView, instant: datetime) -> str:
    is_late = _is_ahead(view, instant) and instant > clock.extendable_until(view.return_at)
    return too_late(view.late_penalty, view.contact.phone) if is_late and view.contact else ""


def _hours(view: TripView) -> str:
    closed = f"closed on {', '.join(view.closed)}" if view.closed else "all week"
    return f"{OpeningHours(view.hours.open_time, view.hours.close_time).text}, {closed}"


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


def happened(view: TripView) -> list[Happened]:
    """Everything that happened, latest first."""
    return [_happened(event) for event in reversed(view.timeline)]


def _happened(event: Happening) -> Happened:
    return Happened(label=meaning_of(event.what).word, at=event_time(event), note=note_with_photos(event))
