"""`make backup` and `make restore`: a copy of the database and of the files, made while the shop is open."""

import argparse
import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import obstore
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo
from sqlalchemy import inspect

from rental_app import db
from rental_app.private import keep_data, keep_new_files
from rental_app.services import files
from rental_app.settings import settings, settings_or_exit

SQLITE, POSTGRESQL = "database.db", "database.dump"
# The server restored to decides who owns the tables and who else may read them.
PLAIN = ("--no-owner", "--no-privileges")
SESSIONS = "login_session"


def backup(to: Path) -> Path:
    """Copy the current database and files into a new folder below `to` and return it; raises SystemExit."""
    keep_new_files()
    if settings().is_sqlite and not _sqlite_file().exists():
        raise SystemExit(f"There is no database at {_sqlite_file()}: use the settings that the shop runs with")
    made = to / f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    draft = made.with_suffix(".part")
    draft.mkdir(parents=True)
    # Files never change, and are stored before a row names them. Of the files that rows in the copy name, the first
    # pass copies the older ones and the last pass the newer ones, unless they came and went in between.
    _copy_files(draft / "files")
    _copy_sqlite(_sqlite_file(), draft / SQLITE) if settings().is_sqlite else _dump(draft / POSTGRESQL)
    _copy_files(draft / "files")
    return draft.rename(made)


def restore(made: Path) -> None:
    """Restore a backup to the configured database and file store; raises SystemExit if a database is already there.

    Everyone has to log in again: sessions that have been revoked since the backup would be valid once more. They
    are not even loaded, so that a restore which is killed cannot leave them behind.
    """
    keep_data()
    copy = made / (SQLITE if settings().is_sqlite else POSTGRESQL)
    if not copy.exists():
        raise SystemExit(f"{copy} does not exist: a backup is restored into the kind of database it was made of")
    _require_nothing()
    for path in (made / "files").rglob("*"):
        if path.is_file():
            obstore.put(files.store(), path.relative_to(made / "files").as_posix(), path)
    _copy_sqlite(copy, _sqlite_file(), without=SESSIONS) if settings().is_sqlite else _load(copy, without=SESSIONS)


def _sqlite_file() -> Path:
    return Path(db.engine().url.database or "")


def _require_nothing() -> None:
    if settings().is_sqlite:
        there = [str(path) for end in ("", "-wal") if (path := Path(f"{_sqlite_file()}{end}")).exists()]
    else:
        there = ["A table" for _ in inspect(db.engine()).get_table_names()]
    if there:
        raise SystemExit(f"{there[0]} already exists: stop the server, and restore where there is no database yet")


def _copy_sqlite(source: Path, target: Path, without: str = "") -> None:
    """Copy a consistent snapshot of a database, even while it is written to; the copy appears whole or not at all.

    The rows of one table may be left out.
    """
    draft = target.with_suffix(".part")
    there = f"{source.absolute().as_uri()}?mode=rw"
    with closing(sqlite3.connect(there, uri=True)) as old, closing(sqlite3.connect(draft)) as new:
        old.backup(new)
        if without:
            new.execute(f"DELETE FROM {without}")  # noqa: S608 - a name of ours
            new.commit()
    draft.rename(target)


def _dump(target: Path) -> None:
    _run("pg_dump", "--format=custom", f"--file={target}", *PLAIN)


def _load(copy: Path, without: str) -> None:
    contents = _run("pg_restore", "--list", str(copy)).splitlines(keepends=True)
    wanted = "".join(line for line in contents if not ("TABLE DATA" in line and f" {without} " in line))
    how = ("--exit-on-error", "--single-transaction", "--use-list=/dev/stdin", f"--dbname={_parts()['dbname']}")
    _run("pg_restore", *how, *PLAIN, str(copy), given=wanted)


def _parts() -> dict[str, str]:
    url = db.engine().url.set(drivername="postgresql").render_as_string(hide_password=False)
    return {name: str(value) for name, value in conninfo_to_dict(url).items()}


def _run(*command: str, given: str = "") -> str:
    """Run a PostgreSQL program and return its output, keeping the database's address and password out of the process
    list."""
    names = {option.keyword.decode(): (option.envvar or b"").decode() for option in Conninfo.get_defaults()}
    where = {names[part]: value for part, value in _parts().items() if names[part]}
    try:
        done = subprocess.run(  # noqa: S603
            command, env=os.environ | where, input=given, capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        raise SystemExit(f"{command[0]} is needed, of the server's version or newer: it is not installed") from None
    if done.returncode:
        raise SystemExit(f"{command[0]}: {done.stderr}")
    return done.stdout


def _copy_files(folder: Path) -> None:
    """Copy the stored objects that are not there yet."""
    folder.mkdir(exist_ok=True)
    for key in [item["path"] for chunk in files.store().list() for item in chunk]:
        if not (folder / key).exists():
            _copy_file(key, folder / key)


def _copy_file(key: str, target: Path) -> None:
    try:
        found = obstore.get(files.store(), key)
    except FileNotFoundError:
        # Deleted since it was listed.
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as out:
        out.writelines(found.stream())


def main() -> None:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(description="Copy database and files, or put a copy back")
    parser.add_argument("folder", type=Path, help="where backups are kept; with --restore the backup itself")
    parser.add_argument("--restore", action="store_true")
    options = parser.parse_args()
    with settings_or_exit():
        settings()
    if options.restore:
        restore(options.folder)
        sys.stdout.write(f"Restored {options.folder}\n")
    else:
        sys.stdout.write(f"Backed up to {backup(options.folder)}\n")


if __name__ == "__main__":
    main()
