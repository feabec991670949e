"""The operator's part: looking at reported reviews, and hiding or keeping them."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.models import Review
from rental_app.services import audit
from rental_app.services.accounts.actor import Actor, require_operator
from rental_app.services.reviews.showing import add_to_sums, unknown_review


def reported(session: Session, actor: Actor) -> Sequence[Review]:
    """The reviews reported and not judged yet, the oldest report first. Raises ForbiddenError."""
    require_operator(actor)
    open_ones = (col(Review.reported_at).is_not(None), col(Review.judged_at).is_(None))
    return session.scalars(select(Review).where(*open_ones).order_by(col(Review.reported_at))).all()


def judge(session: Session, actor: Actor, review_id: int, *, hide: bool) -> Review:
    """Hide a shown review, keep it, or show it again; the sums are adjusted. Raises ForbiddenError, NotFoundError."""
    require_operator(actor)
    review = session.scalars(select(Review).where(col(Review.id) == review_id).with_for_update()).first()
    if review is None or review.shown_at is None:
        raise unknown_review()
    if review.is_hidden != hide:
        add_to_sums(session, review, -1 if hide else 1)
    before, after = {"is_hidden": review.is_hidden}, {"is_hidden": hide}
    review.judged_at, review.is_hidden = clock.now(), hide
    audit.record(session, actor, Act.REVIEW_JUDGED, ("review", review_id), before=before, after=after)
    return review
