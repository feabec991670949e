"""`make backup` and `make restore`: a copy of the database and of the files, made while the shop is open.

A copy that is not sound (database_checks.py) never gets the name of a backup, and is never restored.
"""

import argparse
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import obstore
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import Conninfo
from sqlalchemy import inspect

from rental_app.domain import clock
from rental_app.infrastructure import database_checks, db
from rental_app.infrastructure.data_dir import keep_data, keep_new_files
from rental_app.infrastructure.settings import settings, settings_or_exit
from rental_app.services.accounts import erasure_list
from rental_app.services.files import storage

SQLITE, POSTGRESQL = "database.db", "database.dump"
# The server restored to decides who owns the tables and who else may read them.
PLAIN = ("--no-owner", "--no-privileges")
SESSIONS = "login_session"
FILES = "files"
# How backups are named, by the moment they were begun at, and what one that was not finished has at its end.
NAME, UNFINISHED = "%Y%m%dT%H%M%SZ", ".part"
_NAMED = re.compile(r"\d{8}T\d{6}Z")


def backup(to: Path) -> Path:
    """Copy the current database and files into a new folder below `to` and return it.

    Raises SystemExit, also if the copy is not sound: it is left there, by another name, to be looked at.
    """
    keep_new_files()
    if settings().is_sqlite and not _sqlite_file().exists():
        raise SystemExit(f"There is no database at {_sqlite_file()}: use the settings that the shop runs with")
    made = to / f"{clock.now():{NAME}}"
    draft = made.with_suffix(UNFINISHED)
    draft.mkdir(parents=True)
    # Files never change, and are stored before a row names them. Of the files that rows in the copy name, the first
    # pass copies the older ones and the last pass the newer ones, unless they came and went in between.
    _copy_files(draft / FILES)
    _copy_sqlite(_sqlite_file(), draft / SQLITE) if settings().is_sqlite else _dump(draft / POSTGRESQL)
    _copy_files(draft / FILES)
    return draft.rename(made)


def verify(at: Path) -> Path:
    """Check a backup, or the newest of the backups in a folder, and return it; raises SystemExit if it is not sound."""
    made = at if _copies(at) else max(_backups(at), default=None)
    if made is None:
        raise SystemExit(f"There is no backup in {at}")
    _require_plain(made)
    for copy in _copies(made) or [made / SQLITE]:
        _require_sound(copy)
    return made


