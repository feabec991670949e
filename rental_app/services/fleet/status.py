"""The state of a fleet's vehicles right now: whether they are out or booked, and what they have earned this month."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.models import Block, Booking, LedgerEntry, OwnListing, Vehicle
from rental_app.services.bookings.rows import counted_within, line_vehicle, received

OFF, UNAPPROVED, REFUSED, EXPIRED, RENTED = "off", "unapproved", "refused", "expired", "rented"
BLOCKED, BOOKED_AHEAD, FREE = "blocked", "booked", "free"


@dataclass(frozen=True, slots=True)
class VehicleNow:
    """The state of a vehicle now: one of the kinds above, when it ends or begins (`until`, UTC), its next pickup
    (`following`, UTC), and what was received for it in this Indian month (paise)."""

    kind: str
    until: datetime | None
    following: datetime | None
    earned_paise: int


def standings(session: Session, cars: Sequence[OwnListing], instant: datetime) -> dict[int, VehicleNow]:
    """The state of each of a vendor's vehicles; the caller has checked whose they are."""
    ids = [car.id for car in cars]
    due = (
        select(col(Booking.vehicle_id), func.max(col(Booking.return_at)))
        .where(col(Booking.vehicle_id).in_(ids), col(Booking.stage) == TripStage.OUT)
        .group_by(col(Booking.vehicle_id))
    )
    out = {row[0]: row[1] for row in session.execute(due).all()}
    ahead, earned = _ahead(session, ids, instant), _earned(session, ids, instant)
    now = (col(Block.vehicle_id).in_(ids), col(Block.begins_at) <= instant, col(Block.ends_at) > instant)
    blocked = {row[0]: row[1] for row in session.execute(select(col(Block.vehicle_id), col(Block.ends_at)).where(*now))}
    return {
        car.id: _standing(car, instant, out.get(car.id), blocked.get(car.id), ahead.get(car.id), earned.get(car.id, 0))
        for car in cars
    }


def _standing(
    car: OwnListing,
    instant: datetime,
    out: datetime | None,
    blocked: datetime | None,
    ahead: datetime | None,
    earned: int,
) -> VehicleNow:
    today = clock.indian_today(instant)
    expired = min(car.insurance_expiry_date, car.pollution_expiry_date) < today
    kinds = (
        (out is not None, RENTED, out),
        (not car.is_active, OFF, None),
        (bool(car.refusal), REFUSED, None),
        (not car.is_approved, UNAPPROVED, None),
        (expired, EXPIRED, None),
        (blocked is not None, BLOCKED, blocked),
        (ahead is not None, BOOKED_AHEAD, ahead),
        (True, FREE, None),
    )
    kind, until = next((kind, until) for holds, kind, until in kinds if holds)
    return VehicleNow(kind, until, ahead, earned)


def _ahead(session: Session, ids: list[int], instant: datetime) -> dict[int, datetime]:
    """The next pickup of vehicles that have a confirmed booking."""
    following = (
        select(col(Booking.vehicle_id), func.min(col(Booking.pickup_at)))
        .where(
            col(Booking.vehicle_id).in_(ids),
            col(Booking.status) == BookingStatus.CONFIRMED,
            col(Booking.stage) == TripStage.BOOKED,
            col(Booking.return_at) > instant,
        )
        .group_by(col(Booking.vehicle_id))
    )
    return {row[0]: row[1] for row in session.execute(following).all()}


def _earned(session: Session, ids: list[int], instant: datetime) -> dict[int, int]:
    first, following = clock.month_bounds(instant)
    # A booking may have been moved from one of these to another one of their vendor's.
    vendors = select(col(Vehicle.vendor_id)).where(col(Vehicle.id).in_(ids))
    theirs = select(col(Vehicle.id)).where(col(Vehicle.vendor_id).in_(vendors))
    sums = (
        select(line_vehicle(), received())
        .select_from(LedgerEntry)
        .join(Booking, col(LedgerEntry.booking_id) == Booking.id)
        .where(col(Booking.vehicle_id).in_(theirs), line_vehicle().in_(ids))
        .where(*counted_within(first, following))
        .group_by(line_vehicle())
    )
    return {row[0]: int(row[1]) for row in session.execute(sums).all()}
