"""Reviews: written, answered by who was reviewed, and hidden or shown again by an operator."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.bookings import BookingSource
from rental_app.domain.errors import ConflictError, ForbiddenError
from rental_app.domain.reviews import TIME_TO_REVIEW
from rental_app.models import Review, Vehicle
from rental_app.schemas.reviews import ReportRequest, ReviewReplyRequest, ReviewRequest, ReviewView
from rental_app.schemas.trips import TripView
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, require_operator
from rental_app.services.bookings import events
from rental_app.services.bookings.access import Trip, hold
from rental_app.services.reviews import reading, showing
from rental_app.services.reviews.showing import add_to_sums, unknown_review
from rental_app.services.trips import detail as trips

THANKS = "Thank you for your review"


ANSWERED = "Your answer is shown"


def write(session: Session, actor: Actor, ref: str, request: ReviewRequest) -> TripView:
    """Review a trip, or rewrite the review while nobody has seen it; both are shown once both sides have written.

    Raises NotFoundError, ForbiddenError (neither side), ConflictError (not returned yet, too late, already shown).
    """
    throttle.count("change", actor)
    # No review is shown meanwhile: showing locks the vehicle's row as well.
    trip, instant = hold(session, actor, ref, "customer", "vendor"), clock.now()
    written = {one.side: one for one in _of(session, trip)}
    if trip.booking.source == BookingSource.COUNTER:
        raise ConflictError("Trips booked at the counter are not reviewed", code="booked_at_counter")
    back = events.read_at(session, trip.booking, "return")
    if back is None:
        raise ConflictError("Reviews are possible once the vehicle is back", code="not_returned")
    until = back + TIME_TO_REVIEW
    own = written.get(trip.side)
    if own and own.shown_at:
        raise ConflictError("Your review is shown and can no longer be changed", code="review_shown")
    if instant >= until:
        days = TIME_TO_REVIEW // timedelta(days=1)
        raise ConflictError(f"Reviews are possible for {days} days after the return", code="too_late_to_review")
    written[trip.side] = _take(session, trip, written.get(trip.side), request, until, instant)
    if len(written) > 1:
        showing.show(session, list(written.values()), instant)
    return trips.trip_view(session, trip)


def _of(session: Session, trip: Trip) -> list[Review]:
    own = select(Review).where(col(Review.booking_id) == trip.id).execution_options(populate_existing=True)
    return list(session.scalars(own))


def _take(
    session: Session, trip: Trip, own: Review | None, request: ReviewRequest, until: datetime, instant: datetime
) -> Review:
    if own is None:
        own = Review(
            booking_id=trip.id,
            side=trip.side,
            vehicle_id=trip.booking.vehicle_id,
            vendor_id=trip.vendor_id,
            customer_id=trip.booking.customer_id,
            stars=request.stars,
            text=request.text,
            written_at=instant,
            show_by=until,
        )
        session.add(own)
    else:
        own.stars, own.text, own.edited_at = request.stars, request.text, instant
    session.flush()
    return own


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
    if review.judged_at:
        raise ConflictError("We have looked at this review, and it stays", code="already_judged")
    if review.reported_at:
        raise ConflictError("This review has already been reported: we are looking at it", code="already_reported")
    review.reported_at, review.reported_by, review.report_note = instant, actor.id, request.note
    session.flush()
    return "Thank you, we will look into it"


def _held(session: Session, actor: Actor, review_id: int) -> Review:
    """A review that the actor can see, locked; raises NotFoundError."""
    review = session.scalars(select(Review).where(col(Review.id) == review_id).with_for_update()).first()
    if review is None or not reading.may_see(session, review, actor.id):
        raise showing.unknown_review()
    return review


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
