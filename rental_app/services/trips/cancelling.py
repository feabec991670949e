"""Cancelling by the customer: the preview, and the cancellation on the terms that were shown."""

from datetime import datetime

from sqlmodel import Session

from rental_app.domain import cancellation, clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.cancellation import CancellationTerms
from rental_app.domain.errors import ConflictError
from rental_app.domain.money import format_rupees
from rental_app.models import Booking
from rental_app.models.booking import BOOKED, CANCELLED, CONFIRMED
from rental_app.schemas.trips import Cancellation, CancelRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger, proposals
from rental_app.services.bookings.access import already_decided, find, hold, is_waiting, out_with
from rental_app.services.trips import showing

REASON = "Cancelled by the customer"
DONE = "Booking cancelled"


class TermsChangedError(ConflictError):
    """Cancelling no longer costs what was shown; `cancellation` says what it costs now."""

    code = "terms_changed"

    def __init__(self, shown: int, now: Cancellation) -> None:
        message = f"Cancelling now keeps {format_rupees(now.kept)}, not {format_rupees(shown)}"
        super().__init__(message, details={"cancellation": now})
        self.cancellation = now


def preview(session: Session, actor: Actor, ref: str) -> Cancellation:
    """What cancelling now would keep and return. Raises NotFoundError, ConflictError (nothing to cancel)."""
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    return _view(_terms(session, trip.booking, clock.now()))


def cancel(session: Session, actor: Actor, ref: str, request: CancelRequest) -> TripView:
    """Cancel on the terms shown; the dates are free at once.

    Raises NotFoundError, ForbiddenError (not the customer), TermsChangedError, ConflictError (already decided).
    """
    throttle.count("amend", actor)
    trip = hold(session, actor, ref, "customer")
    booking, instant = trip.booking, clock.now()
    terms = _terms(session, booking, instant)
    if terms.kept != request.kept:
        raise TermsChangedError(request.kept, _view(terms))
    proposals.withdraw(session, booking, instant)
    if booking.status == CONFIRMED:
        ledger.replace_rent(session, booking, terms.kept, instant, actor, REASON)
    booking.status, booking.cancelled_by, booking.cancel_reason = CANCELLED, "customer", REASON
    booking.decided_at = instant
    session.flush()
    if terms.kept:
        ledger.give_number(session, booking, trip.vendor_id, instant)
    events.record(session, booking, EventKind.CANCELLED, "customer", instant, actor.id)
    return showing.trip_view(session, trip)


def _terms(session: Session, booking: Booking, instant: datetime) -> CancellationTerms:
    if is_waiting(booking, instant):
        return cancellation.free()
    if booking.status != CONFIRMED or booking.stage != BOOKED:
        raise already_decided()
    now = ledger.standing(session, booking)
    if instant >= booking.pickup_at and out_with(session, booking):
        return cancellation.free(paid=now.paid, deposit=now.held)
    return cancellation.terms(
        booking.pickup_at, instant, agreed=now.agreed, charged=now.charged, paid=now.paid, deposit=now.held
    )


def _view(terms: CancellationTerms) -> Cancellation:
    return Cancellation(
        kept=terms.kept,
        returned=terms.returned,
        deposit=terms.deposit,
        percent=terms.percent,
        dearer_at=terms.dearer_at,
    )
