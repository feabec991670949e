"""What the two sides answer each other: proposals and objections."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.domain.money import counted
from rental_app.domain.policies import Policies
from rental_app.domain.settlement import object_until
from rental_app.domain.uploads import ANSWER_GROUP, OBJECTION, trip_upload
from rental_app.models import (
    Booking,
    BookingEvent,
    EventPhoto,
    ExtensionTerms,
    LedgerEntry,
    MoveTerms,
    Proposal,
    Vehicle,
)
from rental_app.schemas.trips import ObjectionAnswerRequest, ObjectRequest, ProposalAnswerRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts import letters
from rental_app.services.accounts.actor import Actor, require_unblocked
from rental_app.services.bookings import events, guests, ledger, proposals
from rental_app.services.bookings.access import Trip, find, hold, not_confirmed, require_side, require_stage
from rental_app.services.bookings.guests import CodeSent, TriedCode
from rental_app.services.files import limits, uploads
from rental_app.services.trips import changes, detail, moves, payments

AGREED, REFUSED = "Agreed: your vendor is told", "Refused: your booking stays as it was"
AGREED_BY_CODE = "Agreed: the customer's code is right"


ACKNOWLEDGED, NOTED = "Handover confirmed", "Objection noted: the vendor has been told"
OBJECTION_ANSWERED = "Answered: the customer has been told"


def answer(session: Session, actor: Actor, ref: str, request: ProposalAnswerRequest, note: str = "") -> TripView:
    """Agree to a proposal at the total that was shown, or refuse it; then the booking stays as it was. `note`
    records how the customer agreed, if not by a login.

    Raises NotFoundError (booking, proposal), ForbiddenError (not the customer) and ConflictError (`proposal_over`,
    `terms_changed`, `dates_taken`, a booking that is not confirmed any more).
    """
    throttle.count("amend", actor)
    trip, instant = _locked(session, actor, ref, request.id), clock.now()
    _answer(session, actor, trip, request, instant, note)
    return detail.trip_view(session, trip)


def send_code(session: Session, actor: Actor, ref: str) -> CodeSent:
    """Text the customer a code with which they agree to what their vendor proposes: they read it out to the vendor.

    Raises NotFoundError, ForbiddenError (not the vendor), ConflictError (`no_proposal`, `no_mobile`), and
    `texts_used_up` of several kinds.
    """
    throttle.count("amend", actor)
    trip = hold(session, actor, ref, "vendor")
    return guests.send_code(session, actor, trip, guests.yes_to(waiting(session, trip.booking)))


def texted_code(session: Session, actor: Actor, ref: str) -> CodeSent | None:
    """The code for a yes to what is proposed that was texted before and still works, if there is one.

    Raises NotFoundError, ForbiddenError (not the vendor) and ConflictError (`no_proposal`).
    """
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    require_side(trip, "vendor")
    return guests.texted_code(session, trip.booking, guests.yes_to(waiting(session, trip.booking)))


def try_code(session: Session, actor: Actor, ref: str, code: str) -> TriedCode | None:
    """What a code that was read out to the vendor stands for: `agree_by_code` refuses a wrong one (None), in a
    transaction of its own.

    Raises NotFoundError, ForbiddenError (not the vendor) and TooManyRequestsError.
    """
    throttle.count("reset", actor)
    trip = find(session, actor, ref)
    require_side(trip, "vendor")
    return guests.tried_code(session, actor, trip.booking, code)


def agree_by_code(session: Session, actor: Actor, ref: str, tried: TriedCode | None) -> TripView:
    """Agree to the open proposal for the customer who has read out a code, at the total that the code is for.

    Raises NotFoundError, ForbiddenError (not the vendor), InvalidInputError (`wrong_code`) and what `answer` does.
    """
    throttle.count("amend", actor)
    of_vendor = find(session, actor, ref)
    require_side(of_vendor, "vendor")
    require_unblocked(actor)
    proposal_id = int(tried.payload.get("proposal", 0)) if tried else 0
    customer, instant = guests.customer_of(of_vendor.booking, actor), clock.now()
    if not proposal_id:
        raise letters.wrong_code()
    trip = _locked(session, customer, ref, proposal_id)
    proposal = session.get_one(Proposal, proposal_id)
    right = guests.require_code(tried, guests.yes_to(proposal))
    request = ProposalAnswerRequest(id=proposal_id, answer="yes")
    _answer(session, customer, trip, request, instant, guests.NOTE)
    guests.use_code(session, actor, trip.booking, right)
    return detail.trip_view(session, replace(of_vendor, booking=trip.booking))


def proposal_over() -> ConflictError:
    """The error for an answer to a proposal that is no longer open."""
    return ConflictError("This proposal is over: your booking stays as it is", code="proposal_over")


def waiting(session: Session, booking: Booking) -> Proposal:
    """The proposal that a booking's customer has not answered; raises ConflictError (`no_proposal`)."""
    if proposal := proposals.current(session, booking, clock.now()):
        return proposal
    raise ConflictError("Nothing is proposed for this booking", code="no_proposal")


