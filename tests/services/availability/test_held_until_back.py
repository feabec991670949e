"""A vehicle is held until it is returned or its customer is a no-show; then others can book the rest of the window."""

from datetime import datetime, timedelta

import pytest

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Vehicle
from rental_app.schemas.calendars import BlockRequest, BlockView, CalendarRequest, CalendarSpan
from rental_app.schemas.trips import TripView
from rental_app.services.bookings import free_dates
from rental_app.services.calendar import blocks, vendor_calendar
from rental_app.services.search import search
from rental_app.services.trips import cancellations
from tests.conftest import Clock
from tests.support.booking_steps import alter, book
from tests.support.races import at_once
from tests.support.shop import VISITOR, Shop, actor, add_user, offer, put, search_for, wanted
from tests.support.trips import at_pickup, cancel, confirmed, hand_over, owed, pay, refusal, seen, take_back, terms


@pytest.fixture
def first(shop: Shop) -> TripView:
    """A trip that is about to go out."""
    return confirmed(shop, length=1)


@pytest.fixture
def second(shop: Shop, first: TripView, stopped_clock: Clock) -> TripView:
    """The one after it, paid with its deposit, while the vehicle is out on the first."""
    trip = confirmed(shop, days=5, length=1)
    pay(shop, trip.reference, trip.price)
    pay(shop, trip.reference, trip.deposit, "deposit")
    at_pickup(stopped_clock, first)
    hand_over(shop, first.reference)
    return trip


def is_free(shop: Shop) -> bool:
    """Return whether search and calendar, which must agree, offer tomorrow."""
    found = read(search.available, VISITOR, search_for(shop.place, 1)).vehicles
    taken = read(free_dates.calendar, VISITOR, shop.vehicle.id, CalendarRequest()).busy
    assert bool(found) == (taken == [])
    return bool(found)


@pytest.mark.databases
def test_an_early_return_leaves_the_rest_to_one_other_customer(shop: Shop, stopped_clock: Clock) -> None:
    today = clock.indian_today(clock.now())
    put(offer("ONCE", today, today + timedelta(days=9), minimum_days=1, uses=1))
    trip = confirmed(shop, length=4)
    alter(Booking, trip.id, offer="ONCE")
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    stopped_clock.move(hours=20)
    refusal("dates_taken", book, add_user(), wanted(shop.vehicle, 1))
    assert not is_free(shop)
    # Corrected by the vendor while the vehicle is away.
    alter(Vehicle, shop.vehicle.id, odometer_reading=1600)
    back = take_back(shop, trip.reference)
    assert read(lambda session: session.get_one(Vehicle, shop.vehicle.id).odometer_reading) == 1600
    assert (back.return_at, back.price) == (trip.return_at, trip.price), "nothing comes back for an early return"
    assert is_free(shop)
    refusal("offer_used_up", book, add_user(), wanted(shop.vehicle, 1).model_copy(update={"offer": "ONCE"}))
    codes = at_once(*[lambda: book(add_user(), wanted(shop.vehicle, 1))] * 4)
    assert sorted(codes) == ["", *["dates_taken"] * 3]
    assert not is_free(shop)
    assert seen(shop.customer, trip.id).stage == "returned"


@pytest.mark.databases
def test_a_no_show_leaves_the_dates_to_others(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop, length=4)
    at_pickup(stopped_clock, trip, hours=2)
    assert not is_free(shop)
    write(cancellations.mark_no_show, actor(shop.vendor), trip.reference)
    assert is_free(shop)
    assert book(add_user(), wanted(shop.vehicle, 1)).return_at < trip.return_at + timedelta(days=1)


def test_a_vehicle_that_is_still_out_is_not_handed_over_again(
    shop: Shop, first: TripView, second: TripView, stopped_clock: Clock
) -> None:
    at_pickup(stopped_clock, second)
    error = refusal("still_out", hand_over, shop, second.reference, 1500)
    assert first.reference in error.message
    take_back(shop, first.reference)
    assert hand_over(shop, second.reference, 1500).stage == "out"


def test_a_customer_whose_vehicle_is_still_out_loses_nothing(
    shop: Shop, first: TripView, second: TripView, stopped_clock: Clock
) -> None:
    at_pickup(stopped_clock, second, seconds=-1)
    assert terms(shop, second.reference).kept == second.price, "it may be back in time"
    at_pickup(stopped_clock, second, hours=3)
    error = refusal("still_out", write, cancellations.mark_no_show, actor(shop.vendor), second.reference)
    assert first.reference in error.message
    now = terms(shop, second.reference)
    assert (now.kept, now.returned, now.deposit, now.dearer_at) == (0, second.price, second.deposit, None)
    take_back(shop, first.reference)
    refusal("terms_changed", cancel, shop, second.reference, 0)
    assert write(cancellations.mark_no_show, actor(shop.vendor), second.reference).stage == "no_show"


def test_cancelling_while_the_vehicle_is_still_out_gives_everything_back(
    shop: Shop, second: TripView, stopped_clock: Clock
) -> None:
    at_pickup(stopped_clock, second)
    assert owed(cancel(shop, second.reference, 0)) == (-second.price, -second.deposit)


def test_what_is_out_and_late_is_shown_and_cannot_be_blocked_until_it_is_back(shop: Shop, stopped_clock: Clock) -> None:
    def entries(first: int, days: int) -> list[tuple[str, str, datetime]]:
        since = clock.indian_today(clock.now()) + timedelta(days=first)
        asked = CalendarSpan(first_day=since, last_day=since + timedelta(days=days - 1))
        (vehicle,) = read(vendor_calendar.of_vendor, actor(shop.vendor), asked).vehicles
        return [(entry.kind, entry.ref, entry.end) for entry in vehicle.entries]

    def block(first: int, days: int) -> BlockView:
        today = clock.indian_today(clock.now())
        ends = {"begin": f"{today + timedelta(days=first)}", "end": f"{today + timedelta(days=first + days - 1)}"}
        return write(blocks.add, actor(shop.vendor), BlockRequest(vehicle=shop.vehicle.id, reason="service", **ends))

    trip = confirmed(shop, length=2)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    stopped_clock.instant = trip.return_at + timedelta(days=2)
    assert entries(0, 14) == entries(-9, 20) == [("booking", trip.reference, clock.now())]
    assert entries(1, 14) == []
    refused = refusal("booked", block, 0, 1)
    assert refused.details["reference"] == trip.reference
    due = clock.friendly(trip.return_at)
    assert refused.message == f"Booking {trip.reference} still has this vehicle: it was due back {due}"
    assert block(1, 1).id, "by tomorrow it may be back"
    take_back(shop, trip.reference)
    assert entries(0, 1) == [("booking", trip.reference, clock.now())]
    assert block(0, 1).id
