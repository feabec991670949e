"""Constants of the program, written into SQL statements that are built once."""

from typing import Any, TypeVar, cast

from sqlalchemy import BindParameter, literal_column
from sqlalchemy.sql.visitors import ExternallyTraversible, replacement_traverse

Sql = TypeVar("Sql", bound=ExternallyTraversible)


def with_constants(sql: Sql) -> Sql:
    """A statement, or a part of one, whose constant values stand in its text; named parameters stay placeholders.

    A sum over an account names dozens of kinds: as placeholders, which SQLite evaluates for each row, they take as long
    as everything else of a page. Not for what people wrote, nor for statements that are built anew for each call.
    """
    return cast("Sql", replacement_traverse(sql, {}, _constant))


def _constant(element: Any, **_: Any) -> Any:
    if not isinstance(element, BindParameter) or element.required:
        return None
    return literal_column(str(element.compile(compile_kwargs={"literal_binds": True})), element.type)
