"""The console's lists: a page of one in any order, a row, a search of all, and a file for a spreadsheet."""

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

import orjson
from sqlalchemy import BigInteger, func, literal, or_, select, tuple_
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.domain.contacts import search_words
from rental_app.domain.errors import InvalidInputError, NotFoundError
from rental_app.domain.ids import MAX_ID, read_id
from rental_app.domain.money import PAISE_PER_RUPEE, grouped
from rental_app.domain.registration import rc_part
from rental_app.infrastructure.db import even_if_read_only
from rental_app.models import AuditEntry, Columns, User
from rental_app.services import audit, throttle
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import tables
from rental_app.services.console.table import Column, Filter, RowStanding, Sql, Table, moments
from rental_app.services.files.csv import Cell, csv_file
from rental_app.services.paging import contains_word

MOST_ON_A_PAGE, USUAL = 100, 25
MOST_IN_A_FILE = 10_000
# Compiled anew for each page: there are hundreds of kinds of pages, of some 20 KB each, and few operators.
UNCACHED: Mapping[str, Any] = {"compiled_cache": None}
# Ids of sums are larger than those of rows.
MAX_KEY = 10**15
KEY = "id"


@dataclass(frozen=True, slots=True)
class ListQuery:
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
    """Some of the `total` rows that match what was asked for, of `whole` in the table.

    `first` is the number of the first, from 0 on. If none matches, `without` says for each filter that was set how many
    there are without it.
    """

    rows: list[ConsoleRow]
    total: int
    whole: int
    first: int
    sort: str
    next: str
    back: str
    without: Mapping[str, int]


class Cursor(NamedTuple):
    """The rows after the one of an id (or before it, with `back`); `first` is the number of the page's first row."""

    sort: str
    back: bool
    first: int
    key: int

    @property
    def text(self) -> str:
        """As it travels: opaque to whoever carries it."""
        return base64.urlsafe_b64encode(orjson.dumps(list(self))).decode().rstrip("=")


def page(session: Session, actor: Actor, name: str, wanted: ListQuery) -> ConsolePage:
    """A page of a table; the first page if the row after which it begins is gone.

    Raises ForbiddenError, NotFoundError (no such table) and InvalidInputError (`q`, a filter, sort, cursor).
    """
    operators.enter(actor)
    table = tables.named(name)
    sort = _sort(table, wanted.sort)
    cursor = _cursor(wanted.cursor, sort)
    conditions = _conditions(session, table, wanted)
    rows, total = _rows(session, table, conditions, _order(sort, wanted.limit + 1, cursor))
    if cursor and not rows:
        cursor = None
        rows, total = _rows(session, table, conditions, _order(sort, wanted.limit + 1))
    more, rows = len(rows) > wanted.limit, rows[: wanted.limit]
    if total is None:
        # A first page that has them all needs no count.
        total = len(rows) if not (cursor or more) else _count(session, table, conditions)
    whole = _count(session, table, ()) if conditions else total
    without = {} if total else _without(session, table, wanted, whole)
    if cursor and cursor.back:
        first, rows = max(0, cursor.first - len(rows)), rows[::-1]
        return ConsolePage(rows, total, whole, first, sort, *_ends(sort, rows, first, back=more, next=True), without)
    first = cursor.first if cursor else 0
    ends = _ends(sort, rows, first, back=cursor is not None, next=more)
    return ConsolePage(rows, total, whole, first, sort, *ends, without)


def _sort(table: Table, name: str) -> str:
    sort = name or table.sort
    names = {column.name for column in table.columns if column.sortable}
    if sort.removeprefix("-") not in names:
        message = f"Sort by one of these: {', '.join(sorted(names))}"
        raise InvalidInputError(message, code="bad_sort", fields={"sort": message})
    return sort


def _cursor(text: str, sort: str) -> Cursor | None:
    """The cursor in a text, None for a blank text; raises InvalidInputError for anything else and for a cursor of
    another order."""
    if not text:
        return None
    try:
        # Cursors of older pages have the sorted value before the id.
        own, back, first, *_, key = orjson.loads(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)))
        if (own, type(back), type(first), type(key)) != (sort, bool, int, int) or not (
            0 <= first <= MAX_ID and 0 <= key <= MAX_KEY
        ):
            raise ValueError
    except (ValueError, TypeError):
        message = "This is not a page of this list: begin with the first"
        raise InvalidInputError(message, code="bad_cursor", fields={"cursor": message}) from None
    return Cursor(sort, back, first, key)


def _ends(sort: str, rows: Sequence[ConsoleRow], first: int, *, back: bool, next: bool) -> tuple[str, str]:
    """Where the next page begins and where the one before does; '' if there is none."""
    following = Cursor(sort, False, first + len(rows), rows[-1].id).text if rows and next else ""
    return following, Cursor(sort, True, first, rows[0].id).text if rows and back else ""


