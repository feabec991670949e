"""The part of a table's joins that a statement needs: to count bookings, nobody has to look up their vehicles."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import FromClause, Join, select
from sqlalchemy.sql.expression import ColumnClause
from sqlalchemy.sql.visitors import iterate


def needed(source: FromClause, expressions: Sequence[Any]) -> FromClause:
    """A source without the joins that none of the expressions mentions.

    The number of rows is the same: each join of a `Table` adds columns to a row, and neither adds nor drops rows.
    """
    if not isinstance(source, Join):
        return source
    if source.right not in _mentioned(expressions):
        return needed(source.left, expressions)
    left = needed(source.left, [*expressions, source.onclause])
    return Join(left, source.right, source.onclause, isouter=source.isouter)


def _mentioned(expressions: Sequence[Any]) -> set[Any]:
    """The tables of all columns in some expressions, their subqueries included."""
    parts = iterate(select(*expressions))
    return {part.table for part in parts if isinstance(part, ColumnClause) and part.table is not None}
