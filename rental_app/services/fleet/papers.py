"""The papers and photos of listed vehicles: which are kept, which are removed, who sees them, which expire."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, or_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import TripStage
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.papers import last_day_of_warning
from rental_app.domain.uploads import MAX_FILES_A_GROUP, TOO_MANY
from rental_app.models import TITLE, Booking, Vehicle, VehicleFile, titled
from rental_app.schemas.vehicles import FileView
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_staff
from rental_app.services.bookings.rows import is_open
from rental_app.services.files.storage import CheckedFile, objects_of


class _StoredFile(NamedTuple):
    """A file that a vehicle has."""

    id: int | None
    group_name: str
    key: str


def put(
    session: Session, vehicle: Vehicle, files: Sequence[CheckedFile], drop: Sequence[int] | None = None
) -> list[str]:
    """Give a vehicle new files; returns store keys no longer used.

    `drop` are the ids of the files to remove, None for those of every group that gets new ones. Raises
    InvalidInputError if that would empty a group that had files, or give one too many.
    """
    own = (
        select(col(VehicleFile.id), col(VehicleFile.group_name), col(VehicleFile.key))
        .where(col(VehicleFile.vehicle_id) == vehicle.id, col(VehicleFile.replaced_at).is_(None))
        .order_by(col(VehicleFile.id))
    )
    had = [_StoredFile(*row) for row in session.execute(own)]
    sent = {file.group for file in files}
    gone = [row for row in had if (row.group_name in sent if drop is None else row.id in drop)]
    stays = [row for row in had if row not in gone]
    _check_groups(had, stays, files)
    session.execute(delete(VehicleFile).where(col(VehicleFile.id).in_([row.id for row in gone])))
    session.add_all(
        VehicleFile(
            vehicle_id=vehicle.id or 0,
            group_name=f.group,
            key=f.key,
            content_type=f.content_type,
            size=f.size,
            stored_bytes=f.stored_bytes,
        )
        for f in files
    )
    if gone or files:
        vehicle.image = _cover(gone, stays, files) or vehicle.image
    session.flush()
    booked = _booked_pictures(session, vehicle) if gone else set()
    return [name for row in gone if f"/media/{row.key}" not in booked for name in objects_of(row.key)]


def _booked_pictures(session: Session, vehicle: Vehicle) -> set[str]:
    """The paths of the pictures that bookings of a vehicle still show."""
    pictures = select(col(Booking.booked)["image"].as_string()).where(col(Booking.vehicle_id) == vehicle.id).distinct()
    return set(session.scalars(pictures))


def missing_documents(groups: Sequence[str]) -> InvalidInputError:
    """The error for upload groups without a file."""
    message = f"Please upload documents for: {', '.join(groups)}"
    return InvalidInputError(
        message, code="missing_documents", fields=dict.fromkeys(groups, "Upload at least one file")
    )


def _check_groups(had: Sequence[_StoredFile], stays: Sequence[_StoredFile], files: Sequence[CheckedFile]) -> None:
    left = [row.group_name for row in stays] + [file.group for file in files]
    if emptied := sorted({row.group_name for row in had} - set(left)):
        raise missing_documents(emptied)
    for group in sorted(set(left)):
        if left.count(group) > MAX_FILES_A_GROUP:
            message = f"{group}: {TOO_MANY}"
            raise InvalidInputError(message, code="too_many_files", fields={group: message})


def _cover(gone: Sequence[_StoredFile], stays: Sequence[_StoredFile], files: Sequence[CheckedFile]) -> str:
    """The path of the picture customers see first; '' when there is no Front photo."""
    old = [f"/media/{row.key}" for row in stays if row.group_name == "Front"]
    new = [file.public_path for file in files if file.group == "Front"]
    # A photo that replaces another replaces it on the card too.
    fronts = new + old if any(row.group_name == "Front" for row in gone) else old + new
    return fronts[0] if fronts else ""


def of_actor(session: Session, actor: Actor, *among: ColumnElement[bool]) -> dict[int, list[FileView]]:
    """Every file of the actor's vehicles that is not replaced, or of those that meet conditions, by vehicle."""
    return _views(session, actor, col(VehicleFile.replaced_at).is_(None), *among)


