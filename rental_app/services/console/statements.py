"""The SELECTs that read a table's rows, kept for each kind of page: building one takes longer than reading the page."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Any, NamedTuple

from sqlalchemy import BigInteger, Integer, and_, bindparam, func, select, true, tuple_

from rental_app.models import Columns
from rental_app.services.console import sources, tables
from rental_app.services.console.table import Sql, Table

# More than there are kinds of pages that people look at; each takes some 20 KB.
KEPT = 500


class PageKind(NamedTuple):
    """What the SELECT of a page depends on, besides values: the rows after a place (`follows`), in the opposite order
    if they stand before it (`back`). `columns` are names.

    The `conditions` are `lasting` if they are those of filters' options, which are the same objects each time.
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
    """SELECT of the ids and columns of at most `most` rows, and of how many rows the table has in all.

    It takes the values `most`, and `place` and `place_id` if it follows a row. Of a `grouped` table it tells how many
    rows meet the conditions before how many there are.
    """
    return (_kept_page if kind.lasting else _page)(kind)


def count(name: str, conditions: tuple[Sql, ...], *, lasting: bool = True) -> Columns:
    """SELECT of how many rows of a table meet some conditions."""
    return (_kept_count if lasting else _count)(name, conditions)


@cache
def one(name: str) -> Columns:
    """SELECT of the id and all columns of the row of a table whose id is `row_id`."""
    table = tables.named(name)
    names = [column.name for column in table.columns]
    return _of_table(table, *_labelled(table, names)).where(table.key == _place("row_id", table.key))


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
    rows = _of_source(table, *_labelled(table, kind.columns), whole)
    return rows.where(table.key.in_(chosen)).order_by(*_ends(kind, value, table.key))


def _page_of_sums(table: Table, kind: PageKind) -> Columns:
    """The sums are worked out once, for the page and for how many there are."""
    fits = and_(true(), *kind.conditions).label("fits")
    every = _of_table(table, *_labelled(table, kind.columns), fits).cte("every_row")
    whole = select(func.count()).select_from(every)
    counts = (whole.where(every.c.fits).scalar_subquery(), whole.scalar_subquery())
    chosen = select(every.c.row_id, *(every.c[name] for name in kind.columns), *counts).where(every.c.fits)
    return _from_the_place(chosen, kind, every.c[kind.sort.removeprefix("-")], every.c.row_id)


def _count(name: str, conditions: tuple[Sql, ...]) -> Columns:
    table = tables.named(name)
    source = sources.needed(table.source, [table.key, *table.base, *conditions])
    return select(func.count()).select_from(source).where(*table.base, *conditions)


_kept_page = lru_cache(KEPT)(_page)
_kept_count = lru_cache(KEPT)(_count)


def _of_table(table: Table, *columns: Any) -> Columns:
    return _of_source(table, *columns).where(*table.base)


def _of_source(table: Table, *columns: Any) -> Columns:
    source = sources.needed(table.source, [table.key, *table.base, *columns])
    return select(table.key.label("row_id"), *columns).select_from(source)


def _labelled(table: Table, columns: Sequence[str]) -> list[Sql]:
    return [table.column(name).value.label(name) for name in columns]


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
