"""Filling a freshly migrated SQLite database with the demo data."""

from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy
from sqlmodel import Session, col, func, select

from rental_app.domain import clock
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.domain.pricing import FULL_DAY
from rental_app.domain.uploads import DAMAGE_GROUP, PUBLIC_GROUPS, TRIP_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.security import password_matches
from rental_app.models import (
    AccountChange,
    AssetModel,
    AssetType,
    Bank,
    Block,
    Booking,
    BookingEvent,
    EventPhoto,
    IssuedPaper,
    LedgerEntry,
    Location,
    LoginSession,
    Manufacturer,
    PricePlan,
    Proposal,
    TripPhoto,
    TripReading,
    User,
    Vehicle,
    VehicleFile,
    VehiclePrice,
)
from rental_app.models.issued_paper import CREDIT_NOTE, DEBIT_NOTE, INVOICE, RECEIPT
from rental_app.seed import seed_if_empty
from rental_app.seed.blocks import HOLIDAY
from rental_app.seed.fleet import LISTINGS
from rental_app.seed.people import CUSTOMER_EMAIL, DEMO_PASSWORD, OPERATOR_EMAIL, VENDOR_EMAIL
from rental_app.seed.photos import COVER, add_photos, file_of, photos
from rental_app.seed.work import REFUND_RUPEES
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings.rows import deposit_owed, rent_owed
from rental_app.services.console import work
from rental_app.services.files import storage

pytestmark = pytest.mark.usefixtures("database")


def test_a_filled_database_is_left_alone() -> None:
    before = read(_counts)
    assert not seed_if_empty()
    assert read(_counts) == before


def _counts(session: Session) -> dict[str, int]:
    tables = (
        Location, Bank, AssetType, Manufacturer, AssetModel, PricePlan, User, Vehicle, VehiclePrice, Booking, Block,
    )  # fmt: skip
    return {table.__name__: session.exec(select(func.count()).select_from(table)).one() for table in tables}


def _account(session: Session, email: str) -> User:
    return session.exec(select(User).where(User.email == email)).one()


def test_the_demo_accounts_can_log_in_with_their_roles_and_devices() -> None:
    for email, role in ((CUSTOMER_EMAIL, "Customer"), (VENDOR_EMAIL, "Vendor"), (OPERATOR_EMAIL, "Operator")):
        account = read(_account, email)
        assert account.role == role
        assert password_matches(DEMO_PASSWORD, account.password_hash)
        assert len(read(_devices, account)) == 2 or role == "Operator"


def _devices(session: Session, account: User) -> list[str]:
    mine = select(LoginSession.device).where(LoginSession.user_id == account.id)
    return list(session.exec(mine.where(LoginSession.expires_at > clock.now())).all())


def test_accounts_are_confirmed_and_not_with_a_request() -> None:
    people = read(lambda session: session.exec(select(User)).all())
    for role in ("Customer", "Vendor"):
        assert {one.phone_verified for one in people if one.role == role} == {True, False}
    assert {one.email_verified_at is None for one in people} == {True, False}
    assert all(read(_account, email).phone_verified for email in (CUSTOMER_EMAIL, VENDOR_EMAIL))
    asked = read(lambda session: session.exec(select(AccountChange)).one())
    assert (asked.user_id, asked.decision) == (read(_account, VENDOR_EMAIL).id, "")


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
    # Nobody books their own.
    wanted = select(User.role).join(Booking, col(Booking.customer_id) == User.id).distinct()
    assert read(lambda session: session.exec(wanted).all()) == ["Customer"]


def test_there_are_trips_at_every_stage_and_settled_ones_leave_nothing_open() -> None:
    """Accounts and odometers are consistent: what is owed follows from the stage."""
    rows = read(_trips)
    assert {stage for _, stage, _, _, _ in rows} == {"booked", "out", "returned", "settled", "no_show"}
    for status, stage, deposit, *owed in rows:
        if status == "cancelled":
            assert owed in ([0, 0], [-REFUND_RUPEES * PAISE_PER_RUPEE, 0])
        if stage in ("settled", "no_show"):
            assert owed == [0, 0]
        if stage == "out":
            assert owed == [0, 0]
        if stage == "returned":
            assert -deposit <= owed[1] < 0
    readings = read(lambda session: list(session.scalars(select(TripReading).order_by(col(TripReading.at)))))
    assert len(readings) > 100
    shown = read(lambda session: {row.id: row.odometer_reading for row in session.scalars(select(Vehicle))})
    by_vehicle: dict[int, list[int]] = {}
    vehicles = read(lambda session: {row.id: row.vehicle_id for row in session.scalars(select(Booking))})
    for reading in readings:
        by_vehicle.setdefault(vehicles[reading.booking_id], []).append(reading.odometer)
    for vehicle, odometers in by_vehicle.items():
        assert odometers == sorted(odometers)
        assert odometers[-1] == shown[vehicle]


