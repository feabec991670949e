"""The program's own words and numbers, written into SQL that is kept."""

from typing import Any, TypeVar, cast

from sqlalchemy import BindParameter, literal_column
from sqlalchemy.sql.visitors import ExternallyTraversible, replacement_traverse

Sql = TypeVar("Sql", bound=ExternallyTraversible)


def with_constants(sql: Sql) -> Sql:
    """A statement, or a part of one, with its values as text; those that are named and come later stay placeholders.

    As placeholders, the dozens of kinds that a sum of an account names take SQLAlchemy and SQLite, which works them out
    for each row, as long as the rest of a page. Never for what people wrote, nor for statements made anew each time.
    """
    return cast("Sql", replacement_traverse(sql, {}, _constant))


def _constant(element: Any, **_: Any) -> Any:
    if not isinstance(element, BindParameter) or element.required:
        return None
    return literal_column(str(element.compile(compile_kwargs={"literal_binds": True})), element.type)
