"""Filling a freshly migrated SQLite database with the demo data."""

from datetime import timedelta

import pytest
from sqlmodel import Session, col, func, select

from rental_app.db import read
from rental_app.models import (
    AssetModel,
    AssetType,
    Bank,
    Booking,
    Location,
    Manufacturer,
    PricePlan,
    User,
    Vehicle,
    VehiclePrice,
)
from rental_app.rules import clock
from rental_app.rules.pricing import FULL_DAY
from rental_app.security import password_matches
from rental_app.seed import seed_if_empty
from rental_app.seed.people import CUSTOMER_EMAIL, DEMO_PASSWORD, VENDOR_EMAIL

pytestmark = pytest.mark.usefixtures("database")


def test_a_filled_database_is_left_alone() -> None:
    before = read(_counts)
    assert not seed_if_empty()
    assert read(_counts) == before


def _counts(session: Session) -> dict[str, int]:
    tables = (
        Location, Bank, AssetType, Manufacturer, AssetModel, PricePlan, User, Vehicle, VehiclePrice, Booking,
    )  # fmt: skip
    return {table.__name__: session.exec(select(func.count()).select_from(table)).one() for table in tables}


def test_counts_are_as_promised() -> None:
    counts = read(_counts)
    assert counts["Location"] == 12
    assert counts["Bank"] >= 20
    assert counts["AssetType"] == 4
    assert counts["AssetModel"] >= 45
    assert counts["PricePlan"] == 4 * counts["AssetModel"]
    assert (counts["Vehicle"], counts["VehiclePrice"]) == (60, 240)
    assert counts["Booking"] >= 40


def _account(session: Session, email: str) -> User:
    return session.exec(select(User).where(User.email == email)).one()


def test_the_demo_accounts_can_log_in_with_their_roles() -> None:
    for email, role in ((CUSTOMER_EMAIL, "Customer"), (VENDOR_EMAIL, "Vendor")):
        account = read(_account, email)
        assert account.role == role
        assert password_matches(DEMO_PASSWORD, account.password_hash)


def test_a_maker_of_two_types_is_two_manufacturers() -> None:
    rows = read(
        lambda session: session.exec(
            select(AssetType.name).join(Manufacturer).where(Manufacturer.name == "Honda")
        ).all()
    )
    assert set(rows) == {"Scooter", "Motorcycle", "Car"}


def _offers(session: Session) -> list[tuple[Vehicle, VehiclePrice]]:
    wanted = select(Vehicle, VehiclePrice).join(VehiclePrice).where(VehiclePrice.price_name == FULL_DAY)
    return list(session.exec(wanted.where(Vehicle.is_active, Vehicle.is_approved)))


def test_every_active_vehicle_can_be_booked() -> None:
    next_week = clock.indian_today(clock.now()) + timedelta(days=7)
    offers = read(_offers)
    assert len(offers) == 57
    for vehicle, full_day in offers:
        assert vehicle.insurance_expiry_date > next_week
        assert vehicle.pollution_expiry_date > next_week
        assert full_day.status == "Active"
        assert full_day.price_paise > 0


def test_vehicles_stand_where_their_vendor_is_or_next_door() -> None:
    rows = read(lambda session: session.exec(select(Vehicle.vendor_id, Vehicle.location_id).distinct()).all())
    homes = read(lambda session: session.exec(select(User.id, User.location_id).where(User.role == "Vendor")).all())
    assert len(rows) == 12
    assert {tuple(home) for home in homes} <= {tuple(row) for row in rows}


def test_nobody_books_their_own_vehicle() -> None:
    wanted = select(User.role).join(Booking, col(Booking.customer_id) == User.id).distinct()
    assert read(lambda session: session.exec(wanted).all()) == ["Customer"]
