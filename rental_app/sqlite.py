"""SQLite: the pragmas of its connections, and whose turn it is to write."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from rental_app.errors import OccupiedError

WAIT_MS = 10_000
# Savepoints would otherwise keep pages in a temporary file. The index of a million bookings takes 60 MB; smaller
# databases need less.
PRAGMAS = f"""PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout={WAIT_MS}; PRAGMA foreign_keys=ON;
PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536"""
# There is one writer at a time: queueing on this lock is fair, whereas SQLite's own busy handler sleeps and retries.
_writer = threading.Lock()


def prepare(connection: Any, _record: Any) -> None:
    """Set up a new connection of the driver, which begins no transaction by itself."""
    connection.isolation_level = None
    connection.executescript(PRAGMAS)


@contextmanager
def turn(*, waits: bool) -> Iterator[None]:
    """The turn of this process's only writer; raises OccupiedError where it would wait for it but may not."""
    if not _writer.acquire(blocking=waits):
        raise OccupiedError
    try:
        yield
    finally:
        _writer.release()


def begin(connection: Connection, *, writing: bool, waits: bool) -> None:
    """Begin a transaction; raises OccupiedError where it would wait for another process but may not."""
    if not writing:
        at_once(connection, "BEGIN")
    elif waits:
        # Takes the write lock first: a read transaction that turns into a write could not be retried.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        _begin_now(connection)


def _begin_now(connection: Connection) -> None:
    at_once(connection, "PRAGMA busy_timeout=0")
    try:
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    except OperationalError as error:
        raise OccupiedError from error
    finally:
        at_once(connection, f"PRAGMA busy_timeout={WAIT_MS}")


def at_once(connection: Connection, statement: str) -> None:
    """Run a statement that touches no file and cannot fail; SQLAlchemy's own path to a cursor outlasts most reads."""
    if driver := connection.connection.driver_connection:
        driver.execute(statement)
