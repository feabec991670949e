"""The lists of bookings: a vendor's by status and date, a customer's by time, the nearest first."""

from datetime import date, timedelta

import pytest

from rental_app.domain import clock
from rental_app.domain.bookings import VendorPart
from rental_app.domain.errors import ForbiddenError, InvalidInputError
from rental_app.infrastructure.db import read
from rental_app.models import Booking
from rental_app.schemas.bookings import BookingFilter
from rental_app.schemas.validation import validated
from rental_app.schemas.wire import Page
from rental_app.services.bookings import lists
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, decide
from tests.support.shop import Shop, actor, add_user, add_vehicle, moment, open_shop, statements, wanted
from tests.support.trips import at_pickup, at_return, cancel, confirmed, hand_over, pay, seen, take_back


def ask_for(shop: Shop, days: int) -> int:
    return book(shop.customer, wanted(shop.vehicle, days=days)).id


def listed(shop: Shop, limit: int | None = None, **only: object) -> list[int]:
    part = read(lists.of_vendor, actor(shop.vendor), Page(limit=limit), validated(BookingFilter, only))
    return [booking.id for booking in part.items]


def day(ahead: int) -> date:
    return clock.indian_today(moment(ahead))


def test_by_status_a_lapsed_request_counts_as_cancelled(shop: Shop, stopped_clock: Clock) -> None:
    confirmed, declined, lapsed = ask_for(shop, 3), ask_for(shop, 5), ask_for(shop, 7)
    decide(shop.vendor, confirmed, "confirmed")
    decide(shop.vendor, declined, "cancelled")
    assert listed(shop, status="pending") == [lapsed]
    assert read(lists.unanswered, actor(shop.vendor)) == 1
    shown = {one.id: one.customer_phone for one in read(lists.of_vendor, actor(shop.vendor)).items}
    assert (shown[lapsed], shown[confirmed]) == ("", shop.customer.phone_number)
    stopped_clock.move(hours=8)
    assert listed(shop, status="cancelled") == [lapsed, declined]
    assert listed(shop, status="confirmed") == [confirmed]
    assert listed(shop, status="pending") == []
    assert read(lists.unanswered, actor(shop.vendor)) == 0


def test_by_the_days_a_vehicle_is_on_the_road(shop: Shop) -> None:
    early, late = ask_for(shop, 3), ask_for(shop, 6)
    assert listed(shop, first_day=day(4)) == [late, early]
    assert listed(shop, first_day=day(5)) == [late]
    assert listed(shop, last_day=day(5)) == [early]
    assert listed(shop, last_day=day(6)) == [late, early]
    assert listed(shop, first_day=day(5), last_day=day(5)) == []
    assert listed(shop, limit=1, first_day=day(4)) == [late]
    for bound in (date(1899, 12, 31), date(2200, 1, 1)):
        for name in ("first_day", "last_day"):
            with pytest.raises(InvalidInputError):
                validated(BookingFilter, {name: bound})
    assert validated(BookingFilter, {"last_day": date(2199, 12, 31)})


def test_one_booking_and_nobody_elses(shop: Shop) -> None:
    first, second, foreign = ask_for(shop, 3), ask_for(shop, 6), ask_for(open_shop("Elsewhere"), 3)
    assert listed(shop, booking=first) == [first]
    assert listed(shop, booking=second, status="confirmed") == []
    assert listed(shop, booking=foreign) == []
    assert read(lists.unanswered, actor(shop.vendor)) == 2


def test_customers_are_turned_away(shop: Shop) -> None:
    for service in (lists.of_vendor, lists.unanswered):
        with pytest.raises(ForbiddenError):
            read(service, actor(shop.customer))


def parts(shop: Shop, most: int = 50) -> list[tuple[str, int]]:
    """Return each booking's part and id."""
    found = read(lists.cards_of_customer, actor(shop.customer), Page.first(most))
    return [(view.part, view.id) for view in found.items]


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
    assert parts(shop) == [
        ("Now", ids["late"]),
        ("Now", ids["begun"]),
        ("Now", ids["out"]),
        # What waits for its answer is before what is agreed, however far it is.
        ("Upcoming", ids["far"]),
        ("Upcoming", ids["near"]),
        ("Past", ids["declined"]),
        ("Past", ids["settled"]),
    ]
    part = read(lists.cards_of_customer, actor(shop.customer), Page(limit=3))
    assert (len(part.items), part.total) == (3, 7)
    assert read(lists.cards_of_customer, actor(add_user()), Page(limit=50)).items == []


