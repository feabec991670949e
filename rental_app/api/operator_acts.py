"""What operators decide; what they read is in `operator.py`."""

from typing import Annotated

from fastapi import Path

from rental_app.api.dependencies import CurrentOperator, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.api.routing import CallRouter
from rental_app.api.trips import Ref
from rental_app.infrastructure.db import read, write
from rental_app.schemas.operating import (
    Blocking,
    CommissionAnswer,
    CommissionsAnswer,
    CommissionView,
    FeatureRequest,
    ListingDecision,
    LockedFields,
    NoteRequest,
    ObjectionDecision,
    OperatorCancelRequest,
    PaidCommission,
    ReadOnlyRequest,
    RecoveryRequest,
    RequestDecision,
    ReviewDecision,
    StopRequest,
)
from rental_app.schemas.trips import TripAnswer
from rental_app.schemas.wire import Answer, Id
from rental_app.services.operating import bookings, commission, listings, messages, people, read_only, reviews

router = CallRouter(prefix="/api/operator", tags=["operator"])
Month = Annotated[str, Path(max_length=7, description="An Indian month, such as 2026-11")]
RowId = Annotated[Id, Path(description="Its id")]
_REFUSALS, _BODILESS = refusals(400, 401, 403, 404, 409, 429), refusals(401, 403, 404, 409, 429)


@router.post("/listings/{id}/decision", responses=_REFUSALS)
def decide_listing(actor: CurrentOperator, id: RowId, body: ListingDecision, once: OnlyOnce) -> Answer:
    """List a vehicle that waits, refuse it, or take down one that is listed; its vendor is told, mends it and sends it
    again by saving it."""
    return once(message_answer, listings.decide, actor, id, body)


@router.put("/listings/{id}/featured", responses=_REFUSALS)
def feature_listing(actor: CurrentOperator, id: RowId, body: FeatureRequest) -> Answer:
    """Show a vehicle among the first of the home page, or no longer."""
    return message_answer(write(listings.feature, actor, id, body))


@router.post("/people/{id}/block", responses=_REFUSALS)
def block_person(actor: CurrentOperator, id: RowId, body: Blocking, once: OnlyOnce) -> Answer:
    """Block an account: it is logged out, its requests and those for its vehicles are declined, its vehicles hide.

    A vendor still receives vehicles that are out and settles their trips, and nothing else; confirmed bookings wait for
    an operator. Operators are not blocked here (409 `is_operator`).
    """
    return once(message_answer, people.block, actor, id, body)


@router.post("/people/{id}/unblock", responses=_REFUSALS)
def unblock_person(actor: CurrentOperator, id: RowId, body: Blocking, once: OnlyOnce) -> Answer:
    """Unblock an account: its owner logs in as before, its vehicles show again."""
    return once(message_answer, people.unblock, actor, id, body)


@router.post("/people/{id}/reset-link", responses=_BODILESS)
def send_reset_link(actor: CurrentOperator, id: RowId, once: OnlyOnce) -> Answer:
    """Send somebody a link for a new password; not to an address that changed within 7 days (409 `address_changed`)."""
    return once(message_answer, people.send_reset_link, actor, id)


@router.put("/people/{id}", responses=_REFUSALS)
def change_person(actor: CurrentOperator, id: RowId, body: LockedFields) -> Answer:
    """Change what is locked in an account; told to the e-mail and the mobile number that there were before."""
    return message_answer(write(people.change, actor, id, body))


@router.post("/people/{id}/recovery", responses=_REFUSALS)
def begin_recovery(actor: CurrentOperator, id: RowId, body: RecoveryRequest, once: OnlyOnce) -> Answer:
    """Begin to give another e-mail, mobile number or both to somebody who has lost what they had.

    Told at the old and the new addresses, with a link that stops it; 72 hours later it takes effect and everybody is
    logged out. One at a time (409 `recovery_open`).
    """
    return once(message_answer, people.begin_recovery, actor, id, body)


