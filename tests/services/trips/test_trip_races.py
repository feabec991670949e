"""Of two simultaneous actions one wins, the other is refused, and nothing happens twice."""

import pytest

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.services.bookings import expiry
from rental_app.services.trips import absences
from tests.conftest import Clock
from tests.support.booking_steps import book, decide, status_of
from tests.support.races import at_once
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, wanted
from tests.support.trips import at_pickup, at_return, cancel, confirmed, hand_over, lines, pay, seen, take_back, terms

ROUNDS = 4


def test_a_cancellation_and_the_vendors_answer_have_one_winner(shop: Shop) -> None:
    for day in range(3, 3 + ROUNDS):
        asked = book(shop.customer, wanted(shop.vehicle, days=day))
        codes = at_once(
            lambda ref=asked.id: cancel(shop, ref, 0),  # type: ignore[misc]
            lambda number=asked.id: decide(shop.vendor, number, "confirmed"),  # type: ignore[misc]
        )
        # Even if confirmed first, the cancellation costs nothing, since nothing was paid.
        assert codes in (["", "already_decided"], ["", ""])
        trip = seen(shop.customer, asked.id)
        assert (trip.status, trip.balance.rent) == ("cancelled", 0)
        assert [happening.what for happening in trip.timeline].count("cancelled") == 1


def test_two_tabs_cancel_once(shop: Shop) -> None:
    trip = confirmed(shop)
    pay(shop, trip.reference, 2 * DAILY_PAISE)
    kept = terms(shop, trip.reference).kept
    codes = at_once(*[lambda: cancel(shop, trip.reference, kept)] * 4)
    assert sorted(codes) == ["", *["already_decided"] * 3]
    assert [kind for kind, _ in lines(seen(shop.customer, trip.id))].count("cancellation") == 1


def test_a_request_lapses_or_is_cancelled_but_not_both(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    stopped_clock.instant = asked.answer_by
    codes = at_once(lambda: cancel(shop, asked.id, 0), lambda: write(expiry.expire_stale, clock.now()))
    assert codes == ["already_decided", ""]
    told = [happening.what for happening in seen(shop.customer, asked.id).timeline]
    assert told == ["requested", "lapsed"]
    assert status_of(asked.id) == "cancelled"


def test_handover_no_show_and_cancellation_have_one_winner(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip, hours=2)
    codes = at_once(
        lambda: hand_over(shop, trip.reference),
        lambda: write(absences.mark_no_show, actor(shop.vendor), trip.reference),
        lambda: cancel(shop, trip.reference, 0),
    )
    assert codes.count("") == 1
    after = seen(shop.vendor, trip.id)
    assert (after.stage, after.status) in (("out", "confirmed"), ("no_show", "confirmed"), ("booked", "cancelled"))
    assert (after.handover is None) == (after.stage != "out")


@pytest.mark.parametrize("many", [5])
def test_handovers_and_returns_happen_once(shop: Shop, stopped_clock: Clock, many: int) -> None:
    trip = confirmed(shop)
    at_pickup(stopped_clock, trip)
    pay(shop, trip.reference, 2 * DAILY_PAISE)
    pay(shop, trip.reference, DEPOSIT_PAISE, "deposit")
    assert sorted(at_once(*[lambda: hand_over(shop, trip.reference)] * many)) == ["", *["wrong_stage"] * (many - 1)]
    at_return(stopped_clock, trip, hours=1)
    codes = at_once(*[lambda: take_back(shop, trip.reference)] * many)
    assert sorted(codes) == ["", *["wrong_stage"] * (many - 1)]
    assert [kind for kind, _ in lines(seen(shop.vendor, trip.id))].count("late") == 1


def test_the_deposit_is_given_back_once(shop: Shop) -> None:
    trip = confirmed(shop)
    pay(shop, trip.reference, DEPOSIT_PAISE, "deposit")
    cancel(shop, trip.reference, 0)
    codes = at_once(*[lambda: pay(shop, trip.reference, DEPOSIT_PAISE, "deposit", "out")] * 4)
    assert sorted(codes) == ["", *["more_than_owed"] * 3]
    pressed = at_once(*[lambda: pay(shop, trip.reference, 1, "deposit", "out", "key")] * 2)
    assert pressed == ["more_than_owed"] * 2