def replaced(session: Session, actor: Actor, *among: ColumnElement[bool]) -> dict[int, list[FileView]]:
    """The papers of the actor's vehicles that renewed ones took the place of, by vehicle."""
    return _views(session, actor, col(VehicleFile.replaced_at).is_not(None), *among)


def _views(session: Session, actor: Actor, *which: ColumnElement[bool]) -> dict[int, list[FileView]]:
    conditions = (col(Vehicle.vendor_id) == actor.vendor, *which)
    own = select(VehicleFile).join(Vehicle).where(*conditions).order_by(col(VehicleFile.id))
    by_vehicle: dict[int, list[FileView]] = {}
    for row in session.scalars(own).all():
        public = row.key.startswith("public/")
        url = f"/media/{row.key}" if public else f"/api/vendor/files/{row.id}"
        view = FileView(id=row.id, group=row.group_name, url=url, content_type=row.content_type, size=row.size)
        by_vehicle.setdefault(row.vehicle_id, []).append(view)
    return by_vehicle


@dataclass(frozen=True, slots=True)
class ExpiringPaper:
    """A paper that has expired or soon will: its last Indian day, and the open bookings that run past it."""

    vehicle_id: int
    vendor_id: int
    title: str
    rc_number: str
    paper: str
    day: date
    bookings: list[str]


def vehicles_with_expiring(session: Session, actor: Actor) -> int:
    """How many of the vendor's active vehicles have a paper that has expired or soon will; 0 at the counter.

    Raises ForbiddenError.
    """
    throttle.count("look", actor)
    require_staff(actor)
    if not actor.is_manager:
        return 0
    warned = last_day_of_warning(clock.indian_today(clock.now()))
    soon = or_(col(Vehicle.insurance_expiry_date) <= warned, col(Vehicle.pollution_expiry_date) <= warned)
    own = (col(Vehicle.vendor_id) == actor.vendor, col(Vehicle.is_active))
    return int(session.execute(select(func.count()).select_from(Vehicle).where(*own, soon)).scalar_one())


def expiring(session: Session, which: ColumnElement[bool], instant: datetime) -> list[ExpiringPaper]:
    """Papers of some vehicles that have expired or will within 30 days, the earliest first."""
    warned = last_day_of_warning(clock.indian_today(instant))
    insurance, pollution = col(Vehicle.insurance_expiry_date), col(Vehicle.pollution_expiry_date)
    concerned = titled(select(Vehicle, TITLE)).where(which, or_(insurance <= warned, pollution <= warned))
    rows = session.execute(concerned).all()
    booked = _open_bookings(session, [vehicle.id or 0 for vehicle, _ in rows], instant)
    expiring_papers = [
        ExpiringPaper(
            vehicle_id=vehicle.id or 0,
            vendor_id=vehicle.vendor_id,
            title=title,
            rc_number=vehicle.rc_number,
            paper=paper,
            day=day,
            bookings=[reference for reference, last in booked.get(vehicle.id or 0, []) if last > day],
        )
        for vehicle, title in rows
        for paper, day in (("Insurance", vehicle.insurance_expiry_date), ("Pollution", vehicle.pollution_expiry_date))
        if day <= warned
    ]
    return sorted(expiring_papers, key=lambda each: (each.day, each.vehicle_id, each.paper))


def _open_bookings(session: Session, ids: Sequence[int], instant: datetime) -> dict[int, list[tuple[str, date]]]:
    """The references of bookings that are not over, by vehicle, with the Indian day of their return."""
    booked = (
        select(col(Booking.vehicle_id), col(Booking.reference), col(Booking.return_at))
        .where(col(Booking.vehicle_id).in_(ids), or_(is_open(instant), col(Booking.stage) == TripStage.OUT))
        .order_by(col(Booking.pickup_at))
    )
    by_vehicle: dict[int, list[tuple[str, date]]] = {}
    for vehicle_id, reference, return_at in session.execute(booked).all():
        by_vehicle.setdefault(vehicle_id, []).append((reference, clock.indian_today(return_at)))
    return by_vehicle
