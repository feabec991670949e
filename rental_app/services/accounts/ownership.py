"""Whose vehicles they are, and whether an account is in good standing."""

from sqlalchemy import ColumnElement, select
from sqlmodel import Session, col

from rental_app.domain.errors import NotFoundError
from rental_app.models import (
    Columns,
    User,
    Vehicle,
)
from rental_app.services.accounts.actor import Actor


def own_ids(actor: Actor) -> Columns:
    """SELECT of the ids of the vehicles of the vendor whom an actor works for."""
    return select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == actor.vendor)


def require_own(session: Session, actor: Actor, *ids: int, lock: bool = False) -> None:
    """Raise NotFoundError unless these vehicles are the vendor's; `lock` them, as their bookings do."""
    mine = own_ids(actor).where(col(Vehicle.id).in_(ids))
    found = session.execute(mine.order_by(col(Vehicle.id)).with_for_update() if lock else mine).all()
    if len(found) != len(set(ids)):
        raise unknown_vehicle()


def unknown_vehicle() -> NotFoundError:
    """The error for a vehicle that does not exist, or is somebody else's."""
    return NotFoundError("There is no such vehicle", code="unknown_vehicle")


def in_good_standing() -> list[ColumnElement[bool]]:
    """SQL conditions: an account that is neither blocked nor deleted."""
    return [col(User.status) == "active", col(User.is_deleted).is_(False)]
