"""Rate limits: services count their callers' calls themselves, whichever edge a call came through."""

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Literal, NamedTuple

from limits import RateLimitItem, RateLimitItemPerHour, parse
from limits.errors import StorageError
from limits.storage import MemoryStorage, RedisStorage, Storage
from limits.strategies import (
    FixedWindowRateLimiter,
    MovingWindowRateLimiter,
    RateLimiter,
    SlidingWindowCounterRateLimiter,
)

from rental_app.domain.devices import network_of
from rental_app.domain.errors import TooManyRequestsError, UnavailableError
from rental_app.domain.uploads import MEGABYTE
from rental_app.infrastructure import logs, metrics
from rental_app.infrastructure.db import BUSY
from rental_app.infrastructure.settings import settings

Kind = Literal[
    "call",
    "look",
    "list",
    "search",
    "quote",
    "lookup",
    "book",
    "change",
    "amend",
    "upload",
    "file",
    "register",
    "login",
    "forgot",
    "reset",
    "mail",
    "rc_taken",
    "member",
    "identity",
    "operate",
]


@dataclass(frozen=True, slots=True)
class Caller:
    """The caller of a service, identified by an address alone, in the request with `request_id`; what its browser calls
    itself, and the key that its browser keeps, are claims that only name a device."""

    address: str
    request_id: str = field(default_factory=logs.request_id, kw_only=True, compare=False)
    user_agent: str = field(default="", kw_only=True)
    device_key: str = field(default="", kw_only=True)

    @property
    def account(self) -> str:
        """The account the caller has proved to own; '' for none."""
        return ""

    @property
    def network(self) -> str:
        """The address, or the network that counts as one."""
        return network_of(self.address)


class Limit(NamedTuple):
    """The limits of an account, and of an address, which a carrier may share among hundreds of people."""

    account: RateLimitItem
    address: RateLimitItem


def _limit(account: str, address: str) -> Limit:
    return Limit(parse(account), parse(address))


LIMITS: dict[Kind, Limit] = {
    # Every use of a token, before anything is known about its owner: of a genuine one by itself, of others by address.
    "call": _limit("6000 per minute", "6000 per minute"),
    "look": _limit("600 per minute", "3000 per minute"),
    "list": _limit("300 per minute", "3000 per minute"),
    "search": _limit("300 per minute", "600 per minute"),
    "quote": _limit("300 per minute", "600 per minute"),
    "lookup": _limit("60 per minute", "300 per minute"),
    "book": _limit("60 per minute", "600 per minute"),
    "change": _limit("120 per minute", "1200 per minute"),
    # Each sends a message to the other side of a booking, who does not want them all the time.
    "amend": _limit("60 per hour", "1200 per hour"),
    "upload": _limit("60 per minute", "300 per minute"),
    # One of the many files that a form uploads ahead.
    "file": _limit("240 per minute", "1200 per minute"),
    "register": _limit("120 per hour", "120 per hour"),
    "login": _limit("60 per hour", "1200 per hour"),
    # Each may send a message to somebody who has not asked for it.
    "forgot": _limit("20 per hour", "120 per hour"),
    "mail": _limit("10 per hour", "200 per hour"),
    "reset": _limit("60 per hour", "600 per hour"),
    # Each reveals that a number is in use.
    "rc_taken": _limit("5 per hour", "20 per hour"),
    # Each sends an invitation to somebody who has not asked for it.
    "member": _limit("20 per hour", "60 per hour"),
    # Each waits for an operator, and erases what was sent before.
    "identity": _limit("60 per hour", "600 per hour"),
    # What an operator looks at or decides, apart from what the same account does elsewhere.
    "operate": _limit("600 per minute", "3000 per minute"),
}
# What changes nothing goes on uncounted while Redis does not answer. The others guard secrets, inboxes, the stock and
# the disk, and wait until it does.
READS: frozenset[Kind] = frozenset({"call", "look", "list", "search", "quote", "lookup"})
# How long nobody waits for a Redis that has just not answered.
AWAY_SECONDS = 1.0
Costs = list[Callable[[Caller], None]]
_notes: ContextVar[Costs | None] = ContextVar("notes", default=None)
MINUTE = 60
# Lists grow with the shop, so their rows are counted.
ROWS = _limit("60000 per minute", "300000 per minute")


def count(kind: Kind, caller: Caller) -> None:
    """Count one call against its account and its address; raises TooManyRequestsError past either limit, and
    UnavailableError if it cannot be counted and is not a mere read."""
    _note(partial(count, kind))
    for limit, who in _bounds(LIMITS[kind], caller) if on() else ():
        _ask(_limiter(limit), limit, kind, who, cost=1, passes=kind in READS)


def count_token(jti: str) -> None:
    """Count a use of a genuine token by its `jti` alone, so that a full address keeps out nobody who has logged in;
    raises TooManyRequestsError."""
    limit = LIMITS["call"].account
    _ask(_limiter(limit), limit, "call", f"token {jti}", cost=1, passes=True)


def check(kind: Kind, caller: Caller) -> None:
    """Raise TooManyRequestsError if one more call would, without counting it."""
    for limit, who in _bounds(LIMITS[kind], caller):
        _ask(_limiter(limit), limit, kind, who, passes=kind in READS)


def hit(limit: RateLimitItem, *key: str) -> None:
    """Count one use under a key; raises TooManyRequestsError past the limit, UnavailableError without Redis."""
    _ask(_limiter(limit), limit, *key, cost=1)


