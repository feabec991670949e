"""All prices of a vendor's fleet at once; existing bookings keep their prices."""

from collections.abc import Mapping, Sequence

from sqlalchemy import delete, select
from sqlmodel import Session, col

from rental_app.domain.acts import Act
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.money import counted, format_rupees, grouped
from rental_app.domain.pricing import plan_sort_key
from rental_app.models import Vehicle, VehiclePrice
from rental_app.schemas.prices import (
    CopyPrices,
    FleetPrice,
    FleetPriceIn,
    FleetPrices,
    PlanKey,
    ShownPrice,
    price_title,
)
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, require_manager, require_own
from rental_app.services.search.eligibility import in_fleet

CHANGED = "These prices have been changed elsewhere in the meantime"
ITSELF = "The prices of a vehicle cannot be copied to itself"
NOT_PRICED = "This vehicle has no active Full Day price"
NO_PRICE = "Enter more than 0, or switch the plan off"
StoredPlans = Mapping[PlanKey, VehiclePrice]


class PricesRefusedError(InvalidInputError):
    """Prices that break a rule; `plans` says what is wrong with which."""

    def __init__(self, message: str, plans: Mapping[PlanKey, str]) -> None:
        super().__init__(message)
        self.plans = dict(plans)


class PricesChangedError(ConflictError):
    """Prices that somebody else has changed: `plans` says how they are now, `now` are those plans."""

    code = "prices_changed"

    def __init__(self, plans: Mapping[PlanKey, str], now: Sequence[FleetPrice]) -> None:
        super().__init__(CHANGED, details={"prices": now})
        self.plans, self.now = dict(plans), list(now)


def of_vendor(session: Session, actor: Actor) -> list[FleetPrice]:
    """Every plan of the actor's vehicles, by vehicle. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    throttle.check_rows(actor)
    plans = select(VehiclePrice).join(Vehicle).where(col(Vehicle.vendor_id) == actor.vendor, in_fleet())
    rows = sorted(session.scalars(plans), key=lambda row: (row.vehicle_id, plan_sort_key(row.price_name)))
    throttle.count_rows(actor, len(rows))
    return [view_of(row) for row in rows]


def change(session: Session, actor: Actor, changes: FleetPrices) -> str:
    """Change plans of the actor's vehicles, all or none; returns a message for them.

    Raises ForbiddenError, PricesRefusedError (an active plan without a price), NotFoundError (a vehicle that is not
    theirs) and PricesChangedError (the current prices are not those shown).
    """
    throttle.count("change", actor)
    require_manager(actor)
    require_own(session, actor, *(price.vehicle for price in changes.root), lock=True)
    vehicles = {price.vehicle for price in changes.root}
    plans = session.scalars(select(VehiclePrice).where(col(VehiclePrice.vehicle_id).in_(vehicles)))
    stored = {_key(row): row for row in plans}
    earlier = {key: _plan(row) for key, row in stored.items()}
    # What somebody else changed first is not overwritten unseen.
    now = {price.key: _now(stored, price) for price in changes.root}
    changed = [now[price.key] for price in changes.root if price.shown and _differs(now[price.key], price.shown)]
    if changed:
        raise PricesChangedError({price.key: in_words(price) for price in changed}, changed)
    rows = [_changed(stored, price) for price in changes.root]
    bare = [_key(row) for row in rows if row.status == "Active" and not row.price_paise]
    if bare:
        plates = {vehicle: session.get_one(Vehicle, vehicle).rc_number for vehicle, _ in bare}
        titles = [price_title(plan, plates[vehicle], "price") for vehicle, plan in bare]
        raise PricesRefusedError("; ".join(f"{title}: {NO_PRICE}" for title in titles), dict.fromkeys(bare, NO_PRICE))
    session.add_all(rows)
    session.flush()
    for row in rows:
        before = {row.price_name: earlier[_key(row)]} if _key(row) in earlier else {}
        after = {row.price_name: _plan(row)}
        audit.record(session, actor, Act.PRICES_CHANGED, ("vehicle", row.vehicle_id), before=before, after=after)
    return f"{counted(len(changes.root), 'price')} saved"


def copy(session: Session, actor: Actor, request: CopyPrices) -> str:
    """Copy the plans of one of the actor's vehicles to others of theirs, replacing those; returns a message for them.

    Raises ForbiddenError, InvalidInputError (no others), NotFoundError (a vehicle that is not theirs) and ConflictError
    (`not_priced`: without a price for a day, the others could not be booked any more).
    """
    throttle.count("change", actor)
    require_manager(actor)
    targets = set(request.targets) - {request.source}
    if not targets:
        raise InvalidInputError(ITSELF, fields={"to": ITSELF})
    require_own(session, actor, request.source, *targets, lock=True)
    plans = session.scalars(select(VehiclePrice).where(col(VehiclePrice.vehicle_id) == request.source)).all()
    if not any(view_of(plan).is_daily for plan in plans):
        raise not_priced()
    session.execute(delete(VehiclePrice).where(col(VehiclePrice.vehicle_id).in_(targets)))
    for vehicle in targets:
        copies = [plan.model_dump(exclude={"id", "vehicle_id"}) for plan in plans]
        session.add_all(VehiclePrice(vehicle_id=vehicle, **plan) for plan in copies)
        after = {plan.price_name: _plan(plan) for plan in plans}
        audit.record(session, actor, Act.PRICES_CHANGED, ("vehicle", vehicle), before={}, after=after)
    session.flush()
    return f"Prices copied to {counted(len(targets), 'vehicle')}"


def _plan(row: VehiclePrice) -> dict[str, object]:
    return row.model_dump(include={"price_paise", "kms_limit", "status"})


def not_priced() -> ConflictError:
    """The refusal for a vehicle that cannot be booked for want of a price."""
    return ConflictError(NOT_PRICED, code="not_priced")


def _key(row: VehiclePrice) -> PlanKey:
    return PlanKey(row.vehicle_id, row.price_name)


def _differs(now: FleetPrice, shown: ShownPrice) -> bool:
    return any(getattr(now, name) != getattr(shown, name) for name in shown.model_fields_set)


def in_words(now: FleetPrice) -> str:
    """How a plan that somebody else has changed stands now."""
    kms = f"{grouped(now.kms_limit)} km" if now.kms_limit else "unlimited km"
    return f"Changed elsewhere in the meantime: now {format_rupees(now.price_paise)}, {kms}, {now.status}"


def _now(stored: StoredPlans, price: FleetPriceIn) -> FleetPrice:
    """A plan as it is now; with default values if there is none."""
    row = stored.get(price.key)
    none = {"price_name": price.price_name, **ShownPrice().model_dump()}
    return view_of(row) if row else FleetPrice.model_validate({"vehicle": price.vehicle, **none})


def _changed(stored: StoredPlans, price: FleetPriceIn) -> VehiclePrice:
    values = price.model_dump(exclude={"vehicle", "shown"}, exclude_unset=True)
    row = stored.get(price.key)
    if row is None:
        return VehiclePrice(vehicle_id=price.vehicle, **{"price_paise": 0} | values)
    # A first price puts the plan on offer; one that was switched off stays off.
    first = {"status": "Active"} if price.price_paise and not row.price_paise else {}
    return row.sqlmodel_update(first | values)


def view_of(row: VehiclePrice) -> FleetPrice:
    """A plan in its wire format."""
    return FleetPrice.model_validate({"vehicle": row.vehicle_id, **row.model_dump()})
