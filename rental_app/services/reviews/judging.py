"""The operator's part: looking at reported reviews, and hiding or keeping them."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.models import Review, Vehicle
from rental_app.services import audit
from rental_app.services.accounts.actor import Actor, require_operator
from rental_app.services.reviews.showing import add_to_sums, unknown_review


def reported(session: Session, actor: Actor) -> Sequence[Review]:
    """The reviews reported and not judged yet, the oldest report first. Raises ForbiddenError."""
    require_operator(actor)
    open_ones = (col(Review.reported_at).is_not(None), col(Review.judged_at).is_(None))
    return session.scalars(select(Review).where(*open_ones).order_by(col(Review.reported_at))).all()


def held(session: Session, review_id: int) -> Review:
    """A shown review, locked after its vehicle, as showing one locks them. Raises NotFoundError."""
    of_review = select(col(Review.vehicle_id)).where(col(Review.id) == review_id).scalar_subquery()
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id) == of_review).with_for_update())
    locked = select(Review).where(col(Review.id) == review_id).with_for_update()
    review = session.scalars(locked.execution_options(populate_existing=True)).first()
    if review is None or review.shown_at is None:
        raise unknown_review()
    return review


def judge(session: Session, actor: Actor, review_id: int, *, hide: bool, reason: str = "") -> Review:
    """Hide a shown review, keep it, or show it again; the sums are adjusted. Raises ForbiddenError, NotFoundError."""
    require_operator(actor)
    review = held(session, review_id)
    if review.is_hidden != hide:
        add_to_sums(session, review, -1 if hide else 1)
    before, after = {"is_hidden": review.is_hidden}, {"is_hidden": hide}
    review.judged_at, review.is_hidden = clock.now(), hide
    audit.record(session, actor, Act.REVIEW_JUDGED, ("review", review_id), reason, before=before, after=after)
    return review
