"""When reviews become visible: both of a trip at once, or one alone when the time is over; and their sums."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update
from sqlmodel import Session, col

from rental_app.domain.errors import NotFoundError
from rental_app.models import Outbox, Review, User, Vehicle

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
