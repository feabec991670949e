"""In which thread of the process calls are written that share a transaction on SQLite."""

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest
from sqlmodel import Session

from rental_app.batching import MANY, Service, writing
from rental_app.db import transaction
from rental_app.settings import settings
from tests.rows import each


def _thread(_session: Session, _number: int) -> int:
    return threading.get_ident()


async def _asked(service: Service[int], times: int) -> set[int]:
    return set(await asyncio.gather(*(service((number,)) for number in range(times))))


@pytest.mark.usefixtures("database")
def test_many_calls_are_written_in_the_event_loop_and_few_in_a_thread() -> None:
    loops = threading.get_ident()
    assert asyncio.run(_asked(writing(_thread, most=MANY), MANY)) == {loops}
    assert loops not in asyncio.run(_asked(writing(_thread, most=MANY), MANY - 1))


@pytest.mark.usefixtures("database")
def test_where_redis_counts_nothing_is_written_in_the_event_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_REDIS_URL", "redis://127.0.0.1:1")
    settings.cache_clear()
    assert threading.get_ident() not in asyncio.run(_asked(writing(_thread, most=MANY), MANY))


@contextmanager
def other_process() -> Iterator[None]:
    """Write as another process would, whose turn this one cannot know of."""
    other = sqlite3.connect(settings().sqlalchemy_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


@contextmanager
def other_thread() -> Iterator[None]:
    """Write in another thread of this process."""
    begun, may_end = threading.Event(), threading.Event()

    def write() -> None:
        with transaction(writing=True):
            begun.set()
            may_end.wait(10)

    with ThreadPoolExecutor(1) as pool:
        pool.submit(write)
        begun.wait(10)
        yield
        may_end.set()


@pytest.mark.usefixtures("database")
@each("another", [other_process, other_thread])
def test_the_event_loop_goes_on_while_another_writes(another: Callable[[], AbstractContextManager[Any]]) -> None:
    async def ask() -> set[int]:
        with another():
            asked = asyncio.create_task(_asked(writing(_thread, most=MANY), MANY))
            # Blocked, the loop would be back only after the calls had given up.
            await asyncio.sleep(0.2)
            assert not asked.done()
        return await asked

    assert threading.get_ident() not in asyncio.run(ask())
