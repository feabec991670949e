"""The database: one engine, transactions, and the way both edges call a service."""

import fcntl
import logging
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import cache, partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import anyio.to_thread
from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import InterfaceError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlmodel import Session

from rental_app.errors import UnavailableError
from rental_app.settings import settings

log = logging.getLogger(__name__)
THREADS = 8
POOL_TIMEOUT = 5
# Any number will do that nothing else on the database uses for its advisory locks.
PREPARING = 7_240_500_032
P = ParamSpec("P")
T = TypeVar("T")

# SQLite has one writer at a time: queueing here is fair, its own busy handler sleeps and retries.
_sqlite_writer = threading.Lock()


@cache
def engine() -> Engine:
    """The process's engine; call `engine.cache_clear()` after changing the settings (tests do)."""
    return make_engine(settings().sqlalchemy_url)


def make_engine(url: str) -> Engine:
    """An engine for a URL, with the pragmas and transaction kinds each database needs."""
    if make_url(url).get_backend_name() != "sqlite":
        return create_engine(
            url,
            pool_size=THREADS + 2,
            pool_pre_ping=True,
            pool_timeout=POOL_TIMEOUT,
            hide_parameters=True,
            connect_args={"connect_timeout": 5, "options": "-c statement_timeout=15000 -c timezone=UTC"},
        )
    settings().data_dir.mkdir(parents=True, exist_ok=True)
    made = create_engine(
        url,
        pool_size=THREADS + 2,
        pool_timeout=POOL_TIMEOUT,
        # Parameters hold what people sent: neither exceptions nor logs may quote them.
        hide_parameters=True,
        connect_args={"check_same_thread": False, "timeout": 10},
    )
    event.listen(made, "connect", _prepare_sqlite)
    event.listen(made, "begin", _begin_sqlite)
    return made


def _prepare_sqlite(connection: Any, _record: Any) -> None:
    connection.isolation_level = None
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "busy_timeout=10000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


def _begin_sqlite(connection: Connection) -> None:
    # Taking the write lock first: a read that turns into a write could not be retried.
    writing = connection.get_execution_options().get("writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


@contextmanager
def preparing() -> Iterator[None]:
    """One process at a time: two that migrate or fill an empty database at once would both create its tables."""
    if engine().dialect.name == "sqlite":
        with _folder_locked(Path(engine().url.database or "").absolute().parent):
            yield
        return
    with engine().begin() as connection:
        # Another process may take longer than a statement normally may.
        connection.execute(text("SET LOCAL statement_timeout = 0"))
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": PREPARING})
        yield


@contextmanager
def _folder_locked(folder: Path) -> Iterator[None]:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


@contextmanager
def transaction(*, writing: bool) -> Iterator[Session]:
    """A session whose work is committed at the end, or undone when anything is raised.

    Raises UnavailableError when the database cannot be reached or written.
    """
    bound = engine().execution_options(writing=writing)
    queue = _sqlite_writer if writing and bound.dialect.name == "sqlite" else nullcontext()
    try:
        with queue, Session(bound, expire_on_commit=False) as session, session.begin():
            yield session
    except (OperationalError, InterfaceError, PoolTimeoutError) as error:
        log.error("database unavailable: %s", type(getattr(error, "orig", error)).__name__)
        raise UnavailableError("The service is busy right now, please try again shortly") from error


def read(service: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service in a transaction that only reads."""
    with transaction(writing=False) as session:
        return service(session, *args, **kwargs)


def write(service: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service in a transaction that may write; what it raises undoes everything."""
    with transaction(writing=True) as session:
        return service(session, *args, **kwargs)


async def run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call blocking code from the event loop, in the few threads that REST endpoints use too."""
    return await anyio.to_thread.run_sync(partial(function, *args, **kwargs))
