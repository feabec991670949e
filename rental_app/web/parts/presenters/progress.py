"""How far a booking has come: its steps, and the time left."""

from datetime import datetime, timedelta

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.booking_events import STEPS, EventKind, meaning_of
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.money import format_rupees
from rental_app.domain.pricing import FULL_DAY
from rental_app.domain.settlement import late_charge, late_hours
from rental_app.schemas.trips import TripView
from rental_app.services.bookings.ledger import is_open
from rental_app.web.parts.presenters.bookings import end_text

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
    on_road: bool
    late: bool


def is_ahead(view: TripView, instant: datetime) -> bool:
    """Whether a booking is confirmed and may still be picked up, or is on the road."""
    is_to_come = view.stage == TripStage.BOOKED and view.return_at > instant
    return view.status == BookingStatus.CONFIRMED and (is_to_come or view.stage == TripStage.OUT)


def countdown(view: TripView, instant: datetime) -> Countdown | None:
    """The time left of a confirmed booking that is still to be picked up or on the road; None for any other."""
    if not is_ahead(view, instant):
        return None
    begins, ends = f"Since {clock.friendly(view.pickup)}", f"Return {clock.friendly(view.return_at)}"
    if view.stage != TripStage.OUT:
        return Countdown(
            label="Confirmed",
            left=_duration(max(view.pickup - instant, timedelta())),
            what="until the pickup",
            share=-1,
            begins=f"Pickup {clock.friendly(view.pickup)}",
            ends=ends,
            on_road=False,
            late=False,
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
        on_road=True,
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
    hours, rate = late_hours(view.return_at, instant, view.policies), f"{format_rupees(view.late_penalty)} an hour"
    price = full_day(view)
    if not (hours and price):
        return f"late, {rate}"
    cost = late_charge(hours, view.late_penalty, price, view.policies)
    return f"late, {format_rupees(cost)} so far at {rate}"


def full_day(view: TripView) -> int:
    """What a Full Day costs (paise), if one is among the lines; else 0."""
    return next((line.rate for line in view.lines if line.plan == FULL_DAY), 0)


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
