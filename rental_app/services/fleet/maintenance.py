"""Maintenance of a vendor's vehicles: what was done and what it cost, and what is due by date or kilometres."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act, changes
from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.models import TITLE, MaintenanceEntry, Vehicle, titled
from rental_app.schemas.fleet import MaintenanceAnswer, MaintenanceIn, MaintenanceView, YearCost
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, own_ids, require_manager, require_own, unknown_vehicle
from rental_app.services.search.eligibility import in_fleet

NOTED, CHANGED, REMOVED = "Maintenance noted", "Maintenance changed", "Maintenance removed"
# Of one vehicle.
MOST = 500
# How long before its day or its reading something counts as due.
DAYS_BEFORE, KM_BEFORE = 7, 300


@dataclass(frozen=True, slots=True)
class DueMaintenance:
    """What is due, or soon will be, for a vehicle whose odometer stands at `odometer_km`."""

    vehicle_id: int
    title: str
    rc_number: str
    kind: str
    next_on: date | None
    next_km: int | None
    odometer_km: int
    is_overdue: bool


def of_vehicle(session: Session, actor: Actor, vehicle_id: int) -> MaintenanceAnswer:
    """All maintenance of one of the actor's vehicles, which may be retired. Raises ForbiddenError and NotFoundError."""
    throttle.count("list", actor)
    require_manager(actor)
    if session.execute(own_ids(actor).where(col(Vehicle.id) == vehicle_id)).first() is None:
        raise unknown_vehicle()
    entries = _entries(session, [vehicle_id])
    odometer = _odometer(session.get_one(Vehicle, vehicle_id), entries)
    due = {id(each) for each in _due(entries, odometer, clock.indian_today(clock.now()))}
    costs: dict[int, int] = {}
    for entry in entries:
        costs[entry.done_on.year] = costs.get(entry.done_on.year, 0) + entry.cost_paise
    return MaintenanceAnswer(
        entries=[_view(entry, is_due=id(entry) in due) for entry in entries],
        years=[YearCost(year=year, cost_paise=cost) for year, cost in costs.items()],
        odometer_km=odometer,
    )


def due_maintenance(session: Session, actor: Actor) -> list[DueMaintenance]:
    """What is due for the actor's vehicles, or within a week or 300 km; overdue first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    own = select(Vehicle, TITLE.label("title")).where(col(Vehicle.vendor_id) == actor.vendor, in_fleet())
    fleet = {vehicle.id or 0: (vehicle, title) for vehicle, title in session.execute(titled(own))}
    by_vehicle: dict[int, list[MaintenanceEntry]] = {}
    for entry in _entries(session, [*fleet]):
        by_vehicle.setdefault(entry.vehicle_id, []).append(entry)
    today, soon = clock.indian_today(clock.now()), []
    for vehicle_id, entries in by_vehicle.items():
        vehicle, title = fleet[vehicle_id]
        odometer = _odometer(vehicle, entries)
        overdue = {id(each) for each in _due(entries, odometer, today)}
        soon += [
            DueMaintenance(
                vehicle_id=vehicle_id,
                title=title,
                rc_number=vehicle.rc_number,
                kind=entry.kind,
                next_on=entry.next_on,
                next_km=entry.next_km,
                odometer_km=odometer,
                is_overdue=id(entry) in overdue,
            )
            for entry in _due(entries, odometer + KM_BEFORE, today + timedelta(days=DAYS_BEFORE))
        ]
    return sorted(soon, key=lambda each: (not each.is_overdue, each.next_on or date.max, each.vehicle_id, each.kind))


def add(session: Session, actor: Actor, vehicle_id: int, request: MaintenanceIn) -> MaintenanceView:
    """Note what was done to one of the actor's vehicles.

    Raises ForbiddenError, NotFoundError (not theirs), InvalidInputError and ConflictError (retired, 500 entries).
    """
    throttle.count("change", actor)
    require_manager(actor)
    request.require_sense()
    require_own(session, actor, vehicle_id, lock=True)
    count = select(func.count()).select_from(MaintenanceEntry).where(col(MaintenanceEntry.vehicle_id) == vehicle_id)
    if session.execute(count).scalar_one() >= MOST:
        raise ConflictError(f"A vehicle has at most {MOST} entries: remove one first", code="too_many_entries")
    entry = MaintenanceEntry(vehicle_id=vehicle_id, **request.model_dump())
    session.add(entry)
    session.flush()
    after = entry.model_dump(mode="json", exclude={"vehicle_id", "created_at"})
    audit.record(session, actor, Act.MAINTENANCE_NOTED, ("vehicle", vehicle_id), entry.kind, after=after)
    return _now(session, entry)


def change(session: Session, actor: Actor, vehicle_id: int, entry_id: int, request: MaintenanceIn) -> MaintenanceView:
    """Replace what was noted; raises as `add` does, and NotFoundError for an entry that is not the vehicle's."""
    throttle.count("change", actor)
    require_manager(actor)
    request.require_sense()
    entry = _own_entry(session, actor, vehicle_id, entry_id)
    earlier = entry.model_dump(mode="json")
    entry.sqlmodel_update(request.model_dump())
    session.flush()
    before, after = changes(earlier, entry.model_dump(mode="json"))
    subject = ("vehicle", vehicle_id)
    audit.record(session, actor, Act.MAINTENANCE_CHANGED, subject, entry.kind, before=before, after=after)
    return _now(session, entry)


