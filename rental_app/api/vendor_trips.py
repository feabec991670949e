"""What the vendor does with a booking, standing beside the vehicle."""

from functools import partial
from typing import Annotated

from fastapi import Query

from rental_app.api.dependencies import (
    CallRouter,
    CurrentStaff,
    TripStaff,
    counted,
    current_staff,
    refusals,
    trip_staff,
)
from rental_app.api.idempotency import OnlyOnce, OnlyOnceWithPassword
from rental_app.api.submission import UPLOAD, FormOnlyOnce, Submitted, json_part, keep, multipart
from rental_app.api.trips import Ref
from rental_app.domain.uploads import DAMAGE_GROUP, RETURN_GROUPS, TRIP_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.schemas.quotes import QuoteRefusal
from rental_app.schemas.readings import HandoverData, ReturnData, SettlementAnswer, SettlementRequest
from rental_app.schemas.trips import (
    ChargeRequest,
    CodeAnswer,
    CodeRequest,
    ExtendRefusal,
    ExtendRequest,
    MoveRequest,
    ObjectionAnswerRequest,
    PaymentRequest,
    ReverseRequest,
    TripAnswer,
    VendorCancelRequest,
)
from rental_app.schemas.validation import validated
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import guests
from rental_app.services.files import checks
from rental_app.services.trips import answers, cancellations, changes, moves, payments, readings

router = CallRouter(prefix="/api/vendor/bookings/{ref}", tags=["trips"])


Uploader = Annotated[Actor, counted("upload", current_staff)]
FinishingUploader = Annotated[Actor, counted("upload", trip_staff)]
_READINGS = "The readings"


@router.post("/payment", responses=refusals(400, 401, 403, 404, 409, 429))
def payment(actor: TripStaff, ref: Ref, body: PaymentRequest, once: OnlyOnce) -> TripAnswer:
    """Record money that changed hands. With an Idempotency-Key a repeated call records it only once.

    `paidOn` is the Indian day on which it was paid, if that is not today: not in the future, not before the booking
    (422 `in_future`, `too_early`), and not in a month for which commission is paid (422 `month_settled`). Months count
    it by that day.
    """
    # The line of the account has the key too: pages send one with their forms, and lines are kept for good.
    return once.on_booking(payments.NOTED, payments.record, actor, ref, body, once.key)


@router.post("/reverse", responses=refusals(400, 401, 403, 404, 409, 429))
def reverse(actor: TripStaff, ref: Ref, body: ReverseRequest, once: OnlyOnce) -> TripAnswer:
    """Reverse a wrong line of the account by adding its opposite; reversing that restores the line.

    What would charge the customer more is proposed to them (`booking.proposal`), and the account stays as it is: a
    discount reversed, or a charge restored more than 15 minutes after it was, or beyond the booking's price. A charge
    takes discounts on it along; more than is charged for the vehicle is not reversed (409 `more_than_charged`).
    """
    return once.on_booking(partial(payments.outcome, body.entry), payments.reverse, actor, ref, body)


@router.post(
    "/handover", openapi_extra=multipart(*TRIP_GROUPS, texts={"data": json_part(_READINGS, HandoverData)}), **UPLOAD
)
async def handover(actor: Uploader, ref: Ref, form: Submitted, once: FormOnlyOnce) -> TripAnswer:
    """Record the handover of the vehicle: `data` and a photo of each side and of the odometer.

    `data`: `odometer`, `fuelEighths`, `papersSeen` (all of government_id, licence, work_proof, residence_proof) and
    `helmets`; `wentOutAt` if it went out earlier, within the rental. Possible from two hours before the pickup, and
    once the vehicle is back from its other trips (409 `still_out` says which).
    """
    data = validated(HandoverData, form.json_object("data"), exact=True)
    photos = await checks.check_photos(form.uploads, TRIP_GROUPS)
    return await keep(photos, once.on_booking, readings.HANDED_OVER, readings.hand_over, actor, ref, data, photos)


@router.post(
    "/return", openapi_extra=multipart(*RETURN_GROUPS, texts={"data": json_part(_READINGS, ReturnData)}), **UPLOAD
)
async def take_back(actor: FinishingUploader, ref: Ref, form: Submitted, once: FormOnlyOnce) -> TripAnswer:
    """Record the vehicle's return: `data` and the same photos, plus one of each damage, in the order of `damages`.

    `data`: `odometer`, `fuelEighths`, `helmets`, `speedings` and `damages`, each with `note` and `amount`;
    `cameBackAt` if the vehicle came back earlier, after the handover: late hours go by it. What is due is charged, and
    deducted from the deposit.
    """
    data = validated(ReturnData, form.json_object("data"), exact=True)
    photos = await checks.check_photos(form.uploads, RETURN_GROUPS)
    return await keep(photos, once.on_booking, readings.RECEIVED, readings.take_back, actor, ref, data, photos)