def _answer(
    session: Session, actor: Actor, trip: Trip, request: ProposalAnswerRequest, instant: datetime, note: str = ""
) -> None:
    """Answer as the customer of a locked booking."""
    proposal = session.get_one(Proposal, request.id)
    if proposal.state != proposals.OPEN or proposal.answer_by <= instant:
        raise proposal_over()
    if request.answer == "no":
        proposals.end(session, proposal, proposals.REFUSED, instant)
        events.record(session, trip.booking, EventKind.PROPOSAL_REFUSED, "customer", instant, actor.id, note)
        return
    if request.expected_total is not None and request.expected_total != proposal.shown_terms().total:
        raise ConflictError(moves.NOT_AS_IT_WAS, code="terms_changed")
    if trip.booking.status != BookingStatus.CONFIRMED:
        raise not_confirmed()
    proposals.end(session, proposal, proposals.AGREED, instant)
    events.record(session, trip.booking, EventKind.AGREED, "customer", instant, actor.id, note)
    terms = proposal.shown_terms()
    if isinstance(terms, MoveTerms):
        moves.agreed(session, actor, trip, terms, instant)
    elif isinstance(terms, ExtensionTerms):
        changes.agreed(session, actor, trip, terms, instant)
    else:
        payments.agreed(session, actor, trip, terms, instant)


def _locked(session: Session, actor: Actor, ref: str, proposal_id: int) -> Trip:
    """The booking and the vehicles of a proposal, locked in the order of everything else."""
    before = find(session, actor, ref)
    proposal = session.get(Proposal, proposal_id)
    if proposal is None or proposal.booking_id != before.id:
        raise NotFoundError("There is no such proposal", code="unknown_proposal")
    terms = proposal.shown_terms()
    other = terms.vehicle if isinstance(terms, MoveTerms) else before.booking.vehicle_id
    ids = sorted({before.booking.vehicle_id, other})
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id).in_(ids)).order_by(col(Vehicle.id)).with_for_update())
    trip = hold(session, actor, ref, "customer")
    session.refresh(proposal)
    return trip


def acknowledge(session: Session, actor: Actor, ref: str) -> TripView:
    """Confirm the handover as the vendor recorded it; confirming again changes nothing.

    Raises NotFoundError, ForbiddenError (not the customer), ConflictError (not handed over).
    """
    throttle.count("change", actor)
    trip = hold(session, actor, ref, "customer")
    require_stage(trip.booking, TripStage.OUT)
    if not _is_recorded(session, trip, EventKind.ACKNOWLEDGED, None):
        events.record(session, trip.booking, EventKind.ACKNOWLEDGED, "customer", clock.now(), actor.id)
    return detail.trip_view(session, trip)


