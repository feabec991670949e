"""What the data say against a listing, for the operator who decides about it."""

from collections.abc import Iterator, Mapping
from datetime import date
from typing import Any

from sqlalchemy import or_, select
from sqlmodel import Session, col

from rental_app.domain import clock, papers
from rental_app.models import User, Vehicle

# How many listings with the same numbers are named.
MOST = 5
Finding = Mapping[str, Any]


def of_listing(session: Session, vehicle_id: int) -> list[Finding]:
    """What is found: the `column` of the console's list that it is about, its `title`, the `reason` that the vendor may
    be told, and the `note` that operators see beside it. Nothing for a vehicle that does not exist."""
    of_vendor = select(Vehicle, col(User.name)).join(User, col(Vehicle.vendor_id) == col(User.id))
    row = session.execute(of_vendor.where(col(Vehicle.id) == vehicle_id)).first()
    if row is None:
        return []
    car, vendor = row
    today = clock.indian_today(clock.now())
    return [*_owner(car, vendor), *_numbers(session, car), *_papers(car, today)]


def _owner(car: Vehicle, vendor: str) -> Iterator[Finding]:
    if not papers.is_same_owner(car.owner_name_as_per_rc, vendor):
        reason = "The owner name differs from the name of your account"
        yield _found("owner", "Owner name differs", reason, f"the vendor is {vendor}")


def _numbers(session: Session, car: Vehicle) -> Iterator[Finding]:
    """Numbers that are on another listing too: one vehicle has them once."""
    same = or_(col(Vehicle.engine_number) == car.engine_number, col(Vehicle.chassis_number) == car.chassis_number)
    listed = (col(Vehicle.rc_number), col(Vehicle.engine_number), col(Vehicle.chassis_number))
    others = session.execute(select(*listed).where(same, col(Vehicle.id) != car.id).limit(MOST)).all()
    for name, label, mine, place in (
        ("engine", "engine", car.engine_number, 1),
        ("chassis", "chassis", car.chassis_number, 2),
    ):
        if plates := [other[0] for other in others if other[place] == mine]:
            reason = f"Another listing has the same {label} number"
            yield _found(name, f"Same {label} number", reason, f"also on {', '.join(plates)}")


def _papers(car: Vehicle, today: date) -> Iterator[Finding]:
    for name, paper, day in (
        ("insured", "Insurance", car.insurance_expiry_date),
        ("pollution", "Pollution", car.pollution_expiry_date),
    ):
        if reason := papers.expiry_reason(paper, day, today):
            title = f"{paper} {'expired' if day < today else 'expires'}"
            yield _found(name, title, reason, papers.expiry_note(paper, day, today))


def _found(column: str, title: str, reason: str, note: str) -> Finding:
    return {"column": column, "title": title, "reason": reason, "note": note}
