"""What the vendor does with a booking, beside the vehicle."""

from typing import Annotated

from fastapi import APIRouter, Header, Query

from rental_app.api.deps import CurrentVendor, refusals
from rental_app.api.trips import Ref
from rental_app.db import read, write
from rental_app.schemas.trips import (
    PaymentRequest,
    ReverseRequest,
    SettlementAnswer,
    SettlementRequest,
    TripAnswer,
)
from rental_app.services.trips import absences, payments, readings

router = APIRouter(prefix="/api/vendor/bookings/{ref}", tags=["trips"])


@router.post("/payment", responses=refusals(400, 401, 403, 404, 409, 429))
def payment(
    actor: CurrentVendor,
    ref: Ref,
    body: PaymentRequest,
    idempotency_key: Annotated[str, Header(max_length=200)] = "",
) -> TripAnswer:
    """Note money that changed hands. With an Idempotency-Key a repeated call notes it once."""
    return TripAnswer(message="Noted", booking=write(payments.record, actor, ref, body, idempotency_key))


@router.post("/reverse", responses=refusals(400, 401, 403, 404, 409, 429))
def reverse(actor: CurrentVendor, ref: Ref, body: ReverseRequest) -> TripAnswer:
    """Take a wrong line of the account back by its reverse."""
    return TripAnswer(message="Line taken back", booking=write(payments.reverse, actor, ref, body))


@router.get("/settlement", responses=refusals(401, 403, 404, 409, 429))
def settlement(actor: CurrentVendor, ref: Ref, request: Annotated[SettlementRequest, Query()]) -> SettlementAnswer:
    """What a return at this moment would charge, before it is final."""
    return read(readings.preview, actor, ref, request)


@router.post("/no-show", responses=refusals(401, 403, 404, 409, 429))
def no_show(actor: CurrentVendor, ref: Ref) -> TripAnswer:
    """Mark that the customer never came, from two hours after the pickup time."""
    return TripAnswer(message="Marked as a no-show", booking=write(absences.mark, actor, ref))