def test(limit: RateLimitItem, *key: str) -> None:
    """Raise TooManyRequestsError when a limit is used up, without counting; UnavailableError without Redis."""
    _ask(_limiter(limit), limit, *key)


def check_rows(caller: Caller) -> None:
    """Raise TooManyRequestsError if the rows of the caller's recent lists have used up the limit."""
    _note(check_rows)
    for limit, who in _bounds(ROWS, caller):
        _ask(_fixed(), limit, "rows", who, passes=True)


def count_rows(caller: Caller, rows: int) -> None:
    """Count the rows of a list: the list that exceeds the limit is still returned, the next is not."""
    _note(partial(count_rows, rows=rows))
    for limit, who in _bounds(ROWS, caller) if rows and on() else ():
        _counted(partial(_fixed().hit, limit, "rows", who, cost=rows), passes=True)


def count_bytes(caller: Caller, size: int) -> None:
    """Count bytes that come in; raises TooManyRequestsError where they would be more than are taken in an hour."""
    sizes = (settings().upload_mb_an_hour, settings().address_upload_mb_an_hour)
    limits = Limit(*(RateLimitItemPerHour(megabytes * MEGABYTE) for megabytes in sizes))
    for limit, who in _bounds(limits, caller):
        _ask(SlidingWindowCounterRateLimiter(_storage()), limit, "bytes", who, cost=max(1, size))


@contextmanager
def noting() -> Iterator[Costs]:
    """Record what is counted meanwhile, for callers who get the same response from a cache."""
    costs: Costs = []
    token = _notes.set(costs)
    try:
        yield costs
    finally:
        _notes.reset(token)


def _note(cost: Callable[[Caller], None]) -> None:
    if (notes := _notes.get()) is not None:
        notes.append(cost)


def pay(costs: Costs, caller: Caller) -> None:
    """Count for a caller what was recorded; raises TooManyRequestsError."""
    for cost in costs:
        cost(caller)


def _bounds(limit: Limit, caller: Caller) -> Iterator[tuple[RateLimitItem, str]]:
    """The account's limit comes first: an account past it uses none of its neighbours' share of the address."""
    if caller.account:
        yield limit.account, f"account {caller.account}"
    yield limit.address, f"address {caller.network}"


def on() -> bool:
    """Whether anything is limited at all."""
    return settings().rate_limits == "on"


@cache
def _storage() -> Storage:
    if not (url := settings().redis_url):
        return MemoryStorage()
    seconds = settings().redis_timeout
    return RedisStorage(url, wrap_exceptions=True, socket_timeout=seconds, socket_connect_timeout=seconds)


def ping() -> None:
    """Raise UnavailableError unless Redis answers, if it does the counting."""
    if not _storage().check():
        raise UnavailableError(BUSY)


def _limiter(limit: RateLimitItem) -> RateLimiter:
    """Limits of more than a minute guard secrets and inboxes, so each use is remembered. Two counters are enough for
    the others, though they let almost twice as many through around the end of a window."""
    exact = limit.get_expiry() > MINUTE
    return (MovingWindowRateLimiter if exact else SlidingWindowCounterRateLimiter)(_storage())


def _fixed() -> RateLimiter:
    # The other strategies do not count what they refuse, and so would not count the list that exceeds the limit.
    return FixedWindowRateLimiter(_storage())


def _ask(limiter: RateLimiter, limit: RateLimitItem, *key: str, cost: int = 0, passes: bool = False) -> None:
    """Raise TooManyRequestsError unless there is room under a limit; with `cost` 0 it only checks."""
    if on():
        _counted(partial(_require_room, limiter, limit, *key, cost=cost), passes=passes)


def _require_room(limiter: RateLimiter, limit: RateLimitItem, *key: str, cost: int) -> None:
    if limiter.hit(limit, *key, cost=cost) if cost else limiter.test(limit, *key):
        return
    # Redis rounds what it remembers, upwards too.
    wait = math.ceil(limiter.get_window_stats(limit, *key).reset_time - time.time())
    wait = min(max(1, wait), limit.get_expiry())
    raise TooManyRequestsError(f"Too many attempts, please try again in {math.ceil(wait / 60)} min", retry_after=wait)


def _counted(ask: Callable[[], object], *, passes: bool) -> None:
    """Ask the storage; if Redis does not answer, raise UnavailableError, unless the call `passes` without counting."""
    outage = _outage(_storage())
    try:
        if not outage.lasts():
            ask()
            outage.until = 0.0
            return
    except TooManyRequestsError:
        outage.until = 0.0
        raise
    except StorageError:
        outage.until = time.monotonic() + AWAY_SECONDS
    metrics.UNCOUNTED.labels("passed" if passes else "refused").inc()
    if not passes:
        raise UnavailableError(BUSY)


@dataclass
class _Outage:
    """Until when nobody asks a Redis that has just not answered; 0 while it does."""

    until: float = 0.0

    def lasts(self) -> bool:
        """Whether Redis must not be asked yet. When the time is over, one caller finds out whether it is back, and
        nobody else waits."""
        now = time.monotonic()
        if not self.until or now < self.until:
            return bool(self.until)
        self.until = now + AWAY_SECONDS + settings().redis_timeout
        return False


@cache
def _outage(_of: Storage) -> _Outage:
    return _Outage()
