"""The server draft of a handover or return: each step is saved as it is done, and the last click makes all final."""

from typing import Any

from sqlmodel import Session

from rental_app.domain import clock
from rental_app.domain.bookings import TripStage
from rental_app.domain.errors import ConflictError
from rental_app.domain.money import to_rupees
from rental_app.domain.uploads import DAMAGE_GROUP, trip_group, trip_upload
from rental_app.models import TripDraft, Vehicle
from rental_app.schemas.readings import (
    MAX_DAMAGES,
    HandoverData,
    Noted,
    NotedDamage,
    ReadingKind,
    ReturnData,
    SettlementAnswer,
    SettlementRequest,
)
from rental_app.schemas.trips import TripView
from rental_app.schemas.validation import validated
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings.access import Trip, find, hold, require_side, require_stage
from rental_app.services.files import uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.trips import readings

# The stage of a booking while a reading is being entered.
_STAGES = {"handover": TripStage.BOOKED, "return": TripStage.OUT}


def of(session: Session, actor: Actor, ref: str, kind: ReadingKind) -> Noted:
    """What has been entered so far, nothing that is final. Raises NotFoundError, ForbiddenError (not the vendor)."""
    throttle.count("look", actor)
    trip = find(session, actor, ref)
    require_side(trip, "vendor")
    return _noted(session, trip, kind)


def preview(session: Session, actor: Actor, ref: str) -> SettlementAnswer:
    """What a return with the entries so far would cost now; raises as `readings.preview` does."""
    throttle.count("look", actor)
    noted = _noted(session, find(session, actor, ref), "return")
    damages = to_rupees(sum(damage.amount for damage in noted.damages))
    request = validated(SettlementRequest, _as_request(noted) | {"damages": damages})
    return readings.settlement_now(session, actor, ref, request)


def note(session: Session, actor: Actor, ref: str, kind: ReadingKind, step: Noted) -> Noted:
    """Save what a step says, overwriting what was entered there before.

    Raises NotFoundError, ForbiddenError (not the vendor), ConflictError (not confirmed, wrong stage) and
    InvalidInputError (odometer below the last reading, or too far above it for a return; a time at which the vehicle
    cannot have gone out or come back).
    """
    throttle.count("change", actor)
    trip = _held(session, actor, ref, kind)
    if step.odometer is not None:
        if kind == "handover":
            vehicle = session.get_one(Vehicle, trip.booking.vehicle_id)
            readings.require_at_least(step.odometer, vehicle.odometer_reading, "the vehicle's last reading")
        else:
            readings.charges(trip, readings.handover_of(session, trip.booking), step.odometer, clock.now())
    if step.came_back_at and kind == "return":
        readings.came_back_at(readings.handover_of(session, trip.booking), step.came_back_at, clock.now())
    if step.went_out_at and kind == "handover":
        readings.went_out_at(session, trip.booking, step.went_out_at, clock.now())
    before = _noted(session, trip, kind)
    after = before.model_copy(update={name: getattr(step, name) for name in step.model_fields_set})
    return _keep(session, trip, kind, after.model_copy(update={"photos": before.photos | step.photos}))


def add_damage(session: Session, actor: Actor, ref: str, damage: NotedDamage) -> Noted:
    """Record one item of damage; raises as `note` does, and ConflictError if there is no room for more."""
    throttle.count("change", actor)
    trip = _held(session, actor, ref, "return")
    before = _noted(session, trip, "return")
    if len(before.damages) >= MAX_DAMAGES:
        raise ConflictError(f"At most {MAX_DAMAGES} items of damage can be recorded", code="too_many_damages")
    return _keep(session, trip, "return", before.model_copy(update={"damages": [*before.damages, damage]}))


def drop_damage(session: Session, actor: Actor, ref: str, photo_id: int) -> Noted:
    """Remove the damage with a photo; raises as `note` does."""
    throttle.count("change", actor)
    trip = _held(session, actor, ref, "return")
    before = _noted(session, trip, "return")
    left = [damage for damage in before.damages if damage.photo.id != photo_id]
    return _keep(session, trip, "return", before.model_copy(update={"damages": left}))


def hand_over(session: Session, actor: Actor, ref: str, unpaid_reason: str = "") -> TripView:
    """Make the entries the handover; raises as `readings.hand_over` does, and InvalidInputError for what is missing."""
    throttle.count("change", actor)
    trip = _held(session, actor, ref, "handover")
    noted = _noted(session, trip, "handover")
    data = validated(HandoverData, _as_request(noted) | {"unpaidReason": unpaid_reason})
    done = readings.record_handover(session, actor, ref, data, _claimed(session, actor, noted))
    _forget(session, trip, "handover")
    return done


def take_back(session: Session, actor: Actor, ref: str) -> TripView:
    """Make the entries the return; raises as `readings.take_back` does, and InvalidInputError for what is missing."""
    throttle.count("change", actor)
    trip = _held(session, actor, ref, "return")
    noted = _noted(session, trip, "return")
    # Photos are claimed in the order they were uploaded, and matched to the damages by position.
    noted.damages.sort(key=lambda damage: damage.photo.id)
    data = validated(ReturnData, _as_request(noted))
    done = readings.record_return(session, actor, ref, data, _claimed(session, actor, noted))
    _forget(session, trip, "return")
    return done


def _held(session: Session, actor: Actor, ref: str, kind: ReadingKind) -> Trip:
    trip = hold(session, actor, ref, "vendor", finishes=kind == "return")
    require_stage(trip.booking, _STAGES[kind])
    return trip


def _noted(session: Session, trip: Trip, kind: ReadingKind) -> Noted:
    row = session.get(TripDraft, (trip.id, kind))
    return Noted.model_validate(row.noted if row else {})


def _keep(session: Session, trip: Trip, kind: ReadingKind, noted: Noted) -> Noted:
    row = session.get(TripDraft, (trip.id, kind)) or TripDraft(booking_id=trip.id, kind=kind)
    noted = noted.model_copy(update={"saved_at": clock.now()})
    row.noted = noted.model_dump(mode="json", by_alias=True)
    session.add(row)
    session.flush()
    return noted


def _forget(session: Session, trip: Trip, kind: ReadingKind) -> None:
    session.delete(session.get_one(TripDraft, (trip.id, kind)))
    session.flush()


def _as_request(noted: Noted) -> dict[str, Any]:
    """What has been entered, in the format of the REST calls."""
    return noted.model_dump(mode="json", by_alias=True, exclude_none=True, exclude={"saved_at"})


def _claimed(session: Session, actor: Actor, noted: Noted) -> list[CheckedFile]:
    chosen = {trip_upload(group): [photo.id for photo in photos] for group, photos in noted.photos.items()}
    chosen[trip_upload(DAMAGE_GROUP)] = [damage.photo.id for damage in noted.damages]
    return [photo.of_group(trip_group(photo.group)) for photo in uploads.claim(session, actor, chosen)]