def test_a_booking_goes_through_the_parts(shop: Shop, stopped_clock: Clock) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    assert parts(shop) == [("Upcoming", asked.id)]
    stopped_clock.instant = asked.answer_by
    assert parts(shop) == [("Past", asked.id)], "at once, before anybody has swept it away"
    trip = confirmed(shop, days=8)
    stopped_clock.instant = trip.pickup - timedelta(seconds=1)
    assert parts(shop)[0] == ("Upcoming", trip.id)
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    at_return(stopped_clock, trip, hours=5)
    assert parts(shop)[0] == ("Now", trip.id)
    take_back(shop, trip.reference)
    assert {part for part, _ in parts(shop)} == {"Past"}
    other = confirmed(shop, days=12)
    cancel(shop, other.reference, 0)
    assert parts(shop)[0] == ("Past", other.id)


def parts_of(shop: Shop) -> dict[str, list[int]]:
    """The bookings of each part of the list, and that their numbers are those of `counts`."""
    parts = {part: listed(shop, part=part) for part in VendorPart}
    numbers = dict(read(lists.counts, actor(shop.vendor)))
    answered = numbers.pop(VendorPart.WAITING)
    assert answered == read(lists.unanswered, actor(shop.vendor))
    assert numbers == {part: len(found) for part, found in parts.items() if part != VendorPart.WAITING}
    return {str(part): found for part, found in parts.items() if found}


@pytest.mark.databases
def test_a_booking_goes_through_the_parts_of_the_list(shop: Shop, stopped_clock: Clock) -> None:
    asked = ask_for(shop, 3)
    foreign = ask_for(open_shop("Elsewhere"), 3)
    assert parts_of(shop) == {"waiting": [asked], "all": [asked]}
    decide(shop.vendor, asked, "confirmed")
    assert parts_of(shop) == {"waiting": [asked], "upcoming": [asked], "all": [asked]}, "answered today"
    stopped_clock.move(days=1)
    assert parts_of(shop) == {"upcoming": [asked], "all": [asked]}
    trip = seen(shop.vendor, str(asked))
    at_pickup(stopped_clock, trip)
    hand_over(shop, asked)
    assert parts_of(shop) == {"out": [asked], "all": [asked]}
    at_return(stopped_clock, trip)
    take_back(shop, asked)
    assert parts_of(shop) == {"to_settle": [asked], "all": [asked]}
    assert foreign not in parts_of(shop)["all"]


@pytest.mark.databases
def test_what_ends_without_a_trip_is_past_unless_something_is_open(shop: Shop, stopped_clock: Clock) -> None:
    declined, lapsed, never_out, kept = (ask_for(shop, days) for days in (3, 5, 7, 9))
    decide(shop.vendor, declined, "cancelled")
    decide(shop.vendor, never_out, "confirmed")
    decide(shop.vendor, kept, "confirmed")
    pay(shop, kept, 500_00)
    assert listed(shop, part="waiting", sort="created") == [lapsed, kept, never_out, declined]
    stopped_clock.move(hours=8)
    cancel(shop, kept, 125_00)
    stopped_clock.move(days=20)
    assert parts_of(shop) == {
        "to_settle": [kept, never_out],
        "past": [lapsed, declined],
        "all": [kept, never_out, lapsed, declined],
    }


@pytest.mark.databases
def test_only_answers_given_by_hand_today_stay_with_those_that_wait(shop: Shop) -> None:
    by_hand, at_once, at_the_counter, by_the_customer = (ask_for(shop, days) for days in (3, 5, 7, 9))
    for booking in (by_hand, at_once, at_the_counter):
        decide(shop.vendor, booking, "confirmed")
    alter(Booking, at_once, confirmed_at_once=True)
    alter(Booking, at_the_counter, source="counter")
    cancel(shop, by_the_customer, 0)
    assert listed(shop, part="waiting") == [by_hand]


def test_parts_have_their_orders(shop: Shop, stopped_clock: Clock) -> None:
    late, soon = ask_for(shop, 9), ask_for(shop, 3)
    assert listed(shop, part="waiting", sort="pickup") == [soon, late]
    for booking in (soon, late):
        decide(shop.vendor, booking, "confirmed")
    other = ask_for(shop, 6)
    assert listed(shop, part="waiting", sort="return") == [other, soon, late], "who waits comes first in any order"
    stopped_clock.move(days=3, hours=4)
    assert listed(shop, part="upcoming", sort="pickup") == [soon, late], "an overdue handover is the next one"
    assert listed(shop, part="upcoming", sort="return") == [soon, late]


def test_the_counts_are_one_statement_however_many_bookings(shop: Shop) -> None:
    counts = []
    for days in (3, 6, 9):
        ask_for(shop, days)
        with statements() as made:
            read(lists.counts, actor(shop.vendor))
        counts.append(len(made))
    assert counts == [counts[0]] * 3
    only = validated(BookingFilter, {"vehicle": add_vehicle(shop.vendor).id})
    assert set(read(lists.counts, actor(shop.vendor), only).values()) == {0}
    with pytest.raises(ForbiddenError):
        read(lists.counts, actor(shop.customer))


def test_a_part_that_there_is_not_is_refused() -> None:
    with pytest.raises(InvalidInputError):
        validated(BookingFilter, {"part": "elsewhere"})
