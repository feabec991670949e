"""The SELECTs that read a table's rows, kept for each kind of page: building one takes longer than reading the page."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Integer, and_, bindparam, func, select, true, tuple_, type_coerce

from rental_app.infrastructure.constants import with_constants
from rental_app.infrastructure.instants import Instant
from rental_app.models import Columns
from rental_app.services.console import sources, tables
from rental_app.services.console.table import Column, Sql, Table

# More than there are kinds of pages that people look at; each takes some 20 KB.
KEPT = 500


class PageKind(NamedTuple):
    """What the SELECT of a page depends on, besides values: the rows after a place (`follows`), in the opposite order
    if they stand before it (`back`). `columns` are names.

    The `conditions` are `lasting` if they are those of filters' options and choices, the same objects each time.
    """

    table: str
    sort: str
    columns: tuple[str, ...]
    conditions: tuple[Sql, ...] = ()
    lasting: bool = True
    follows: bool = False
    back: bool = False

    @property
    def down(self) -> bool:
        """Whether the last row in the order of columns comes first in the order of reading."""
        return self.sort.startswith("-") != self.back


def page(kind: PageKind) -> Columns:
    """SELECT of the columns and ids of at most `most` rows, and of how many rows the table has in all.

    It takes the values `most`, and `place` and `place_id` if it follows a row. Of a `grouped` table it tells how many
    rows meet the conditions before how many there are.
    """
    return (_kept_page if kind.lasting else _page)(kind)


def count(name: str, conditions: tuple[Sql, ...], *, lasting: bool = True) -> Columns:
    """SELECT of how many rows of a table meet some conditions."""
    return (_kept_count if lasting else _count)(name, conditions)


@cache
def one(name: str) -> Columns:
    """SELECT of all columns and the id of the row of a table whose id is `row_id`."""
    table = tables.named(name)
    names = [column.name for column in table.columns]
    columns = _of_table(table, *_labelled(table, names), _id_of(table))
    return with_constants(columns.where(table.key == _place("row_id", table.key)))


def _page(kind: PageKind) -> Columns:
    table = tables.named(kind.table)
    return _page_of_sums(table, kind) if table.grouped else _page_of_rows(table, kind)


def _page_of_rows(table: Table, kind: PageKind) -> Columns:
    """Ids are found first, because a database may work out all columns of all rows before it sorts them."""
    value = table.column(kind.sort.removeprefix("-")).value
    source = sources.needed(table.source, [table.key, value, *table.base, *kind.conditions])
    ids = select(table.key).select_from(source).where(*table.base, *kind.conditions)
    chosen = _from_the_place(ids, kind, value, table.key).correlate(None)
    whole = _count(kind.table, ()).correlate(None).scalar_subquery()
    # Without the table's own condition, whose index SQLite would walk from one end to the other.
    rows = _of_source(table, *_labelled(table, kind.columns), _id_of(table), whole)
    return rows.where(table.key.in_(chosen)).order_by(*_ends(kind, value, table.key))


def _page_of_sums(table: Table, kind: PageKind) -> Columns:
    """The sums are worked out once, for the page and for how many there are; those of rows that are searched for, which
    are few, for themselves."""
    fits = and_(true(), *kind.conditions).label("fits")
    sums = _of_table(table, *_labelled(table, kind.columns), _id_of(table), fits)
    every = (sums if kind.lasting else sums.where(*kind.conditions)).cte("every_row")
    read = select(func.count()).select_from(every)
    whole = read if kind.lasting else _count(kind.table, ())
    counts = (read.where(every.c.fits).scalar_subquery(), whole.scalar_subquery())
    chosen = select(*(every.c[name] for name in kind.columns), every.c.row_id, *counts).where(every.c.fits)
    return _from_the_place(chosen, kind, every.c[kind.sort.removeprefix("-")], every.c.row_id)


def _count(name: str, conditions: tuple[Sql, ...]) -> Columns:
    table = tables.named(name)
    if not conditions and table.counted is not None:
        return select(func.count()).select_from(table.counted)
    source = sources.needed(table.source, [table.key, *table.base, *conditions])
    return select(func.count()).select_from(source).where(*table.base, *conditions)


@lru_cache(KEPT)
def _kept_page(kind: PageKind) -> Columns:
    return with_constants(_page(kind))


@lru_cache(KEPT)
def _kept_count(name: str, conditions: tuple[Sql, ...]) -> Columns:
    return with_constants(_count(name, conditions))


def _of_table(table: Table, *columns: Any) -> Columns:
    return _of_source(table, *columns).where(*table.base)


def _of_source(table: Table, *columns: Any) -> Columns:
    source = sources.needed(table.source, [table.key, *table.base, *columns])
    return select(*columns).select_from(source)


def _id_of(table: Table) -> Sql:
    return table.key.label("row_id")


def _labelled(table: Table, columns: Sequence[str]) -> list[Sql]:
    return [_typed(table.column(name)).label(name) for name in columns]


def _typed(column: Column) -> Sql:
    return type_coerce(column.value, Instant()) if column.kind == "moment" else column.value


def _from_the_place(chosen: Columns, kind: PageKind, value: Sql, key: Sql) -> Columns:
    """A SELECT in the order of a column and of the ids, from a place on."""
    if kind.follows:
        here = tuple_(_place("place", value), _place("place_id", key))
        there = tuple_(value, key)
        chosen = chosen.where(there < here if kind.down else there > here)
    return chosen.order_by(*_ends(kind, value, key)).limit(bindparam("most", type_=Integer()))


def _place(name: str, column: Sql) -> Sql:
    """SQL: a value to compare a column with; whole numbers may be larger than the column has room for."""
    return bindparam(name, type_=BigInteger() if isinstance(column.type, Integer) else column.type)


def _ends(kind: PageKind, value: Sql, key: Sql) -> tuple[Sql, Sql]:
    return (value.desc(), key.desc()) if kind.down else (value, key)
