"""Queues for hashing passwords: a hash takes a quarter of a second, and no caller should hold up the others."""

from collections.abc import Callable
from functools import cache, partial
from typing import TypeVar

import anyio
import anyio.to_thread

from rental_app.schemas.accounts import Registration
from rental_app.schemas.sign_in import Credentials
from rental_app.services import throttle
from rental_app.services.queues import queued
from rental_app.services.throttle import Caller

T = TypeVar("T")
Form = TypeVar("Form", Credentials, Registration)
# How many may wait behind the one whose turn it is.
MOST_AT_AN_ADDRESS, MOST_FOR_AN_ACCOUNT = 20, 3


@cache
def _password_threads() -> anyio.CapacityLimiter:
    return anyio.CapacityLimiter(2)


async def run_hashing(function: Callable[..., T], *args: object) -> T:
    """Call a function in the few threads reserved for passwords, so that logins never starve the rest."""
    return await anyio.to_thread.run_sync(partial(function, *args), limiter=_password_threads())


async def hash_in_queue(function: Callable[[Form, Caller], T], form: Form, caller: Caller) -> T:
    """Call `register` or `sign_in`, one at a time per address and per account.

    Raises TooManyRequestsError if too many are waiting already, and whatever the function raises.
    """
    return await hash_in_queue_of(form.email, caller, function, form, caller)


async def hash_in_queue_of(account: str, caller: Caller, function: Callable[..., T], *args: object) -> T:
    """The same for any function that hashes a password; `account` names whose it is."""
    if not throttle.on():
        return await run_hashing(function, *args)
    # The address first: a caller that still waits for its address does not hold up the account's owner.
    async with (
        queued(f"login address {caller.network}", MOST_AT_AN_ADDRESS, "logins"),
        queued(f"login account {account}", MOST_FOR_AN_ACCOUNT, "logins"),
    ):
        return await run_hashing(function, *args)
