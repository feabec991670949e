"""Rows of the console's tables: a page of a list in any order, one row, and a file for a spreadsheet."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Integer, and_, bindparam, func, literal, or_, select, true, tuple_
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.contacts import search_words
from rental_app.domain.errors import InvalidInputError, NotFoundError
from rental_app.domain.ids import read_id
from rental_app.domain.money import PAISE_PER_RUPEE, grouped
from rental_app.domain.registration import rc_part
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import AuditEntry, Columns, User
from rental_app.services import audit, throttle
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import cursors, sources, tables
from rental_app.services.console.cursors import Cursor
from rental_app.services.console.table import Column, Filter, Sql, Table
from rental_app.services.console.tables.bookings import REFUND_AFTER
from rental_app.services.files.csv import Cell, csv_file

MOST_ON_A_PAGE, USUAL = 100, 25
MOST_IN_A_FILE = 10_000
KEY = "id"


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which rows of a table, in which order: `filters` are values by the names of filters, '' for none."""

    q: str = ""
    filters: Mapping[str, str] = field(default_factory=dict)
    sort: str = ""
    limit: int = USUAL
    cursor: str = ""


class ConsoleRow(NamedTuple):
    """A row: its id, and its values by the names of columns (money in paise)."""

    id: int
    values: Mapping[str, Any]


class ConsolePage(NamedTuple):
    """Some rows of those that were `found`, of `whole` in the table; `first` is the number of the first, from 0 on.

    If none was found, `without` says for each filter that was set how many there are without it.
    """

    rows: list[ConsoleRow]
    found: int
    whole: int
    first: int
    sort: str
    next: str
    back: str
    without: Mapping[str, int]


def page(session: Session, actor: Actor, name: str, wanted: Wanted) -> ConsolePage:
    """A page of a table. Raises ForbiddenError, NotFoundError (no such table) and InvalidInputError (`q`, a filter)."""
    operators.enter(session, actor)
    table = tables.named(name)
    sort = _sort(table, wanted.sort)
    cursor = cursors.read(wanted.cursor, sort, _sorted_by(table, sort))
    conditions = _conditions(table, wanted)
    throttle.check_rows(actor)
    read = _read_at_once if table.grouped else _read
    rows, more, found, whole = read(session, table, _Part(sort, conditions, wanted.limit, cursor))
    throttle.count_rows(actor, len(rows))
    without = {} if found else _without(session, table, wanted, whole)
    first = _first(cursor, len(rows))
    return ConsolePage(rows, found, whole, first, sort, *_ends(table, sort, rows, first, cursor, more), without)


class _Part(NamedTuple):
    """At most `limit` of the rows that meet some conditions, from a cursor on."""

    sort: str
    conditions: Sequence[Any]
    limit: int
    cursor: Cursor | None

    @property
    def down(self) -> bool:
        """Whether the last row in the order of columns comes first in the order of reading."""
        return self.sort.startswith("-") != self.back

    @property
    def back(self) -> bool:
        """Whether the rows before the cursor are read, and so in the opposite order."""
        return self.cursor is not None and self.cursor.back


class _Read(NamedTuple):
    """The rows of a part, whether there are more in its direction, how many are found in all, and of how many."""

    rows: list[ConsoleRow]
    more: bool
    found: int
    whole: int


def _read(session: Session, table: Table, part: _Part) -> _Read:
    """A part of a table in steps, each of which looks at no more than it needs."""
    ids, more = _ids(session, table, part)
    rows = _rows(session, table, _shown(table, part.sort), ids)
    return _Read(rows, more, *_counts(session, table, part, None if more else len(ids)))


def _counts(session: Session, table: Table, part: _Part, read: int | None) -> tuple[int, int]:
    """How many rows are found, and of how many; `read` is how many were read if there are no more after them."""
    whole = _count(session, table, ())
    if read is not None and part.cursor is None:
        return read, whole
    return _count(session, table, part.conditions) if part.conditions else whole, whole


def _read_at_once(session: Session, table: Table, part: _Part) -> _Read:
    """A part of a table whose rows are sums, which are worked out once for the rows and for how many there are."""
    columns = _shown(table, part.sort)
    labelled = [column.value.label(column.name) for column in columns]
    fits = and_(true(), *part.conditions).label("fits")
    every = _select(table, table.key.label("row_id"), *labelled, fits).cte("every_row")
    whole = select(func.count()).select_from(every)
    counts = (whole.where(every.c.fits).scalar_subquery(), whole.scalar_subquery())
    chosen = select(every.c.row_id, *(every.c[column.name] for column in columns), *counts).where(every.c.fits)
    statement = _from_the_cursor(chosen, part, every.c[part.sort.removeprefix("-")], every.c.row_id)
    found = session.execute(statement, _given()).all()
    if not found:
        return _Read([], False, *_counts(session, table, part, 0))
    names = [column.name for column in columns]
    rows = [ConsoleRow(row[0], dict(zip(names, row[1:-2], strict=True))) for row in found[: part.limit]]
    return _Read(rows[::-1] if part.back else rows, len(found) > part.limit, found[0][-2], found[0][-1])


