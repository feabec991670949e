"""Statements for what is done all the time."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from sqlalchemy import CursorResult, Dialect, bindparam, insert, inspect
from sqlalchemy.sql.base import Executable
from sqlalchemy.sql.compiler import SQLCompiler
from sqlmodel import Session, SQLModel

Values = Mapping[str, Any]


class _Written(NamedTuple):
    """A statement as a driver takes it, what stands in it already, and what makes the other values fit."""

    text: str
    constants: dict[str, Any]
    fitting: Mapping[str, Callable[[Any], Any]]

    def fit(self, values: Values) -> dict[str, Any]:
        fit = {**self.constants, **values}
        for name, made_fit in self.fitting.items():
            fit[name] = made_fit(fit[name])
        return fit


class Prepared:
    """A statement that SQLAlchemy writes once for each kind of database; its values then go straight to the driver.

    SQLAlchemy's own way from a statement to the driver takes longer than to find a row, or to add one. What comes back
    is as the driver has it: only texts and whole numbers are the same on both databases. Lists cannot be bound.
    """

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._written: dict[str, _Written] = {}

    def execute(self, session: Session, values: Values) -> CursorResult[Any]:
        """Execute it once."""
        connection = session.connection()
        written = self._for(connection.dialect)
        return connection.exec_driver_sql(written.text, written.fit(values))

    def execute_many(self, session: Session, rows: Iterable[Values]) -> None:
        """Execute it for each of some rows."""
        connection = session.connection()
        written = self._for(connection.dialect)
        connection.exec_driver_sql(written.text, [written.fit(row) for row in rows])

    def _for(self, dialect: Dialect) -> _Written:
        if dialect.name not in self._written:
            self._written[dialect.name] = _written(self._statement, dialect)
        return self._written[dialect.name]


def _written(statement: Executable, dialect: Dialect) -> _Written:
    compiled = statement.compile(dialect=dialect)  # type: ignore[attr-defined]  # as all statements have it
    assert isinstance(compiled, SQLCompiler)  # noqa: S101 - for the type checker
    types = {name: bound.type.dialect_impl(dialect) for bound, name in compiled.bind_names.items()}
    fitting = {name: fit for name, each in types.items() if (fit := each.bind_processor(dialect))}
    return _Written(str(compiled), dict(compiled.params), fitting)


def adding(table: type[SQLModel], *names: str) -> Prepared:
    """The INSERT of a row with these columns."""
    columns = inspect(table).columns
    return Prepared(insert(table).values({name: bindparam(name, type_=columns[name].type) for name in names}))
