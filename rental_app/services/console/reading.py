"""Rows of the console's tables: a page of a list in any order, one row, and a file for a spreadsheet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import func, or_, select
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
from rental_app.services.console import cursors, statements, tables
from rental_app.services.console.cursors import Cursor
from rental_app.services.console.statements import PageKind
from rental_app.services.console.table import Column, Filter, Sql, Table
from rental_app.services.console.tables.bookings import REFUND_AFTER
from rental_app.services.files.csv import Cell, csv_file
from rental_app.services.paging import says

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
    operators.enter(actor)
    table = tables.named(name)
    sort = _sort(table, wanted.sort)
    cursor = cursors.read(wanted.cursor, sort, _sorted_by(table, sort))
    kind = _kind(session, table, wanted, sort, cursor)
    rows, more, found, whole = _read(session, table, kind, wanted.limit, cursor)
    without = {} if found else _without(session, table, wanted, whole)
    first = _first(cursor, len(rows))
    return ConsolePage(rows, found, whole, first, sort, *_ends(table, sort, rows, first, cursor, more), without)


def _rows(names: Sequence[str], read: Sequence[Any]) -> list[ConsoleRow]:
    """Rows of what is read: the columns, the id, and what else was counted, which `zip` leaves out."""
    many = len(names)
    return [ConsoleRow(row[many], dict(zip(names, row, strict=False))) for row in read]


class _Read(NamedTuple):
    """The rows of a page, whether there are more in its direction, how many are found in all, and of how many."""

    rows: list[ConsoleRow]
    more: bool
    found: int
    whole: int


def _kind(session: Session, table: Table, wanted: Wanted, sort: str, cursor: Cursor | None) -> PageKind:
    conditions = _conditions(session, table, wanted)
    shown = tuple(column.name for column in table.columns if column.listed or column.name == sort.removeprefix("-"))
    return PageKind(
        table.name, sort, shown, conditions, _is_lasting(table, wanted), bool(cursor), bool(cursor and cursor.back)
    )


def _is_lasting(table: Table, wanted: Wanted) -> bool:
    """Whether only options and choices of filters are asked for, not what people write or ids of many rows."""
    chosen = [each for each in table.filters if wanted.filters.get(each.name)]
    return not wanted.q.strip() and all(each.options or each.choices for each in chosen)


def _read(session: Session, table: Table, kind: PageKind, limit: int, cursor: Cursor | None) -> _Read:
    """A page of a table, with as few statements as say how many rows there are."""
    place = {"place": cursor.value, "place_id": cursor.key} if cursor else {}
    read = _all(session, statements.page(kind), {"most": limit + 1} | place)
    rows = _rows(kind.columns, read[:limit])
    counts = _counts(
        session, table, kind, read[0] if read else None, None if len(read) > limit or cursor else len(read)
    )
    return _Read(rows[::-1] if kind.back else rows, len(read) > limit, *counts)


def _counts(session: Session, table: Table, kind: PageKind, row: Any, all_read: int | None) -> tuple[int, int]:
    """How many rows are found, and of how many, as a `row` of the page tells, if there is one.

    `all_read` is how many were read if they are all that there are.
    """
    whole = row[-1] if row else _count(session, table, ())
    if not kind.conditions:
        return whole, whole
    if table.grouped and row:
        return row[-2], whole
    return _count(session, table, kind.conditions, kind.lasting) if all_read is None else all_read, whole


def _all(session: Session, statement: Columns, given: dict[str, Any]) -> Sequence[Any]:
    """All rows of a statement; past the ORM, which would take as long again for columns that are no objects."""
    return session.connection().execute(statement, _given() | given).all()


def choices(session: Session, actor: Actor, name: str) -> dict[str, Sequence[tuple[str, str]]]:
    """What may be chosen in those filters of a table that read it, by their names: ids and what they are called.

    Raises ForbiddenError and NotFoundError (no such table).
    """
    operators.enter(actor)
    return {each.name: each.choices(session) for each in tables.named(name).filters if each.choices}


def one(session: Session, actor: Actor, name: str, row_id: int) -> ConsoleRow:
    """A row with everything that its table tells of it. Raises ForbiddenError and NotFoundError (`unknown_row`)."""
    operators.enter(actor)
    table = tables.named(name)
    row = _all(session, statements.one(name), {"row_id": row_id})
    if not row:
        raise NotFoundError(f"There is no such {table.one}", code="unknown_row")
    return _rows([column.name for column in table.columns], row)[0]


class LatestAct(NamedTuple):
    """Something that was done to a row, by whom and when."""

    act: str
    who: str
    at: datetime


FEW = 6


def latest(session: Session, actor: Actor, name: str, row_id: int) -> list[LatestAct]:
    """What the trail knows of a row, the latest first. Raises ForbiddenError and NotFoundError."""
    operators.enter(actor)
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
    operators.enter(actor)
    table = tables.named(name)
    throttle.check_rows(actor)
    columns = [column for column in table.columns if column.listed]
    sort = _sort(table, wanted.sort)
    rows, more, _, _ = _read(session, table, _kind(session, table, wanted, sort, None), MOST_IN_A_FILE, None)
    if more:
        raise _too_many()
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


def _conditions(session: Session, table: Table, wanted: Wanted) -> tuple[Sql, ...]:
    """What rows have to be like besides belonging to the table."""
    by_name = {each.name: each for each in table.filters}
    found = []
    for name, value in wanted.filters.items():
        if not value:
            continue
        if name not in by_name:
            raise _refused(name, f"This list has no filter {name}")
        found.append(_condition(session, by_name[name], value))
    words = search_words(wanted.q) if wanted.q else []
    return (*found, *(_says(table, word) for word in words))


def _condition(session: Session, chosen: Filter, value: str) -> Sql:
    if chosen.choices:
        return _owned_by(chosen, read_id(value) or _called(chosen, chosen.choices(session), value))
    if not chosen.options:
        return chosen.owned_by(read_id(value))
    option = next((each for each in chosen.options if each.value == value), None)
    if option is None:
        raise _none_of(chosen, [each.value for each in chosen.options])
    return option.condition


@lru_cache(100)
def _owned_by(chosen: Filter, row_id: int) -> Sql:
    """SQL that is the same object each time, so that the statements with it are kept."""
    return chosen.owned_by(row_id)


def _called(chosen: Filter, choices: Sequence[tuple[str, str]], value: str) -> int:
    """The id of what is called so, in small letters or large."""
    ids = {name.casefold(): int(number) for number, name in choices}
    if value.casefold() not in ids:
        raise _none_of(chosen, [name for _, name in choices])
    return ids[value.casefold()]


def _none_of(chosen: Filter, values: Sequence[str]) -> InvalidInputError:
    return _refused(chosen.name, f"Choose one of these: {', '.join(values)}")


def _refused(name: str, message: str) -> InvalidInputError:
    return InvalidInputError(message, code="bad_filter", fields={name: message})


def _says(table: Table, word: str) -> Sql:
    """SQL: whether one of a row's texts contains a word."""
    plates = [plate.icontains(rc_part(word), autoescape=True) for plate in table.plates]
    return or_(*plates, *(says(text, word) for text in table.search))


