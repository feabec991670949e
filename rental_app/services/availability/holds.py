"""What holds a vehicle: bookings with the buffer around them, and its vendor's blocks.

The database pads bookings and refuses overlaps (record 0029); these are the same conditions for reading.
"""

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any

from sqlalchemy import (
    BindParameter,
    ColumnElement,
    CompoundSelect,
    and_,
    bindparam,
    case,
    exists,
    or_,
    select,
    union_all,
)
from sqlalchemy.orm import Mapped, aliased
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.clock import Window
from rental_app.models import Block, Booking, Columns, TripReading, Vehicle

NOBODY = -1
# A value, or the placeholder for one in a statement that is built once.
Moment = datetime | BindParameter[datetime]
Held = CompoundSelect[*tuple[Any, ...]]
# Joined with its return reading, a booking ends at its return time or, if the vehicle came back earlier, at that time.
RETURNED = and_(col(TripReading.booking_id) == Booking.id, col(TripReading.kind) == "return")
ENDS = case((col(TripReading.at) < col(Booking.return_at), col(TripReading.at)), else_=col(Booking.return_at))
# Joined with its handover reading, a booking has begun at that time, early or late.
Handover = aliased(TripReading)
HANDED_OVER = and_(col(Handover.booking_id) == Booking.id, col(Handover.kind) == "handover")


def bound(name: str) -> BindParameter[datetime]:
    """The placeholder for an instant in a statement that is built once."""
    return bindparam(name, type_=UTCDateTime())


def is_waiting(instant: Moment) -> ColumnElement[bool]:
    """SQL condition: a booking is a request that its vendor may still answer at an instant."""
    return and_(col(Booking.status) == BookingStatus.PENDING, col(Booking.answer_by) > instant)


def standing(instant: Moment) -> ColumnElement[bool]:
    """SQL condition: a booking is confirmed, or pending and not lapsed at an instant."""
    return or_(col(Booking.status) == BookingStatus.CONFIRMED, is_waiting(instant))


def lasts_past(begin: datetime, instant: datetime) -> ColumnElement[bool]:
    """SQL condition: a booking ends after `begin`; while its vehicle is out, however late, not before now."""
    agreed = col(Booking.return_at) > begin
    return or_(agreed, col(Booking.stage) == TripStage.OUT) if begin < instant else agreed


def free(first: ColumnElement[Any], last: ColumnElement[Any], instant: Moment) -> list[ColumnElement[bool]]:
    """SQL conditions: nothing holds a vehicle over [first, last)."""
    booked = exists().where(col(Booking.vehicle_id) == Vehicle.id, *_booked(first, last, instant))
    blocked = exists().where(col(Block.vehicle_id) == Vehicle.id, *_blocked(first, last))
    return [~booked, ~blocked]


def held(which: Callable[[Mapped[int]], ColumnElement[bool]], *conditions: ColumnElement[bool]) -> Held:
    """SELECT of what holds some vehicles over [first, last) at an `instant` (all three bind parameters), in order.

    The columns are `vehicle_id`, `begin` and `end`; the conditions are for bookings.
    """
    span = bound("first"), bound("last")
    booked: Columns = select(
        col(Booking.vehicle_id), col(Booking.held_from).label("begin"), col(Booking.held_until).label("end")
    ).where(which(col(Booking.vehicle_id)), *conditions, *_booked(*span, bound("instant")))
    blocked: Columns = select(col(Block.vehicle_id), col(Block.begins_at), col(Block.ends_at)).where(
        which(col(Block.vehicle_id)), *_blocked(*span)
    )
    return union_all(booked, blocked).order_by("begin")


def _booked(first: ColumnElement[Any], last: ColumnElement[Any], instant: Moment) -> list[ColumnElement[bool]]:
    # The end before the beginning: most rows are in the past and are skipped by the first comparison.
    return [col(Booking.held_until) > first, col(Booking.held_from) < last, standing(instant)]


def _blocked(first: ColumnElement[Any], last: ColumnElement[Any]) -> list[ColumnElement[bool]]:
    return [col(Block.ends_at) > first, col(Block.begins_at) < last]


def been_out(session: Session, vehicles: Collection[int], span: Window) -> dict[int, list[Window]]:
    """By vehicle, the windows within a span in which customers who have since brought it back had it.

    Nothing holds the vehicle for them any more, but it cannot be booked for another customer at that time.
    """
    begin = case((col(Handover.at) < col(Booking.pickup_at), col(Handover.at)), else_=col(Booking.pickup_at))
    trips = (
        select(col(Booking.vehicle_id), begin, col(TripReading.at))
        .select_from(Booking)
        .join(Handover, HANDED_OVER)
        .join(TripReading, RETURNED)
        .where(col(Booking.vehicle_id).in_(vehicles), col(TripReading.at) > span.pickup, begin < span.return_at)
    )
    by_vehicle: dict[int, list[Window]] = {}
    for vehicle, *ends in session.execute(trips.order_by(begin)):
        by_vehicle.setdefault(vehicle, []).append(Window(*ends))
    return by_vehicle


_HELD = held(lambda vehicle: vehicle == bindparam("vehicle"), col(Booking.id) != bindparam("besides"))


def windows(
    session: Session, vehicle_id: int, span: Window, instant: datetime, besides: int | None = None
) -> list[Window]:
    """The windows within a span for which a vehicle is held, in order, ignoring the booking `besides`."""
    parameters = {"vehicle": vehicle_id, "first": span.pickup, "last": span.return_at, "instant": instant}
    rows = session.connection().execute(_HELD, parameters | {"besides": NOBODY if besides is None else besides})
    return [Window(row.begin, row.end) for row in rows]
