"""Work that many callers request at once."""

import asyncio
import threading

import pytest

from rental_app.served.together import Together


def test_who_comes_while_it_runs_is_in_the_next_run() -> None:
    runs: list[list[int]] = []
    begun, may_end = threading.Event(), threading.Event()

    def doubled(asked: list[int]) -> list[int]:
        runs.append(asked)
        begun.set()
        assert may_end.wait(30)
        return [2 * each for each in asked]

    async def ask() -> list[int]:
        together = Together(doubled)
        first = asyncio.create_task(together(1))
        assert await asyncio.to_thread(begun.wait, 30)
        later = [asyncio.create_task(together(number)) for number in (2, 3, 4)]
        await asyncio.sleep(0)
        later[0].cancel()
        may_end.set()
        return [await first, await later[1], await later[2]]

    assert asyncio.run(ask()) == [2, 6, 8]
    assert runs == [[1], [2, 3, 4]]


def test_what_is_raised_reaches_everyone_and_the_next_run_is_a_new_one() -> None:
    def halved(asked: list[int]) -> list[float]:
        return [1 / each for each in asked]

    async def ask() -> float:
        together = Together(halved)
        for found in await asyncio.gather(together(0), together(2), return_exceptions=True):
            assert isinstance(found, ZeroDivisionError)
        return await together(2)

    assert asyncio.run(ask()) == pytest.approx(0.5)


def test_a_run_refuses_some_and_answers_the_others_so_many_at_a_time() -> None:
    runs: list[int] = []

    def halved(asked: list[int]) -> list[float | Exception]:
        runs.append(len(asked))
        return [1 / each if each else ValueError("nothing") for each in asked]

    async def ask() -> list[float | BaseException]:
        together: Together[int, float] = Together(halved, most=2)
        return await asyncio.gather(*map(together, (2, 0, 4)), return_exceptions=True)

    half, refused, quarter = asyncio.run(ask())
    assert (half, quarter) == (0.5, 0.25)
    assert isinstance(refused, ValueError)
    assert runs == [2, 1]
