"""A cache in memory of what the shop shows, valid as long as nothing in the shop changes.

Every change to what the shop shows gives it a new edition, in the transaction of the change (migration 0011). An
edition's name and data are read in one snapshot, so nothing of an earlier edition is ever shown. Data that depends on
bookings is not cached, save what may be an hour old (vendors' trips and response times), and data that depends on the
time has the time in its key.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, Generic, TypeVar

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.infrastructure.db import may_write
from rental_app.models import Edition

# Databases accept a few tens of thousands of bind parameters at most.
IDS_A_STATEMENT = 1000
MOST_ANSWERS = 250
_PRESENT = select(col(Edition.name))
_full = Lock()
T = TypeVar("T")
Fetch = Callable[[list[int]], Iterable[tuple[int, T]]]


@dataclass(frozen=True, slots=True)
class Slot(Generic[T]):
    """A place in the cache for values of one type."""

    name: str


@dataclass(slots=True)
class SearchCache:
    """What has been read in one edition: values by vehicle id, what is made once, and whole answers. What is in a slot
    is known to the module that names the slot."""

    edition: str
    by_slot: dict[str, dict[int, Any]] = field(default_factory=dict)
    made: dict[str, Any] = field(default_factory=dict)
    making: Lock = field(default_factory=Lock)
    answers: dict[Hashable, object] = field(default_factory=dict)

    def by_id(self, slot: Slot[T]) -> dict[int, T]:
        """The values in a slot, by vehicle id."""
        return self.by_slot.setdefault(slot.name, {})

    def make_once(self, slot: Slot[T], make: Callable[[], T]) -> T:
        """The one value of a slot, made by the first who wants it: the others wait and use it."""
        with self.making:
            if slot.name not in self.made:
                self.made[slot.name] = make()
            value: T = self.made[slot.name]
        return value

    def forget(self, slot: Slot[T]) -> None:
        """Have the value of a slot made anew: for a transaction that has changed what it is made from."""
        with self.making:
            self.made.pop(slot.name, None)

    def get(self, key: Hashable) -> Any:
        """The answer cached under a key, which covers all it depends on besides the edition; None if there is none."""
        return self.answers.get(key)

    def put(self, key: Hashable, answer: object) -> None:
        """Cache an answer, and evict the oldest if there are too many."""
        with _full:
            if len(self.answers) >= MOST_ANSWERS:
                del self.answers[next(iter(self.answers))]
            self.answers[key] = answer


def by_ids(cached: dict[int, T], ids: Sequence[int], fetch: Fetch[T]) -> list[T]:
    """The values of ids, in their order; values that are not cached yet are fetched and cached."""
    fetch_missing(cached, ids, fetch)
    return [cached[each] for each in ids]


def fetch_missing(cached: dict[int, T], ids: Sequence[int], fetch: Fetch[T]) -> None:
    """Fetch and cache the values of ids that are not cached yet, if they exist."""
    unknown = [each for each in ids if each not in cached]
    for start in range(0, len(unknown), IDS_A_STATEMENT):
        cached.update(fetch(unknown[start : start + IDS_A_STATEMENT]))


_cache = SearchCache("")


def cache_of(session: Session) -> SearchCache:
    """The cache of the edition that a session sees; a new one of its own if the session may change the shop."""
    if "search cache" not in session.info:
        session.info["search cache"] = SearchCache("") if may_write(session) else current_cache(session)
    cache: SearchCache = session.info["search cache"]
    return cache


def current_cache(session: Session) -> SearchCache:
    """The cache of the edition that a session sees, for services that change nothing in the shop even if they write.

    What such a service reads may be newer than the edition it saw, which is then outdated; it is never older.
    """
    global _cache
    # Read once per transaction: all that it reads is of one instant.
    if "present" not in session.info:
        edition = session.connection().execute(_PRESENT).scalar_one()
        # Read once: another thread may put a new one there meanwhile.
        present = _cache
        if present.edition != edition:
            present = _cache = SearchCache(edition)
        session.info["present"] = present
    cache: SearchCache = session.info["present"]
    return cache
