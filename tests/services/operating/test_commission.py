"""The commission that vendors owe agrees with their statements to the paisa."""

import itertools
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import NotFoundError, RentalError
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User
from rental_app.schemas.earnings import EarningsRequest
from rental_app.schemas.operating import CommissionView, PaidCommission
from rental_app.services.earnings import figures
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


@pytest.mark.long
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
        for row in read(figures.of_vendor, actor(shop.vendor), asked).rows[1:]:
            view = owed(operator, shop.vendor, row.key)
            assert (view.commission if view else 0) == row.commission

    check()


def test_a_booking_keeps_the_rate_it_was_made_at(shop: Shop) -> None:
    alter(User, shop.vendor.id, commission_bps=1250)
    made = book(shop.customer, wanted(shop.vehicle))
    alter(User, shop.vendor.id, commission_bps=2000)
    assert rate_of(made.id) == 1250


@pytest.mark.databases
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