def _shown(table: Table, sort: str) -> list[Column]:
    return [column for column in table.columns if column.listed or column.name == sort.removeprefix("-")]


def one(session: Session, actor: Actor, name: str, row_id: int) -> ConsoleRow:
    """A row with everything that its table tells of it. Raises ForbiddenError and NotFoundError (`unknown_row`)."""
    operators.enter(session, actor)
    table = tables.named(name)
    found = _rows(session, table, table.columns, [row_id])
    if not found:
        raise NotFoundError(f"There is no such {table.one}", code="unknown_row")
    return found[0]


class LatestAct(NamedTuple):
    """Something that was done to a row, by whom and when."""

    act: str
    who: str
    at: datetime


FEW = 6


def latest(session: Session, actor: Actor, name: str, row_id: int) -> list[LatestAct]:
    """What the trail knows of a row, the latest first. Raises ForbiddenError and NotFoundError."""
    operators.enter(session, actor)
    table = tables.named(name)
    which = (col(AuditEntry.subject) == table.subject, col(AuditEntry.subject_id) == row_id)
    entries = (
        select(col(AuditEntry.act), func.coalesce(col(User.name), col(AuditEntry.role)), col(AuditEntry.at))
        .outerjoin(User, col(AuditEntry.user_id) == User.id)
        .where(*which)
        .order_by(col(AuditEntry.id).desc())
        .limit(FEW)
    )
    return [LatestAct(*entry) for entry in session.execute(entries)] if table.subject else []


@even_if_read_only
def as_csv(session: Session, actor: Actor, name: str, wanted: Wanted) -> bytes:
    """The rows that filters leave, as a file for a spreadsheet; the trail says who took which.

    Raises what `page` does, and InvalidInputError (`too_many_rows`) above 10,000.
    """
    operators.enter(session, actor)
    table = tables.named(name)
    sort, conditions = _sort(table, wanted.sort), _conditions(table, wanted)
    throttle.check_rows(actor)
    ids, more = _ids(session, table, _Part(sort, conditions, MOST_IN_A_FILE, None))
    if more:
        raise _too_many()
    columns = [column for column in table.columns if column.listed]
    rows = _rows(session, table, columns, ids)
    throttle.count_rows(actor, len(rows))
    asked = {"q": wanted.q} | {name: value for name, value in wanted.filters.items() if value}
    audit.record(session, actor, Act.EXPORTED, ("table", 0), about=name, after=asked | {"rows": len(rows)})
    head = [KEY, *(column.label for column in columns)]
    return csv_file(head, ([row.id, *(_cell(row.values[each.name], each) for each in columns)] for row in rows))


def _too_many() -> InvalidInputError:
    message = f"These are more than {grouped(MOST_IN_A_FILE)} rows, the most for one file: narrow them down by a filter"
    return InvalidInputError(message, code="too_many_rows", fields={"q": message})


def _sort(table: Table, asked: str) -> str:
    sort = asked or table.sort
    names = {column.name for column in table.columns if column.sortable}
    if sort.removeprefix("-") not in names:
        message = f"Sort by one of these: {', '.join(sorted(names))}"
        raise InvalidInputError(message, code="bad_sort", fields={"sort": message})
    return sort


def _sorted_by(table: Table, sort: str) -> Column:
    return table.column(sort.removeprefix("-"))


def _conditions(table: Table, wanted: Wanted) -> tuple[Sql, ...]:
    """What rows have to be like besides belonging to the table."""
    by_name = {each.name: each for each in table.filters}
    found = []
    for name, value in wanted.filters.items():
        if not value:
            continue
        if name not in by_name:
            raise _refused(name, f"This list has no filter {name}")
        found.append(_condition(by_name[name], value))
    return (*found, *(_says(table, word) for word in search_words(wanted.q)))


def _condition(chosen: Filter, value: str) -> Sql:
    if not chosen.options:
        return chosen.owned_by(read_id(value))
    option = next((each for each in chosen.options if each.value == value), None)
    if option is None:
        raise _refused(chosen.name, f"Choose one of these: {', '.join(each.value for each in chosen.options)}")
    return option.condition


def _refused(name: str, message: str) -> InvalidInputError:
    return InvalidInputError(message, code="bad_filter", fields={name: message})


def _says(table: Table, word: str) -> Sql:
    """SQL: whether one of a row's texts contains a word."""
    plates = [plate.icontains(rc_part(word), autoescape=True) for plate in table.plates]
    return or_(*plates, *(text.icontains(word, autoescape=True) for text in table.search))


def _select(table: Table, *columns: Any) -> Columns:
    return select(*columns).select_from(table.source).where(*table.base)


