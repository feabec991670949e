"""What is counted for whom: calls of accounts and addresses, and lists by their size; RC numbers cannot be probed."""

import json
from typing import Any

import pytest
from limits import parse

from rental_app.domain.errors import ConflictError, TooManyRequestsError, UnavailableError
from rental_app.infrastructure.db import read, write
from rental_app.schemas.search import PageRequest, ShopRequest
from rental_app.schemas.trips import ExtendRequest
from rental_app.services import catalogue, throttle
from rental_app.services.bookings import lists
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import own_vehicles, vehicles
from rental_app.services.search import search
from rental_app.services.throttle import Caller, Limit
from rental_app.services.trips import changing
from tests.conftest import forget
from tests.support.booking_steps import ask, book, decide, every_file
from tests.support.rest_helpers import listing
from tests.support.shop import (
    VISITOR,
    Shop,
    actor,
    add_user,
    add_vehicle,
    add_vehicles,
    count,
    moment,
    search_for,
    wanted,
    wire,
)
from tests.support.trips import cancel, confirmed, move
from tests.support.trips import move_vehicle as to_vehicle


@pytest.mark.usefixtures("rate_limits")
def test_an_account_is_counted_wherever_it_is_and_takes_nothing_from_its_neighbours(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(throttle.LIMITS, "list", Limit(parse("3 per hour"), parse("5 per hour")))
    someone = actor(shop.customer)
    for _ in range(3):
        read(lists.of_customer, someone)
    for _ in range(5):
        with pytest.raises(TooManyRequestsError):
            read(lists.of_customer, someone)
    # The refused calls of one account leave room for others behind the address, until the address reaches its limit.
    for _ in range(2):
        read(lists.of_customer, actor(shop.vendor))
    with pytest.raises(TooManyRequestsError):
        read(lists.of_customer, actor(add_user()))


@pytest.mark.usefixtures("rate_limits")
def test_what_writes_to_the_other_side_has_an_end_and_leaves_the_rest(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(throttle.LIMITS, "amend", Limit(parse("3 per hour"), parse("20 per hour")))
    asked = book(shop.customer, wanted(shop.vehicle))
    for day in (10, 12, 14):
        move(shop, asked.id, moment(day), moment(day + 1))
    for press in (lambda: move(shop, asked.id, moment(10), moment(11)), lambda: cancel(shop, asked.id, 0)):
        with pytest.raises(TooManyRequestsError):
            press()
    decide(shop.vendor, asked.id, "confirmed")
    with pytest.raises(TooManyRequestsError):
        write(changing.extend, actor(shop.customer), asked.reference, ExtendRequest(return_at=wire(moment(16))))
    # The vendor's calls count for another account, and new requests are bounded by how many may be unanswered.
    ask(shop.vehicle, 100)
    write(changing.grant, actor(shop.vendor), asked.reference, ExtendRequest(return_at=wire(moment(16))))
    assert book(shop.customer, wanted(shop.vehicle)).status == "pending"


@pytest.mark.usefixtures("rate_limits")
def test_a_booking_is_not_moved_to_and_fro_for_ever(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(throttle.LIMITS, "amend", Limit(parse("4 per hour"), parse("20 per hour")))
    trip, vehicles = confirmed(shop), [add_vehicle(shop.vendor), shop.vehicle]
    for number in range(4):
        to_vehicle(shop, trip.id, vehicles[number % 2])
    with pytest.raises(TooManyRequestsError):
        to_vehicle(shop, trip.id, vehicles[0])


@pytest.mark.usefixtures("rate_limits")
def test_full_lists_are_weighed(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    add_vehicles(shop.vendor, 9)
    monkeypatch.setattr(throttle, "ROWS", Limit(parse("15 per hour"), parse("80 per hour")))
    vendor = actor(shop.vendor)
    # The list that exceeds the limit is still returned whole, the next one is not.
    for _ in range(2):
        assert len(read(own_vehicles.of_vendor, vendor).items) == 10
    for service in (own_vehicles.of_vendor, own_vehicles.assets, lists.of_vendor):
        with pytest.raises(TooManyRequestsError):
            read(service, vendor)
    # Visitors behind the address have 60 rows left.
    assert len(json.loads(read(search.vehicles, VISITOR, ShopRequest()))["vehicles"]) > 60
    for call in (
        lambda: read(search.vehicles, VISITOR, ShopRequest(limit=1)),
        lambda: read(search.answer, VISITOR, search_for(shop.place), PageRequest()),
    ):
        with pytest.raises(TooManyRequestsError):
            call()
    assert json.loads(read(search.vehicles, Caller("192.0.2.1"), ShopRequest(limit=1)))["vehicles"]


@pytest.mark.usefixtures("rate_limits")
def test_searches_are_weighed(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "ROWS", Limit(parse("100 per hour"), parse("2 per hour")))
    for _ in range(2):
        assert (
            len(json.loads(read(search.answer, VISITOR, search_for(shop.place), PageRequest()))["availableCars"]) == 1
        )
    with pytest.raises(TooManyRequestsError):
        read(search.answer, VISITOR, search_for(shop.place), PageRequest())


@pytest.mark.usefixtures("rate_limits")
def test_rc_numbers_cannot_be_probed(shop: Shop) -> None:
    taken = [add_vehicle(shop.vendor).rc_number for _ in range(6)]
    prober = add_user("Vendor", location_id=shop.place.id)
    own = write(vehicles.submit, actor(prober), listing(), every_file())
    for number in taken[:3]:
        with pytest.raises(ConflictError):
            write(vehicles.submit, actor(prober), listing(rc_number=number), every_file())
    for number in taken[3:5]:
        with pytest.raises(ConflictError):
            _edit(prober, own, number)
    # From now on numbers that are taken and numbers that are free get the same answer.
    before = count("vehicle")
    for number in (taken[5], "TS10AB4321"):
        with pytest.raises(TooManyRequestsError):
            write(vehicles.submit, actor(prober), listing(rc_number=number), every_file())
        with pytest.raises(TooManyRequestsError):
            _edit(prober, own, number)
    assert count("vehicle") == before
    # One's own number reveals nothing, and other vendors are not affected.
    _edit(prober, own, str(listing()["rc_number"]))
    assert write(vehicles.submit, actor(shop.vendor), listing(rc_number="TS10AB4321"), every_file())


def _edit(vendor: Any, vehicle_id: int, rc_number: str) -> None:
    write(vehicles.change, actor(vendor), listing(id=vehicle_id, rc_number=rc_number), CheckedUploads())


def test_limits_that_cannot_be_reached_refuse_changes_and_let_reads_pass(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    monkeypatch.setenv("RENTAL_REDIS_URL", "redis://127.0.0.1:1/0")
    forget()
    with pytest.raises(UnavailableError):
        _edit(shop.vendor, shop.vehicle.id, "TS10AB4321")
    assert catalogue.look_up_pincode(VISITOR, "500081")
    assert read(own_vehicles.of_vendor, actor(shop.vendor)).items


def test_off_is_off_for_all_of_them(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    nothing = parse("0 per hour")
    monkeypatch.setattr(throttle, "ROWS", Limit(nothing, nothing))
    for kind in throttle.LIMITS:
        monkeypatch.setitem(throttle.LIMITS, kind, Limit(nothing, nothing))
    assert read(own_vehicles.of_vendor, actor(shop.vendor)).items
    assert catalogue.look_up_pincode(VISITOR, "500081")
