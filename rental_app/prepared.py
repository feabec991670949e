"""Precompiled statements for the most frequent operations."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import Connection, Dialect, bindparam, insert, inspect
from sqlalchemy.exc import DBAPIError
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlalchemy.types import TypeEngine
from sqlmodel import Session, SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

Values = Mapping[str, Any]
# A context manager around each statement: its span, if traces are sent (traces.py).
around: Callable[[str], AbstractContextManager[Any]] = nullcontext
_CONNECTION = "connection"
# One instant is bound to several columns and rows: the last few conversions are kept.
INSTANTS = 64
_instants: dict[str, Callable[[Any], Any]] = {}


class _Written(NamedTuple):
    """A statement in the driver's form, its constant values, and the converters of the other values."""

    text: str
    constants: dict[str, Any]
    fitting: Mapping[str, Callable[[Any], Any]]

    def fit(self, values: Values) -> dict[str, Any]:
        fit = {**self.constants, **values}
        for name, made_fit in self.fitting.items():
            fit[name] = made_fit(fit[name])
        return fit


class Prepared:
    """A statement that SQLAlchemy compiles once for each kind of database; the driver then runs it directly.

    SQLAlchemy's own path to the driver and back takes longer than finding or inserting a row. Results are the driver's
    own values: only strings and integers are the same on both databases. Lists cannot be bound.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._written: dict[str, _Written] = {}

    def first(self, session: Session, values: Values) -> tuple[Any, ...] | None:
        """Execute it and return the first row, or None if there is none."""
        return next(iter(self.all(session, values)), None)

    def all(self, session: Session, values: Values) -> list[tuple[Any, ...]]:
        """Execute it and return all rows."""
        connection = connection_of(session)
        written = self._for(connection.dialect)
        with around(written.text), _driven(connection) as cursor:
            found: list[tuple[Any, ...]] = cursor.execute(written.text, written.fit(values)).fetchall()
        return found

    def execute_many(self, session: Session, rows: Iterable[Values]) -> None:
        """Execute it once for each of `rows`."""
        connection = connection_of(session)
        written = self._for(connection.dialect)
        with around(written.text), _driven(connection) as cursor:
            cursor.executemany(written.text, [written.fit(row) for row in rows])

    def _for(self, dialect: Dialect) -> _Written:
        if dialect.name not in self._written:
            self._written[dialect.name] = _written(self._statement, dialect)
        return self._written[dialect.name]


def connection_of(session: Session) -> Connection:
    """The connection of a session's only transaction, cached: SQLAlchemy's lookup is as slow as a short statement."""
    if _CONNECTION not in session.info:
        session.info[_CONNECTION] = session.connection()
    found: Connection = session.info[_CONNECTION]
    return found


@contextmanager
def _driven(connection: Connection) -> Iterator[Any]:
    """A cursor of the driver, with its errors raised as SQLAlchemy's."""
    driver, dialect = connection.connection, connection.dialect
    cursor = driver.cursor()
    try:
        yield cursor
    except dialect.loaded_dbapi.Error as error:
        if dialect.is_disconnect(error, driver.dbapi_connection, cursor):
            connection.invalidate(error)
        # Values hold what people sent: no exception may quote them.
        told: Any = DBAPIError.instance(None, None, error, dialect.loaded_dbapi.Error, True, dialect=dialect)
        raise told from error
    finally:
        cursor.close()


def _written(statement: Executable, dialect: Dialect) -> _Written:
    compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]  # as all statements have it
    assert isinstance(compiled, SQLCompiler)  # noqa: S101 - for the type checker
    types = {name: bound.type.dialect_impl(dialect) for bound, name in compiled.bind_names.items()}
    fitting = {name: fit for name, each in types.items() if (fit := _fitting(each, dialect))}
    return _Written(str(compiled), dict(compiled.params), fitting)


def _fitting(kind: TypeEngine[Any], dialect: Dialect) -> Callable[[Any], Any] | None:
    fit = kind.bind_processor(dialect)
    if fit and isinstance(kind, UTCDateTime):
        return _instants.setdefault(dialect.name, lru_cache(INSTANTS)(fit))
    return fit


def adding(table: type[SQLModel], *names: str) -> Prepared:
    """The INSERT of a row with these columns."""
    columns = inspect(table).columns
    return Prepared(insert(table).values({name: bindparam(name, type_=columns[name].type) for name in names}))