def _given() -> dict[str, Any]:
    """The values of the placeholders that descriptions of columns may have."""
    instant = clock.now()
    return {"instant": instant, "today": clock.indian_today(instant), "refunds": instant - REFUND_AFTER}


def _ids(session: Session, table: Table, part: _Part) -> tuple[list[int], bool]:
    """The ids of a part's rows in order, and whether there are more in its direction.

    Only ids, because a database may work out all columns of all rows before it sorts them.
    """
    value = _sorted_by(table, part.sort).value
    source = sources.needed(table.source, [table.key, value, *table.base, *part.conditions])
    chosen = select(table.key).select_from(source).where(*table.base, *part.conditions)
    statement = _from_the_cursor(chosen, part, value, table.key)
    found = session.execute(statement, _given()).scalars().all()
    ids = [int(each) for each in found[: part.limit]]
    return (ids[::-1] if part.back else ids), len(found) > part.limit


def _from_the_cursor(chosen: Columns, part: _Part, value: Sql, key: Sql) -> Columns:
    """A SELECT in the order of a column and of the ids, from the cursor on, with one row more than is wanted."""
    if part.cursor is not None:
        here = tuple_(_bound(part.cursor.value, value), _bound(part.cursor.key, key))
        place = tuple_(value, key)
        chosen = chosen.where(place < here if part.down else place > here)
    ends = (value.desc(), key.desc()) if part.down else (value, key)
    return chosen.order_by(*ends).limit(part.limit + 1)


def _bound(value: Any, column: Sql) -> Sql:
    """SQL: a value to compare a column with; whole numbers may be larger than the column has room for."""
    return literal(value, BigInteger() if isinstance(column.type, Integer) else column.type)


def _rows(session: Session, table: Table, columns: Iterable[Column], ids: Sequence[int]) -> list[ConsoleRow]:
    """The rows with some ids, in their order."""
    names = tuple(column.name for column in columns)
    # Both databases take more parameters than a file has rows.
    given = _given() | {"ids": list(ids)}
    read = session.execute(_of_ids(table.name, names), given) if ids else ()
    found = {row[0]: ConsoleRow(row[0], dict(zip(names, row[1:], strict=True))) for row in read}
    return [found[each] for each in ids if each in found]


# Built once: building takes longer than reading a page.
@cache
def _of_ids(name: str, columns: tuple[str, ...]) -> Columns:
    """SELECT of columns of the rows with some ids."""
    table = tables.named(name)
    labelled = [table.column(column).value.label(column) for column in columns]
    ids: Sql = bindparam("ids", expanding=True)
    return _select(table, table.key.label("row_id"), *labelled).where(table.key.in_(ids))


def _count(session: Session, table: Table, conditions: Sequence[Any]) -> int:
    source = sources.needed(table.source, [table.key, *table.base, *conditions])
    statement = select(func.count()).select_from(source).where(*table.base, *conditions)
    return int(session.execute(statement, _given()).scalar_one())


def _without(session: Session, table: Table, wanted: Wanted, whole: int) -> dict[str, int]:
    """How many rows there are without the search, and without each filter that is set."""
    set_ones = {name: value for name, value in wanted.filters.items() if value}
    fewer = {name: Wanted(wanted.q, {key: set_ones[key] for key in set_ones if key != name}) for name in set_ones}
    if wanted.q.strip():
        fewer["q"] = Wanted("", set_ones)
    conditions = {name: _conditions(table, each) for name, each in fewer.items()}
    return {name: _count(session, table, left) if left else whole for name, left in conditions.items()}


def _first(cursor: Cursor | None, many: int) -> int:
    if cursor is None:
        return 0
    return max(0, cursor.first - many) if cursor.back else cursor.first


def _ends(
    table: Table, sort: str, rows: Sequence[ConsoleRow], first: int, cursor: Cursor | None, more: bool
) -> tuple[str, str]:
    """Where the next page begins and where the one before does; '' if there is none."""
    if not rows:
        return "", ""
    name = sort.removeprefix("-")
    is_back = cursor is not None and cursor.back
    last, begin = rows[-1], rows[0]
    following = Cursor(sort, False, first + len(rows), last.values[name], last.id).text
    before = Cursor(sort, True, first, begin.values[name], begin.id).text
    return following if is_back or more else "", before if (more if is_back else cursor is not None) else ""


def written(column: Column, row: ConsoleRow) -> str:
    """A value of a row as a form holds it: rupees as a number, days in ISO 8601, '' for none."""
    value = _cell(row.values[column.name], column)
    return "" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def _cell(value: Any, column: Column) -> Cell:
    if column.kind == "money":
        return None if value is None else value / PAISE_PER_RUPEE
    if isinstance(value, datetime):
        return f"{clock.indian(value):%Y-%m-%d %H:%M}"
    if isinstance(value, date):
        return value.isoformat()
    return value if isinstance(value, str | int | float) or value is None else str(value)
