"""The customer's response to what the vendor recorded: that it is right, or what is wrong with it; and the answer."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.domain.settlement import TIME_TO_OBJECT
from rental_app.domain.uploads import ANSWER_GROUP, OBJECTION, trip_upload
from rental_app.models import BookingEvent, EventPhoto, LedgerEntry
from rental_app.models.booking import OUT
from rental_app.schemas.trips import ObjectionAnswerRequest, ObjectRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger
from rental_app.services.bookings.access import Trip, hold, require_stage
from rental_app.services.files import limits, uploads
from rental_app.services.trips import showing

ACKNOWLEDGED, NOTED = "Handover confirmed", "Objection noted: the vendor has been told"
ANSWERED = "Answered: the customer has been told"


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

    Raises NotFoundError (booking or line), ForbiddenError (not the customer), InvalidInputError (a photo that is gone),
    ConflictError (too late, already objected to, no room for the photos).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "customer"), clock.now()
    if instant > _noted(session, trip, request.entry) + TIME_TO_OBJECT:
        hours = TIME_TO_OBJECT // timedelta(hours=1)
        raise ConflictError(f"Objections are possible within {hours} hours", code="too_late_to_object")
    if _is_recorded(session, trip, EventKind.OBJECTED, request.entry):
        raise ConflictError("You have objected to this already", code="already_objected")
    told = _about(session, request)
    objection = events.record(
        session, trip.booking, EventKind.OBJECTED, "customer", instant, actor.id, request.note, request.entry, told=told
    )
    _keep(session, actor, actor.id, objection, OBJECTION, request.photos)
    return showing.trip_view(session, trip)


def answer(session: Session, actor: Actor, ref: str, request: ObjectionAnswerRequest) -> TripView:
    """Answer an objection as the vendor, once; the customer is told.

    Raises NotFoundError (booking or objection), ForbiddenError (not the vendor), InvalidInputError (a photo that is
    gone), ConflictError (answered already, no room for the photos).
    """
    throttle.count("change", actor)
    trip, instant = hold(session, actor, ref, "vendor"), clock.now()
    objection = _objection(session, trip, request.objection)
    _require_unanswered(session, objection)
    told = events.record(
        session,
        trip.booking,
        EventKind.OBJECTION_ANSWERED,
        "vendor",
        instant,
        actor.id,
        request.note,
        objection.entry_id,
        about_id=objection.id,
    )
    _keep(session, actor, trip.vendor_id, told, trip_upload(ANSWER_GROUP), request.photos)
    return showing.trip_view(session, trip)


def _objection(session: Session, trip: Trip, event_id: int) -> BookingEvent:
    own = (col(BookingEvent.id) == event_id, col(BookingEvent.booking_id) == trip.id)
    found = select(BookingEvent).where(*own, col(BookingEvent.what) == EventKind.OBJECTED.value)
    if objection := session.scalars(found).first():
        return objection
    raise NotFoundError("There is no such objection", code="unknown_objection")


def _require_unanswered(session: Session, objection: BookingEvent) -> None:
    answered = (
        col(BookingEvent.about_id) == objection.id,
        col(BookingEvent.what) == EventKind.OBJECTION_ANSWERED.value,
    )
    if session.execute(select(col(BookingEvent.id)).where(*answered)).first():
        raise ConflictError("This objection has been answered already", code="already_answered")


def _keep(session: Session, actor: Actor, account_id: int, event_id: int, group: str, photo_ids: Sequence[int]) -> None:
    """Keep photos that were uploaded ahead with an event; they count as files of the account that sent them."""
    if not photo_ids:
        return
    photos = uploads.claim(session, actor, {group: photo_ids}, field="photos")
    limits.count_trip_photos(session, account_id, photos)
    session.add_all(EventPhoto(event_id=event_id, key=one.key, content_type=one.content_type) for one in photos)
    session.flush()


def _about(session: Session, request: ObjectRequest) -> str:
    """The objection in the words of a message, with the line it is about."""
    if request.entry is None:
        return request.note
    return f"{ledger.named(session.get_one(LedgerEntry, request.entry))} ({request.note})"


def _noted(session: Session, trip: Trip, entry: int | None) -> datetime:
    """When the line, or the handover, was recorded."""
    if entry is None:
        found = events.noted_at(session, trip.booking, "handover")
    else:
        line = (col(LedgerEntry.booking_id) == trip.id, col(LedgerEntry.id) == entry)
        found = session.scalars(select(col(LedgerEntry.at)).where(*line)).first()
    if found is None and entry is None:
        raise ConflictError("The vehicle has not been handed over", code="wrong_stage")
    if found is None:
        raise ledger.unknown_line()
    return found


def _is_recorded(session: Session, trip: Trip, what: EventKind, entry: int | None) -> bool:
    same_entry = col(BookingEvent.entry_id) == entry if entry else col(BookingEvent.entry_id).is_(None)
    same = (col(BookingEvent.booking_id) == trip.id, col(BookingEvent.what) == what.value, same_entry)
    return session.execute(select(col(BookingEvent.id)).where(*same)).first() is not None
