"""Handing a vehicle over and taking it back: readings, photos, and what the return costs."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock, settlement
from rental_app.domain.account import LedgerKind
from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import TripStage
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.handover import (
    EARLIEST_BEFORE_PICKUP,
    handover_refusal,
    happened_before,
    is_noted_afterwards,
    time_of,
)
from rental_app.domain.money import format_rupees, grouped
from rental_app.domain.policies import Policies
from rental_app.domain.settlement import Charge, Readings
from rental_app.domain.uploads import DAMAGE_GROUP, TRIP_GROUPS
from rental_app.models import Booking, TripPhoto, TripReading, Vehicle, return_terms
from rental_app.schemas.bookings import Balance
from rental_app.schemas.readings import (
    PAPERS,
    HandoverData,
    ReturnData,
    ReturnReason,
    SettlementAnswer,
    SettlementLine,
    SettlementRequest,
)
from rental_app.schemas.trips import TripView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import events, ledger, proposals
from rental_app.services.bookings.access import Trip, find, hold, require_back, require_side, require_stage
from rental_app.services.files import limits
from rental_app.services.files.storage import CheckedFile
from rental_app.services.identity import rules
from rental_app.services.trips import detail

HANDED_OVER, RECEIVED = "Vehicle handed over", "Vehicle received"


def hand_over(session: Session, actor: Actor, ref: str, data: HandoverData, photos: Sequence[CheckedFile]) -> TripView:
    """Record that the vehicle went out with the customer.

    Raises NotFoundError, ForbiddenError (not the vendor), InvalidInputError (papers, photos, odometer below the
    vehicle's, a time at which it cannot have gone out) and ConflictError (not confirmed, too early, window over,
    already handed over, still out with another, unpaid without a reason, no room for the photos).
    """
    throttle.count("change", actor)
    return record_handover(session, actor, ref, data, photos)


def record_handover(
    session: Session, actor: Actor, ref: str, data: HandoverData, photos: Sequence[CheckedFile]
) -> TripView:
    """`hand_over` for a call that has been counted."""
    trip, instant = hold(session, actor, ref, "vendor"), clock.now()
    require_stage(trip.booking, TripStage.BOOKED)
    went_out = went_out_at(session, trip.booking, data.went_out_at, instant)
    require_back(session, trip.booking)
    checked = _require_papers(session, trip.booking, data.papers_seen)
    _require_groups(photos)
    vehicle = session.get_one(Vehicle, trip.booking.vehicle_id)
    require_at_least(data.odometer, vehicle.odometer_reading, "the vehicle's last reading")
    note = _unpaid_note(session, trip.booking, data.unpaid_reason)
    more = _times(went_out, instant) | {"papers_seen": list(data.papers_seen), "papers_checked": checked}
    _add(session, actor, trip, "handover", data, photos, **more)
    # The customer has the booked vehicle now: a proposed move is taken back.
    proposal = proposals.current(session, trip.booking, instant)
    if proposal and proposal.kind == "move":
        proposals.end(session, proposal, proposals.WITHDRAWN, instant)
    trip.booking.stage = TripStage.OUT
    before = happened_before(went_out, instant)
    events.record(session, trip.booking, EventKind.HANDED_OVER, "vendor", instant, actor.id, note, happened_at=before)
    return detail.trip_view(session, trip)


def _require_papers(session: Session, booking: Booking, seen: Collection[str]) -> list[str]:
    """The documents that we have checked; raises InvalidInputError unless the vendor has seen all others.

    A licence that does not cover the vehicle, or ends before the return, is for the vendor to look at.
    """
    vehicle = rules.driven_with(session, booking)
    checked, problem = rules.checked_at_handover(session, booking.customer_id, vehicle)
    if missing := [paper for paper in PAPERS if paper not in seen and paper not in checked]:
        named = ", ".join(paper.replace("_", " ") for paper in missing)
        message = f"Look at the customer's documents first: {named}"
        message += f". {problem}" if problem and "licence" in missing else ""
        raise InvalidInputError(message, code="papers_missing", fields={"papersSeen": message})
    return checked


def went_out_at(session: Session, booking: Booking, at: datetime | None, instant: datetime) -> datetime:
    """When a vehicle went out by what its vendor says, or may go out now.

    Raises ConflictError (too early, window over) without a time, and InvalidInputError naming `wentOutAt` for a wrong
    one.
    """
    if at is None and is_noted_afterwards(booking.pickup_at, booking.created_at):
        return booking.pickup_at
    refusal = handover_refusal(booking.pickup_at, booking.return_at, instant)
    if refusal and (at is None or refusal[0] == "too_early"):
        raise ConflictError(refusal[1], code=refusal[0])
    trips = select(func.max(TripReading.at)).join(Booking, col(Booking.id) == TripReading.booking_id)
    own = (col(Booking.vehicle_id) == booking.vehicle_id, col(TripReading.kind) == "return")
    earliest = booking.pickup_at - EARLIEST_BEFORE_PICKUP
    # Not before it came back from another trip.
    first = max(earliest, session.scalars(trips.where(*own)).one() or earliest)
    went_out = time_of(at, "wentOutAt", first, instant, "it could go out")
    if went_out >= booking.return_at:
        message = f"The rental was over at {clock.friendly(booking.return_at)}"
        raise InvalidInputError(message, code="too_late", fields={"wentOutAt": message})
    return went_out


def _times(at: datetime, instant: datetime) -> dict[str, Any]:
    """When something was, and when it was noted, if that is later."""
    return {"at": at, "noted_at": instant if happened_before(at, instant) else None}


class UnpaidError(ConflictError):
    """The vehicle would go out with money still to be paid."""

    code = "unpaid"


def _unpaid_note(session: Session, booking: Booking, reason: str) -> str:
    """What is unpaid when a vehicle goes out, and why, '' if nothing is; raises UnpaidError without a reason."""
    now = ledger.standing(session, booking)
    parts = {"rent": max(0, now.rent), "deposit": max(0, now.deposit)}
    unpaid = " and ".join(f"{format_rupees(paise)} of the {name}" for name, paise in parts.items() if paise)
    if not unpaid:
        return ""
    if not reason:
        message = f"{unpaid} still to be paid: take it first, or say why the vehicle goes out without"
        raise UnpaidError(message, fields={"unpaidReason": "Say why"})
    return f"With {unpaid} unpaid: {reason}"


def _require_groups(photos: Sequence[CheckedFile], damages: int = 0) -> None:
    groups = [photo.group for photo in photos]
    missing = [group for group in TRIP_GROUPS if group not in groups]
    missing += [DAMAGE_GROUP] if groups.count(DAMAGE_GROUP) < damages else []
    if missing:
        message = f"Please take photos of: {', '.join(missing)}"
        raise InvalidInputError(message, code="missing_documents", fields=dict.fromkeys(missing, "Take a photo"))


def require_at_least(odometer: int, least: int, whose: str) -> None:
    """Raise InvalidInputError for an odometer that would have run backwards."""
    if odometer < least:
        message = f"The odometer cannot be below {whose}, {grouped(least)} km"
        raise InvalidInputError(message, code="odometer_below", fields={"odometer": message})


def _add(
    session: Session,
    actor: Actor,
    trip: Trip,
    kind: str,
    data: HandoverData | ReturnData,
    photos: Sequence[CheckedFile],
    **more: Any,
) -> list[TripPhoto]:
    """Store a reading with its photos, `more` being its other columns; returns the photos of damage in their order."""
    reading = TripReading(
        booking_id=trip.id,
        kind=kind,
        who_id=actor.id,
        odometer=data.odometer,
        fuel_eighths=data.fuel_eighths,
        helmets=data.helmets,
        **more,
    )
    session.add(reading)
    session.flush()
    rows = [
        TripPhoto(reading_id=reading.id or 0, group_name=one.group, key=one.key, content_type=one.content_type)
        for one in photos
    ]
    with limits.room(session, trip.vendor_id, photos):
        limits.count_trip_photos(session, trip.vendor_id, photos)
    session.add_all(rows)
    session.flush()
    return [photo for photo in rows if photo.group_name == DAMAGE_GROUP]


def take_back(session: Session, actor: Actor, ref: str, data: ReturnData, photos: Sequence[CheckedFile]) -> TripView:
    """Record that the vehicle is back, charge what the return costs, and keep what is due from the deposit.

    Raises NotFoundError, ForbiddenError (not the vendor), InvalidInputError (photos, odometer below the handover's,
    or so far above it that the charge would not fit an account, a time before the handover or in the future)
    and ConflictError (not handed over, already returned, no room for the photos).
    """
    throttle.count("change", actor)
    return record_return(session, actor, ref, data, photos)


def record_return(
    session: Session, actor: Actor, ref: str, data: ReturnData, photos: Sequence[CheckedFile]
) -> TripView:
    """`take_back` for a call that has been counted."""
    trip, instant = hold(session, actor, ref, "vendor", finishes=True), clock.now()
    require_stage(trip.booking, TripStage.OUT)
    _require_groups(photos, len(data.damages))
    handover = handover_of(session, trip.booking)
    came_back = came_back_at(handover, data.came_back_at, instant)
    lines = charges(trip, handover, data.odometer, came_back, data.speedings, data.reason)
    more = _times(came_back, instant) | {"speedings": data.speedings, "reason": data.reason}
    damaged = _add(session, actor, trip, "return", data, photos, **more)
    _charge(session, actor, trip, lines, data, damaged, instant)
    vehicle = session.get_one(Vehicle, trip.booking.vehicle_id)
    vehicle.odometer_reading = max(vehicle.odometer_reading, data.odometer)
    proposals.withdraw(session, trip.booking, instant)
    trip.booking.stage = TripStage.RETURNED
    keep_of_deposit(session, actor, trip, instant)
    ledger.give_invoice(session, trip.booking, trip.vendor_id, instant)
    before = happened_before(came_back, instant)
    why = "The vehicle broke down: nothing is charged for being late" if data.reason else ""
    events.record(session, trip.booking, EventKind.RETURNED, "vendor", instant, actor.id, why, happened_at=before)
    ledger.settle_if_even(session, trip.booking, trip.vendor_id, instant)
    return detail.trip_view(session, trip)


def came_back_at(handover: TripReading, at: datetime | None, instant: datetime) -> datetime:
    """When a vehicle came back by what its vendor says, now if they say nothing.

    Raises InvalidInputError naming `cameBackAt` for a time before the handover or in the future.
    """
    return time_of(at, "cameBackAt", handover.at, instant, "the handover")


def _charge(
    session: Session,
    actor: Actor,
    trip: Trip,
    lines: Sequence[Charge],
    data: ReturnData,
    damaged: list[TripPhoto],
    instant: datetime,
) -> None:
    for line in lines:
        ledger.post(session, trip.booking, line.kind, line.paise, instant, actor, note=line.note)
    for damage, photo in zip(data.damages, damaged, strict=False):
        ledger.post(
            session, trip.booking, LedgerKind.DAMAGE, damage.amount, instant, actor, note=damage.note, photo_id=photo.id
        )


def charges(
    trip: Trip,
    handover: TripReading,
    odometer: int,
    came_back: datetime,
    speedings: int = 0,
    reason: ReturnReason | None = None,
) -> list[Charge]:
    """What a return at that time with these readings is charged.

    Raises InvalidInputError for an odometer below the handover's, or so far above it that the charge would not fit an
    account.
    """
    require_at_least(odometer, handover.odometer, "the handover's")
    read = Readings(came_back, odometer - handover.odometer, speedings, broke_down=reason == settlement.BREAKDOWN)
    lines = settlement.charges(return_terms(trip.booking), read)
    if far := [line for line in lines if line.kind == LedgerKind.KILOMETRES and line.paise > settlement.MOST_CHARGED]:
        message = f"That would cost {format_rupees(far[0].paise)}: look at the odometer again"
        raise InvalidInputError(message, code="too_much", fields={"odometer": message})
    return lines


def keep_of_deposit(session: Session, actor: Actor, trip: Trip, instant: datetime) -> None:
    """Keep of the deposit what is due of the rent, as far as it reaches."""
    now = ledger.standing(session, trip.booking)
    if from_deposit := settlement.deposit_to_keep(now.rent, now.held):
        ledger.post(
            session, trip.booking, LedgerKind.DEPOSIT_KEPT, from_deposit, instant, actor, note="To pay what was due"
        )


def preview(session: Session, actor: Actor, ref: str, request: SettlementRequest) -> SettlementAnswer:
    """What a return at this moment, or at the time given, would cost; nothing is stored.

    Raises NotFoundError, ForbiddenError (not the vendor), ConflictError (not out), InvalidInputError (odometer below
    the handover's, or too far above it; a time before it or in the future).
    """
    throttle.count("look", actor)
    return settlement_now(session, actor, ref, request)


def settlement_now(session: Session, actor: Actor, ref: str, request: SettlementRequest) -> SettlementAnswer:
    """`preview` for a call that has been counted."""
    trip, instant = find(session, actor, ref), clock.now()
    require_side(trip, "vendor")
    require_stage(trip.booking, TripStage.OUT)
    handover = handover_of(session, trip.booking)
    odometer = handover.odometer if request.odometer is None else request.odometer
    fuel = handover.fuel_eighths if request.fuel_eighths is None else request.fuel_eighths
    came_back = came_back_at(handover, request.came_back_at, instant)
    lines = charges(trip, handover, odometer, came_back, request.speedings, request.reason)
    lines += [Charge(LedgerKind.DAMAGE, request.damages, "Damage")] if request.damages else []
    total = sum(line.paise for line in lines)
    now = ledger.standing(session, trip.booking)
    from_deposit = settlement.deposit_to_keep(now.rent + total, now.held)
    policies = Policies.of(trip.booking.policies)
    return SettlementAnswer(
        lines=[SettlementLine(kind=line.kind, amount=line.paise, note=line.note) for line in lines],
        fuel_missing=settlement.fuel_missing(handover.fuel_eighths, fuel),
        total=total,
        kept_of_deposit=from_deposit,
        balance=Balance(
            rent=now.rent + total - from_deposit, deposit=from_deposit - now.held, held=now.held - from_deposit
        ),
        deposit_back=detail.between(instant, policies),
        policies=policies,
    )


def handover_of(session: Session, booking: Booking) -> TripReading:
    """The reading taken when the vehicle went out."""
    own = (col(TripReading.booking_id) == booking.id, col(TripReading.kind) == "handover")
    return session.scalars(select(TripReading).where(*own)).one()
