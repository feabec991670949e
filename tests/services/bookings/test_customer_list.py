"""A customer's bookings by time: current, upcoming and past ones, the nearest first."""

from datetime import timedelta

import pytest

from rental_app.domain.errors import NotFoundError
from rental_app.infrastructure.db import read
from rental_app.models import Booking
from rental_app.schemas.wire import Page
from rental_app.services.bookings import customer_list
from rental_app.services.trips import showing
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.shop import Shop, actor, add_user, add_vehicle, moment, wanted
from tests.support.trips import at_pickup, at_return, cancel, confirmed, hand_over, seen, take_back


def listed(shop: Shop, most: int = 50) -> list[tuple[str, int]]:
    """Return each booking's part and id."""
    found = read(customer_list.of_customer, actor(shop.customer), Page.first(most))
    return [(entry.part, entry.booking.id) for entry in found.items]


def test_each_booking_is_in_its_part_and_the_nearest_comes_first(shop: Shop) -> None:
    windows = {"far": (30, 31), "near": (2, 3), "out": (-1, 4), "begun": (-1, 1), "late": (-4, -1), "settled": (-5, -4)}
    ids = {}
    for name, (first, last) in windows.items():
        ids[name] = book(add_user(), wanted(add_vehicle(shop.vendor))).id
        ends = {"pickup_at": moment(first), "return_at": moment(last)}
        alter(Booking, ids[name], customer_id=shop.customer.id, status="confirmed", **ends)
    alter(Booking, ids["far"], status="pending")
    for name, stage in (("out", "out"), ("late", "out"), ("settled", "settled")):
        alter(Booking, ids[name], stage=stage)
    ids["declined"] = book(shop.customer, wanted(shop.vehicle, 20)).id
    decide(shop.vendor, ids["declined"], "cancelled")
    assert listed(shop) == [
        ("Now", ids["late"]),
        ("Now", ids["begun"]),
        ("Now", ids["out"]),
        # What waits for its answer is before what is agreed, however far it is.
        ("Upcoming", ids["far"]),
        ("Upcoming", ids["near"]),
        ("Past", ids["declined"]),
        ("Past", ids["settled"]),
    ]
    part = read(customer_list.of_customer, actor(shop.customer), Page(limit=3))
    assert (len(part.items), part.total) == (3, 7)
    assert read(customer_list.of_customer, actor(add_user()), Page(limit=50)).items == []


def test_a_booking_goes_through_the_parts(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    assert listed(shop) == [("Upcoming", asked.id)]
    stopped_clock.instant = asked.answer_by
    assert listed(shop) == [("Past", asked.id)], "at once, before anybody has swept it away"
    trip = confirmed(shop, days=8)
    stopped_clock.instant = trip.pickup - timedelta(seconds=1)
    assert listed(shop)[0] == ("Upcoming", trip.id)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    at_return(stopped_clock, trip, hours=5)
    assert listed(shop)[0] == ("Now", trip.id)
    take_back(shop, trip.reference)
    assert {part for part, _ in listed(shop)} == {"Past"}
    other = confirmed(shop, days=12)
    cancel(shop, other.reference, 0)
    assert listed(shop)[0] == ("Past", other.id)


def test_a_customers_page_is_its_customers_alone(shop: Shop) -> None:
    trip = confirmed(shop)
    assert read(showing.own, actor(shop.customer), trip.reference) == seen(shop.customer, trip.reference)
    assert (trip.hours.open_time, trip.closed, trip.late_penalty) == (shop.vendor.hours.open, [], 5_000)
    for other in (shop.vendor, add_user(), add_user("Operator")):
        with pytest.raises(NotFoundError):
            read(showing.own, actor(other), trip.reference)
