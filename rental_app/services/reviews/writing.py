"""Writing a review: after the return, for a fortnight, until it is shown."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingSource
from rental_app.domain.errors import ConflictError
from rental_app.domain.reviews import TIME_TO_REVIEW
from rental_app.models import Booking, Review
from rental_app.schemas.reviews import ReviewRequest
from rental_app.schemas.trips import TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events
from rental_app.services.bookings.access import Trip, hold
from rental_app.services.reviews import showing
from rental_app.services.trips import detail as trips

THANKS = "Thank you for your review"


def write(session: Session, actor: Actor, ref: str, request: ReviewRequest) -> TripView:
    """Review a trip, or rewrite the review while nobody has seen it; both are shown once both sides have written.

    Raises NotFoundError, ForbiddenError (neither side), ConflictError (not returned yet, too late, already shown).
    """
    throttle.count("change", actor)
    # No review is shown meanwhile: showing locks the vehicle's row as well.
    trip, instant = hold(session, actor, ref, "customer", "vendor"), clock.now()
    written = {one.side: one for one in _of(session, trip)}
    until = _open_until(session, trip.booking)
    _require_open(written.get(trip.side), until, instant)
    written[trip.side] = _take(session, trip, written.get(trip.side), request, until, instant)
    if len(written) > 1:
        showing.show(session, list(written.values()), instant)
    return trips.trip_view(session, trip)


def _of(session: Session, trip: Trip) -> list[Review]:
    own = select(Review).where(col(Review.booking_id) == trip.id).execution_options(populate_existing=True)
    return list(session.scalars(own))


def _open_until(session: Session, booking: Booking) -> datetime:
    if booking.source == BookingSource.COUNTER:
        raise ConflictError("Trips booked at the counter are not reviewed", code="booked_at_counter")
    back = events.read_at(session, booking, "return")
    if back is None:
        raise ConflictError("Reviews are possible once the vehicle is back", code="not_returned")
    return back + TIME_TO_REVIEW


def _require_open(own: Review | None, until: datetime, instant: datetime) -> None:
    if own and own.shown_at:
        raise ConflictError("Your review is shown and can no longer be changed", code="review_shown")
    if instant >= until:
        days = TIME_TO_REVIEW // timedelta(days=1)
        raise ConflictError(f"Reviews are possible for {days} days after the return", code="too_late_to_review")


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
