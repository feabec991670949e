"""Rate limits, one function for REST endpoints, UI handlers and services."""

import math
import time
from functools import cache
from typing import Literal

from limits import RateLimitItem, parse
from limits.storage import storage_from_string
from limits.strategies import SlidingWindowCounterRateLimiter

from rental_app.errors import TooManyRequestsError
from rental_app.settings import settings

Kind = Literal["failed_login", "register", "search", "book", "upload", "lookup"]
LIMITS: dict[Kind, RateLimitItem] = {
    "failed_login": parse("10 per 15 minutes"),
    "register": parse("120 per hour"),
    "search": parse("600 per minute"),
    "book": parse("60 per minute"),
    "upload": parse("60 per minute"),
    "lookup": parse("300 per minute"),
}


@cache
def _limiter() -> SlidingWindowCounterRateLimiter:
    return SlidingWindowCounterRateLimiter(storage_from_string(settings().redis_url or "memory://"))


def _refuse(kind: Kind, key: str) -> None:
    reset = _limiter().get_window_stats(LIMITS[kind], kind, key).reset_time
    wait = max(1, math.ceil(reset - time.time()))
    raise TooManyRequestsError(f"Too many attempts, please try again in {math.ceil(wait / 60)} min", retry_after=wait)


def count(kind: Kind, key: str) -> None:
    """Count one use by `key` (an address, an account); raises TooManyRequestsError past the limit."""
    if settings().rate_limits == "on" and not _limiter().hit(LIMITS[kind], kind, key):
        _refuse(kind, key)


def check(kind: Kind, key: str) -> None:
    """Raise TooManyRequestsError when the limit is used up, without counting."""
    if settings().rate_limits == "on" and not _limiter().test(LIMITS[kind], kind, key):
        _refuse(kind, key)