def object_to(session: Session, actor: Actor, ref: str, request: ObjectRequest) -> TripView:
    """Object to a line of the account, or to the handover, within a day of it; both sides see it marked.

    Raises NotFoundError (booking or line), ForbiddenError (not the customer), InvalidInputError (a photo that is gone),
    ConflictError (too late, already objected to, no room for the photos).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "customer"), clock.now()
    policies = Policies.of(trip.booking.policies)
    if instant > object_until(_noted(session, trip, request.entry), policies):
        hours = counted(policies.object_hours, "hour")
        raise ConflictError(f"Objections are possible within {hours}", code="too_late_to_object")
    if _is_recorded(session, trip, EventKind.OBJECTED, request.entry):
        raise ConflictError("You have objected to this already", code="already_objected")
    message = _about(session, request)
    objection = events.record(
        session,
        trip.booking,
        EventKind.OBJECTED,
        "customer",
        instant,
        actor.id,
        request.note,
        request.entry,
        message=message,
    )
    _keep(session, actor, actor.id, objection, OBJECTION, request.photos)
    return detail.trip_view(session, trip)


def answer_objection(session: Session, actor: Actor, ref: str, request: ObjectionAnswerRequest) -> TripView:
    """Answer an objection as the vendor, once; the customer is told.

    Raises NotFoundError (booking or objection), ForbiddenError (not the vendor), InvalidInputError (a photo that is
    gone), ConflictError (answered already, no room for the photos).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "vendor"), clock.now()
    objection = _objection(session, trip, request.objection)
    answered = (
        col(BookingEvent.about_id) == objection.id,
        col(BookingEvent.what) == EventKind.OBJECTION_ANSWERED.value,
    )
    if session.execute(select(col(BookingEvent.id)).where(*answered)).first():
        raise ConflictError("This objection has been answered already", code="already_answered")
    answer_id = events.record(
        session,
        trip.booking,
        EventKind.OBJECTION_ANSWERED,
        "vendor",
        instant,
        actor.id,
        request.note,
        objection.entry_id,
        about_id=objection.id,
    )
    _keep(session, actor, trip.vendor_id, answer_id, trip_upload(ANSWER_GROUP), request.photos)
    return detail.trip_view(session, trip)


def _objection(session: Session, trip: Trip, event_id: int) -> BookingEvent:
    own = (col(BookingEvent.id) == event_id, col(BookingEvent.booking_id) == trip.id)
    statement = select(BookingEvent).where(*own, col(BookingEvent.what) == EventKind.OBJECTED.value)
    if objection := session.scalars(statement).first():
        return objection
    raise NotFoundError("There is no such objection", code="unknown_objection")


def _keep(session: Session, actor: Actor, account_id: int, event_id: int, group: str, photo_ids: Sequence[int]) -> None:
    """Keep photos that were uploaded ahead with an event; they count as files of the account that sent them."""
    if not photo_ids:
        return
    photos = uploads.claim(session, actor, {group: photo_ids}, field="photos")
    limits.count_trip_photos(session, account_id, photos)
    session.add_all(EventPhoto(event_id=event_id, key=one.key, content_type=one.content_type) for one in photos)
    session.flush()


def _about(session: Session, request: ObjectRequest) -> str:
    """The objection in the words of a message, with the line it is about."""
    if request.entry is None:
        return request.note
    return f"{ledger.named(session.get_one(LedgerEntry, request.entry))} ({request.note})"


def _noted(session: Session, trip: Trip, entry: int | None) -> datetime:
    """When the line, or the handover, was recorded."""
    if entry is None:
        recorded_at = events.noted_at(session, trip.booking, "handover")
    else:
        line = (col(LedgerEntry.booking_id) == trip.id, col(LedgerEntry.id) == entry)
        recorded_at = session.scalars(select(col(LedgerEntry.at)).where(*line)).first()
    if recorded_at is None and entry is None:
        raise ConflictError("The vehicle has not been handed over", code="wrong_stage")
    if recorded_at is None:
        raise ledger.unknown_line()
    return recorded_at


def _is_recorded(session: Session, trip: Trip, what: EventKind, entry: int | None) -> bool:
    same_entry = col(BookingEvent.entry_id) == entry if entry else col(BookingEvent.entry_id).is_(None)
    same = (col(BookingEvent.booking_id) == trip.id, col(BookingEvent.what) == what.value, same_entry)
    return session.execute(select(col(BookingEvent.id)).where(*same)).first() is not None