# With how many there are of them in the list, if that costs nothing more to say.
Rows = tuple[list[ConsoleRow], int | None]


class _Order(NamedTuple):
    """The order of a column and of the ids, from the row of a cursor on, at most so many."""

    column: str
    down: bool
    many: int
    after: Cursor | None


def _order(sort: str, many: int, cursor: Cursor | None = None) -> _Order:
    """The order that is asked for; what stands before a cursor is read from there backwards."""
    return _Order(sort.removeprefix("-"), sort.startswith("-") != (cursor is not None and cursor.back), many, cursor)


def _rows(session: Session, table: Table, conditions: Sequence[Sql], order: _Order) -> Rows:
    """Rows in an order; none if the row at which it begins is gone."""
    shown = [column for column in table.columns if column.listed or column.name == order.column]
    if table.grouped:
        return _sums(session, table, shown, conditions, order)
    value = table.column(order.column).value
    ids = table.select([table.key.label("row_id")], conditions, value)
    if order.after:
        last = _read(session, table.select([value.label("value")], [table.key == _id(order.after.key)]))
        if not last:
            return [], None
        ids = ids.where(_is_after(order, value, table.key, literal(last[0]["value"], value.type)))
    # Ids first: a database may work out all columns of all rows before it sorts them.
    keys = [row["row_id"] for row in _read(session, _ordered(ids, order, value, table.key))]
    by_key = {row.id: row for row in _rows_of(session, table, shown, keys)} if keys else {}
    return [by_key[key] for key in keys], None


def _rows_of(session: Session, table: Table, columns: Sequence[Column], keys: Sequence[int]) -> list[ConsoleRow]:
    """Columns of the rows with some ids, in no order."""
    # Without the table's own condition, whose index SQLite would walk from one end to the other.
    values = _labelled(table, columns)
    statement = select(*values).select_from(table.joined(values)).where(table.key.in_(keys))
    return [_console_row(row, columns) for row in _read(session, statement)]


def _sums(session: Session, table: Table, columns: Sequence[Column], conditions: Sequence[Sql], order: _Order) -> Rows:
    """The same of a table of sums, which are worked out once for the rows and for how many there are."""
    sums = table.select(_labelled(table, columns), conditions).cte("sums")
    value, key = sums.c[order.column], sums.c.row_id
    statement = select(sums, select(func.count()).select_from(sums).scalar_subquery().label("total"))
    if order.after:
        last = select(value).where(key == _id(order.after.key)).correlate(None).scalar_subquery()
        statement = statement.where(_is_after(order, value, key, last))
    read = _read(session, _ordered(statement, order, value, key))
    return [_console_row(row, columns) for row in read], read[0]["total"] if read else None


def _is_after(order: _Order, value: Sql, key: Sql, last: Sql) -> Sql:
    """SQL: whether a row stands after that of the cursor, whose value is `last`."""
    here = tuple_(last, _id(order.after.key if order.after else 0))
    return tuple_(value, key) < here if order.down else tuple_(value, key) > here


def _ordered(statement: Columns, order: _Order, value: Sql, key: Sql) -> Columns:
    ends = (value.desc(), key.desc()) if order.down else (value, key)
    return statement.order_by(*ends).limit(order.many)


def _id(key: int) -> Sql:
    """SQL: an id, which may be larger than the column has room for."""
    return literal(key, BigInteger())


def _labelled(table: Table, columns: Sequence[Column]) -> list[Sql]:
    return [table.key.label("row_id"), *(column.value.label(column.name) for column in columns)]


def _console_row(row: Mapping[Any, Any], columns: Sequence[Column]) -> ConsoleRow:
    return ConsoleRow(row["row_id"], {column.name: column.read(row[column.name]) for column in columns})


def _read(session: Session, statement: Columns) -> Sequence[Any]:
    """All rows of a statement, by the names of what it selects."""
    return session.execute(statement, moments(), execution_options=UNCACHED).mappings().all()


def _count(session: Session, table: Table, conditions: Sequence[Sql]) -> int:
    """How many rows of a table meet some conditions."""
    return int(session.execute(table.count(conditions), moments(), execution_options=UNCACHED).scalar_one())


def _conditions(session: Session, table: Table, wanted: ListQuery) -> list[Sql]:
    """What rows have to be like besides belonging to the table."""
    by_name = {each.name: each for each in table.filters}
    conditions = []
    for name, value in wanted.filters.items():
        if not value:
            continue
        if name not in by_name:
            raise _refused(name, f"This list has no filter {name}")
        conditions.append(_condition(session, by_name[name], value))
    for word in search_words(wanted.q) if wanted.q else []:
        plates = [plate.icontains(rc_part(word), autoescape=True) for plate in table.plates]
        conditions.append(or_(*plates, *(contains_word(text, word) for text in table.search)))
    return conditions


