"""What operators decide; what they read is in `operator.py`."""

from collections.abc import Callable
from typing import Annotated, Any

from fastapi import Path

from rental_app.api.dependencies import CurrentOperator, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.api.routing import CallRouter
from rental_app.api.trips import Ref
from rental_app.infrastructure.db import read, write
from rental_app.schemas.operating import (
    CommissionAnswer,
    CommissionsAnswer,
    CommissionView,
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


def _serve(act: OperatorAct, responses: dict[int | str, dict[str, Any]] = _REFUSALS) -> None:
    """Answer the call of an act: what may be repeated is a PUT, all else a POST that a key makes safe to repeat."""
    shape = act.shape

    def decide(actor: CurrentOperator, id: RowId, body: shape, once: OnlyOnce) -> Answer:  # type: ignore[valid-type]
        return once(message_answer, act.service, actor, id, body)

    def decide_at_once(actor: CurrentOperator, id: RowId, once: OnlyOnce) -> Answer:
        return once(message_answer, act.service, actor, id)

    def put(actor: CurrentOperator, id: RowId, body: shape) -> Answer:  # type: ignore[valid-type]
        return message_answer(write(act.service, actor, id, body))

    call: Callable[..., Answer] = decide_at_once if shape is None else put if act.repeatable else decide
    call.__name__, call.__doc__ = act.name, act.about
    method = "PUT" if act.repeatable else "POST"
    router.add_api_route(act.path, call, methods=[method], responses=_BODILESS if shape is None else responses)


for each in (
    acts.DECIDE_LISTING,
    acts.FEATURE_LISTING,
    acts.BLOCK_PERSON,
    acts.UNBLOCK_PERSON,
    acts.SEND_RESET_LINK,
    acts.CHANGE_PERSON,
    acts.BEGIN_RECOVERY,
    acts.END_RECOVERY,
):
    _serve(each)
_serve(acts.ADD_NOTE, _NEVER_LATE)
for each in (acts.DECIDE_REQUEST, acts.DECIDE_OBJECTION):
    _serve(each)


@router.post("/bookings/{ref}/cancel", responses=_REFUSALS)
def cancel_booking(actor: CurrentOperator, ref: Ref, body: OperatorCancelRequest, once: OnlyOnce) -> TripAnswer:
    """Cancel a request, or a confirmed booking before its handover (409 `wrong_stage` later); both sides are told.

    What was paid above `kept` is owed back.
    """
    return once.on_booking(bookings.CANCELLED, bookings.cancel, actor, ref, body)


for each in (acts.DECIDE_REVIEW, acts.RESEND_MESSAGE):
    _serve(each)


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
