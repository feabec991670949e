"""Users, vehicles and windows for tests, inserted straight into the app's database."""

import itertools
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Any, TypeVar

from sqlalchemy import event, text
from sqlmodel import Session, SQLModel, col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import _READ_ONLY, engine, read, write
from rental_app.models import AssetModel, AssetType, Location, Manufacturer, Offer, User, Vehicle, VehiclePrice
from rental_app.schemas.bookings import BookingRequest
from rental_app.schemas.search import AvailabilityRequest
from rental_app.services.accounts import sessions
from rental_app.services.accounts.actor import Actor
from rental_app.services.throttle import Caller

DAY = date(2026, 11, 20)

VISITOR = Caller("198.51.100.7")
PASSWORD = "correct horse battery"
# At the least that bcrypt takes: at the product's cost every login in a test would take a quarter of a second.
PASSWORD_HASH = "$2b$04$X8/oklMldz250uR6lcPC0eHljUeFklqAznNN/S5TNo7oVgQ7KW462"
DAILY_PAISE, DEPOSIT_PAISE = 50_000, 200_000
ALL_DAY = {"open_time": time(0), "close_time": time(23, 30)}
Row = TypeVar("Row", bound=SQLModel)
_numbers = itertools.count(1000)


@dataclass(kw_only=True)
class Shop:
    """A locality with one vendor, one vehicle and one customer."""

    place: Location
    vendor: User
    vehicle: Vehicle
    customer: User


def put(row: Row) -> Row:
    """Insert a row; its attributes can be read afterwards."""
    return write(_insert, row)


def _insert(session: Session, row: Row) -> Row:
    session.add(row)
    session.flush()
    session.refresh(row)
    return row


def add_user(role: str = "Customer", **fields: Any) -> User:
    """Add a user who can log in with PASSWORD."""
    return put(_user(role, fields))


def _user(role: str, fields: dict[str, Any]) -> User:
    number = next(_numbers)
    given = {
        "name": f"Person {number}",
        "email": f"person{number}@example.com",
        "phone_number": f"9{number:09}",
        "address": f"{number} Test Road",
        "zip_code": "500032",
        "city": "Hyderabad",
        "password_hash": PASSWORD_HASH,
        "email_verified_at": clock.now(),
    }
    return User(role=role, **(given | fields))


def add_place(name: str = "Testpur") -> Location:
    """Add a locality without any of the demo's vehicles."""
    return put(_place(name))


def _place(name: str) -> Location:
    slug = "-".join(re.findall("[a-z0-9]+", name.lower()))
    return Location(name=name, slug=slug, latitude=17.4, longitude=78.4)


def add_vehicle(vendor: User, daily: int | None = DAILY_PAISE, **fields: Any) -> Vehicle:
    """Add a vehicle at its vendor's locality; `daily` (paise) None leaves it without a Full Day price."""
    vehicle = put(_vehicle(vendor, fields))
    if daily is not None:
        put(_full_day(vehicle, daily))
    return vehicle


def add_vehicles(vendor: User, many: int) -> None:
    """Add many vehicles in one transaction."""
    fleet = [_vehicle(vendor, {}) for _ in range(many)]

    def insert(session: Session) -> None:
        session.add_all(fleet)
        session.flush()
        session.add_all(_full_day(vehicle, DAILY_PAISE) for vehicle in fleet)

    write(insert)


def _full_day(vehicle: Vehicle, daily: int) -> VehiclePrice:
    return VehiclePrice(vehicle_id=vehicle.id or 0, price_name="Full Day", price_paise=daily, kms_limit=100)


def _vehicle(vendor: User, fields: dict[str, Any]) -> Vehicle:
    number = next(_numbers)
    today = clock.indian_today(clock.now())
    given = {
        "vendor_id": vendor.id,
        "location_id": vendor.location_id,
        "model_id": 1,
        "year": today.year,
        "color": "White",
        "rc_number": f"TS{9 + number // 9_999:02}ZZ{number % 9_999 + 1:04}",
        "engine_number": f"ENGINE{number}",
        "chassis_number": f"MA1TESTCHASS{number:05}",
        "owner_name_as_per_rc": "Secret Owner",
        "odometer_reading": 1200,
        "last_serviced_date": today,
        "insurance_expiry_date": today + timedelta(days=400),
        "pollution_expiry_date": today + timedelta(days=400),
        "speed_limit_kmph": 70,
        "late_penalty_paise": 5_000,
        "distance_penalty_paise": 500,
        "deposit_paise": DEPOSIT_PAISE,
    }
    return Vehicle(**(given | fields))