def _condition(session: Session, chosen: Filter, value: str) -> Sql:
    if chosen.choices:
        return chosen.owned_by(read_id(value) or _called(chosen, chosen.choices(session), value))
    if not chosen.options:
        return chosen.owned_by(read_id(value))
    option = next((each for each in chosen.options if each.value == value), None)
    if option is None:
        raise _none_of(chosen, [each.value for each in chosen.options])
    return option.condition


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


def _without(session: Session, table: Table, wanted: ListQuery, whole: int) -> dict[str, int]:
    """How many rows there are without the search, and without each filter that is set."""
    filters = {name: value for name, value in wanted.filters.items() if value}
    fewer = {name: ListQuery(wanted.q, {key: filters[key] for key in filters if key != name}) for name in filters}
    if wanted.q.strip():
        fewer["q"] = ListQuery("", filters)
    which = {name: _conditions(session, table, each) for name, each in fewer.items()}
    return {name: _count(session, table, conditions) if conditions else whole for name, conditions in which.items()}


class Hit(NamedTuple):
    """The list in which something was found, and the id of the only row, 0 if there are several or none."""

    table: str
    row: int


# Where a search for everything looks, and which of two lists that have as much is shown.
SEARCHED = ("people", "bookings", "listings")


def search(session: Session, actor: Actor, text: str) -> Hit:
    """Where a reference, a number or a name is: the first list in which one row matches, else the first in which
    several do.

    Raises ForbiddenError.
    """
    operators.enter(actor)
    pages = {name: page(session, actor, name, ListQuery(q=text, limit=2)) for name in SEARCHED}
    single = next((Hit(name, each.rows[0].id) for name, each in pages.items() if each.total == 1), None)
    return single or Hit(next((name for name, each in pages.items() if each.total), SEARCHED[0]), 0)


def choices(session: Session, actor: Actor, name: str) -> dict[str, Sequence[tuple[str, str]]]:
    """The choices of those filters of a table that read theirs, by the filters' names: ids with their labels.

    Raises ForbiddenError and NotFoundError (no such table).
    """
    operators.enter(actor)
    return {each.name: each.choices(session) for each in tables.named(name).filters if each.choices}


def one(session: Session, actor: Actor, name: str, row_id: int) -> ConsoleRow:
    """A row with everything that its table tells of it. Raises ForbiddenError and NotFoundError (`unknown_row`)."""
    operators.enter(actor)
    table = tables.named(name)
    statement = table.select(_labelled(table, table.columns), [table.key == _id(row_id)])
    if not (rows := _read(session, statement)):
        raise NotFoundError(f"There is no such {table.one}", code="unknown_row")
    return _console_row(rows[0], table.columns)


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
    entries = (
        select(AuditEntry, col(User.name))
        .outerjoin(User, col(AuditEntry.user_id) == User.id)
        .where(col(AuditEntry.subject) == table.subject, col(AuditEntry.subject_id) == row_id)
        .order_by(col(AuditEntry.id).desc())
        .limit(FEW)
    )
    rows = session.execute(entries) if table.subject else ()
    return [LatestAct(act=entry.act, who=who or entry.role, at=entry.at) for entry, who in rows]


@even_if_read_only
def as_csv(session: Session, actor: Actor, name: str, wanted: ListQuery) -> bytes:
    """The rows that filters leave, as a file for a spreadsheet; the trail says who took which.

    Raises what `page` does, and InvalidInputError (`too_many_rows`) above 10,000.
    """
    operators.enter(actor)
    table = tables.named(name)
    throttle.check_rows(actor)
    order = _order(_sort(table, wanted.sort), MOST_IN_A_FILE + 1)
    rows = _rows(session, table, _conditions(session, table, wanted), order)[0]
    if len(rows) > MOST_IN_A_FILE:
        message = (
            f"These are more than {grouped(MOST_IN_A_FILE)} rows, the most for one file: narrow them down by a filter"
        )
        raise InvalidInputError(message, code="too_many_rows", fields={"q": message})
    throttle.count_rows(actor, len(rows))
    query = {"q": wanted.q} | {name: value for name, value in wanted.filters.items() if value}
    audit.record(session, actor, Act.EXPORTED, ("table", 0), about=name, after=query | {"rows": len(rows)})
    columns = [column for column in table.columns if column.listed]
    head = [KEY, *(column.label for column in columns)]
    return csv_file(head, ([row.id, *(_cell(row.values[each.name], each) for each in columns)] for row in rows))


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
    if isinstance(value, RowStanding):
        return value.label
    return value if isinstance(value, str | int | float) or value is None else str(value)
