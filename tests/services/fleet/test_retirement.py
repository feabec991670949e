"""Retired vehicles: they leave the fleet, their past stays, and their RC number is free."""

from datetime import timedelta
from typing import Any

import pytest

from rental_app.domain.errors import ConflictError, NotFoundError
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import User, Vehicle
from rental_app.schemas.calendars import CalendarSpan
from rental_app.schemas.counter import ChoicesRequest
from rental_app.schemas.fleet import FleetQuery
from rental_app.services.bookings import counter, lists
from rental_app.services.calendar import vendor_calendar
from rental_app.services.earnings import dashboard
from rental_app.services.fleet import own_vehicles, prices, retirement, table, vehicles
from rental_app.services.search import search
from tests.conftest import Clock
from tests.support.booking_steps import alter, book, every_file
from tests.support.races import at_once
from tests.support.rest_helpers import listing
from tests.support.shop import VISITOR, Shop, actor, add_vehicle, count, moment, open_shop, search_for, wanted, wire
from tests.support.trips import at_pickup, at_return, cancel, confirmed, hand_over, move_vehicle, refusal, take_back


def retire(shop: Shop, vehicle: Vehicle | None = None) -> str:
    return write(retirement.retire, actor(shop.vendor), (vehicle or shop.vehicle).id or 0)


def bring_back(shop: Shop, vehicle: Vehicle | None = None) -> str:
    return write(retirement.bring_back, actor(shop.vendor), (vehicle or shop.vehicle).id or 0)


def in_lists(shop: Shop) -> dict[str, int]:
    """In how many places the vendor and everybody else still meet the shop's vehicle."""
    vendor, span = actor(shop.vendor), CalendarSpan()
    window = ChoicesRequest(pickup=wire(moment(3)), return_at=wire(moment(4)))
    return {
        "search": len(read(search.available, VISITOR, search_for(shop.place)).vehicles),
        "table": len(read(table.table, vendor, FleetQuery()).vehicles),
        "names": len(read(own_vehicles.names, vendor)),
        "assets": len(read(own_vehicles.assets, vendor)),
        "prices": len(read(prices.of_vendor, vendor)),
        "calendar": len(read(vendor_calendar.of_vendor, vendor, span).vehicles),
        "counter": len(read(counter.choices, vendor, window)),
        "dashboard": read(dashboard.of_vendor, vendor).total_cars,
    }


def test_a_retired_vehicle_leaves_every_list_and_comes_back_switched_off(shop: Shop) -> None:
    assert set(in_lists(shop).values()) == {1}
    assert retire(shop) == retirement.RETIRED
    assert set(in_lists(shop).values()) == {0}
    gone = read(table.table, actor(shop.vendor), FleetQuery(shown="retired"))
    assert [each.id for each in gone.vehicles] == [shop.vehicle.id]
    assert [each.id for each in read(own_vehicles.of_vendor, actor(shop.vendor), None, retired=True).items]
    assert read(own_vehicles.own_vehicle, actor(shop.vendor), shop.vehicle.id or 0).retired_at
    refusal("vehicle_retired", write, vehicles.toggle, actor(shop.vendor), shop.vehicle.id or 0)
    refusal("vehicle_retired", retire, shop)
    assert bring_back(shop) == retirement.BROUGHT_BACK
    refusal("not_retired", bring_back, shop)
    assert in_lists(shop) == dict.fromkeys(in_lists(shop), 1) | {"search": 0}
    write(vehicles.toggle, actor(shop.vendor), shop.vehicle.id or 0)
    assert in_lists(shop)["search"] == 1


def test_what_is_ahead_out_or_open_keeps_it_in_the_fleet(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    error = refusal("vehicle_in_use", retire, shop)
    assert trip.reference in error.message
    bookings: Any = error.details["bookings"]
    assert [each.reference for each in bookings] == [trip.reference]
    at_pickup(stopped_clock, trip)
    hand_over(shop, trip.reference)
    assert trip.reference in refusal("vehicle_in_use", retire, shop).message
    at_return(stopped_clock, trip)
    back = take_back(shop, trip.reference)
    if back.stage == "returned":
        assert trip.reference in refusal("vehicle_in_use", retire, shop).message
    request = book(shop.customer, wanted(shop.vehicle, days=9))
    assert request.reference in refusal("vehicle_in_use", retire, shop).message


def test_a_move_that_waits_for_a_yes_holds_the_vehicle_too(shop: Shop) -> None:
    other = add_vehicle(shop.vendor, model_id=2)
    trip = confirmed(shop)
    move_vehicle(shop, trip.reference, other)
    assert trip.reference in refusal("vehicle_in_use", retire, shop, other).message


def test_its_bookings_stay_readable(shop: Shop, stopped_clock: Clock) -> None:
    trip = confirmed(shop)
    cancel(shop, trip.reference, 0)
    stopped_clock.instant += timedelta(days=30)
    retire(shop)
    ours, theirs = read(lists.of_vendor, actor(shop.vendor)), read(lists.of_customer, actor(shop.customer))
    assert [each.reference for each in [*ours.items, *theirs.items]] == [trip.reference] * 2


@pytest.mark.databases
def test_its_rc_number_can_be_listed_anew_and_then_it_stays_away(shop: Shop) -> None:
    other = open_shop("Otherpur")
    again = listing(rc_number=shop.vehicle.rc_number)
    refusal("rc_number_taken", write, vehicles.submit, actor(other.vendor), again, every_file())
    retire(shop)
    write(vehicles.submit, actor(other.vendor), again, every_file())
    error = refusal("rc_number_taken", bring_back, shop)
    assert shop.vehicle.rc_number in error.message
    assert set(in_lists(shop).values()) == {0}


@pytest.mark.databases
def test_of_a_booking_and_a_retirement_at_once_one_wins(shop: Shop) -> None:
    before = count("booking")
    codes = at_once(lambda: retire(shop), lambda: book(shop.customer, wanted(shop.vehicle)))
    assert sorted(codes) in (["", "not_bookable"], ["", "vehicle_in_use"])
    assert count("booking") == before + codes.index("")


@pytest.mark.databases
def test_of_two_vehicles_with_one_rc_number_only_one_comes_back(shop: Shop) -> None:
    twin = add_vehicle(shop.vendor)
    retire(shop)
    retire(shop, twin)
    alter(Vehicle, twin.id, rc_number=shop.vehicle.rc_number)
    codes = at_once(lambda: bring_back(shop), lambda: bring_back(shop, twin))
    assert sorted(codes) == ["", "rc_number_taken"]


def test_it_does_not_count_among_those_an_account_may_list(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings(), "max_vehicles", 1)
    alter(User, shop.vendor.id, approved_at=None)
    refusal("too_many_vehicles", write, vehicles.submit, actor(shop.vendor), listing(), every_file())
    retire(shop)
    write(vehicles.submit, actor(shop.vendor), listing(), every_file())
    refusal("too_many_vehicles", bring_back, shop)


def test_only_its_vendor_retires_it(shop: Shop) -> None:
    foreign = open_shop("Otherpur")
    for act in (retirement.retire, retirement.bring_back):
        with pytest.raises(NotFoundError):
            write(act, actor(foreign.vendor), shop.vehicle.id or 0)
    with pytest.raises(ConflictError):
        bring_back(shop)
