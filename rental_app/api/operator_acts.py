"""What operators decide; what they read is in `operator.py`."""

from typing import Annotated

from fastapi import APIRouter, Path

from rental_app.api.dependencies import CurrentOperator, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.infrastructure.db import write
from rental_app.schemas.operating import FeatureRequest, ListingDecision
from rental_app.schemas.wire import Answer, Id
from rental_app.services.operating import listings

router = APIRouter(prefix="/api/operator", tags=["operator"])
RowId = Annotated[Id, Path(description="Its id")]
_REFUSALS = refusals(400, 401, 403, 404, 409, 429)


@router.post("/listings/{id}/decision", responses=_REFUSALS)
def decide_listing(actor: CurrentOperator, id: RowId, body: ListingDecision, once: OnlyOnce) -> Answer:
    """List a vehicle that waits, refuse it, or take down one that is listed; its vendor is told, mends it and sends it
    again by saving it."""
    return once(message_answer, listings.decide, actor, id, body)


@router.put("/listings/{id}/featured", responses=_REFUSALS)
def feature_listing(actor: CurrentOperator, id: RowId, body: FeatureRequest) -> Answer:
    """Show a vehicle among the first of the home page, or no longer."""
    return message_answer(write(listings.feature, actor, id, body))
