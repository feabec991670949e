"""A vendor's blocks and the buffer between trips. The database has the last word on both (record 0029)."""

from collections.abc import Sequence
from datetime import datetime, time, timedelta
from typing import Any

from sqlalchemy import ColumnElement, delete, func, select
from sqlalchemy.exc import DatabaseError
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.bookings import TripStage
from rental_app.domain.clock import Window
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.infrastructure.db import violated
from rental_app.models import Block, Booking, User, Vehicle
from rental_app.schemas.calendars import BlockRequest, BlockView, BufferAnswer, BufferRequest
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, own_ids, require_manager, require_own, require_staff
from rental_app.services.availability.holds import lasts_past, standing
from rental_app.services.bookings import rows
from rental_app.services.bookings.requests import expire_stale
from rental_app.services.search.eligibility import in_fleet

LONGEST = timedelta(days=180)
FARTHEST = timedelta(days=365)
# Upcoming blocks of one vehicle, not counting those of other calendars.
MOST = 100
BLOCKED, ALL_BLOCKED = "Vehicle blocked", "All vehicles blocked"
GUARDS = {"ex_vehicle_block_booked": "booked", "ex_vehicle_block_no_overlap": "blocked"}


def add(session: Session, actor: Actor, request: BlockRequest) -> BlockView:
    """Block one of the vendor's vehicles for a period.

    Raises ForbiddenError (not staff), InvalidInputError, NotFoundError (no such vehicle of theirs) and ConflictError:
    `booked` with the reference of the conflicting booking, `blocked`, `too_many_blocks`.
    """
    throttle.count("change", actor)
    require_staff(actor)
    instant, vehicle = clock.now(), request.vehicle or 0
    window = _window(request, instant)
    require_own(session, actor, vehicle, lock=True)
    expire_stale(session, instant, vehicle)
    _require_unbooked(session, [vehicle], window, instant)
    of_it = (col(Block.vehicle_id) == vehicle, col(Block.ends_at) > window.pickup)
    blocked = select(Block).where(*of_it, col(Block.begins_at) < window.return_at).order_by(col(Block.begins_at))
    if block := session.scalars(blocked).first():
        over = clock.friendly_span(block.begins_at, block.ends_at)
        raise ConflictError(f"This vehicle is blocked already from {over}", code="blocked")
    _require_room(session, vehicle, instant)
    return block_view(_insert(session, actor, request, vehicle, window, instant))


def add_to_all(session: Session, actor: Actor, request: BlockRequest) -> list[BlockView]:
    """Block all of the vendor's vehicles for a period, as for a holiday; what is blocked already stays as it is.

    All or nothing. Raises ForbiddenError (not staff), InvalidInputError and ConflictError as `add` does.
    """
    throttle.count("change", actor)
    require_staff(actor)
    ids = session.scalars(own_ids(actor).where(in_fleet()).order_by(col(Vehicle.id)).with_for_update())
    return add_to(session, actor, request, list(ids), "All of your")


def add_to(session: Session, actor: Actor, request: BlockRequest, ids: Sequence[int], whose: str) -> list[BlockView]:
    """Block some locked vehicles for a period, all or none; raises as `add_to_all` does, in words about `whose`."""
    instant = clock.now()
    window = _window(request, instant)
    for vehicle in ids:
        expire_stale(session, instant, vehicle)
    _require_unbooked(session, ids, window, instant)
    over = (col(Block.vehicle_id).in_(ids), col(Block.ends_at) > window.pickup, col(Block.begins_at) < window.return_at)
    blocked: dict[int, list[Window]] = {}
    for block in session.scalars(select(Block).where(*over).order_by(col(Block.begins_at))):
        blocked.setdefault(block.vehicle_id, []).append(Window(block.begins_at, block.ends_at))
    parts = [(vehicle, part) for vehicle in ids for part in _gaps(window, blocked.get(vehicle, []))]
    if not parts:
        raise ConflictError(f"{whose} vehicles are blocked then already", code="blocked")
    for vehicle in {vehicle for vehicle, _ in parts}:
        _require_room(session, vehicle, instant)
    return [block_view(_insert(session, actor, request, vehicle, part, instant)) for vehicle, part in parts]