def _given() -> dict[str, Any]:
    """The values of the placeholders that descriptions of columns may have."""
    instant = clock.now()
    return {"instant": instant, "today": clock.indian_today(instant), "refunds": instant - REFUND_AFTER}


def _count(session: Session, table: Table, conditions: tuple[Sql, ...], lasting: bool = True) -> int:
    return int(_all(session, statements.count(table.name, conditions, lasting=lasting), {})[0][0])


def _without(session: Session, table: Table, wanted: Wanted, whole: int) -> dict[str, int]:
    """How many rows there are without the search, and without each filter that is set."""
    set_ones = {name: value for name, value in wanted.filters.items() if value}
    fewer = {name: Wanted(wanted.q, {key: set_ones[key] for key in set_ones if key != name}) for name in set_ones}
    if wanted.q.strip():
        fewer["q"] = Wanted("", set_ones)
    return {name: _how_many(session, table, each, whole) for name, each in fewer.items()}


def _how_many(session: Session, table: Table, wanted: Wanted, whole: int) -> int:
    conditions = _conditions(session, table, wanted)
    return _count(session, table, conditions, _is_lasting(table, wanted)) if conditions else whole


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
    ends_here, begins_here = not (is_back or more), not (more if is_back else cursor)
    last, begin = rows[-1], rows[0]
    following = "" if ends_here else Cursor(sort, False, first + len(rows), last.values[name], last.id).text
    return following, "" if begins_here else Cursor(sort, True, first, begin.values[name], begin.id).text


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
