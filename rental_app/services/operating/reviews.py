"""What operators decide about reviews."""

from sqlmodel import Session

from rental_app.content.messages import REPORT_HEARD, REPORT_REFUSED, REVIEW_REMOVED
from rental_app.domain.errors import ConflictError
from rental_app.schemas.operating import ReviewDecision, require_reason
from rental_app.services.accounts.actor import Actor
from rental_app.services.accounts.letters import tell
from rental_app.services.accounts.operators import enter
from rental_app.services.operating.versions import require_seen
from rental_app.services.reviews import writing

STAYS, REMOVED = "The review stays", "Removed: its writer is told"


def decide(session: Session, actor: Actor, review_id: int, request: ReviewDecision) -> str:
    """Remove a shown review, keep it, or show one again; its writer and whoever reported it are told.

    Returns a message. Raises ForbiddenError, NotFoundError, InvalidInputError (no reason) and ConflictError
    (`changed_meanwhile`, `already_decided`).
    """
    enter(actor)
    hide = request.decision == "remove"
    if hide:
        require_reason(request.reason)
    review = writing.held(session, review_id)
    require_seen(session, "reviews", review_id, request.expected)
    if review.judged_at and review.is_hidden == hide:
        raise ConflictError("This was decided already", code="already_decided")
    writing.judge(session, actor, review_id, hide=hide, reason=request.reason)
    writer = review.customer_id if review.side == "customer" else review.vendor_id
    if request.decision == "remove":
        tell(session, REVIEW_REMOVED, writer, vehicle_id=review.vehicle_id, note=request.reason)
    if review.reported_by:
        kind = REPORT_HEARD if request.decision == "remove" else REPORT_REFUSED
        tell(session, kind, review.reported_by, vehicle_id=review.vehicle_id, note=request.reason)
    return REMOVED if hide else STAYS
