"""The commission that vendors owe agrees with their statements to the paisa, and payments of it are only added."""

import itertools
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select, text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, CommissionPayment, User
from rental_app.schemas.earnings import EarningsRequest
from rental_app.schemas.operating import CommissionView, PaidCommission
from rental_app.services.earnings import reading
from rental_app.services.operating import commission
from tests.support.account_lines import LINES, insert
from tests.support.booking_steps import alter, book
from tests.support.operating import last_entry, letters
from tests.support.shop import DAILY_PAISE, Shop, actor, add_user, add_vehicle, open_shop, wanted
from tests.support.trips import confirmed, pay

names = itertools.count(1)


def this_month() -> str:
    return f"{clock.indian(clock.now()):%Y-%m}"


def owed(operator: User, vendor: User, month: str) -> CommissionView | None:
    found = read(commission.of_month, actor(operator), month).vendors
    return next((each for each in found if each.vendor == vendor.id), None)


def note(operator: User, vendor: User, rupees: float, reference: str = "UTR 1234", **more: Any) -> CommissionView:
    request = PaidCommission.model_validate({"amount": rupees, "reference": reference} | more)
    return write(commission.note_paid, actor(operator), vendor.id or 0, this_month(), request)


def rate_of(booking_id: int) -> int | None:
    return read(lambda session: session.get_one(Booking, booking_id).commission_bps)


@pytest.mark.usefixtures("database")
def test_what_is_owed_agrees_with_the_statements_to_the_paisa() -> None:
    operator = add_user("Operator")

    @settings(max_examples=15, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(LINES, st.integers(0, 3000), st.integers(0, 3000))
    def check(drawn: list[Any], bps: int, later: int) -> None:
        shop = open_shop(f"Commission{next(names)}")
        alter(User, shop.vendor.id, commission_bps=bps, created_at=clock.now() - timedelta(days=600))
        vehicles = [shop.vehicle, add_vehicle(shop.vendor)]
        write(insert, shop, vehicles, drawn)
        of_vendor = select(col(Booking.id)).where(col(Booking.vehicle_id).in_([each.id for each in vehicles]))
        for number in read(lambda session: list(session.scalars(of_vendor))):
            alter(Booking, number, commission_bps=bps)
        # A rate that is changed later leaves what was agreed.
        alter(User, shop.vendor.id, commission_bps=later)
        today = clock.indian_today(clock.now())
        asked = EarningsRequest.model_validate({"from": today - timedelta(days=300), "to": today})
        for row in read(reading.of_vendor, actor(shop.vendor), asked).rows[1:]:
            view = owed(operator, shop.vendor, row.key)
            assert (view.commission if view else 0) == row.commission

    check()


def test_a_booking_keeps_the_rate_it_was_made_at(shop: Shop) -> None:
    alter(User, shop.vendor.id, commission_bps=1250)
    made = book(shop.customer, wanted(shop.vehicle))
    alter(User, shop.vendor.id, commission_bps=2000)
    assert rate_of(made.id) == 1250


def test_payments_lower_what_is_owed_and_are_never_more(shop: Shop, operator: User) -> None:
    alter(User, shop.vendor.id, commission_bps=1000)
    trip = confirmed(shop)
    pay(shop, trip.id, 2 * DAILY_PAISE)
    assert owed(operator, shop.vendor, this_month()) == CommissionView(
        vendor=shop.vendor.id or 0, name=shop.vendor.name, commission=10_000, paid=0, owed=10_000
    )
    assert note(operator, shop.vendor, 60).owed == 4_000
    assert "₹60 for " in letters(shop.vendor)[-1]
    assert (last_entry().act, last_entry().about) == ("commission.paid", f"{this_month()} UTR 1234")
    assert code_of(operator, shop.vendor, 41, "UTR 5") == "more_than_owed"
    assert note(operator, shop.vendor, 40, "UTR 6").owed == 0
    assert note(operator, shop.vendor, 60, direction="out").owed == 6_000
    assert code_of(operator, shop.vendor, 41, direction="out") == "more_than_owed"


def test_of_two_operators_who_note_one_payment_one_is_told(shop: Shop, operator: User) -> None:
    alter(User, shop.vendor.id, commission_bps=1000)
    pay(shop, confirmed(shop).id, 2 * DAILY_PAISE)
    note(operator, shop.vendor, 30)
    assert code_of(add_user("Operator"), shop.vendor, 30) == "already_noted"


def code_of(operator: User, vendor: User, rupees: float, reference: str = "UTR 1234", **more: Any) -> str:
    with pytest.raises(RentalError) as refusal:
        note(operator, vendor, rupees, reference, **more)
    return refusal.value.code


def test_months_and_vendors_that_there_are(shop: Shop, operator: User) -> None:
    for month in ("2026-13", "november", "2999-01", ""):
        with pytest.raises(NotFoundError):
            read(commission.of_month, actor(operator), month)
    assert code_of(operator, shop.customer, 1) == "unknown_vendor"
    assert code_of(shop.vendor, shop.vendor, 1) == "operators_only"


def _insert(session: Session, vendor: User, operator: User) -> int:
    row = CommissionPayment(
        vendor_id=vendor.id or 0, month="2026-10", paise=100, reference="x", who_id=operator.id or 0, at=clock.now()
    )
    session.add(row)
    session.flush()
    return row.id or 0


def _run(session: Session, statements: str) -> None:
    for statement in statements.split("; "):
        session.execute(text(statement))


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE commission_payment SET paise = 1 WHERE id = :id",
        "DELETE FROM commission_payment WHERE id = :id",
        "INSERT OR REPLACE INTO commission_payment (id, vendor_id, month, paise, reference, who_id, at)"
        " SELECT id, vendor_id, month, 1, reference, who_id, at FROM commission_payment WHERE id = :id",
        "TRUNCATE commission_payment",
        "SET session_replication_role = replica; UPDATE commission_payment SET paise = 1 WHERE id = :id",
    ],
)
def test_the_database_refuses_to_change_a_payment(shop: Shop, operator: User, kind: str, statement: str) -> None:
    of = {"INSERT": "sqlite", "TRUNCATE": "postgresql", "SET": "postgresql"}
    if of.get(statement.split()[0], kind) != kind:
        pytest.skip("not a statement of this database")
    row = write(_insert, shop.vendor, operator)
    with pytest.raises(DatabaseError, match="append-only"):
        write(_run, statement.replace(":id", str(row)))
    assert read(lambda session: session.get_one(CommissionPayment, row).paise) == 100
