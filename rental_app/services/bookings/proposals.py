"""Proposals that wait for the customer: opened, held by a block, and ended."""

from datetime import datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.domain.booking_events import EventKind
from rental_app.domain.clock import Window
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure import db
from rental_app.models import Block, Booking, Proposal, ProposalTerms
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events
from rental_app.services.bookings.free_dates import DatesUnavailableError

# The message for a vendor whose change waits for the customer.
AWAITS_CUSTOMER = "The customer is asked: nothing changes unless they agree"
OPEN, AGREED, REFUSED, LAPSED, WITHDRAWN = "open", "agreed", "refused", "lapsed", "withdrawn"
TIME_TO_ANSWER = timedelta(hours=24)
TAKEN = "This vehicle is booked for some of these dates"
_GUARDS = ("ex_vehicle_block_booked", "ex_vehicle_block_no_overlap")


def current(session: Session, booking: Booking, instant: datetime) -> Proposal | None:
    """The proposal that waits for the customer of a booking, if there is one."""
    own = (col(Proposal.booking_id) == booking.id, col(Proposal.state) == OPEN, col(Proposal.answer_by) > instant)
    return session.scalars(select(Proposal).where(*own)).first()


def propose(
    session: Session,
    actor: Actor,
    booking: Booking,
    terms: ProposalTerms,
    answer_by: datetime,
    instant: datetime,
    message: str,
    held: tuple[int, Window] | None = None,
) -> Proposal:
    """Propose something to the customer of a locked booking; a vehicle and a window are `held` until it ends.

    Raises ConflictError: `proposal_open` while another one waits, `dates_taken` if they are not free.
    """
    lapse(session, instant, booking)
    if current(session, booking, instant):
        raise still_open()
    proposal = Proposal(
        booking_id=booking.id or 0,
        kind=terms.kind,
        terms=terms.model_dump(mode="json"),
        answer_by=answer_by,
        created_at=instant,
        who_id=actor.id,
    )
    session.add(proposal)
    session.flush()
    if held:
        _hold(session, proposal, *held)
    events.record(session, booking, EventKind.PROPOSED, "vendor", instant, actor.id, message)
    return proposal


def still_open() -> ConflictError:
    """The error for a proposal while another one waits."""
    return ConflictError("The customer has not answered your last proposal yet", code="proposal_open")


def _hold(session: Session, proposal: Proposal, vehicle_id: int, window: Window) -> None:
    block = Block(
        vehicle_id=vehicle_id,
        begins_at=window.pickup,
        ends_at=window.return_at,
        reason="other",
        created_at=proposal.created_at,
        proposal_id=proposal.id,
    )
    session.add(block)
    try:
        session.flush()
    except DatabaseError as error:
        if db.violated(error) not in _GUARDS:
            raise
        raise DatesUnavailableError(TAKEN, []) from None


def end(session: Session, proposal: Proposal, state: str, instant: datetime) -> None:
    """End a proposal and free what it holds."""
    session.execute(delete(Block).where(col(Block.proposal_id) == proposal.id))
    proposal.state, proposal.ended_at = state, instant
    session.add(proposal)
    session.flush()


def withdraw(session: Session, booking: Booking, instant: datetime) -> None:
    """End what is proposed about a booking that goes another way, and what was not answered in time."""
    lapse(session, instant, booking)
    if proposal := current(session, booking, instant):
        end(session, proposal, WITHDRAWN, instant)


def lapse(session: Session, instant: datetime, booking: Booking | None = None, vehicle_id: int | None = None) -> None:
    """End the proposals that were not answered in time and tell their vendors: those of one booking, those that hold
    one vehicle, or all.

    Each is ended with its booking locked, which everything about a booking locks before its proposals. Where somebody
    else has it, they end the proposal, or the sweep does.
    """
    due = select(Proposal, Booking).join(Booking, col(Booking.id) == Proposal.booking_id)
    due = due.where(col(Proposal.state) == OPEN, col(Proposal.answer_by) <= instant)
    if booking is not None:
        due = due.where(col(Proposal.booking_id) == booking.id)
    if vehicle_id is not None:
        holding = select(col(Block.proposal_id)).where(col(Block.vehicle_id) == vehicle_id)
        due = due.where(col(Proposal.id).in_(holding))
    for proposal, of in session.execute(due.with_for_update(skip_locked=True)).all():
        end(session, proposal, LAPSED, instant)
        events.record(session, of, EventKind.PROPOSAL_LAPSED, "system", instant)
