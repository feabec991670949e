"""Queues: of the callers under one name, one is served at a time, and only so many may wait."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

import anyio

from rental_app.domain.errors import TooManyRequestsError

RETRY_SECONDS = 5
_turns: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()


@asynccontextmanager
async def queued(who: str, most: int, what: str) -> AsyncIterator[None]:
    """Wait for one's turn at `what`. Raises TooManyRequestsError if `most` are waiting already."""
    # The lock leaves the dictionary as soon as nobody holds it or waits for it.
    lock = _turns.setdefault(who, anyio.Lock())
    if lock.statistics().tasks_waiting >= most:
        message = f"Too many {what} at once, please try again in a few seconds"
        raise TooManyRequestsError(message, retry_after=RETRY_SECONDS)
    async with lock:
        yield
