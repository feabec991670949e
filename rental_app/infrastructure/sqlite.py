"""SQLite: the pragmas of its connections, and whose turn it is to write."""

import threading
from typing import Any

from sqlalchemy import Connection

WAIT_MS = 10_000
# Savepoints would otherwise keep pages in a temporary file. The index of a million bookings takes 60 MB; smaller
# databases need less.
PRAGMAS = f"""PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout={WAIT_MS}; PRAGMA foreign_keys=ON;
PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536"""
# There is one writer at a time: queueing on this lock is fair, whereas SQLite's own busy handler sleeps and retries.
WRITER = threading.Lock()


def prepare(connection: Any, _record: Any) -> None:
    """Set up a new connection of the driver, which begins no transaction by itself."""
    connection.isolation_level = None
    connection.executescript(PRAGMAS)


def begin(connection: Connection, *, writing: bool) -> None:
    """Begin a transaction; one that writes waits for the writers of other processes."""
    if writing:
        # Takes the write lock first: a read transaction that turns into a write could not be retried.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        at_once(connection, "BEGIN")


def at_once(connection: Connection, statement: str) -> None:
    """Run a statement that touches no file and cannot fail; SQLAlchemy's own path to a cursor outlasts most reads."""
    if driver := connection.connection.driver_connection:
        driver.execute(statement)
