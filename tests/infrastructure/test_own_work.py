"""A process's own work: many callers' requests in one run, and tasks in the background that nothing ends."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress

import pytest

from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure.background import repeat
from rental_app.infrastructure.db import Batch
from rental_app.infrastructure.grouped_calls import GroupedCalls
from tests.support.grouped_calls import SECONDS, wait_for_calls


def test_calls_made_during_a_run_join_the_next_run() -> None:
    runs: list[list[int]] = []
    begun, may_end = threading.Event(), threading.Event()

    def doubled(asked: list[int]) -> list[int]:
        runs.append(asked)
        begun.set()
        assert may_end.wait(30)
        return [2 * each for each in asked]

    async def ask() -> list[int]:
        batched = Batch(doubled)
        first = asyncio.create_task(batched(1))
        assert await asyncio.to_thread(begun.wait, 30)
        later = [asyncio.create_task(batched(number)) for number in (2, 3, 4)]
        await asyncio.sleep(0)
        later[0].cancel()
        may_end.set()
        return [await first, await later[1], await later[2]]

    assert asyncio.run(ask()) == [2, 6, 8]
    assert runs == [[1], [2, 3, 4]]


def test_an_exception_reaches_all_callers_of_that_run_alone() -> None:
    def halved(asked: list[int]) -> list[float]:
        return [1 / each for each in asked]

    async def ask() -> float:
        batched = Batch(halved)
        for found in await asyncio.gather(batched(0), batched(2), return_exceptions=True):
            assert isinstance(found, ZeroDivisionError)
        return await batched(2)

    assert asyncio.run(ask()) == pytest.approx(0.5)


def test_a_run_refuses_some_and_answers_the_others_so_many_at_a_time() -> None:
    runs: list[int] = []

    def halved(asked: list[int]) -> list[float | Exception]:
        runs.append(len(asked))
        return [1 / each if each else ValueError("nothing") for each in asked]

    async def ask() -> list[float | BaseException]:
        together: Batch[int, float] = Batch(halved, most=2)
        return await asyncio.gather(*map(together, (2, 0, 4)), return_exceptions=True)

    half, refused, quarter = asyncio.run(ask())
    assert (half, quarter) == (0.5, 0.25)
    assert isinstance(refused, ValueError)
    assert runs == [2, 1]


class Line:
    """Groups whose first run lasts until it is told to end; later calls wait in line meanwhile."""

    def __init__(self, most: int, *, fails: bool = False) -> None:
        self.runs: list[list[int]] = []
        self.threads: list[str] = []
        self.may_end, self._begun, self._fails = threading.Event(), threading.Event(), fails
        self.groups: GroupedCalls[int] = GroupedCalls(self._run, most)

    def _run(self, calls: list[int]) -> None:
        self.runs.append(calls)
        self.threads.append(threading.current_thread().name)
        self._begun.set()
        assert self.may_end.wait(SECONDS)
        if self._fails:
            raise OSError(str(calls))

    def with_calls(self, threads: ThreadPoolExecutor, *calls: int) -> list[Future[None]]:
        """Make the first call, then the others one after the other while it runs, then let it end."""
        made = [threads.submit(self.groups.run, calls[0])]
        assert self._begun.wait(SECONDS)
        for number, call in enumerate(calls[1:], 1):
            made.append(threads.submit(self.groups.run, call))
            wait_for_calls(self.groups, number)
        self.may_end.set()
        return made


def test_calls_made_while_a_group_runs_are_the_next_groups() -> None:
    line = Line(most=2)
    with ThreadPoolExecutor(4) as threads:
        made = line.with_calls(threads, 1, 2, 3, 4)
    assert [each.result() for each in made] == [None] * 4
    assert line.runs == [[1], [2, 3], [4]]
    # None runs more than the group of its own call, however many come later.
    assert len(set(line.threads)) == 3


def test_what_a_run_raises_reaches_all_of_its_group_and_nobody_else() -> None:
    line = Line(most=2, fails=True)
    with ThreadPoolExecutor(4) as threads:
        made = line.with_calls(threads, 1, 2, 3, 4)
    assert [str(each.exception()) for each in made] == ["[1]", "[2, 3]", "[2, 3]", "[4]"]


def test_a_call_after_a_failure_is_run() -> None:
    line = Line(most=2, fails=True)
    line.may_end.set()
    for call in (1, 2):
        with pytest.raises(OSError, match=str(call)):
            line.groups.run(call)


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
