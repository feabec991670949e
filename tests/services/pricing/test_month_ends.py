"""Across midnight and the end of a month: days, deposits, offers and bands follow the Indian clock."""

from datetime import date, time, timedelta

import pytest

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.models import User, Vehicle
from rental_app.schemas.bookings import BookingRequest
from rental_app.services.pricing import quotes
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.shop import ALL_DAY, DAILY_PAISE, DEPOSIT_PAISE, VISITOR, Shop, offer, put, wire
from tests.support.trips import cancel, hand_over, lines, owed, pay, refusal, take_back, terms


@pytest.fixture
def last_day(shop: Shop, stopped_clock: Clock) -> date:
    """The last day of a year, five days ahead; the shop is open all day, with papers in order."""
    day = date(2026, 12, 31)
    stopped_clock.instant = clock.at(day - timedelta(days=5), time(12))
    later = day + timedelta(days=90)
    alter(Vehicle, shop.vehicle.id, insurance_expiry_date=later, pollution_expiry_date=later)
    alter(User, shop.vendor.id, **ALL_DAY)
    return day


def overnight(shop: Shop, day: date) -> BookingRequest:
    """Return a request from 11 PM until 11 PM of the next day."""
    pickup = clock.at(day, time(23))
    return BookingRequest(car=shop.vehicle.id, pickup=wire(pickup), return_at=wire(pickup + timedelta(days=1)))


def test_a_trip_into_the_next_month(shop: Shop, stopped_clock: Clock, last_day: date) -> None:
    asked = book(shop.customer, overnight(shop, last_day))
    decide(shop.vendor, asked.id, "confirmed")
    pay(shop, asked.id, DAILY_PAISE)
    pay(shop, asked.id, DEPOSIT_PAISE, "deposit")
    stopped_clock.instant = clock.at(last_day - timedelta(days=1), time(23))
    shown = terms(shop, asked.id)
    assert (shown.percent, shown.dearer_at) == (75, stopped_clock.instant)
    stopped_clock.move(seconds=1)
    refusal("terms_changed", cancel, shop, asked.id, shown.kept)
    assert terms(shop, asked.id).percent == 100
    stopped_clock.instant = asked.pickup
    hand_over(shop, asked.id)
    # Half past midnight, on the second day of the month.
    stopped_clock.instant = clock.at(last_day + timedelta(days=2), time(0, 30))
    back = take_back(shop, asked.id)
    assert lines(back)[-2:] == [("late", 2 * 5_000), ("deposit kept", 2 * 5_000)]
    assert owed(back) == (0, 10_000 - DEPOSIT_PAISE)
    evening = last_day + timedelta(days=2)
    assert (back.deposit_back.begin, back.deposit_back.end) == (
        clock.at(evening, time(20)),
        clock.at(evening, time(21)),
    )


def test_an_offer_ends_with_the_indian_day(shop: Shop, stopped_clock: Clock, last_day: date) -> None:
    put(offer("MONTHEND", last_day - timedelta(days=9), last_day, minimum_days=1))
    request = overnight(shop, last_day + timedelta(days=3)).model_copy(update={"offer": "MONTHEND"})
    stopped_clock.instant = clock.at(last_day, time(23, 59, 59))
    assert read(quotes.quote_for, VISITOR, request).total == DAILY_PAISE - 100
    stopped_clock.move(seconds=1)
    refusal("offer_not_in_force", read, quotes.quote_for, VISITOR, request)
