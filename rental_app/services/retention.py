"""The nightly job that obeys the table of retention (domain/retention.py), a little with every sweep.

It looks before it deletes: where far more of a table would go at once than ever does by itself, as with a clock that is
a year ahead, nothing of that table goes until an operator says so (`python -m rental_app.people retention --run`).
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Table, and_, delete, func, select, tuple_
from sqlmodel import Session, SQLModel, col

from rental_app.domain import clock
from rental_app.domain.retention import TABLES, Period
from rental_app.infrastructure import metrics
from rental_app.models import ListingDraft, Outbox, UnclaimedFile, User, VehicleDraft
from rental_app.services.bookings import counter
from rental_app.services.files import uploads
from rental_app.services.fleet import drafts
from rental_app.services.identity import retention as identity_papers

# More rows than this, and more than a tenth of a table, go only by an operator's word.
MOST, MOST_PERCENT = 1000, 10
# Deleted in one transaction; the next sweep takes the rest.
BATCH = 1000
GUESTS = "guests"
log = logging.getLogger(__name__)
# On which day each table that is held back was last logged.
_logged: dict[str, object] = {}

Rows = ColumnElement[bool]
# Deletes what meets a condition, and returns store keys no longer used.
Drop = Callable[[Session, Rows], Sequence[str]]


class Rule(NamedTuple):
    """What of a table is over at an instant, how it goes, and of which rows it is counted."""

    table: Table
    over: Rows
    drop: Drop
    capped: bool = True
    of: Rows | None = None


class Lapsed(NamedTuple):
    """How many rows are over, of how many, and whether they go only by an operator's word."""

    name: str
    rows: int
    total: int
    held: bool


def lapsed(session: Session, instant: datetime) -> list[Lapsed]:
    """What a run would delete, by the names of tables; those with nothing to delete are left out."""
    tables = [_lapsed(session, name, rule) for name, rule in _rules(instant).items()]
    return [one for one in tables if one.rows]


def run(session: Session, instant: datetime, *, held_too: bool = False) -> list[str]:
    """Delete what is over, at most a batch of each table; returns store keys no longer used.

    What is held back stays, is logged once a day and counted in the metrics, unless it is to go too.
    """
    keys: list[str] = []
    for name, rule in _rules(instant).items():
        is_held = not held_too and rule.capped and _is_too_much(session, rule)
        metrics.RETENTION_HELD.labels(name).set(is_held)
        if is_held:
            _say_once_a_day(_lapsed(session, name, rule))
        else:
            keys += rule.drop(session, _batch(rule))
    return keys


def _rules(instant: datetime) -> Mapping[str, Rule]:
    plain = [(SQLModel.metadata.tables[name], own) for name, own in _periods() if not own.by_service]
    rules = {
        table.name: Rule(table, table.c[own.since] <= instant - own.lasts, _delete_from(table), own.capped)
        for table, own in plain
    }
    return rules | dict(_by_services(instant))


def _periods() -> Iterator[tuple[str, Period]]:
    return ((name, table.period) for name, table in TABLES.items() if table.period)


def _by_services(instant: datetime) -> Iterator[tuple[str, Rule]]:
    """Those of which a row is more than a row, or is needed for something still."""
    periods = dict(_periods())

    def over(model: type[SQLModel]) -> Rows:
        own = periods[str(model.__tablename__)]
        since: ColumnElement[Any] = SQLModel.metadata.tables[str(model.__tablename__)].c[own.since]
        return since <= instant - own.lasts

    def rule(model: type[SQLModel], drop: Drop, *more: Rows) -> tuple[str, Rule]:
        name = str(model.__tablename__)
        return name, Rule(SQLModel.metadata.tables[name], and_(over(model), *more), drop)

    yield rule(Outbox, _delete_from(SQLModel.metadata.tables["outbox"]), col(Outbox.due_at).is_(None))
    yield rule(ListingDraft, drafts.drop)
    yield rule(VehicleDraft, drafts.drop_of_version_before)
    yield rule(UnclaimedFile, uploads.drop_lapsed, col(UnclaimedFile.draft_id).is_(None))
    table = SQLModel.metadata.tables["identity_paper"]
    yield table.name, Rule(table, identity_papers.is_over(instant), identity_papers.erase)
    table = SQLModel.metadata.tables["user"]
    yield GUESTS, Rule(table, counter.is_to_erase(instant), counter.erase_guests, of=col(User.is_guest).is_(True))


def _delete_from(table: Table) -> Drop:
    def drop(session: Session, which: Rows) -> Sequence[str]:
        session.connection().execute(delete(table).where(which))
        return ()

    return drop


def _batch(rule: Rule) -> Rows:
    """SQL: whether a row is one of those that go first."""
    keys = tuple(rule.table.primary_key.columns)
    first = select(*keys).where(rule.over).order_by(*keys).limit(BATCH)
    return (tuple_(*keys) if len(keys) > 1 else keys[0]).in_(first)


def _is_too_much(session: Session, rule: Rule) -> bool:
    """Whether far more is over than goes by itself: looked at in two steps, as a table may be large."""
    some = select(func.count()).select_from(select(rule.table.c[0]).where(rule.over).limit(MOST + 1).subquery())
    if session.execute(some).scalar_one() <= MOST:
        return False
    rows, total = _counts(session, rule)
    return rows * 100 > total * MOST_PERCENT


def _counts(session: Session, rule: Rule) -> tuple[int, int]:
    every = select(func.count()).select_from(rule.table)
    total = every if rule.of is None else every.where(rule.of)
    return session.execute(every.where(rule.over)).scalar_one(), session.execute(total).scalar_one()


def _lapsed(session: Session, name: str, rule: Rule) -> Lapsed:
    rows, total = _counts(session, rule)
    return Lapsed(name, rows, total, rule.capped and _is_too_much(session, rule))


def _say_once_a_day(held: Lapsed) -> None:
    day = clock.indian_today(clock.now())
    if _logged.get(held.name) != day:
        _logged[held.name] = day
        log.error(
            "%s of %s rows of %s are over, which is far more than usual: is the clock right? None is deleted before"
            " `python -m rental_app.people retention --run`",
            held.rows,
            held.total,
            held.name,
        )