def _backups(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*") if _NAMED.fullmatch(path.name) and path.is_dir()]


def _copies(made: Path) -> list[Path]:
    return [made / name for name in (SQLITE, POSTGRESQL) if (made / name).exists()]


def drop_older(folder: Path, keep: int) -> list[Path]:
    """Delete all backups but the newest ones, and what was begun before those and never finished; returns both."""
    kept = sorted(_backups(folder))[-keep:]
    left = [path for path in folder.glob(f"*{UNFINISHED}") if _NAMED.fullmatch(path.stem)]
    old = [path for path in (*_backups(folder), *left) if kept and path.name < kept[0].name]
    for path in old:
        shutil.rmtree(path)
    return old


def _require_plain(made: Path) -> None:
    """Raise SystemExit for what no backup has: links, which could lead anywhere, and anything else beside its parts."""
    strange = [path for path in (made, *made.rglob("*")) if path.is_symlink() or not (path.is_dir() or path.is_file())]
    strange += [path for path in made.glob("*") if path.name not in (FILES, SQLITE, POSTGRESQL)]
    if strange:
        raise SystemExit(f"{strange[0]} is no part of a backup: only folders and files that one has are restored")


def _require_sound(copy: Path, *, newer: bool = False) -> None:
    """Raise SystemExit saying what is wrong with a copy of a database, if anything is."""
    check = _problems_of_dump if copy.name == POSTGRESQL else database_checks.problems_of_file
    problems = [*check(copy, newer=newer)]
    if problems:
        raise SystemExit(f"{copy} is not sound: {'; '.join(problems)}")


def _problems_of_dump(copy: Path, *, newer: bool) -> list[str]:
    # Writing all of it as text reads all of it, to its end.
    _run("pg_restore", f"--file={os.devnull}", str(copy))
    schema = _run("pg_restore", "--schema-only", *PLAIN, "--file=-", str(copy))
    reached = _run("pg_restore", "--data-only", "--table=alembic_version", "--file=-", str(copy))
    return [*database_checks.problems_of_dump(schema, reached, newer=newer)]


def restore(made: Path) -> None:
    """Restore a backup to the configured database and file store.

    Raises SystemExit if a database is already there, or the backup is not sound.

    Everyone has to log in again: sessions that have been revoked since the backup would be valid once more. They
    are not even loaded, so that a restore which is killed cannot leave them behind.
    """
    keep_data()
    copy = made / (SQLITE if settings().is_sqlite else POSTGRESQL)
    if not copy.exists():
        raise SystemExit(f"{copy} does not exist: a backup is restored into the kind of database it was made of")
    _require_nothing()
    _require_plain(made)
    _require_sound(copy)
    for path in (made / FILES).rglob("*"):
        if path.is_file():
            obstore.put(storage.store(), path.relative_to(made / FILES).as_posix(), path)
    _add_erasures(made.parent)
    if settings().is_sqlite:
        _copy_sqlite(copy, _sqlite_file(), how="immutable=1", without=SESSIONS)
    else:
        _load(copy, without=SESSIONS)


def _add_erasures(folder: Path) -> None:
    """Take over from the other backups in a folder whom they know to be erased: the next start erases them again."""
    for other in _backups(folder):
        for path in (other / FILES / erasure_list.FOLDER).glob("*"):
            if path.is_file() and not path.is_symlink():
                obstore.put(storage.store(), f"{erasure_list.FOLDER}/{path.name}", path)


def _sqlite_file() -> Path:
    return Path(db.engine().url.database or "")


def _require_nothing() -> None:
    if settings().is_sqlite:
        there = [str(path) for end in ("", "-wal") if (path := Path(f"{_sqlite_file()}{end}")).exists()]
    else:
        there = ["A table" for _ in inspect(db.engine()).get_table_names()]
    if there:
        raise SystemExit(f"{there[0]} already exists: stop the server, and restore where there is no database yet")


def _copy_sqlite(source: Path, target: Path, *, how: str = "mode=rw", without: str = "") -> None:
    """Copy a consistent snapshot of a database, even while it is written to; the copy appears whole and sound or not at
    all.

    The rows of one table may be left out.
    """
    draft = target.with_suffix(UNFINISHED)
    there = f"{source.absolute().as_uri()}?{how}"
    try:
        with closing(sqlite3.connect(there, uri=True)) as old, closing(sqlite3.connect(draft)) as new:
            old.backup(new)
            if without:
                new.execute(f"DELETE FROM {without}")  # noqa: S608 - a name of ours
                new.commit()
    except sqlite3.DatabaseError as error:
        raise SystemExit(f"{source} cannot be copied: {error}") from None
    # While an upgrade is under way, a later version may have migrated the shop's own database already.
    _require_sound(draft, newer=not without)
    draft.rename(target)


def _dump(target: Path) -> None:
    _run("pg_dump", "--format=custom", f"--file={target}", *PLAIN)
    _require_sound(target, newer=True)


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
    for key in [item["path"] for chunk in storage.store().list() for item in chunk]:
        if not (folder / key).exists():
            _copy_file(key, folder / key)


def _copy_file(key: str, target: Path) -> None:
    try:
        found = obstore.get(storage.store(), key)
    except FileNotFoundError:
        # Deleted since it was listed.
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.open("wb") as out:
        out.writelines(found.stream())


def command_line(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """What a command line asks for: this process's, if none is given."""
    parser = argparse.ArgumentParser(description="Copy database and files, or put a copy back")
    parser.add_argument("folder", type=Path, help="where backups are kept; with --restore the backup itself")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--restore", action="store_true", help="put this backup where there is no data yet")
    what.add_argument("--verify", action="store_true", help="only check this backup, or the newest of the folder")
    what.add_argument("--keep", type=_some, metavar="N", help="afterwards keep only the newest N backups")
    return parser.parse_args(arguments)


def main() -> None:
    """Do what the command line asks for."""
    options = command_line()
    with settings_or_exit():
        settings()
    if options.restore:
        restore(options.folder)
        sys.stdout.write(f"Restored {options.folder}\n")
    elif options.verify:
        sys.stdout.write(f"{verify(options.folder)} is sound\n")
    else:
        sys.stdout.write(f"Backed up to {backup(options.folder)}\n")
        for old in drop_older(options.folder, options.keep) if options.keep else ():
            sys.stdout.write(f"Deleted {old}\n")


def _some(number: str) -> int:
    if int(number) < 1:
        raise ValueError
    return int(number)


if __name__ == "__main__":
    main()
