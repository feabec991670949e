"""How far a booking has come, and what happened to it."""

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.booking_events import STEPS, EventKind, meaning_of
from rental_app.schemas.trips import Happening, TripView
from rental_app.services.bookings.open_balance import is_open

DONE, CURRENT, AHEAD, ENDED = "done", "current", "ahead", "ended"
_STAGES = ("booked", "out", "returned", "settled")
_ENDS = {"customer": "Cancelled by you", "vendor": "Declined by the vendor", "system": "Not answered in time"}


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


def steps(view: TripView) -> list[Step]:
    """The steps of a booking in their order, the last of those done being the current one."""
    times = {event.what: clock.friendly(event.at) for event in view.timeline}
    times[EventKind.REQUESTED] = clock.friendly(view.created_at)
    names, first_ahead = list(STEPS), _done(view, times)
    done = [Step(label=STEPS[what], at=times.get(what, ""), state=DONE) for what in names[:first_ahead]]
    if end := _end(view):
        at = next((at for what, at in times.items() if meaning_of(what).is_end), "")
        return [*done, Step(label=end, at=at, state=ENDED)]
    done[-1].state = CURRENT
    return [*done, *[_ahead(view, what) for what in names[first_ahead:]]]


def _done(view: TripView, times: dict[str, str]) -> int:
    """How many steps are done."""
    if view.status == "confirmed":
        # An account that was settled is open again if a line was taken back.
        stage = "returned" if view.stage == "settled" and is_open(view) else view.stage
        return 2 + (_STAGES.index(stage) if stage in _STAGES else 0)
    return 1 + int(EventKind.CONFIRMED in times)


def _end(view: TripView) -> str:
    """What ended a booking before its time; '' for one that goes on, or went well."""
    if view.stage == "no_show":
        return "Not picked up"
    return _ENDS.get(view.cancelled_by or "", "Cancelled") if view.status == "cancelled" else ""


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
    return Happened(label=meaning_of(event.what).word, at=clock.friendly(event.at), note=event.note)
