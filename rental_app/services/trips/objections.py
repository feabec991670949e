"""The customer's response to what the vendor recorded: that it is right, or what is wrong with it."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import ConflictError
from rental_app.domain.settlement import TIME_TO_OBJECT
from rental_app.models import BookingEvent, LedgerEntry
from rental_app.models.booking import OUT
from rental_app.schemas.trips import ObjectRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import account, events
from rental_app.services.bookings.access import Trip, hold, require_stage
from rental_app.services.trips import showing

ACKNOWLEDGED, NOTED = "Handover confirmed", "Objection noted: the vendor has been told"


def acknowledge(session: Session, actor: Actor, ref: str) -> TripView:
    """Confirm the handover as the vendor recorded it; confirming again changes nothing.

    Raises NotFoundError, ForbiddenError (not the customer), ConflictError (not handed over).
    """
    throttle.count("change", actor)
    trip = hold(session, actor, ref, "customer")
    require_stage(trip.booking, OUT)
    if not _is_recorded(session, trip, EventKind.ACKNOWLEDGED, None):
        events.record(session, trip.booking, EventKind.ACKNOWLEDGED, "customer", clock.now(), actor.id)
    return showing.trip_view(session, trip)


def object_to(session: Session, actor: Actor, ref: str, request: ObjectRequest) -> TripView:
    """Object to a line of the account, or to the handover, within a day of it; both sides see it marked.

    Raises NotFoundError (booking or line), ForbiddenError (not the customer), ConflictError (too late, already objected
    to).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "customer"), clock.now()
    if instant > _noted(session, trip, request.entry) + TIME_TO_OBJECT:
        hours = TIME_TO_OBJECT // timedelta(hours=1)
        raise ConflictError(f"Objections are possible within {hours} hours", code="too_late_to_object")
    if _is_recorded(session, trip, EventKind.OBJECTED, request.entry):
        raise ConflictError("You have objected to this already", code="already_objected")
    told = _about(session, request)
    events.record(
        session, trip.booking, EventKind.OBJECTED, "customer", instant, actor.id, request.note, request.entry, told=told
    )
    return showing.trip_view(session, trip)


def _about(session: Session, request: ObjectRequest) -> str:
    """The objection in the words of a message, with the line it is about."""
    if request.entry is None:
        return request.note
    return f"{account.named(session.get_one(LedgerEntry, request.entry))} ({request.note})"


def _noted(session: Session, trip: Trip, entry: int | None) -> datetime:
    """When the line, or the handover, was recorded."""
    if entry is None:
        found = events.read_at(session, trip.booking, "handover")
    else:
        line = (col(LedgerEntry.booking_id) == trip.id, col(LedgerEntry.id) == entry)
        found = session.scalars(select(col(LedgerEntry.at)).where(*line)).first()
    if found is None and entry is None:
        raise ConflictError("The vehicle has not been handed over", code="wrong_stage")
    if found is None:
        raise account.unknown_line()
    return found


def _is_recorded(session: Session, trip: Trip, what: EventKind, entry: int | None) -> bool:
    same_entry = col(BookingEvent.entry_id) == entry if entry else col(BookingEvent.entry_id).is_(None)
    same = (col(BookingEvent.booking_id) == trip.id, col(BookingEvent.what) == what.value, same_entry)
    return session.execute(select(col(BookingEvent.id)).where(*same)).first() is not None
