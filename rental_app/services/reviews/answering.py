"""What can be done with a shown review: its vendor answers it, somebody reports it."""

from datetime import datetime

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, ForbiddenError
from rental_app.models import Review
from rental_app.schemas.reviews import ReportRequest, ReviewReplyRequest, ReviewView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.reviews import reading, showing

ANSWERED = "Your answer is shown"


def answer(session: Session, actor: Actor, review_id: int, request: ReviewReplyRequest) -> ReviewView:
    """Answer a customer's review, once.

    Raises NotFoundError, ForbiddenError (not the vendor it is about), ConflictError (already answered).
    """
    throttle.count("change", actor)
    review, instant = _held(session, actor, review_id), clock.now()
    if (review.side, review.vendor_id) != ("customer", actor.id):
        raise ForbiddenError("Only the vendor a review is about can answer it", code="vendors_only")
    if review.answered_at:
        raise ConflictError("You have answered this review already", code="already_answered")
    review.answer, review.answered_at = request.text, instant
    showing.tell(session, review, "review_answered", review.customer_id, instant)
    session.flush()
    return reading.of_id(session, review.id)


def report(session: Session, actor: Actor, review_id: int, request: ReportRequest) -> str:
    """Put a review on the operator's list; returns a message for the actor.

    Raises NotFoundError, ForbiddenError (the actor's own), ConflictError (already reported).
    """
    throttle.count("change", actor)
    review, instant = _held(session, actor, review_id), clock.now()
    if actor.id == (review.customer_id if review.side == "customer" else review.vendor_id):
        raise ForbiddenError("This is your own review", code="own_review")
    _require_unreported(review.reported_at, review.judged_at)
    review.reported_at, review.reported_by, review.report_note = instant, actor.id, request.note
    session.flush()
    return "Thank you, we will look into it"


def _require_unreported(reported_at: datetime | None, judged_at: datetime | None) -> None:
    if judged_at:
        raise ConflictError("We have looked at this review, and it stays", code="already_judged")
    if reported_at:
        raise ConflictError("This review has already been reported: we are looking at it", code="already_reported")


def _held(session: Session, actor: Actor, review_id: int) -> Review:
    """A review that the actor can see, locked; raises NotFoundError."""
    found = session.scalars(select(Review).where(col(Review.id) == review_id).with_for_update()).first()
    if found is None or not reading.may_see(session, found, actor.id):
        raise showing.unknown_review()
    return found
