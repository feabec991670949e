"""Cancelling by the vendor: a booking they had confirmed and cannot keep."""

from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.vendor_cancelling import BLOCKING, COUNTED_FOR, REASONS, is_counted
from rental_app.models import Block, Booking, BookingEvent, Vehicle
from rental_app.models.booking import BOOKED, CANCELLED, ONLINE
from rental_app.schemas.trips import TripView, VendorCancelRequest
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger, proposals
from rental_app.services.bookings.access import Trip, hold, require_stage
from rental_app.services.trips import showing

DONE = "Booking cancelled: the customer is told"
REASON = "Cancelled by the vendor"


def cancel(session: Session, actor: Actor, ref: str, request: VendorCancelRequest) -> TripView:
    """Give up a confirmed booking before its handover: nothing is charged, and all that was paid is owed back.

    Raises NotFoundError, ForbiddenError (not the vendor), InvalidInputError (another reason without a note) and
    ConflictError (not confirmed, handed over).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "vendor"), clock.now()
    booking, note = trip.booking, _note(request)
    require_stage(booking, BOOKED)
    give_up(session, actor, trip, 0, REASON, instant)
    events.record(session, booking, EventKind.VENDOR_CANCELLED, "vendor", instant, actor.id, note)
    if _blocks(request) and booking.return_at > instant:
        _block(session, actor, booking, instant)
    return showing.trip_view(session, trip)


def give_up(session: Session, actor: Actor, trip: Trip, kept: int, reason: str, instant: datetime) -> None:
    """Cancel a locked booking on the side of its vendor or of an operator: `kept` (paise) is charged in place of its
    rent. The caller records the event."""
    booking = trip.booking
    proposals.withdraw(session, booking, instant)
    ledger.replace_rent(session, booking, kept, instant, actor, reason)
    booking.status, booking.cancelled_by, booking.cancel_reason = CANCELLED, trip.side, reason
    booking.decided_at = instant
    session.flush()
    if kept:
        ledger.give_number(session, booking, trip.vendor_id, instant)


def _note(request: VendorCancelRequest) -> str:
    """Why, as the customer reads it; raises InvalidInputError if the reason says nothing by itself."""
    if request.reason == "other" and not request.note:
        message = "Say why: the customer reads it"
        raise InvalidInputError(message, fields={"note": message})
    if request.reason == "other":
        return request.note
    return f"{REASONS[request.reason]}: {request.note}" if request.note else REASONS[request.reason]


def _blocks(request: VendorCancelRequest) -> bool:
    return request.reason in BLOCKING if request.block is None else request.block


def _block(session: Session, actor: Actor, booking: Booking, instant: datetime) -> None:
    """Keep everybody else from the vehicle for the days of a cancelled booking, which nothing else overlaps."""
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


def counted(session: Session, vendor_id: int, instant: datetime) -> int:
    """How many confirmed bookings a vendor has given up in the last twelve months, mistakes and the counter aside."""
    ends = (
        select(func.max(col(BookingEvent.at)), col(Booking.decided_at))
        .join(Booking, col(Booking.id) == BookingEvent.booking_id)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(
            col(Vehicle.vendor_id) == vendor_id,
            col(Booking.cancelled_by) == "vendor",
            col(Booking.source) == ONLINE,
            col(Booking.decided_at) > instant - COUNTED_FOR,
            col(BookingEvent.what) == EventKind.CONFIRMED,
        )
        .group_by(col(Booking.id), col(Booking.decided_at))
    )
    return sum(is_counted(confirmed, given_up) for confirmed, given_up in session.execute(ends))
