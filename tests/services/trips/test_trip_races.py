"""Of two simultaneous actions one wins, the other is refused, and nothing happens twice."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.schemas.trips import TripView
from rental_app.services.bookings import requests
from rental_app.services.trips import cancellations
from tests.conftest import Clock
from tests.support import trips
from tests.support.booking_steps import book, decide, status_of
from tests.support.races import at_once
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, actor, add_user, add_vehicle, moment, wanted
from tests.support.trips import (
    at_pickup,
    at_return,
    cancel,
    confirmed,
    extend,
    give_up,
    going_on,
    hand_over,
    lines,
    move,
    move_vehicle,
    owed,
    pay,
    seen,
    take_back,
)

pytestmark = pytest.mark.databases
ROUNDS = 4


def test_a_cancellation_and_the_vendors_answer_have_one_winner(shop: Shop) -> None:
    for day in range(3, 3 + ROUNDS):
        asked = book(shop.customer, wanted(shop.vehicle, days=day))
        codes = at_once(partial(cancel, shop, asked.id, 0), partial(decide, shop.vendor, asked.id, "confirmed"))
        # Even if confirmed first, the cancellation costs nothing, since nothing was paid.
        assert codes in (["", "already_decided"], ["", ""])
        trip = seen(shop.customer, asked.id)
        assert (trip.status, trip.balance.rent) == ("cancelled", 0)
        assert [happening.what for happening in trip.timeline].count("cancelled") == 1


def test_a_request_lapses_or_is_cancelled_but_not_both(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    stopped_clock.instant = asked.answer_by
    codes = at_once(lambda: cancel(shop, asked.id, 0), lambda: write(requests.expire_stale, clock.now()))
    assert codes == ["already_decided", ""]
    told = [happening.what for happening in seen(shop.customer, asked.id).timeline]
    assert told == ["requested", "lapsed"]
    assert status_of(asked.id) == "cancelled"


def once(press: Callable[[], object], refused: str) -> None:
    """Press a button in four tabs at the same moment."""
    assert sorted(at_once(*[press] * 4)) == ["", *[refused] * 3]


def test_in_several_tabs_each_step_of_a_trip_happens_once(shop: Shop, trip: TripView, stopped_clock: Clock) -> None:
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    at_pickup(stopped_clock, trip)
    once(lambda: hand_over(shop, trip.id), "wrong_stage")
    at_return(stopped_clock, trip, hours=1)
    once(lambda: take_back(shop, trip.id), "wrong_stage")
    assert [kind for kind, _ in lines(seen(shop.vendor, trip.id))].count("late") == 1


def test_in_several_tabs_a_booking_is_cancelled_and_its_deposit_given_back_once(shop: Shop, trip: TripView) -> None:
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, DEPOSIT_PAISE, "deposit")
    once(partial(cancel, shop, trip.id, trips.terms(shop, trip.id).kept), "already_decided")
    assert [kind for kind, _ in lines(seen(shop.customer, trip.id))].count("cancellation") == 1
    once(lambda: pay(shop, trip.id, DEPOSIT_PAISE, "deposit", "out"), "more_than_owed")
    pressed = at_once(*[lambda: pay(shop, trip.id, 1, "deposit", "out", "key")] * 2)
    assert pressed == ["more_than_owed"] * 2


def test_handover_no_show_and_either_sides_cancellation_have_one_winner(
    shop: Shop, trip: TripView, stopped_clock: Clock
) -> None:
    at_pickup(stopped_clock, trip, hours=2)
    codes = at_once(
        lambda: hand_over(shop, trip.id),
        lambda: write(cancellations.mark_no_show, actor(shop.vendor), trip.reference),
        lambda: cancel(shop, trip.id, 0),
        lambda: give_up(shop.vendor, trip.id),
    )
    assert codes.count("") == 1
    assert set(codes) <= {"", "already_decided", "not_confirmed", "wrong_stage"}
    after = seen(shop.vendor, trip.id)
    assert (after.stage, after.status) in (("out", "confirmed"), ("no_show", "confirmed"), ("booked", "cancelled"))
    assert (after.handover is None) == (after.stage != "out")


def test_an_extension_and_a_new_booking_have_one_winner(shop: Shop) -> None:
    for _ in range(3):
        shop.vehicle = add_vehicle(shop.vendor)
        trip = confirmed(shop, days=3, length=1)
        later = partial(extend, shop, trip.reference, moment(5))
        codes = at_once(later, lambda: book(add_user(), wanted(shop.vehicle, days=4)))
        assert sorted(codes) == ["", "dates_taken"]
        cancel(shop, trip.reference, 0)


def test_two_tabs_extend_once_and_two_requests_never_meet(shop: Shop) -> None:
    trip = confirmed(shop, days=3, length=1)
    assert at_once(*[lambda: extend(shop, trip.reference, moment(5), DAILY_PAISE)] * 4) == [""] * 4
    assert lines(seen(shop.customer, trip.id)).count(("extension", DAILY_PAISE)) == 1
    mine, theirs = book(shop.customer, wanted(shop.vehicle, days=8)), book(add_user(), wanted(shop.vehicle, days=10))
    codes = at_once(
        lambda: move(shop, mine.id, moment(12), moment(14)),
        lambda: book(add_user(), wanted(shop.vehicle, days=13)),
        lambda: decide(shop.vendor, theirs.id, "confirmed"),
    )
    assert codes[2] == ""
    assert sorted(codes[:2]) == ["", "dates_taken"]


def test_two_moves_and_a_cancellation_at_once_leave_one_booking_of_one_vehicle(shop: Shop, trip: TripView) -> None:
    moves = [partial(move_vehicle, shop, trip.id, add_vehicle(shop.vendor)) for _ in range(2)]
    codes = at_once(*moves, lambda: cancel(shop, trip.id, 0))
    assert set(codes) <= {"", "not_confirmed"}
    assert status_of(trip.id) == "cancelled"
    assert owed(seen(shop.customer, trip.id)) == (0, 0)


def test_two_staff_go_on_once(shop: Shop, out: TripView) -> None:
    take_back(shop, out.id, reason="breakdown")
    ends = clock.now(), clock.now() + timedelta(days=1)
    spares = [add_vehicle(shop.vendor) for _ in range(2)]
    codes = at_once(*[partial(going_on, shop.vendor, out.reference, spare, *ends) for spare in spares])
    assert sorted(codes) == ["", "already_continued"]
    assert owed(seen(shop.customer, out.id)) == (0, 0)
