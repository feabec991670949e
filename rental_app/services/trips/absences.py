"""Customers who never came for the vehicle."""

from sqlmodel import Session

from rental_app.domain import cancellation, clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import ConflictError
from rental_app.models.booking import BOOKED, NO_SHOW
from rental_app.schemas.trips import TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger, proposals
from rental_app.services.bookings.access import hold, require_back, require_stage
from rental_app.services.trips import showing

MARKED = "Marked as a no-show"


def mark_no_show(session: Session, actor: Actor, ref: str) -> TripView:
    """Mark a no-show: what was paid of the price is kept, the deposit is returned in full.

    Raises NotFoundError, ForbiddenError (not the vendor), ConflictError (too early, handed over, not confirmed, still
    out with another).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "vendor"), clock.now()
    booking = trip.booking
    require_stage(booking, BOOKED)
    if instant < (begin := cancellation.absent_from(booking.pickup_at)):
        raise ConflictError(f"A no-show can be marked from {clock.friendly(begin)}", code="too_early")
    require_back(session, booking)
    now = ledger.standing(session, booking)
    terms = cancellation.no_show(charged=now.charged, paid=now.paid, deposit=now.held)
    proposals.withdraw(session, booking, instant)
    ledger.replace_rent(session, booking, terms.kept, instant, actor, "The customer did not come")
    booking.stage = NO_SHOW
    session.flush()
    if terms.kept:
        ledger.give_number(session, booking, trip.vendor_id, instant)
    events.record(session, booking, EventKind.NO_SHOW, "vendor", instant, actor.id)
    return showing.trip_view(session, trip)
