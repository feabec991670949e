"""A process's background tasks outlive whatever goes wrong."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import suppress

import pytest

from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure.background import repeat


def test_no_failure_ends_what_goes_on_for_ever() -> None:
    """A background task survives any failure: nobody would notice or restart one that ended."""
    steps: Iterator[Exception | bool] = iter(
        [UnavailableError("no database"), ValueError("one bad calendar"), True, False]
    )

    async def watch() -> None:
        done = asyncio.Event()

        async def step() -> bool:
            now = next(steps, None)
            if now is None:
                done.set()
            if isinstance(now, Exception):
                raise now
            return bool(now)

        task = asyncio.create_task(repeat("the step", 0, step))
        async with asyncio.timeout(30):
            await done.wait()
        assert not task.done()
        task.cancel()

    asyncio.run(watch())


@pytest.mark.parametrize(
    ("computed", "rest"), [(0.001, 0.2), (0.1, 0.9), (5.0, 3.0)], ids=["idle", "busy", "overloaded"]
)
def test_who_waits_for_an_answer_comes_first(monkeypatch: pytest.MonkeyPatch, computed: float, rest: float) -> None:
    """The more the process computes meanwhile, the longer a background task rests, so that requests come first."""
    now = 0.0
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def step() -> bool:
        nonlocal now
        if slept:
            raise asyncio.CancelledError
        now += computed
        return True

    async def watch() -> None:
        monkeypatch.setattr(time, "process_time", lambda: now)
        monkeypatch.setattr(asyncio, "sleep", sleep)
        with suppress(asyncio.CancelledError):
            await repeat("the step", 60, step)

    asyncio.run(watch())
    assert slept == [pytest.approx(rest)]
