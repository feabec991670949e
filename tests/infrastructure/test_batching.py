"""Work that many callers request at once."""

import asyncio
import threading

import pytest

from rental_app.infrastructure.db import Batch


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
