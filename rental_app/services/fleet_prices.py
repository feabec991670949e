"""All prices of a vendor's fleet at once; what is booked keeps its price."""

from collections.abc import Iterable

from sqlalchemy import delete, select
from sqlmodel import Session, col

from rental_app.errors import NotFoundError
from rental_app.models import Vehicle, VehiclePrice
from rental_app.rules.pricing import PLAN_NAMES
from rental_app.schemas.prices import CopyPrices, FleetPrice, FleetPriceIn, FleetPrices
from rental_app.services import throttle
from rental_app.services.accounts import Actor, require_vendor


def of_vendor(session: Session, actor: Actor) -> list[FleetPrice]:
    """Every plan of the actor's vehicles, by vehicle. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    throttle.check_rows(actor)
    mine = select(VehiclePrice).join(Vehicle).where(col(Vehicle.vendor_id) == actor.id)
    rows = sorted(session.scalars(mine), key=lambda row: (row.vehicle_id, PLAN_NAMES.index(row.price_name)))
    throttle.count_rows(actor, len(rows))
    return [FleetPrice.model_validate({"vehicle": row.vehicle_id, **row.model_dump()}) for row in rows]


def change(session: Session, actor: Actor, wanted: FleetPrices) -> str:
    """Change plans of the actor's vehicles, all or none; returns what to tell them.

    Raises ForbiddenError and NotFoundError (a vehicle that is not theirs).
    """
    throttle.count("change", actor)
    require_vendor(actor)
    _hold(session, actor, {price.vehicle for price in wanted.root})
    _put(session, wanted.root)
    many = len(wanted.root)
    return f"{many} price{'s' if many != 1 else ''} saved"


def copy(session: Session, actor: Actor, wish: CopyPrices) -> str:
    """Give the plans of one of the actor's vehicles to others of theirs, in place of their own; raises as `change`."""
    throttle.count("change", actor)
    require_vendor(actor)
    targets = set(wish.targets) - {wish.source}
    _hold(session, actor, {wish.source, *targets})
    plans = session.scalars(select(VehiclePrice).where(col(VehiclePrice.vehicle_id) == wish.source)).all()
    session.execute(delete(VehiclePrice).where(col(VehiclePrice.vehicle_id).in_(targets)))
    for vehicle in targets:
        copies = [plan.model_dump(exclude={"id", "vehicle_id"}) for plan in plans]
        session.add_all(VehiclePrice(vehicle_id=vehicle, **plan) for plan in copies)
    session.flush()
    return f"Prices copied to {len(targets)} vehicle{'s' if len(targets) != 1 else ''}"


def _hold(session: Session, actor: Actor, ids: set[int]) -> None:
    """Lock vehicles of the actor's; raises NotFoundError unless all are."""
    mine = select(col(Vehicle.id)).where(col(Vehicle.id).in_(ids), col(Vehicle.vendor_id) == actor.id)
    if len(session.execute(mine.order_by(col(Vehicle.id)).with_for_update()).all()) != len(ids):
        raise NotFoundError("There is no such vehicle", code="unknown_vehicle")


def _put(session: Session, prices: Iterable[FleetPriceIn]) -> None:
    wanted: dict[tuple[int, str], FleetPriceIn] = {(price.vehicle, price.price_name): price for price in prices}
    vehicles = {vehicle for vehicle, _ in wanted}
    for row in session.scalars(select(VehiclePrice).where(col(VehiclePrice.vehicle_id).in_(vehicles))):
        if price := wanted.pop((row.vehicle_id, row.price_name), None):
            row.sqlmodel_update(price.model_dump(exclude={"vehicle"}))
    session.add_all(
        VehiclePrice(vehicle_id=vehicle, **price.model_dump(exclude={"vehicle"}))
        for (vehicle, _), price in wanted.items()
    )
    session.flush()
