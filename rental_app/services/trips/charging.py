"""Charges after the return: challans, tolls, damage found later; the customer is told at once and may object."""

from collections.abc import Sequence

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.booking_events import EventKind
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.settlement import DAYS_TO_CHARGE, chargeable_until, needs_proof, stored_kind
from rental_app.domain.uploads import DAMAGE_GROUP, trip_group, trip_upload
from rental_app.models import LedgerEntry, TripPhoto, TripReading
from rental_app.models.booking import RETURNED, SETTLED
from rental_app.schemas.trips import ChargeRequest, TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger
from rental_app.services.bookings.access import Trip, hold, require_stage
from rental_app.services.files import limits, uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.trips import payments, readings, showing

CHARGED = "Charged: the customer is told"


def charge(
    session: Session, actor: Actor, ref: str, request: ChargeRequest, photos: Sequence[CheckedFile], key: str = ""
) -> TripView:
    """Charge something after the return, up to seven days later; with a `key` a retry charges nothing again.

    The stage stays: an account that was settled is open again. Raises NotFoundError, ForbiddenError (not the vendor),
    InvalidInputError (no photo, several) and ConflictError (not returned, too late, no room for a line or the photo, a
    key that was used for something else).
    """
    throttle.count("change", actor)
    trip = hold(session, actor, ref, "vendor")
    if _is_noted(session, trip, request, key):
        return showing.trip_view(session, trip)
    return _charge(session, actor, trip, request, photos, key)


def _charge(
    session: Session, actor: Actor, trip: Trip, request: ChargeRequest, photos: Sequence[CheckedFile], key: str
) -> TripView:
    require_stage(trip.booking, RETURNED, SETTLED)
    reading, instant = _returned(session, trip), clock.now()
    if instant >= chargeable_until(reading.at):
        raise ConflictError(
            f"Charges are possible for {DAYS_TO_CHARGE} days after the return", code="too_late_to_charge"
        )
    if needs_proof(request.kind) and not photos:
        raise InvalidInputError("Take a photo of what proves it", fields={DAMAGE_GROUP: "Take a photo"})
    if len(photos) > 1:
        message = "Send one photo: a line has room for one"
        raise InvalidInputError(message, code="too_many_files", fields={DAMAGE_GROUP: message})
    payments.require_room(ledger.lines(session, trip.booking))
    photo = _keep(session, trip, reading, photos)
    stored = stored_kind(request.kind)
    line = ledger.post(
        session,
        trip.booking,
        stored,
        request.amount,
        instant,
        actor,
        note=request.note,
        detail=request.kind if stored != request.kind else None,
        photo_id=photo.id if photo else None,
        request_key=key or None,
    )
    readings.keep_of_deposit(session, actor, trip, instant)
    told = f"{ledger.named(line)} ({request.note})"
    events.record(
        session, trip.booking, EventKind.CHARGED, "vendor", instant, actor.id, request.note, line.id, told=told
    )
    ledger.settle_if_even(session, trip.booking, trip.vendor_id, instant)
    return showing.trip_view(session, trip)


def charge_with(session: Session, actor: Actor, ref: str, request: ChargeRequest, photo_id: int, key: str) -> TripView:
    """The same with a photo that was uploaded ahead, 0 for none."""
    throttle.count("change", actor)
    trip = hold(session, actor, ref, "vendor")
    # Its photo cannot be claimed again.
    if _is_noted(session, trip, request, key):
        return showing.trip_view(session, trip)
    chosen = {trip_upload(DAMAGE_GROUP): [photo_id]} if photo_id else {}
    files = uploads.claim(session, actor, chosen) if chosen else []
    return _charge(session, actor, trip, request, [file.of_group(trip_group(file.group)) for file in files], key)


def _is_noted(session: Session, trip: Trip, request: ChargeRequest, key: str) -> bool:
    """Whether a call with this key has charged this; raises ConflictError if it noted something else."""
    own = (col(LedgerEntry.booking_id) == trip.id, col(LedgerEntry.request_key) == key)
    line = session.scalars(select(LedgerEntry).where(*own)).first() if key else None
    if line and (line.shown_kind, line.paise) != (request.kind, request.amount):
        raise ConflictError("This Idempotency-Key was used for something else", code="idempotency_key_reused")
    return line is not None


def _returned(session: Session, trip: Trip) -> TripReading:
    own = (col(TripReading.booking_id) == trip.id, col(TripReading.kind) == "return")
    return session.scalars(select(TripReading).where(*own)).one()


def _keep(session: Session, trip: Trip, reading: TripReading, photos: Sequence[CheckedFile]) -> TripPhoto | None:
    """Keep the photo of a charge with those of the return."""
    if not photos:
        return None
    sent = photos[0]
    photo = TripPhoto(reading_id=reading.id or 0, group_name=DAMAGE_GROUP, key=sent.key, content_type=sent.content_type)
    with limits.room(session, trip.vendor_id, photos):
        limits.count_trip_photos(session, trip.vendor_id, photos)
    session.add(photo)
    session.flush()
    return photo
