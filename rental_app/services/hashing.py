"""Queues for hashing passwords: a hash takes a quarter of a second, and no caller should hold up the others."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache, partial
from typing import TypeVar
from weakref import WeakValueDictionary

import anyio
import anyio.to_thread

from rental_app.errors import TooManyRequestsError
from rental_app.schemas.people import Credentials, Registration
from rental_app.services import throttle
from rental_app.services.throttle import Caller

T = TypeVar("T")
Form = TypeVar("Form", Credentials, Registration)
# How many may wait behind the one whose turn it is.
MOST_AT_AN_ADDRESS, MOST_FOR_AN_ACCOUNT = 20, 3
RETRY_SECONDS = 5
_turns: WeakValueDictionary[str, anyio.Lock] = WeakValueDictionary()


@cache
def _password_threads() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(2)


async def run_hashing(function: Callable[..., T], *args: object) -> T:
    """Call a function in the few threads reserved for passwords, so that logins never starve the rest."""
    return await anyio.to_thread.run_sync(partial(function, *args), limiter=_password_threads())


async def in_turn(function: Callable[[Form, Caller], T], form: Form, caller: Caller) -> T:
    """Call `register` or `sign_in`, one at a time per address and per account.

    Raises TooManyRequestsError if too many are waiting already, and whatever the function raises.
    """
    if not throttle.on():
        return await run_hashing(function, form, caller)
    # The address first: a caller that still waits for its address does not hold up the account's owner.
    async with (
        _turn(f"address {caller.network}", MOST_AT_AN_ADDRESS),
        _turn(f"account {form.email}", MOST_FOR_AN_ACCOUNT),
    ):
        return await run_hashing(function, form, caller)


@asynccontextmanager
async def _turn(who: str, most: int) -> AsyncIterator[None]:
    # The lock leaves the dictionary as soon as nobody holds it or waits for it.
    lock = _turns.setdefault(who, anyio.Lock())
    if lock.statistics().tasks_waiting >= most:
        message = "Too many logins at once, please try again in a few seconds"
        raise TooManyRequestsError(message, retry_after=RETRY_SECONDS)
    async with lock:
        yield