def _trips(session: Session) -> list[Any]:
    status = col(Booking.status)
    wanted = sqlalchemy.select(
        status, col(Booking.stage), col(Booking.deposit_paise), rent_owed(status), deposit_owed(status)
    )
    return list(session.execute(wanted.where(status != "pending")).all())


def test_every_vehicle_has_a_photo_of_each_side_and_shows_one_first() -> None:
    rows = read(lambda session: session.exec(select(Vehicle, VehicleFile).join(VehicleFile)).all())
    sides: dict[int | None, set[str]] = {}
    for vehicle, photo in rows:
        sides.setdefault(vehicle.id, set()).add(photo.group_name)
        assert (f"/media/{photo.key}" == vehicle.image) == (photo.group_name == COVER == "Front")
    assert len(rows) == len(LISTINGS) * len(PUBLIC_GROUPS)
    assert list(sides.values()) == [set(PUBLIC_GROUPS)] * len(LISTINGS)


def _photographed(session: Session) -> str:
    vehicle = session.exec(select(Vehicle).limit(1)).one()
    add_photos(session, {LISTINGS[0].plate: vehicle})
    return vehicle.image


def test_trips_show_their_own_vehicle_and_photos_lie_where_they_are_asked_for() -> None:
    stored = storage.stored(write(_photographed).removeprefix("/media/"))
    assert stored.size == file_of(LISTINGS[0].plate, COVER).stat().st_size
    plate = LISTINGS[0].plate
    sizes = {photo.group: photo.size for photo in photos(plate, 1300)}
    assert {side: sizes[side] for side in PUBLIC_GROUPS} == {
        side: file_of(plate, side).stat().st_size for side in PUBLIC_GROUPS
    }


def test_late_trips_have_photos_and_settled_ones_receipts_without_gaps() -> None:
    readings = read(lambda session: {row.id: row for row in session.scalars(select(TripReading))})
    taken = read(lambda session: list(session.scalars(select(TripPhoto))))
    latest = {reading.id for reading in readings.values() if reading.at > clock.now() - timedelta(days=13)}
    assert latest
    for reading_id in latest:
        groups = {photo.group_name for photo in taken if photo.reading_id == reading_id}
        assert groups - {DAMAGE_GROUP} == set(TRIP_GROUPS)
    numbers = read(lambda session: list(session.scalars(select(IssuedPaper))))
    assert all(row.snapshot for row in numbers)
    series: dict[tuple[int, str, int], list[int]] = {}
    for row in sorted(numbers, key=lambda row: row.made_at):
        series.setdefault((row.vendor_id, row.kind, row.year or 0), []).append(row.number or 0)
    assert all(given == [*range(1, len(given) + 1)] for given in series.values()), "in the order of their dates"
    settled = select(func.count()).select_from(Booking).where(col(Booking.stage) == "settled")
    trips = read(lambda session: session.exec(settled).one())
    # One trip is back and not settled yet; something was charged, and something taken off, after the invoice.
    of_notes = {CREDIT_NOTE: 1, DEBIT_NOTE: 1}
    assert Counter(row.kind for row in numbers) == {RECEIPT: trips, INVOICE: trips + 1, **of_notes}


def test_the_demo_shows_what_happens_at_the_counter() -> None:
    def found(session: Session) -> tuple[list[int], set[str]]:
        which = (
            (Booking, Booking.source == "counter"),
            (Proposal, Proposal.state == "open"),
            (LedgerEntry, LedgerEntry.detail == "challan"),
            (TripReading, TripReading.reason == "breakdown"),
            (Block, Block.note == HOLIDAY[-1]),
        )
        counts = [session.exec(select(func.count()).select_from(table).where(so)).one() for table, so in which]
        return counts, set(session.exec(select(BookingEvent.what)).all())

    counts, happened = read(found)
    # Two walk-ins, and the trip that goes on with another vehicle.
    assert counts == [3, 1, 1, 1, 10]
    wanted = {"vehicle_changed", "proposal_agreed", "vendor_cancelled", "charged_later", "objection_answered"}
    assert wanted <= happened


def test_an_objection_of_the_demo_has_photos_of_both_sides_and_a_trip_goes_on() -> None:
    shown = read(lambda session: session.exec(select(BookingEvent.what).join(EventPhoto)).all())
    assert sorted(shown) == ["objected", "objection_answered"]
    broken = sqlalchemy.select(col(TripReading.booking_id)).where(col(TripReading.reason) == "breakdown")
    follows = sqlalchemy.select(col(Booking.price_paise)).where(col(Booking.follows_id).in_(broken))
    assert read(lambda session: session.scalars(follows).all()) == [0]


def test_the_operator_has_work_of_every_kind_that_needs_no_blocked_vendor() -> None:
    account = read(_account, OPERATOR_EMAIL)
    counts = read(work.counts, Actor("", account.id or 0, account.role, ""))
    assert {name for name, many in counts.items() if many} == set(work.kinds()) - {"bookings"}