def _gaps(window: Window, taken: list[Window]) -> list[Window]:
    """What is left of a window between others, which are in order and do not overlap."""
    begins = [window.pickup, *(each.return_at for each in taken)]
    ends = [*(each.pickup for each in taken), window.return_at]
    return [Window(begin, end) for begin, end in zip(begins, ends, strict=True) if begin < end]


def block_view(block: Block) -> BlockView:
    """A block in its wire format."""
    return BlockView.model_validate(
        {
            "id": block.id,
            "vehicle": block.vehicle_id,
            "from": block.begins_at,
            "to": block.ends_at,
            "reason": block.reason,
            "note": block.note,
        }
    )


def remove(session: Session, actor: Actor, block_id: int) -> str:
    """Remove one of the vendor's blocks; returns a message for them. Raises ForbiddenError and NotFoundError."""
    throttle.count("change", actor)
    require_staff(actor)
    # Blocks of other calendars would be back within half an hour, and those of proposals last as long as these do.
    made = (col(Block.import_id).is_(None), col(Block.proposal_id).is_(None))
    its_own = (col(Block.vehicle_id).in_(own_ids(actor)), *made)
    statement = delete(Block).where(col(Block.id) == block_id, *its_own)
    done: Any = session.execute(statement)
    if not done.rowcount:
        raise NotFoundError("There is no such block", code="unknown_block")
    audit.record(session, actor, Act.BLOCK_REMOVED, ("block", block_id))
    return "Block removed"


def set_buffer(session: Session, actor: Actor, request: BufferRequest) -> BufferAnswer:
    """Set the hours between two trips: existing bookings stay valid, new ones must comply. Raises ForbiddenError."""
    throttle.count("change", actor)
    require_manager(actor)
    # Lock vehicles before their vendor, as everywhere: the database locks them too when it pads their bookings.
    session.execute(own_ids(actor).order_by(col(Vehicle.id)).with_for_update())
    vendor = session.get_one(User, actor.vendor)
    before, after = {"buffer_hours": vendor.buffer_hours}, {"buffer_hours": request.hours}
    vendor.buffer_hours = request.hours
    audit.record(session, actor, Act.BUFFER_CHANGED, ("user", actor.vendor), before=before, after=after)
    # How many coming bookings follow another one within the buffer.
    instant = clock.now()
    earlier: Any = aliased(Booking)
    follows = (
        select(func.count(func.distinct(col(Booking.id))))
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .join(earlier, earlier.vehicle_id == Booking.vehicle_id)
        .where(
            col(Vehicle.vendor_id) == actor.vendor,
            col(Booking.pickup_at) > instant,
            standing(instant),
            earlier.status != "cancelled",
            earlier.return_at <= col(Booking.pickup_at),
            earlier.held_until > col(Booking.pickup_at),
        )
    )
    closer = int(session.execute(follows).scalar_one())
    return BufferAnswer(message=_buffer_message(request.hours, closer), hours=request.hours, closer=closer)


def _buffer_message(hours: int, closer: int) -> str:
    new = f"{hours} h between two trips from now on" if hours else "No time is kept free between trips"
    if not closer:
        return new
    stay = "booking stays as it is" if closer == 1 else "bookings stay as they are"
    return f"{new}; {closer} existing {stay}"


