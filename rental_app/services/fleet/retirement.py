"""Retiring a vehicle that its vendor gave up, and bringing it back; its bookings, statements and reviews stay."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import and_, or_, select
from sqlalchemy.exc import IntegrityError
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.bookings import TripStage
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.db import violated
from rental_app.models import Block, Booking, Proposal, Vehicle
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, own_ids, require_manager, require_own, unknown_vehicle
from rental_app.services.availability.holds import standing
from rental_app.services.bookings import rows
from rental_app.services.files import limits
from rental_app.services.search.eligibility import in_fleet

RETIRED = "Vehicle retired: its bookings, statements and reviews stay"
BROUGHT_BACK = "Vehicle is back, switched off until you switch it on"


def retire(session: Session, actor: Actor, vehicle_id: int) -> str:
    """Take a vehicle out of the fleet for good; returns a message for its vendor.

    Raises ForbiddenError, NotFoundError (not theirs) and ConflictError: `vehicle_retired`, `vehicle_in_use` with the
    bookings that are ahead, out or not settled.
    """
    throttle.count("change", actor)
    require_manager(actor)
    require_own(session, actor, vehicle_id, lock=True)
    instant = clock.now()
    _require_unused(session, vehicle_id, instant)
    vehicle = session.get_one(Vehicle, vehicle_id)
    before = {"is_active": vehicle.is_active}
    vehicle.retired_at, vehicle.is_active, vehicle.is_featured = instant, False, False
    audit.record(session, actor, Act.LISTING_RETIRED, ("vehicle", vehicle_id), vehicle.rc_number, before=before)
    return RETIRED


def bring_back(session: Session, actor: Actor, vehicle_id: int) -> str:
    """Take a retired vehicle back into the fleet, switched off; returns a message for its vendor.

    Raises ForbiddenError, NotFoundError (not theirs) and ConflictError: `not_retired`, `rc_number_taken` if its RC
    number is listed anew, `too_many_vehicles`.
    """
    throttle.count("change", actor)
    require_manager(actor)
    own = own_ids(actor).where(col(Vehicle.id) == vehicle_id)
    if session.execute(own.with_for_update()).first() is None:
        raise unknown_vehicle()
    vehicle = session.get_one(Vehicle, vehicle_id)
    if vehicle.retired_at is None:
        raise ConflictError("This vehicle is not retired", code="not_retired")
    limits.require_place(session, actor.vendor)
    listed = select(col(Vehicle.id)).where(col(Vehicle.rc_number) == vehicle.rc_number, in_fleet())
    if session.execute(listed).first():
        raise _listed_anew(vehicle.rc_number)
    vehicle.retired_at = None
    try:
        session.flush()
    except IntegrityError as error:
        # Listed at the same moment.
        if violated(error) != "uq_vehicle_rc_number":
            raise
        raise _listed_anew(vehicle.rc_number) from None
    audit.record(session, actor, Act.LISTING_BROUGHT_BACK, ("vehicle", vehicle_id), vehicle.rc_number)
    return BROUGHT_BACK


def _listed_anew(rc_number: str) -> ConflictError:
    message = f"{rc_number} has been listed anew: a vehicle can be listed only once"
    return ConflictError(message, code="rc_number_taken", fields={"rc_number": message})


def _require_unused(session: Session, vehicle_id: int, instant: datetime) -> None:
    """Raise ConflictError (`vehicle_in_use`) for bookings ahead, trips out or not settled, and moves proposed to it."""
    ahead = and_(col(Booking.stage) == TripStage.BOOKED, col(Booking.return_at) > instant, standing(instant))
    is_open = or_(ahead, col(Booking.stage).in_((TripStage.OUT, TripStage.RETURNED)))
    in_use = rows.in_the_way(session, col(Booking.vehicle_id) == vehicle_id, is_open)
    held = (col(Block.vehicle_id) == vehicle_id, col(Block.ends_at) > instant)
    proposed = select(col(Booking.reference)).join(Proposal).join(Block, col(Block.proposal_id) == Proposal.id)
    references = [*(each.reference for each in in_use), *session.scalars(proposed.where(*held))]
    if references:
        message = f"First finish, move or cancel {_listed(references)}"
        raise ConflictError(message, code="vehicle_in_use", details={"bookings": in_use})


def _listed(references: Sequence[str], most: int = 5) -> str:
    more = len(references) - most
    return ", ".join(references[:most]) + (f" and {more} more" if more > 0 else "")