@router.post(
    "/charge", openapi_extra=multipart(DAMAGE_GROUP, texts={"data": json_part("The charge", ChargeRequest)}), **UPLOAD
)
async def charge(actor: Uploader, ref: Ref, form: Submitted, once: FormOnlyOnce) -> TripAnswer:
    """Charge a challan, a toll or damage, for some days after the return (7 at first), with a photo that proves it.

    `data`: `kind`, `amount` and `note`; one photo (`Damage`), of which late hours need none. What is held of the
    deposit pays it. The customer is told at once and may object; after those days nothing is charged
    (409 `too_late_to_charge`).
    """
    data = validated(ChargeRequest, form.json_object("data"), exact=True)
    photos = await checks.check_photos(form.uploads, (DAMAGE_GROUP,))
    return await keep(photos, once.on_booking, payments.CHARGED, payments.charge, actor, ref, data, photos, once.key)


@router.get("/settlement", responses=refusals(401, 403, 404, 409, 429))
def settlement(actor: TripStaff, ref: Ref, request: Annotated[SettlementRequest, Query()]) -> SettlementAnswer:
    """What a return at this moment, or at `cameBackAt`, would charge, before it is final."""
    return read(readings.preview, actor, ref, request)


@router.post("/no-show", responses=refusals(401, 403, 404, 409, 429))
def no_show(actor: CurrentStaff, ref: Ref, once: OnlyOnce) -> TripAnswer:
    """Mark that the customer never came; possible from two hours after the pickup time, and once the vehicle is back
    from its other trips (409 `still_out` says which).
    """
    return once.on_booking(cancellations.MARKED, cancellations.mark_no_show, actor, ref)


@router.post("/answer-objection", responses=refusals(400, 401, 403, 404, 409, 429))
def answer_objection(actor: CurrentStaff, ref: Ref, body: ObjectionAnswerRequest, once: OnlyOnce) -> TripAnswer:
    """Answer an objection of the customer's, once, in words and with photos that were uploaded ahead.

    It changes no line: a wrong one is reversed with `reverse`. The customer is told.
    """
    return once.on_booking(answers.OBJECTION_ANSWERED, answers.answer_objection, actor, ref, body)


@router.post("/move", responses=refusals(400, 401, 403, 404, 409, 429, conflict=QuoteRefusal))
def move(actor: CurrentStaff, ref: Ref, body: MoveRequest, once: OnlyOnce) -> TripAnswer:
    """Give a confirmed booking another of the vendor's vehicles before its handover.

    One of the same model at once; another model is proposed to the customer (`booking.proposal`), held for them and
    theirs once they agree. They never pay more: price, deposit and penalties are the lower ones.
    """
    return once.on_booking(moves.DONE, moves.move, actor, ref, body)


@router.post("/cancel", responses=refusals(400, 401, 403, 404, 409, 429))
def cancel(actor: CurrentStaff, ref: Ref, body: VendorCancelRequest, once: OnlyOnce) -> TripAnswer:
    """Give up a confirmed booking before its handover: all that was paid is owed back, and the customer is told.

    They are offered vehicles like it, those of the same vendor at no higher price. Giving up more than two minutes
    after the confirmation counts on the vendor's public page for twelve months. A request not answered yet is declined
    with change-status (409 `not_confirmed` here).
    """
    return once.on_booking(cancellations.VENDORS_DONE, cancellations.cancel_as_vendor, actor, ref, body)


@router.post("/proposal/code", responses=refusals(401, 403, 404, 409, 429))
def send_code(actor: CurrentStaff, ref: Ref, once: OnlyOnce) -> CodeAnswer:
    """Text a code of six digits to the customer's mobile, with which they agree to the open proposal at its total.

    It works for 10 minutes and for this proposal alone; a newer code ends it. At most 3 texts a booking
    (409 `texts_used_up`), 30 a day for a vendor's bookings and 200 a day to one number (429 `texts_used_up`). Without a
    proposal: 409 `no_proposal`.
    """
    return once(
        lambda sent: CodeAnswer(message=guests.CODE_SENT, sent_to=sent.to, works_until=sent.until),
        answers.send_code,
        actor,
        ref,
    )


@router.post("/proposal/yes", responses=refusals(400, 401, 403, 404, 409, 429))
def agree_by_code(actor: CurrentStaff, ref: Ref, body: CodeRequest, once: OnlyOnceWithPassword) -> TripAnswer:
    """The customer's yes to the open proposal, by the code that they have read out.

    A code is right once, and after five tries no more (422 `wrong_code`). One for a proposal that is over does nothing
    (409 `proposal_over`).
    """
    # The try counts whatever becomes of the call, so it is a transaction of its own.
    proof = write(answers.try_code, actor, ref, body.code)
    return once.on_booking(answers.AGREED_BY_CODE, answers.agree_by_code, actor, ref, proof)


@router.post("/extend", responses=refusals(400, 401, 403, 404, 409, 429, conflict=ExtendRefusal))
def extend(actor: CurrentStaff, ref: Ref, body: ExtendRequest, once: OnlyOnce) -> TripAnswer:
    """Grant a later return, at any time before the vehicle is back.

    One that costs more is proposed to the customer (`booking.proposal`): nothing changes unless they agree.
    """
    return once.on_booking(changes.granted, changes.grant, actor, ref, body)