def remove(session: Session, actor: Actor, vehicle_id: int, entry_id: int) -> str:
    """Remove what was noted; returns a message for the vendor. Raises as `change` does."""
    throttle.count("change", actor)
    require_manager(actor)
    entry = _own_entry(session, actor, vehicle_id, entry_id)
    before = entry.model_dump(mode="json", exclude={"vehicle_id", "created_at"})
    session.delete(entry)
    audit.record(session, actor, Act.MAINTENANCE_REMOVED, ("vehicle", vehicle_id), entry.kind, before=before)
    return REMOVED


def _own_entry(session: Session, actor: Actor, vehicle_id: int, entry_id: int) -> MaintenanceEntry:
    require_own(session, actor, vehicle_id, lock=True)
    entry = session.get(MaintenanceEntry, entry_id)
    if entry is None or entry.vehicle_id != vehicle_id:
        raise NotFoundError("There is no such entry", code="unknown_entry")
    return entry


def _entries(session: Session, vehicles: Sequence[int]) -> list[MaintenanceEntry]:
    """What was done to some vehicles, the latest first."""
    done = select(MaintenanceEntry).where(col(MaintenanceEntry.vehicle_id).in_(vehicles))
    return list(session.scalars(done.order_by(col(MaintenanceEntry.done_on).desc(), col(MaintenanceEntry.id).desc())))


def _odometer(vehicle: Vehicle, entries: Sequence[MaintenanceEntry]) -> int:
    """The last known reading: of the listing, which returns move on, or of an entry."""
    return max(vehicle.odometer_reading, *(entry.odometer_km or 0 for entry in entries), 0)


def _due(entries: Sequence[MaintenanceEntry], odometer: int, day: date) -> list[MaintenanceEntry]:
    """Of one vehicle's entries, the latest first, those of which the next is due and was not done since."""
    latest: dict[str, MaintenanceEntry] = {}
    for entry in entries:
        latest.setdefault(entry.kind, entry)
    return [
        entry
        for entry in latest.values()
        if (entry.next_on is not None and entry.next_on <= day)
        or (entry.next_km is not None and entry.next_km <= odometer)
    ]


def _now(session: Session, entry: MaintenanceEntry) -> MaintenanceView:
    """An entry as it stands among the others of its vehicle."""
    entries = _entries(session, [entry.vehicle_id])
    odometer = _odometer(session.get_one(Vehicle, entry.vehicle_id), entries)
    due = _due(entries, odometer, clock.indian_today(clock.now()))
    return _view(entry, is_due=any(each.id == entry.id for each in due))


def _view(entry: MaintenanceEntry, *, is_due: bool) -> MaintenanceView:
    return MaintenanceView.model_validate(entry.model_dump() | {"is_due": is_due})
