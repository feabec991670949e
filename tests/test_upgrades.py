"""An upgrade without downtime: the new version migrates first, and the old one keeps serving (docs/operations.md)."""

from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import inspect

from alembic import command
from rental_app.infrastructure.db import engine
from tests.conftest import ALEMBIC
from tests.support.shop import count

# Nothing had been released before this revision: the earlier ones could change anything.
FIRST_RELEASED = "0008"
Columns = dict[str, dict[str, Any]]


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


def columns() -> Columns:
    """Return every table's columns by name."""
    found = inspect(engine())
    tables = [name for name in found.get_table_names() if not name.startswith("alembic")]
    return {table: {column["name"]: column for column in found.get_columns(table)} for table in tables}


def is_required(column: dict[str, Any]) -> bool:
    return not column["nullable"] and column["default"] is None


def broken(before: Columns, after: Columns) -> list[str]:
    """Return what the version of `before` reads and `after` lacks, or leaves out and `after` requires."""
    found = []
    for table, old in before.items():
        new = after.get(table, {})
        found += [f"{table}.{name} is gone" for name in old.keys() - new.keys()]
        wanted = {name for name, column in new.items() if is_required(column)}
        already = {name for name, column in old.items() if is_required(column)}
        found += [f"{table}.{name} is required" for name in wanted - already]
    return sorted(found)


@pytest.mark.parametrize("latest", [2, pytest.param(None, marks=pytest.mark.long)])
def test_the_version_before_goes_on_with_each_migrated_database(database: str, kind: str, latest: int | None) -> None:
    scripts = ScriptDirectory.from_config(ALEMBIC).iterate_revisions("head", FIRST_RELEASED)
    *later, first = [*[script.revision for script in scripts], FIRST_RELEASED][: latest and latest + 1]
    assert later
    command.downgrade(ALEMBIC, first)
    for revision in reversed(later):
        before = columns()
        rows = {table: count(table) for table in before}
        command.upgrade(ALEMBIC, revision)
        assert broken(before, columns()) == [], revision
        assert {table: count(table) for table in before} == rows, revision
