"""Reviews of trips."""

from typing import Annotated

from fastapi import Path

from rental_app.api.dependencies import Anyone, CallRouter, CurrentActor, CurrentManager, Paging, id_of, refusals
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.api.trips import Ref
from rental_app.infrastructure.db import read
from rental_app.schemas.reviews import (
    ReportRequest,
    ReviewAnswer,
    ReviewReplyRequest,
    ReviewRequest,
    ReviewsAnswer,
)
from rental_app.schemas.trips import TripAnswer
from rental_app.schemas.wire import Answer, Id, VehicleIdIn
from rental_app.services.reviews import reading, writing

router = CallRouter(prefix="/api", tags=["reviews"])
ReviewId = Annotated[Id, id_of("review", examples=[5])]


@router.get("/vehicles/{vehicle_id}/reviews", responses=refusals(404, 429))
def of_vehicle(caller: Anyone, vehicle_id: Annotated[VehicleIdIn, Path(examples=[17])], page: Paging) -> ReviewsAnswer:
    """What customers said about trips with a vehicle, newest first."""
    return read(reading.of_vehicle, caller, vehicle_id, page)


@router.post("/bookings/{ref}/review", responses=refusals(400, 401, 403, 404, 409, 429))
def review(actor: CurrentActor, ref: Ref, body: ReviewRequest, once: OnlyOnce) -> TripAnswer:
    """Rate the other side of a returned trip, within the booking's time (14 days at first).

    A repeated call replaces it until it is shown: when both sides have written, or after that time at the latest.
    Refusals: `not_returned`, `too_late_to_review`, `review_shown`.
    """
    return once.on_booking(writing.THANKS, writing.write, actor, ref, body)


@router.post("/reviews/{review_id}/answer", responses=refusals(400, 401, 403, 404, 409, 429))
def answer(actor: CurrentManager, review_id: ReviewId, body: ReviewReplyRequest, once: OnlyOnce) -> ReviewAnswer:
    """Answer a review of the vendor's own vehicle, once; everybody sees the answer."""
    return once(
        lambda review: ReviewAnswer(message=writing.ANSWERED, review=review), writing.answer, actor, review_id, body
    )


@router.post("/reviews/{review_id}/report", responses=refusals(400, 401, 403, 404, 409, 429))
def report(actor: CurrentActor, review_id: ReviewId, body: ReportRequest, once: OnlyOnce) -> Answer:
    """Report to us what is wrong with a review."""
    return once(message_answer, writing.report, actor, review_id, body)
