"""Bookings that do not take place: cancelled by the customer or the vendor, or a customer who never came."""

from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import cancellation, clock
from rental_app.domain.acts import Act
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingSource, BookingStatus, TripStage, WhyCancelled
from rental_app.domain.cancellation import BLOCKING, CANCEL_REASONS, COUNTED_FOR, CancellationTerms, is_counted
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.money import format_rupees
from rental_app.domain.policies import Policies
from rental_app.models import Block, Booking, BookingEvent, Vehicle
from rental_app.schemas.trips import Cancellation, CancelRequest, TripView, VendorCancelRequest
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger, proposals
from rental_app.services.bookings.access import (
    Trip,
    already_decided,
    find,
    hold,
    is_waiting,
    out_with,
    require_back,
    require_stage,
)
from rental_app.services.trips import detail

DONE = "Booking cancelled"


class TermsChangedError(ConflictError):
    """Cancelling no longer costs what was shown; `cancellation` says what it costs now."""

    code = "terms_changed"

    def __init__(self, shown: int, now: Cancellation) -> None:
        message = f"Cancelling now keeps {format_rupees(now.kept)}, not {format_rupees(shown)}"
        super().__init__(message, details={"cancellation": now})
        self.cancellation = now


VENDORS_DONE = "Booking cancelled: the customer is told"
MARKED = "Marked as a no-show"


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
    if terms.retained != request.kept:
        raise TermsChangedError(request.kept, _view(terms))
    give_up(session, actor, trip, terms.retained, WhyCancelled.BY_CUSTOMER, instant)
    events.record(session, booking, EventKind.CANCELLED, "customer", instant, actor.id)
    return detail.trip_view(session, trip)


def _terms(session: Session, booking: Booking, instant: datetime) -> CancellationTerms:
    if is_waiting(booking, instant):
        return cancellation.free()
    if booking.status != BookingStatus.CONFIRMED or booking.stage != TripStage.BOOKED:
        raise already_decided()
    now = ledger.standing(session, booking)
    if instant >= booking.pickup_at and out_with(session, booking):
        return cancellation.free(paid=now.paid, deposit=now.held)
    amounts = {"agreed": now.agreed, "charged": now.charged, "paid": now.paid, "deposit": now.held}
    return cancellation.terms(booking.pickup_at, instant, Policies.of(booking.policies), **amounts)


def _view(terms: CancellationTerms) -> Cancellation:
    return Cancellation(
        kept=terms.retained,
        returned=terms.returned,
        deposit=terms.deposit,
        percent=terms.percent,
        dearer_at=terms.dearer_at,
    )


def cancel_as_vendor(session: Session, actor: Actor, ref: str, request: VendorCancelRequest) -> TripView:
    """Give up a confirmed booking before its handover: nothing is charged, and all that was paid is owed back.

    Raises NotFoundError, ForbiddenError (not the vendor), InvalidInputError (another reason without a note) and
    ConflictError (not confirmed, handed over).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "vendor"), clock.now()
    booking, note = trip.booking, _note(request)
    require_stage(booking, TripStage.BOOKED)
    give_up(session, actor, trip, 0, WhyCancelled.BY_VENDOR, instant)
    events.record(session, booking, EventKind.VENDOR_CANCELLED, "vendor", instant, actor.id, note)
    blocks = request.reason in BLOCKING if request.block is None else request.block
    if blocks and booking.return_at > instant:
        # Nothing else overlaps the days of a booking.
        block = Block(
            vehicle_id=booking.vehicle_id,
            begins_at=max(booking.pickup_at, instant),
            ends_at=booking.return_at,
            reason="service",
            note=booking.reference,
            created_at=instant,
        )
        session.add(block)
        session.flush()
        after = block.model_dump(mode="json", include={"vehicle_id", "begins_at", "ends_at"})
        audit.record(session, actor, Act.BLOCK_ADDED, ("block", block.id or 0), after=after)
    return detail.trip_view(session, trip)


def give_up(session: Session, actor: Actor, trip: Trip, retained: int, reason: str, instant: datetime) -> None:
    """Cancel a locked booking for one of its sides or an operator; `retained` (paise) is charged in place of its rent.

    The caller records the event.
    """
    booking = trip.booking
    proposals.withdraw(session, booking, instant)
    if booking.status == BookingStatus.CONFIRMED:
        ledger.replace_rent(session, booking, retained, instant, actor, reason)
    booking.status, booking.cancelled_by, booking.cancel_reason = BookingStatus.CANCELLED, trip.side, reason
    booking.decided_at = instant
    session.flush()
    if retained:
        ledger.give_number(session, booking, trip.vendor_id, instant)


def _note(request: VendorCancelRequest) -> str:
    """Why, as the customer reads it; raises InvalidInputError if the reason says nothing by itself."""
    if request.reason == "other" and not request.note:
        message = "Say why: the customer reads it"
        raise InvalidInputError(message, fields={"note": message})
    if request.reason == "other":
        return request.note
    return f"{CANCEL_REASONS[request.reason]}: {request.note}" if request.note else CANCEL_REASONS[request.reason]


def counted(session: Session, vendor_id: int, instant: datetime) -> int:
    """How many confirmed bookings a vendor has given up in the last twelve months, mistakes and the counter aside."""
    ends = (
        select(func.max(col(BookingEvent.at)), col(Booking.decided_at))
        .join(Booking, col(Booking.id) == BookingEvent.booking_id)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(
            col(Vehicle.vendor_id) == vendor_id,
            col(Booking.cancelled_by) == "vendor",
            col(Booking.source) == BookingSource.ONLINE,
            col(Booking.decided_at) > instant - COUNTED_FOR,
            col(BookingEvent.what) == EventKind.CONFIRMED,
        )
        .group_by(col(Booking.id), col(Booking.decided_at))
    )
    return sum(is_counted(confirmed, cancelled) for confirmed, cancelled in session.execute(ends))


def mark_no_show(session: Session, actor: Actor, ref: str) -> TripView:
    """Mark a no-show: what was paid of the price is kept, the deposit is returned in full.

    Raises NotFoundError, ForbiddenError (not the vendor), ConflictError (too early, handed over, not confirmed, still
    out with another).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "vendor"), clock.now()
    booking, policies = trip.booking, Policies.of(trip.booking.policies)
    require_stage(booking, TripStage.BOOKED)
    if instant < (begin := cancellation.absent_from(booking.pickup_at, policies)):
        raise ConflictError(f"A no-show can be marked from {clock.friendly(begin)}", code="too_early")
    require_back(session, booking)
    now = ledger.standing(session, booking)
    terms = cancellation.no_show(policies, charged=now.charged, paid=now.paid, deposit=now.held)
    proposals.withdraw(session, booking, instant)
    ledger.replace_rent(session, booking, terms.retained, instant, actor, "The customer did not come")
    booking.stage = TripStage.NO_SHOW
    session.flush()
    if terms.retained:
        ledger.give_number(session, booking, trip.vendor_id, instant)
    events.record(session, booking, EventKind.NO_SHOW, "vendor", instant, actor.id)
    return detail.trip_view(session, trip)
