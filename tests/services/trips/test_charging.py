"""Charges that come up after the return."""

from datetime import time, timedelta

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.schemas.trips import ChargeRequest, TripView
from rental_app.services.trips import charging
from tests.conftest import Clock
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor
from tests.support.trips import (
    at_pickup,
    at_return,
    charge,
    confirmed,
    hand_over,
    kinds_to,
    lines,
    owed,
    pay,
    refusal,
    reverse,
    seen,
    take_back,
)


def returned(shop: Shop, stopped_clock: Clock) -> TripView:
    """A trip that is back, with its rent and deposit paid."""
    trip = confirmed(shop)
    pay(shop, trip.id, 2 * DAILY_PAISE)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    at_return(stopped_clock, trip)
    return take_back(shop, trip.id)


def test_a_challan_is_kept_of_the_deposit_while_that_is_held(shop: Shop, stopped_clock: Clock) -> None:
    trip = returned(shop, stopped_clock)
    done = charge(shop, trip.id)
    assert lines(done)[-2:] == [("challan", 50_000), ("deposit kept", 50_000)]
    assert (owed(done), done.stage) == ((0, 50_000 - DEPOSIT_PAISE), "returned")
    assert done.ledger[-2].photo
    assert kinds_to(shop.customer)[-1] == "charged_later"
    assert pay(shop, trip.id, DEPOSIT_PAISE - 50_000, "deposit", "out").stage == "settled"


def test_a_settled_account_is_open_again_and_its_stage_stays(shop: Shop, stopped_clock: Clock) -> None:
    trip = returned(shop, stopped_clock)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit", "out")
    done = charge(shop, trip.id, "late", 100, proof=[])
    assert (done.stage, owed(done), lines(done)[-1]) == ("settled", (10_000, 0), ("late", 10_000))
    assert lines(charge(shop, trip.id, "toll", 80, key="once")) == lines(charge(shop, trip.id, "toll", 80, key="once"))
    # Reversed, it may be entered again lower.
    entry = seen(shop.vendor, trip.id).ledger[-1].id
    reverse(shop, trip.id, entry)
    lower = charge(shop, trip.id, "toll", 60)
    assert lines(lower)[-3:] == [("toll", 8_000), ("toll", -8_000), ("toll", 6_000)]
    assert owed(lower) == (16_000, 0)
    assert owed(pay(shop, trip.id, 16_000)) == (0, 0)


def test_a_key_charges_one_thing_and_a_retry_needs_no_photo_again(shop: Shop, stopped_clock: Clock) -> None:
    trip = returned(shop, stopped_clock)
    pay(shop, trip.id, 10_000, "deposit", "out", key="paid")
    refusal("idempotency_key_reused", charge, shop, trip.id, "toll", 100, key="paid")
    once = charge(shop, trip.id, "toll", 80, key="once")
    for kind, rupees in (("challan", 80), ("toll", 90)):
        refusal("idempotency_key_reused", charge, shop, trip.id, kind, rupees, key="once")
    # A page that has not heard sends its form again, whose photo belongs to the charge by now.
    request = ChargeRequest(kind="toll", amount=80, note="Seen by a camera")
    again = write(charging.charge_with, actor(shop.vendor), str(trip.id), request, 10**6, "once")
    assert lines(again) == lines(once)


def test_what_cannot_be_charged(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    refusal("wrong_stage", charge, shop, trip.id)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.id)
    refusal("wrong_stage", charge, shop, trip.id)
    at_return(stopped_clock, trip)
    take_back(shop, trip.id)
    assert list(refusal("invalid_input", charge, shop, trip.id, proof=[]).fields) == ["Damage"]
    last_day = clock.at(clock.indian_today(trip.return_at) + timedelta(days=7), time(23, 59))
    stopped_clock.instant = last_day
    charge(shop, trip.id)
    stopped_clock.move(minutes=1)
    refusal("too_late_to_charge", charge, shop, trip.id)
