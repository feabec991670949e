"""The customer's answer to what the vendor has proposed."""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.models import Proposal, Vehicle
from rental_app.models.booking import CONFIRMED
from rental_app.schemas.trips import ProposalAnswerRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, proposals
from rental_app.services.bookings.access import Trip, find, hold, not_confirmed
from rental_app.services.trips import changing, moving, payments, showing

AGREED, REFUSED = "Agreed: your vendor is told", "Refused: your booking stays as it was"


def answer(session: Session, actor: Actor, ref: str, request: ProposalAnswerRequest) -> TripView:
    """Agree to a proposal at the total that was shown, or refuse it; then the booking stays as it was.

    Raises NotFoundError (booking, proposal), ForbiddenError (not the customer) and ConflictError (`proposal_over`,
    `terms_changed`, `dates_taken`, a booking that is not confirmed any more).
    """
    throttle.count("amend", actor)
    trip, instant = _locked(session, actor, ref, request.id), clock.now()
    proposal = session.get_one(Proposal, request.id)
    if proposal.state != proposals.OPEN or proposal.answer_by <= instant:
        raise ConflictError("This proposal is over: your booking stays as it is", code="proposal_over")
    if request.answer == "no":
        proposals.end(session, proposal, proposals.REFUSED, instant)
        events.record(session, trip.booking, EventKind.PROPOSAL_REFUSED, "customer", instant, actor.id)
        return showing.trip_view(session, trip)
    if request.expected_total is not None and request.expected_total != proposal.terms["total"]:
        raise ConflictError(moving.NOT_AS_IT_WAS, code="terms_changed")
    if trip.booking.status != CONFIRMED:
        raise not_confirmed()
    proposals.end(session, proposal, proposals.AGREED, instant)
    events.record(session, trip.booking, EventKind.AGREED, "customer", instant, actor.id)
    _carry_out(session, actor, trip, proposal, instant)
    return showing.trip_view(session, trip)


def _locked(session: Session, actor: Actor, ref: str, proposal_id: int) -> Trip:
    """The booking and the vehicles of a proposal, locked in the order of everything else."""
    before = find(session, actor, ref)
    proposal = session.get(Proposal, proposal_id)
    if proposal is None or proposal.booking_id != before.id:
        raise NotFoundError("There is no such proposal", code="unknown_proposal")
    ids = sorted({before.booking.vehicle_id, int(proposal.terms.get("vehicle") or before.booking.vehicle_id)})
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id).in_(ids)).order_by(col(Vehicle.id)).with_for_update())
    trip = hold(session, actor, ref, "customer")
    session.refresh(proposal)
    return trip


def _carry_out(session: Session, actor: Actor, trip: Trip, proposal: Proposal, instant: datetime) -> None:
    if proposal.kind == "move":
        moving.agreed(session, actor, trip, proposal.terms, instant)
    elif proposal.kind == "extension":
        changing.agreed(session, actor, trip, proposal.terms, instant)
    else:
        payments.agreed(session, actor, trip, proposal.terms, instant)
