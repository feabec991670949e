"""What operators decide about bookings: what customers object to, and bookings that cannot take place."""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.money import format_rupees
from rental_app.models import BookingEvent, LedgerEntry
from rental_app.schemas.operating import ObjectionDecision, OperatorCancelRequest, require_reason
from rental_app.schemas.trips import TripView
from rental_app.services import audit
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.operators import enter
from rental_app.services.bookings import events, ledger
from rental_app.services.bookings.access import Trip, already_decided, hold, is_waiting, require_stage
from rental_app.services.operating.versions import require_seen
from rental_app.services.trips import cancellations, detail, payments

CANCELLED = "Booking cancelled: both sides are told"
JUDGED = "Decided: both sides are told"
REASON = "Cancelled by us"
_DECIDED = {"uphold": "You were right", "dismiss": "The line stays", "partly": "The line is lowered"}


def cancel(session: Session, actor: Actor, ref: str, request: OperatorCancelRequest) -> TripView:
    """Cancel a request, or a confirmed booking before its handover; all that was paid above `kept` is owed back.

    Raises ForbiddenError, NotFoundError, InvalidInputError (no reason, more kept than was paid) and ConflictError
    (`wrong_stage`, `already_decided`, `changed_meanwhile`).
    """
    enter(actor)
    require_reason(request.reason)
    trip, instant = hold(session, actor, ref, "operator"), clock.now()
    booking = trip.booking
    require_seen(session, "bookings", trip.id, request.expected)
    if not is_waiting(booking, instant):
        if booking.status in (BookingStatus.PENDING, BookingStatus.CANCELLED):
            raise already_decided()
        require_stage(booking, TripStage.BOOKED)
    paid = ledger.standing(session, booking).paid if booking.status != BookingStatus.PENDING else 0
    if request.kept > paid:
        message = f"No more can be kept than the {format_rupees(max(0, paid))} that was paid"
        raise InvalidInputError(message, code="kept_above_paid", fields={"kept": message})
    before = {"status": booking.status, "paid": paid}
    cancellations.give_up(session, actor, trip, request.kept, REASON, instant)
    events.record(session, booking, EventKind.OPERATOR_CANCELLED, "operator", instant, actor.id, request.reason)
    after = {"status": booking.status, "kept": request.kept}
    audit.record(session, actor, Act.BOOKING_CANCELLED, ("booking", trip.id), request.reason, before, after)
    return detail.trip_view(session, trip)


def judge(session: Session, actor: Actor, event_id: int, request: ObjectionDecision) -> str:
    """Decide about an objection, the event with this id: take its line back, write it again lower, or leave it.

    One about a handover has no line: it is only noted who was right. Both sides are told. Raises ForbiddenError,
    NotFoundError, InvalidInputError (no note, amount) and ConflictError (`already_decided`, `already_reversed`,
    `no_line`, `changed_meanwhile`).
    """
    enter(actor)
    require_reason(request.note, "note")
    objection = session.get(BookingEvent, event_id)
    if objection is None or objection.what != EventKind.OBJECTED:
        raise NotFoundError("There is no such objection", code="unknown_objection")
    trip, instant = hold(session, actor, str(objection.booking_id), "operator"), clock.now()
    require_seen(session, "objections", event_id, request.expected)
    # A line, or a handover, is objected to once.
    same_line = col(BookingEvent.entry_id).is_not_distinct_from(objection.entry_id)
    judged = (col(BookingEvent.booking_id) == objection.booking_id, col(BookingEvent.what) == EventKind.JUDGED.value)
    if session.execute(select(col(BookingEvent.id)).where(*judged, same_line)).first():
        raise ConflictError("This objection was decided already", code="already_decided")
    decision = f"{_DECIDED[request.decision]}: {request.note}"
    before, after = _acted(session, actor, trip, objection, request, instant)
    events.record(session, trip.booking, EventKind.JUDGED, "operator", instant, actor.id, decision, objection.entry_id)
    after |= {"decision": request.decision}
    audit.record(session, actor, Act.OBJECTION_JUDGED, ("booking_event", event_id), request.note, before, after)
    return JUDGED


def _acted(
    session: Session,
    actor: Actor,
    trip: Trip,
    objection: BookingEvent,
    request: ObjectionDecision,
    instant: datetime,
) -> tuple[dict[str, object], dict[str, object]]:
    """Change the line as decided; returns what it was before and what it is after (paise), for the audit trail."""
    if objection.entry_id is None:
        if request.decision == "partly":
            raise ConflictError("This is about the handover: there is no line to lower", code="no_line")
        return {}, {}
    lines = ledger.lines(session, trip.booking)
    line = next(one for one in lines if one.id == objection.entry_id)
    if request.decision == "dismiss":
        return {"paise": line.paise}, {"paise": line.paise}
    lower = _lower(line, request)
    payments.require_reversible(trip.booking, line, lines)
    ledger.reverse(session, trip.booking, line, instant, actor, request.note)
    if lower:
        same = {"method": line.method, "detail": line.detail, "photo_id": line.photo_id}
        ledger.post(session, trip.booking, line.kind, lower, instant, actor, note=request.note, **same)
    ledger.settle_if_even(session, trip.booking, trip.vendor_id, instant)
    return {"paise": line.paise}, {"paise": lower}


def _lower(line: LedgerEntry, request: ObjectionDecision) -> int:
    """The amount to which a line is lowered (paise, with its sign); 0 if nothing of it stays. Raises
    InvalidInputError."""
    if request.decision == "uphold":
        return 0
    if line.reverses is not None:
        raise ConflictError("This line takes another one back: uphold or dismiss", code="no_line")
    if request.amount is None or not 0 < request.amount < abs(line.paise):
        message = f"Enter what is to stay: more than nothing, less than {format_rupees(abs(line.paise))}"
        raise InvalidInputError(message, code="bad_amount", fields={"amount": message})
    return request.amount if line.paise > 0 else -request.amount