def _window(request: BlockRequest, instant: datetime) -> Window:
    """The window of a request; raises InvalidInputError if it is missing, reversed, past, too long or too far ahead."""
    if missing := [name for name, text in (("from", request.begin), ("to", request.end)) if not text]:
        raise InvalidInputError("Choose when the block begins and ends", fields=dict.fromkeys(missing, "Choose a time"))
    moment = clock.parse_moment(request.begin, "from")
    begin = moment if isinstance(moment, datetime) else clock.at(moment, time())
    moment = clock.parse_moment(request.end, "to")
    end = moment if isinstance(moment, datetime) else clock.at(moment + timedelta(days=1), time())
    window = Window(begin, end)
    today = clock.at(clock.indian_today(instant), time())
    rules = (
        (window.return_at <= window.pickup, "block_reversed", "to", "The block ends before it begins"),
        (window.pickup < today, "block_in_past", "from", "The block begins in the past"),
        (window.return_at <= instant, "block_in_past", "to", "The block ends in the past"),
        (window.return_at - window.pickup > LONGEST, "block_too_long", "to", f"At most {LONGEST.days} days at a time"),
        (window.pickup > instant + FARTHEST, "block_too_far", "from", "The block can begin within a year"),
    )
    for broken, code, field, message in rules:
        if broken:
            raise InvalidInputError(message, code=code, fields={field: message})
    return window


def booked_over(vehicle_ids: Sequence[int], window: Window, instant: datetime) -> list[ColumnElement[bool]]:
    """SQL conditions: bookings that have one of these vehicles during part of a window, ignoring their buffers."""
    return [
        col(Booking.vehicle_id).in_(vehicle_ids),
        col(Booking.status).in_(("pending", "confirmed")),
        col(Booking.stage).in_((TripStage.BOOKED, TripStage.OUT)),
        lasts_past(window.pickup, instant),
        col(Booking.pickup_at) < window.return_at,
    ]


def _require_unbooked(session: Session, vehicle_ids: Sequence[int], window: Window, instant: datetime) -> None:
    """Raise ConflictError with the conflicting bookings; the message is about the first."""
    over = rows.in_the_way(session, *booked_over(vehicle_ids, window, instant))
    if not over:
        return
    first = session.scalars(select(Booking).where(col(Booking.reference) == over[0].reference)).one()
    details = {"reference": first.reference, "bookings": over}
    whose = f"{over[0].vehicle}: " if len(vehicle_ids) > 1 else ""
    raise ConflictError(f"{whose}{_held_by(first, window)}", code="booked", details=details)


def _held_by(booking: Booking, window: Window) -> str:
    pickup, due = clock.friendly(booking.pickup_at), clock.friendly(booking.return_at)
    if booking.return_at <= window.pickup:
        return f"Booking {booking.reference} still has this vehicle: it was due back {due}"
    return f"Booking {booking.reference} has this vehicle from {pickup} to {due}"


def _require_room(session: Session, vehicle_id: int, instant: datetime) -> None:
    its_own = (col(Block.vehicle_id) == vehicle_id, col(Block.import_id).is_(None))
    to_come = select(func.count()).where(*its_own, col(Block.ends_at) > instant)
    if session.execute(to_come).scalar_one() >= MOST:
        message = f"This vehicle has {MOST} blocks to come, which is the limit: remove one first"
        raise ConflictError(message, code="too_many_blocks")


def _insert(
    session: Session, actor: Actor, request: BlockRequest, vehicle_id: int, window: Window, instant: datetime
) -> Block:
    block = Block(
        vehicle_id=vehicle_id,
        begins_at=window.pickup,
        ends_at=window.return_at,
        reason=request.reason,
        note=request.note,
        created_at=instant,
    )
    session.add(block)
    try:
        session.flush()
    except DatabaseError as error:
        code = GUARDS.get(violated(error) or "")
        if not code:
            raise
        raise ConflictError(f"This vehicle has just been {code} for some of that time", code=code) from None
    after = block.model_dump(mode="json", include={"vehicle_id", "begins_at", "ends_at"})
    audit.record(session, actor, Act.BLOCK_ADDED, ("block", block.id or 0), after=after)
    return block
