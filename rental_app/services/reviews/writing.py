"""Writing reviews, reporting and judging them, and when they become visible, with their sums."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.bookings import BookingSource
from rental_app.domain.errors import ConflictError, ForbiddenError, NotFoundError
from rental_app.domain.money import counted
from rental_app.domain.policies import Policies
from rental_app.domain.reviews import review_until
from rental_app.models import Outbox, Review, User, Vehicle
from rental_app.schemas.reviews import ReportRequest, ReviewReplyRequest, ReviewRequest, ReviewView
from rental_app.schemas.trips import TripView
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, require_manager, require_operator
from rental_app.services.bookings import events
from rental_app.services.bookings.access import Trip, hold
from rental_app.services.reviews import reading
from rental_app.services.trips import detail as trips

# In one sweep; the next one takes the rest.
MOST = 500


def show(session: Session, reviews: Sequence[Review], instant: datetime) -> None:
    """Make reviews visible, add their stars to the sums and notify the people they are about.

    The caller has locked the rows of their vehicles, so that nothing shows or changes them meanwhile.
    """
    # Every transaction that changes the sums of several vendors uses this order, which avoids deadlocks.
    for review in sorted(reviews, key=lambda one: (one.vendor_id, one.id)):
        review.shown_at = instant
        add_to_sums(session, review)
        about = review.customer_id if review.side == "vendor" else review.vendor_id
        tell(session, review, "reviewed", about, instant)
    session.flush()


def show_due(session: Session, instant: datetime) -> int:
    """Show reviews whose other side has not written in time; returns how many there were."""
    due = (col(Review.shown_at).is_(None), col(Review.show_by) <= instant)
    vehicles = set(session.scalars(select(col(Review.vehicle_id)).where(*due).limit(MOST)))
    if not vehicles:
        return 0
    of_vehicles = select(col(Vehicle.id)).where(col(Vehicle.id).in_(vehicles)).order_by(col(Vehicle.id))
    session.execute(of_vehicles.with_for_update())
    reviews = session.scalars(select(Review).where(*due, col(Review.vehicle_id).in_(vehicles))).all()
    show(session, reviews, instant)
    return len(reviews)


def unknown_review() -> NotFoundError:
    """The error for a review that does not exist, or that the actor may not see."""
    return NotFoundError("There is no such review", code="unknown_review")


def add_to_sums(session: Session, review: Review, sign: int = 1) -> None:
    """Add a customer's review to the sums of vehicle and vendor, or with -1 subtract it."""
    if review.side != "customer":
        return
    for kind, id_ in ((Vehicle, review.vehicle_id), (User, review.vendor_id)):
        sums = {"stars_total": kind.stars_total + sign * review.stars, "reviews": kind.reviews + sign}
        session.execute(update(kind).where(col(kind.id) == id_).values(sums))


def tell(session: Session, review: Review, kind: str, user_id: int, instant: datetime) -> None:
    """Put a message about a review into the outbox, once."""
    session.add(
        Outbox(
            key=f"{kind} {review.id}",
            kind=kind,
            user_id=user_id,
            booking_id=review.booking_id,
            created_at=instant,
            due_at=instant,
        )
    )


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
    policies = Policies.of(trip.booking.policies)
    until = review_until(back, policies)
    own = written.get(trip.side)
    if own and own.shown_at:
        raise ConflictError("Your review is shown and can no longer be changed", code="review_shown")
    if instant >= until:
        days = counted(policies.review_days, "day")
        raise ConflictError(f"Reviews are possible for {days} after the return", code="too_late_to_review")
    written[trip.side] = _take(session, trip, written.get(trip.side), request, until, instant)
    if len(written) > 1:
        show(session, list(written.values()), instant)
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
    require_manager(actor)
    review, instant = _held(session, actor, review_id), clock.now()
    if (review.side, review.vendor_id) != ("customer", actor.vendor):
        raise ForbiddenError("Only the vendor a review is about can answer it", code="vendors_only")
    if review.answered_at:
        raise ConflictError("You have answered this review already", code="already_answered")
    review.answer, review.answered_at = request.text, instant
    tell(session, review, "review_answered", review.customer_id, instant)
    session.flush()
    return reading.of_id(session, review.id)


def report(session: Session, actor: Actor, review_id: int, request: ReportRequest) -> str:
    """Put a review on the operator's list; returns a message for the actor.

    Raises NotFoundError, ForbiddenError (the actor's own), ConflictError (already reported).
    """
    throttle.count("change", actor)
    review, instant = _held(session, actor, review_id), clock.now()
    if review.customer_id == actor.id if review.side == "customer" else review.vendor_id == actor.vendor:
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
    if review is None or not reading.may_see(session, review, actor):
        raise unknown_review()
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
