"""What has been read of the shop stays in memory as long as nothing in it changes.

Every change to what the shop shows gives it a new edition, in the transaction of the change (migration 0011). What was
read in an edition is asked for together with its name, in one snapshot, so nothing of an earlier one is ever shown.
What depends on bookings is not kept, and what depends on the time has the time in its key.
"""

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.db import may_write
from rental_app.models import Edition, Listing
from rental_app.prepared import Prepared
from rental_app.schemas.vehicles import PublicVehicle

if TYPE_CHECKING:
    from rental_app.services.quotes import Rentable
    from rental_app.services.stock import Stock

# Databases bind a few tens of thousands of values at most.
IDS_A_STATEMENT = 1000
MOST_ANSWERS = 250
_PRESENT = Prepared(select(col(Edition.name)))
_full = Lock()
T = TypeVar("T")
Fetch = Callable[[list[int]], Iterable[tuple[int, T]]]


@dataclass(slots=True)
class Shelf:
    """What has been read in one edition: vehicles by their ids, for lists, on the wire and for booking them, the stock
    that is searched, whole answers."""

    edition: str
    cars: dict[int, Listing] = field(default_factory=dict)
    views: dict[int, PublicVehicle] = field(default_factory=dict)
    rentables: dict[int, "Rentable"] = field(default_factory=dict)
    stock: "Stock | None" = None
    making: Lock = field(default_factory=Lock)
    answers: dict[Hashable, object] = field(default_factory=dict)

    def kept(self, key: Hashable) -> Any:
        """What is kept under a key, which holds all that it depends on besides the edition; None for nothing."""
        return self.answers.get(key)

    def keep(self, key: Hashable, answer: object) -> None:
        """Keep an answer, and let go of the oldest of too many."""
        with _full:
            if len(self.answers) >= MOST_ANSWERS:
                del self.answers[next(iter(self.answers))]
            self.answers[key] = answer


def by_ids(known: dict[int, T], ids: Sequence[int], fetch: Fetch[T]) -> list[T]:
    """What belongs to ids, in their order; what is not known yet is fetched and known from then on."""
    learn(known, ids, fetch)
    return [known[each] for each in ids]


def learn(known: dict[int, T], ids: Sequence[int], fetch: Fetch[T]) -> None:
    """Fetch what belongs to ids and is not known yet, as far as there is any."""
    unknown = [each for each in ids if each not in known]
    for start in range(0, len(unknown), IDS_A_STATEMENT):
        known.update(fetch(unknown[start : start + IDS_A_STATEMENT]))


_shelf = Shelf("")


def shelf(session: Session) -> Shelf:
    """The shelf of the edition that a session sees; one of its own where it may change the shop itself."""
    if "shelf" not in session.info:
        session.info["shelf"] = Shelf("") if may_write(session) else present(session)
    found: Shelf = session.info["shelf"]
    return found


def present(session: Session) -> Shelf:
    """The shelf of the edition that a session sees, for services that change nothing of the shop even where they write.

    What they read themselves may be newer than the edition they saw, whose time is over then; it is never older.
    """
    # Asked for once a transaction: what it reads is of one instant.
    if "present" not in session.info:
        session.info["present"] = _of(_edition(session))
    found: Shelf = session.info["present"]
    return found


def _edition(session: Session) -> str:
    [(name,)] = _PRESENT.all(session, {})
    return str(name)


def _of(edition: str) -> Shelf:
    global _shelf
    # Taken once: another thread may put up a new one meanwhile.
    present = _shelf
    if present.edition != edition:
        present = _shelf = Shelf(edition)
    return present
