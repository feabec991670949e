"""What operators decide; what they read is in `operator.py`."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path

from rental_app.api.dependencies import CallRouter, CurrentOperator, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.api.trips import Ref
from rental_app.infrastructure.db import read, write
from rental_app.schemas.operating import (
    CommissionAnswer,
    CommissionsAnswer,
    OperatorCancelRequest,
    PaidCommission,
    ReadOnlyRequest,
)
from rental_app.schemas.trips import TripAnswer
from rental_app.schemas.wire import Answer, Id
from rental_app.services.operating import acts, bookings, commission, read_only
from rental_app.services.operating.acts import OperatorAct

router = CallRouter(prefix="/api/operator", tags=["operator"])
Month = Annotated[str, Path(max_length=7, description="An Indian month, such as 2026-11")]
RowId = Annotated[Id, Path(description="Its id")]
_REFUSALS, _BODILESS = refusals(400, 401, 403, 404, 409, 429), refusals(401, 403, 404, 409, 429)
_NEVER_LATE = refusals(400, 401, 403, 404, 429)


def _serve(act: OperatorAct, about: str, responses: dict[int | str, dict[str, Any]] = _REFUSALS) -> None:
    """Answer the call of an act: what may be repeated is a PUT, all else a POST that a key makes safe to repeat."""
    shape = act.shape

    def decide(actor: CurrentOperator, id: RowId, body: shape, once: OnlyOnce) -> Answer:  # type: ignore[valid-type]
        return once(message_answer, act.service, actor, id, body)

    def decide_at_once(actor: CurrentOperator, id: RowId, once: OnlyOnce) -> Answer:
        return once(message_answer, act.service, actor, id)

    def put(actor: CurrentOperator, id: RowId, body: shape) -> Answer:  # type: ignore[valid-type]
        return message_answer(write(act.service, actor, id, body))

    call: Callable[..., Answer] = decide_at_once if shape is None else put if act.repeatable else decide
    call.__name__, call.__doc__ = act.name, about
    method = "PUT" if act.repeatable else "POST"
    router.add_api_route(act.path, call, methods=[method], responses=_BODILESS if shape is None else responses)


_serve(
    acts.DECIDE_LISTING,
    """List a vehicle that waits, refuse it, or take down one that is listed; its vendor is told, mends it and sends it
    again by saving it.""",
)
_serve(
    acts.FEATURE_LISTING,
    "Show a vehicle among the first of the home page, or no longer.",
)
_serve(
    acts.BLOCK_PERSON,
    """Block an account: it is logged out, its requests and those for its vehicles are declined, its vehicles hide.

    A vendor still receives vehicles that are out and settles their trips, and nothing else; confirmed bookings wait for
    an operator. Operators are not blocked here (409 `is_operator`).""",
)
_serve(
    acts.UNBLOCK_PERSON,
    "Unblock an account: its owner logs in as before, its vehicles show again.",
)
_serve(
    acts.SEND_RESET_LINK,
    "Send somebody a link for a new password; not to an address that changed within 7 days (409 `address_changed`).",
)
_serve(
    acts.CHANGE_PERSON,
    """Change what is locked in an account; told to the e-mail and the mobile number that there were before.""",
)
_serve(
    acts.BEGIN_RECOVERY,
    """Begin to give another e-mail, mobile number or both to somebody who has lost what they had.

    Told at the old and the new addresses, with a link that stops it; 72 hours later it takes effect and everybody is
    logged out. One at a time (409 `recovery_open`).""",
)
_serve(
    acts.END_RECOVERY,
    """Stop another e-mail or mobile number that waits for an account (409 `no_recovery` if none does).""",
)
_serve(
    acts.ADD_NOTE,
    """Note something about an account, for operators alone; notes are never changed (`GET /api/operator/notes`).""",
    _NEVER_LATE,
)
_serve(
    acts.DECIDE_REQUEST,
    """Grant or refuse what a vendor asks to have changed; they are told, at their old address and phone too.""",
)
_serve(
    acts.DECIDE_OBJECTION,
    """Decide about an objection, by the id of its event: take the line back, write it again lower, or leave it.

    One about a handover has no line (409 `no_line` for `partly`): it is noted who was right. A line that an operator
    wrote or reversed is reversed by an operator only (409 `decided_by_operator` for the vendor).""",
)


@router.post("/bookings/{ref}/cancel", responses=_REFUSALS)
def cancel_booking(actor: CurrentOperator, ref: Ref, body: OperatorCancelRequest, once: OnlyOnce) -> TripAnswer:
    """Cancel a request, or a confirmed booking before its handover (409 `wrong_stage` later); both sides are told.

    What was paid above `kept` is owed back.
    """
    return once.on_booking(bookings.CANCELLED, bookings.cancel, actor, ref, body)


_serve(
    acts.DECIDE_REVIEW,
    """Remove a review, keep it, or show a removed one again; its writer and whoever reported it are told.""",
)
_serve(
    acts.DECIDE_PAPER,
    """Accept a customer's document or refuse it; they are told, and why. A refused `unmasked` one is erased at once.

    One that was replaced or withdrawn meanwhile: 409 `changed_meanwhile`.""",
)
_serve(
    acts.RESEND_MESSAGE,
    """Send a message again that was given up or did not arrive; one that still waits is refused (409).""",
)
_serve(
    acts.UNDO_OFFER,
    """Take back the last change of an offer (409 `nothing_to_undo` if it was never changed); once more, and it is as it
    was changed.""",
)


@router.get("/money/{month}", responses=refusals(401, 403, 404, 429))
def commissions(actor: CurrentOperator, month: Month) -> CommissionsAnswer:
    """What every vendor owes of the commission for a month, as their statements have it, less what they have paid."""
    owed = read(commission.of_month, actor, month)
    return CommissionsAnswer(month=owed.month, vendors=owed.vendors)


@router.post("/money/{vendor}/{month}/paid", responses=_REFUSALS)
def note_paid(
    actor: CurrentOperator, vendor: RowId, month: Month, body: PaidCommission, once: OnlyOnce
) -> CommissionAnswer:
    """Note what a vendor has paid of a month's commission; never more than is owed (409 `more_than_owed`).

    Notes are never changed: `direction` out reverses one made by mistake.
    """
    return once(
        lambda now: CommissionAnswer(message=commission.NOTED, commission=now),
        commission.note_paid,
        actor,
        vendor,
        month,
        body,
    )


@router.put("/read-only", responses=refusals(400, 401, 403, 429))
def switch_read_only(actor: CurrentOperator, body: ReadOnlyRequest) -> Answer:
    """Make the shop read-only, or open it again: every other call that writes is refused (503 `read_only`) with the
    message, save logging in and out. Requests that waited get the time it was on added to their deadline."""
    return message_answer(write(read_only.switch, actor, body))