def open_shop(name: str = "Testpur", **hours: Any) -> Shop:
    """Open a new locality with one of each; the vendor's hours are 09:00 to 20:00 unless given."""
    return write(_open_shop, name, hours)


def _open_shop(session: Session, name: str, hours: dict[str, Any]) -> Shop:
    place = _insert(session, _place(name))
    vendor = _insert(session, _user("Vendor", {"location_id": place.id, **hours}))
    vehicle = _insert(session, _vehicle(vendor, {}))
    _insert(session, _full_day(vehicle, DAILY_PAISE))
    customer = _insert(session, _user("Customer", {}))
    return Shop(place=place, vendor=vendor, vehicle=vehicle, customer=customer)


def token_of(user: User) -> str:
    """Return a token of a new session of a user."""
    return write(sessions.open_session, user.id or 0)


def actor(user: User) -> Actor:
    """Return the actor that services see for a logged-in user."""
    return Actor(VISITOR.address, user.id or 0, user.role, "no-session")


def moment(days: int = 3, hour: int = 10, minute: int = 0) -> datetime:
    """An Indian clock time some days from today (UTC)."""
    return clock.at(clock.indian_today(clock.now()) + timedelta(days=days), time(hour, minute))


def wire(instant: datetime) -> str:
    """Return an instant in the product's wire format."""
    return clock.indian(instant).isoformat(timespec="seconds")


def wanted(vehicle: Vehicle, days: int = 3, length: int = 1, hour: int = 10) -> BookingRequest:
    """A request for a vehicle, `days` from today and `length` days long."""
    return BookingRequest(car=vehicle.id, pickup=wire(moment(days, hour)), return_at=wire(moment(days + length, hour)))


def search_for(place: Location, days: int = 3, length: int = 1, hour: int = 10) -> AvailabilityRequest:
    """A search over the same window."""
    return AvailabilityRequest(
        location=place.name, pickup=wire(moment(days, hour)), return_at=wire(moment(days + length, hour))
    )


def a_model(type_name: str = "Scooter") -> tuple[int, int, int]:
    """Ids of a type, one of its makers and one of its models."""
    chosen = (
        select(AssetType.id, Manufacturer.id, AssetModel.id)
        .select_from(AssetModel)
        .join(Manufacturer)
        .join(AssetType)
        .where(AssetType.name == type_name)
        .order_by(col(AssetModel.id))
    )
    row = read(lambda session: session.execute(chosen).first())
    assert row
    return row[0], row[1], row[2]


def count(table: str) -> int:
    """How many rows a table holds."""
    return int(read(lambda session: session.execute(text(f'SELECT count(*) FROM "{table}"')).scalar_one()))


@contextmanager
def statements() -> Iterator[list[str]]:
    """Collect the SQL statements sent to the database in this block."""
    sent: list[str] = []

    def note(_connection: object, _cursor: object, statement: str, *_more: object) -> None:
        # A transaction's own: that it begins, ends, and that the shop is not read-only.
        if not statement.startswith(("BEGIN", "COMMIT", "ROLLBACK", _READ_ONLY)):
            sent.append(statement)

    event.listen(engine(), "before_cursor_execute", note)
    yield sent
    event.remove(engine(), "before_cursor_execute", note)


def is_on(shop: Shop) -> bool:
    return bool(read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).is_active)


def offer(code: str, starts_on: date = DAY, ends_on: date = DAY, **fields: object) -> Offer:
    given = {"title": "T", "terms": "", "minimum_days": 2, "off_paise": 100} | fields
    return Offer(code=code, starts_on=starts_on, ends_on=ends_on, **given)
