"""Fills an empty database with a marketplace of any size: migrated, inserted in bulk, the same on every run."""

import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from datetime import time as clock_time
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

from alembic.config import Config
from sqlalchemy import insert, text
from sqlmodel import Session, SQLModel

from alembic import command
from rental_app.domain import clock
from rental_app.infrastructure.db import begin, engine, read, write
from rental_app.models import Booking, User, Vehicle, VehiclePrice, snapshots
from rental_app.seed.catalogue import MODELS, add_models, add_places
from rental_app.seed.places import PLACES

Rows = Iterator[dict[str, Any]]
BIG, SMALL = "Gachibowli", "Madhapur"
SMALL_SIZE = 260
VEHICLES_A_VENDOR = 20
PLANS = {"Half Day": 60, "Full Day": 100, "Week": 600, "Month": 2100}
DAYS_AHEAD, DAYS_A_BOOKING = 60, 8
BATCH = 10_000
ALEMBIC = Config(Path(__file__).parents[1] / "alembic.ini")


def fill(vehicles: int, bookings: int) -> None:
    """Migrate the app's database and fill it: half of the vehicles are in BIG, SMALL_SIZE of them in SMALL."""
    command.upgrade(ALEMBIC, "head")
    write(_add_catalogue)
    random, now = Random(7), clock.now()  # noqa: S311
    homes = _homes(vehicles, random)
    vendors = [home for home in range(1, len(PLACES) + 1) for _ in range(-(-homes.count(home) // VEHICLES_A_VENDOR))]
    customer = len(vendors) + 1
    _insert(User, _people(vendors, now), customer)
    _insert(Vehicle, _fleet(homes, vendors, now, random), vehicles)
    _insert(VehiclePrice, _prices(vehicles, random), vehicles * len(PLANS))
    booked = {vehicle: copy.model_dump() for vehicle, copy in read(snapshots).items()}
    _insert(Booking, _bookings(booked, bookings, customer, now, random), bookings)
    with engine().connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        # As autovacuum does after so many inserts.
        connection.execute(text("ANALYZE" if connection.dialect.name == "sqlite" else "VACUUM ANALYZE"))


def _add_catalogue(session: Session) -> None:
    add_places(session)
    add_models(session)


def _insert(table: type[SQLModel], rows: Rows, total: int) -> None:
    """Insert the rows in one transaction, printing the progress."""
    started, done = time.perf_counter(), 0
    with engine().begin() as connection:
        begin(connection, writing=True)
        while batch := list(islice(rows, BATCH)):
            connection.execute(insert(table), batch)
            done += len(batch)
            passed = time.perf_counter() - started
            print(f"\r  {table.__name__}: {done:,} of {total:,} in {passed:.1f} s", end="", flush=True)
    print()


def _homes(vehicles: int, random: Random) -> list[int]:
    """Return the locality id of every vehicle, shuffled: vehicles of one locality do not get consecutive ids."""
    ids = {place.name: number for number, place in enumerate(PLACES, start=1)}
    small, big = min(SMALL_SIZE, vehicles // 4), vehicles // 2
    others = sorted(set(ids.values()) - {ids[BIG], ids[SMALL]})
    homes = [ids[BIG]] * big + [ids[SMALL]] * small
    homes += [others[number % len(others)] for number in range(vehicles - big - small)]
    random.shuffle(homes)
    return homes


def _people(vendors: list[int], now: datetime) -> Rows:
    """Yield a vendor for each of these locality ids, every tenth one closed on Sundays, and one customer."""
    for number, home in enumerate([*vendors, None], start=1):
        yield User(
            id=number,
            name=f"Person {number}",
            email=f"person{number}@example.com",
            password_hash="-",  # noqa: S106
            phone_number=f"9{number:09}",
            role="Vendor" if home else "Customer",
            address=f"{number}, Main Road",
            zip_code="500032",
            city="Hyderabad",
            state="Telangana",
            location_id=home,
            open_time=clock_time(8),
            close_time=clock_time(21),
            closing_days=["Sunday"] if number % 10 == 0 else [],
            created_at=now,
        ).model_dump()


def _fleet(homes: list[int], vendors: list[int], now: datetime, random: Random) -> Rows:
    """Yield a vehicle for each home, owned by one of that locality's vendors; one in twenty is switched off."""
    of_home = {home: [n for n, at in enumerate(vendors, start=1) if at == home] for home in set(homes)}
    today = clock.indian_today(now)
    for number, home in enumerate(homes, start=1):
        yield Vehicle(
            id=number,
            vendor_id=random.choice(of_home[home]),
            model_id=random.randrange(len(MODELS)) + 1,
            location_id=home,
            year=2024,
            color=random.choice(["White", "Black", "Red", "Blue"]),
            rc_number=f"TS09{number:06}",
            engine_number=f"ENGINE{number}",
            chassis_number=f"{number:017}",
            owner_name_as_per_rc="Owner",
            odometer_reading=number,
            last_serviced_date=today,
            insurance_expiry_date=today + timedelta(days=365),
            pollution_expiry_date=today + timedelta(days=180),
            speed_limit_kmph=70,
            late_penalty_paise=10_000,
            distance_penalty_paise=500,
            deposit_paise=200_000,
            terms="Carry your licence.\nReturn it as full as you got it.",
            is_active=random.random() > 0.05,
            created_at=now,
        ).model_dump()


def _prices(vehicles: int, random: Random) -> Rows:
    for number in range(1, vehicles + 1):
        daily = random.randrange(300, 4000)
        for name, percent in PLANS.items():
            price = {"price_name": name, "price_paise": daily * percent, "kms_limit": 150, "status": "Active"}
            yield {"vehicle_id": number} | price


def _bookings(booked: dict[int, dict[str, Any]], bookings: int, customer: int, now: datetime, random: Random) -> Rows:
    """Yield bookings of one to three days, one per vehicle every eight days, up to sixty days ahead, oldest first."""
    vehicles = len(booked)
    rounds = -(-bookings // vehicles)
    for number in range(bookings):
        to_come, vehicle = divmod(number, vehicles)
        days_ahead = DAYS_AHEAD - DAYS_A_BOOKING * (rounds - to_come)
        pickup = now + timedelta(days=days_ahead, hours=random.randrange(100))
        fate = "pending" if pickup > now else "confirmed"
        status = random.choice([fate, "cancelled", *["confirmed"] * 8])
        yield {
            "reference": f"PH-{number:06}",
            "vehicle_id": vehicle + 1,
            "customer_id": customer,
            "pickup_at": pickup,
            "return_at": pickup + timedelta(hours=random.randrange(24, 73)),
            "status": status,
            "price_paise": 100_000,
            "deposit_paise": 200_000,
            "kms_included": 300,
            "lines": [{"label": "Full Day", "quantity": 2, "rate": 50_000, "amount": 100_000}],
            "booked": booked[vehicle + 1],
            "created_at": pickup - timedelta(days=1),
            "answer_by": pickup,
            "decided_at": None if status == "pending" else pickup - timedelta(hours=20),
            "cancelled_by": "customer" if status == "cancelled" else None,
            "cancel_reason": "",
        }