@router.post("/people/{id}/recovery/stop", responses=_REFUSALS)
def end_recovery(actor: CurrentOperator, id: RowId, body: StopRequest, once: OnlyOnce) -> Answer:
    """Stop another e-mail or mobile number that waits for an account (409 `no_recovery` if none does)."""
    return once(message_answer, people.end_recovery, actor, id, body)


@router.post("/people/{id}/notes", responses=refusals(400, 401, 403, 404, 429))
def add_note(actor: CurrentOperator, id: RowId, body: NoteRequest, once: OnlyOnce) -> Answer:
    """Note something about an account, for operators alone; notes are never changed (`GET /api/operator/notes`)."""
    return once(message_answer, people.add_note, actor, id, body)


@router.post("/requests/{id}/decision", responses=_REFUSALS)
def decide_request(actor: CurrentOperator, id: RowId, body: RequestDecision, once: OnlyOnce) -> Answer:
    """Grant or refuse what a vendor asks to have changed; they are told, at their old address and phone too."""
    return once(message_answer, people.decide_request, actor, id, body)


@router.post("/objections/{id}/decision", responses=_REFUSALS)
def decide_objection(actor: CurrentOperator, id: RowId, body: ObjectionDecision, once: OnlyOnce) -> Answer:
    """Decide about an objection, by the id of its event: take the line back, write it again lower, or leave it.

    One about a handover has no line (409 `no_line` for `partly`): it is noted who was right. A line that an operator
    wrote or reversed is reversed by an operator only (409 `decided_by_operator` for the vendor).
    """
    return once(message_answer, bookings.judge, actor, id, body)


@router.post("/bookings/{ref}/cancel", responses=_REFUSALS)
def cancel_booking(actor: CurrentOperator, ref: Ref, body: OperatorCancelRequest, once: OnlyOnce) -> TripAnswer:
    """Cancel a request, or a confirmed booking before its handover (409 `wrong_stage` later); both sides are told.

    What was paid above `kept` is owed back.
    """
    return once.on_booking(bookings.CANCELLED, bookings.cancel, actor, ref, body)


@router.post("/reviews/{id}/decision", responses=_REFUSALS)
def decide_review(actor: CurrentOperator, id: RowId, body: ReviewDecision, once: OnlyOnce) -> Answer:
    """Remove a review, keep it, or show a removed one again; its writer and whoever reported it are told."""
    return once(message_answer, reviews.decide, actor, id, body)


@router.post("/messages/{id}/resend", responses=_BODILESS)
def resend_message(actor: CurrentOperator, id: RowId, once: OnlyOnce) -> Answer:
    """Send a message again that was given up or did not arrive; one that still waits is refused (409)."""
    return once(message_answer, messages.resend, actor, id)


@router.get("/money/{month}", responses=refusals(401, 403, 404, 429))
def commissions(actor: CurrentOperator, month: Month) -> CommissionsAnswer:
    """What every vendor owes of the commission for a month, as their statements have it, less what they have paid."""
    found = read(commission.of_month, actor, month)
    return CommissionsAnswer(month=found.month, vendors=found.vendors)


@router.post("/money/{vendor}/{month}/paid", responses=_REFUSALS)
def note_paid(
    actor: CurrentOperator, vendor: RowId, month: Month, body: PaidCommission, once: OnlyOnce
) -> CommissionAnswer:
    """Note what a vendor has paid of a month's commission; never more than is owed (409 `more_than_owed`).

    Notes are never changed: `direction` out reverses one made by mistake.
    """
    return once(_noted, commission.note_paid, actor, vendor, month, body)


def _noted(now: CommissionView) -> CommissionAnswer:
    return CommissionAnswer(message=commission.NOTED, commission=now)


@router.put("/read-only", responses=refusals(400, 401, 403, 429))
def switch_read_only(actor: CurrentOperator, body: ReadOnlyRequest) -> Answer:
    """Make the shop read-only, or open it again: every other call that writes is refused (503 `read_only`) with the
    message, save logging in and out. Requests that waited get the time it was on added to their deadline."""
    return message_answer(write(read_only.switch, actor, body))
