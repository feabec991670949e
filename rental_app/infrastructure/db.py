"""The database: one engine, transactions, and the ways both edges call a service, one by one or many at once."""

import asyncio
import logging
import re
import sqlite3
import threading
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import Context, copy_context
from functools import cache, partial
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

import anyio.to_thread
import orjson
from filelock import FileLock
from psycopg.errors import CheckViolation, ExclusionViolation, UniqueViolation
from sqlalchemy import Connection, Engine, Index, Select, UniqueConstraint, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DatabaseError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.pool import QueuePool
from sqlmodel import Session, SQLModel

from rental_app.domain.errors import NoAnswerError, OutcomeUnknownError, ReadOnlyError, UnavailableError
from rental_app.infrastructure.grouped_calls import GroupedCalls
from rental_app.infrastructure.settings import settings

log = logging.getLogger(__name__)
# How long new transactions are refused at once after one has waited in vain for the server.
REFUSING_SECONDS = 1.0
# What SQLite and PostgreSQL report of damaged files.
DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, "XX001", "XX002"})
# How SQLite tells which constraint refused a statement.
_NAMED = re.compile(r"(?:CHECK constraint failed: )?(\w+)")
_UNIQUE = re.compile(r"UNIQUE constraint failed: (\w+\.\w+(?:, \w+\.\w+)*)")
BUSY = "The service is busy right now, please try again shortly"
# Any number that nothing else on this database uses for an advisory lock.
PREPARING = 7_240_500_032
_WRITING, _ON_COMMIT = "writing", "on_commit"
_READ_ONLY = "SELECT read_only_message FROM edition WHERE read_only_since IS NOT NULL"
_EVEN_IF_READ_ONLY = "even_if_read_only"
# Read-only transactions see a snapshot of one instant; on SQLite all transactions do.
SNAPSHOT = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
WAIT_MS = 10_000
# Savepoints would otherwise keep pages in a temporary file. The index of a million bookings takes 60 MB; smaller
# databases need less.
PRAGMAS = f"""PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout={WAIT_MS}; PRAGMA foreign_keys=ON;
PRAGMA secure_delete=ON; PRAGMA temp_store=MEMORY; PRAGMA cache_size=-65536"""
# SQLite has one writer at a time: queueing on this lock is fair, whereas its own busy handler sleeps and retries.
WRITER = threading.Lock()
P = ParamSpec("P")
T = TypeVar("T")
Question = TypeVar("Question")
Answer = TypeVar("Answer")
Arguments = tuple[Any, ...]
Call = tuple[Context, Arguments]
Service = Callable[[Arguments], Awaitable[Answer]]

_has_timeouts, _refusing_until = True, 0.0


@cache
def engine() -> Engine:
    """The process's engine; call `engine.cache_clear()` after changing the settings (tests do).

    On SQLite its connections are in no transaction before `begin`.
    """
    return make_engine(settings().sqlalchemy_url)


def make_engine(url: str) -> Engine:
    """An engine for a URL, with the pragmas, transaction kinds and time-outs each database needs."""
    is_file = make_url(url).get_backend_name() == "sqlite"
    made = create_engine(
        url,
        pool_size=settings().pool_size,
        pool_timeout=settings().pool_timeout,
        pool_pre_ping=not is_file,
        # Parameters hold what people sent: neither exceptions nor logs may quote them.
        hide_parameters=True,
        json_serializer=lambda value: orjson.dumps(value).decode(),
        json_deserializer=orjson.loads,
        # A value that a statement uses several times is converted for the driver only once.
        paramstyle="named" if is_file else None,
        connect_args={"check_same_thread": False, "timeout": 10} if is_file else {},
    )
    if is_file:
        settings().data_dir.mkdir(parents=True, exist_ok=True)
        event.listen(made, "connect", _prepare_file)
    else:
        event.listen(made, "do_connect", _connect)
    return made


def connections_in_use() -> int:
    """The number of the engine's connections in use right now."""
    pool = engine().pool
    return pool.checkedout() if isinstance(pool, QueuePool) else 0


def _prepare_file(connection: Any, _record: Any) -> None:
    """Set up a new connection of SQLite's driver, which begins no transaction by itself."""
    connection.isolation_level = None
    connection.executescript(PRAGMAS)


def _connect(_dialect: Any, _record: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
    from rental_app.infrastructure.postgresql import connect

    return connect(settings().database_timeout if _has_timeouts else 0, *args, **options)


def begin(connection: Connection, *, writing: bool) -> None:
    """Begin a transaction on SQLite; on PostgreSQL the driver does so by itself.

    Not an event listener on the engine: a single one makes every statement check for all kinds of listeners.
    """
    if connection.dialect.name != "sqlite":
        return
    if writing:
        # Takes the write lock first, and waits for the writers of other processes: a read transaction that turns into
        # a write could not be retried.
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    elif driver := connection.connection.driver_connection:
        # A statement that touches no file and cannot fail; SQLAlchemy's own path to a cursor outlasts most reads.
        driver.execute("BEGIN")


@contextmanager
def preparing() -> Iterator[None]:
    """Admit one process at a time: two that migrate or fill an empty database at once would both create its tables.

    A migration, or waiting for another process's, may take longer than the usual statement timeout.
    """
    global _has_timeouts
    _has_timeouts = False
    # Connections that are already open have the usual timeout.
    engine().dispose()
    try:
        with _prepared_by_nobody_else():
            yield
    finally:
        _has_timeouts = True
        engine().dispose()


@contextmanager
def _prepared_by_nobody_else() -> Iterator[None]:
    if file := engine().url.database if settings().is_sqlite else None:
        with FileLock(f"{file}.lock"):
            yield
        return
    with engine().begin() as connection:
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": PREPARING})
        yield


class StoreFirstError(Exception):
    """A read-only transaction needs something that is not stored yet: `store` stores it (see `read_or_store`)."""

    def __init__(self, store: Callable[[Session], object]) -> None:
        super().__init__()
        self.store = store


def may_write(session: Session) -> bool:
    """Whether a session's transaction may write, and so may see changes that are never committed."""
    return bool(session.info.get(_WRITING, True))


def even_if_read_only(service: Callable[P, T]) -> Callable[P, T]:
    """Mark a service that may write while the shop is read-only: logins, protecting an account, what is recorded."""
    setattr(service, _EVEN_IF_READ_ONLY, True)
    return service


@contextmanager
def transaction(*, writing: bool) -> Iterator[Session]:
    """A session whose work is committed at the end, or rolled back when anything is raised.

    Raises UnavailableError when the database cannot be reached or written or is damaged, and OutcomeUnknownError when
    the connection was lost during the commit.
    """
    made = engine()
    is_file = made.dialect.name == "sqlite"
    queue = WRITER if writing and is_file else nullcontext()
    kind = {} if writing or is_file else SNAPSHOT
    committing = False
    if time.monotonic() < _refusing_until:
        raise UnavailableError(BUSY)
    try:
        with queue, Session(made, expire_on_commit=False, info={_WRITING: writing}) as session:
            begin(session.connection(execution_options=kind), writing=writing)
            yield session
            if committing := writing:
                session.commit()
    except (OperationalError, InterfaceError, PoolTimeoutError, NoAnswerError) as error:
        _note_silence(error)
        log.error("database unavailable: %s", type(getattr(error, "orig", error)).__name__)
        is_lost = isinstance(error, NoAnswerError) or getattr(error, "connection_invalidated", False)
        raise (OutcomeUnknownError if committing and is_lost else UnavailableError)(BUSY) from error
    except (DatabaseError, sqlite3.DatabaseError) as error:
        if not is_damage(error):
            raise
        _alarm(error)
        raise UnavailableError(BUSY) from error


def violated(error: DatabaseError) -> str | None:
    """The constraint, unique index or guard of ours that refused a statement, by its one name on both databases; None
    if the statement failed for another reason."""
    if isinstance(error.orig, UniqueViolation | ExclusionViolation | CheckViolation):
        return error.orig.diag.constraint_name or error.orig.diag.message_primary
    if not isinstance(error.orig, sqlite3.IntegrityError):
        return None
    if unique := _UNIQUE.fullmatch(str(error.orig)):
        return _unique_name([column.split(".") for column in unique[1].split(", ")])
    # A trigger of ours raises its guard's name alone.
    named = _NAMED.fullmatch(str(error.orig))
    return named and named[1]


def _unique_name(named: list[list[str]]) -> str | None:
    """The name of the uniqueness of columns, which SQLite gives as table and column."""
    table, columns = SQLModel.metadata.tables[named[0][0]], [column for _, column in named]
    constraints = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
    unique: list[UniqueConstraint | Index] = [*constraints, *(index for index in table.indexes if index.unique)]
    return next((str(one.name) for one in unique if [column.name for column in one.columns] == columns), None)


def is_damage(error: Exception) -> bool:
    """Whether the database reports that its files are damaged, or are none of its own."""
    cause = getattr(error, "orig", error)
    # SQLite keeps details in the higher bits of its codes.
    return getattr(cause, "sqlite_errorcode", 0) & 0xFF in DAMAGE or getattr(cause, "sqlstate", "") in DAMAGE


def _alarm(error: Exception) -> None:
    from rental_app.infrastructure.metrics import DAMAGE as COUNT

    cause = getattr(error, "orig", error)
    which = getattr(cause, "sqlite_errorname", "") or getattr(cause, "sqlstate", "")
    log.error("the database is damaged (%s): restore a backup, see docs/operations.md", which)
    COUNT.inc()


def savepoint(session: Session) -> AbstractContextManager[object]:
    """Have a transaction outlive a plain statement that the database refuses; on SQLite it does so anyway."""
    return nullcontext() if settings().is_sqlite else session.connection().begin_nested()


def shorten_log() -> None:
    """Empty SQLite's log of what was written, which still has what was deleted; whoever reads just now may prevent it.

    PostgreSQL removes its own.
    """
    if settings().is_sqlite:
        with engine().connect() as connection:
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")


def lock_row(session: Session, row: Select[Any], **bound: object) -> None:
    """Wait until this transaction holds the lock on the statement's row; on SQLite, writers take turns anyway."""
    if not settings().is_sqlite:
        session.connection().execute(row, bound)


def on_commit(session: Session, tell: Callable[[], None]) -> None:
    """Call a function that only counts or notifies, once the session's transaction is committed."""
    session.info.setdefault(_ON_COMMIT, []).append(tell)


def _note_silence(error: Exception) -> None:
    """After a time-out, refuse new transactions for a second: each would only wait for the same silent server."""
    global _refusing_until
    if isinstance(error, NoAnswerError):
        _refusing_until = time.monotonic() + REFUSING_SECONDS


def read(service: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service in a read-only transaction."""
    with transaction(writing=False) as session:
        return service(session, *args, **kwargs)


def read_or_store(service: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service in a read-only transaction; if it raises StoreFirstError, store that and call it again."""
    try:
        return read(service, *args, **kwargs)
    except StoreFirstError as first:
        # Nothing that anybody sees changes by it, so it is stored even while the shop is read-only.
        write(even_if_read_only(first.store))
        return read(service, *args, **kwargs)


def write(service: Callable[Concatenate[Session, P], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call a service in a transaction that may write; an exception rolls back everything. Raises ReadOnlyError."""
    writing = WriteCall(lambda session: service(session, *args, **kwargs), getattr(service, _EVEN_IF_READ_ONLY, False))
    if settings().is_sqlite:
        _grouped_writes.run(writing)
    else:
        _write_alone(writing)
    if writing.error:
        raise writing.error
    for tell in writing.tells:
        tell()
    return writing.result


class WriteCall(Generic[T]):
    """A call of a service that writes, in its caller's context, and what came of it."""

    def __init__(self, service: Callable[[Session], T], exempt: bool) -> None:
        self.is_exempt = exempt
        self._service, self._context = service, copy_context()
        self.result: T
        self.error: Exception | None = None
        self.tells: Sequence[Callable[[], None]] = ()

    def run(self, session: Session) -> None:
        """Call the service in a transaction of its own, or in a part of one that can be rolled back by itself."""
        # Looked at in the transaction that would write.
        if not self.is_exempt and (row := session.connection().exec_driver_sql(_READ_ONLY).first()):
            raise ReadOnlyError(row[0])
        self.result = self._context.run(self._service, session)
        self.tells = session.info.get(_ON_COMMIT, ())


def _write_alone(writing: WriteCall[Any]) -> None:
    with transaction(writing=True) as session:
        writing.run(session)


def _write_together(group: list[WriteCall[Any]]) -> None:
    """Call several services in one transaction, so that they wait for the disk once; one that fails leaves no trace.

    Raises what is the database's fault: then none of them has written anything.
    """
    if len(group) == 1:
        _write_alone(group[0])
        return
    with transaction(writing=True) as shared:
        for writing in group:
            try:
                how: dict[str, Any] = {"expire_on_commit": False, "join_transaction_mode": "create_savepoint"}
                part = Session(shared.connection(), info={_WRITING: True}, **how)
                with part as session, session.begin():
                    writing.run(session)
            except (OperationalError, InterfaceError):
                # SQLite may have rolled back everything by itself.
                raise
            except Exception as error:
                if is_damage(error):
                    raise
                writing.error = error


# One commit is a wait for the disk, in which SQLite writes nothing else.
_grouped_writes: GroupedCalls[WriteCall[Any]] = GroupedCalls(_write_together, most=32)


async def run(function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Call blocking code from the event loop, in the few threads that REST endpoints use too."""
    return await anyio.to_thread.run_sync(partial(function, *args, **kwargs))


class Batch(Generic[Question, Answer]):
    """Runs a function in a thread for all waiting callers; those that come while it runs are in the next run.

    So the results of a run are never older than any request they answer. The function returns them in the order of the
    requests, with an exception for each that it refuses; a run has at most `most` requests.
    """

    def __init__(
        self, function: Callable[[list[Question]], Sequence[Answer | Exception]], most: int | None = None
    ) -> None:
        self._function, self._most = function, most
        self._waiting: list[tuple[Question, asyncio.Future[Answer]]] = []
        self._runs: asyncio.Task[None] | None = None

    async def __call__(self, request: Question) -> Answer:
        """Return the function's result for this request; raises its exception."""
        answer: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._waiting.append((request, answer))
        if self._runs is None or self._runs.done():
            # A separate task: the first caller may disconnect before the others have their answers.
            self._runs = asyncio.create_task(self._run())
        return await answer

    async def _run(self) -> None:
        while self._waiting:
            now = self._waiting[: self._most]
            del self._waiting[: len(now)]
            try:
                results = await run(self._function, [request for request, _ in now])
            except Exception as error:
                for _, answer in now:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for (_, answer), each in zip(now, results, strict=True):
                    # A caller that has disconnected has already cancelled its future.
                    if not answer.done():
                        if isinstance(each, Exception):
                            answer.set_exception(each)
                        else:
                            answer.set_result(each)


def reading(service: Callable[..., Answer], most: int | None = None) -> Service[Answer]:
    """A read-only service, called in one transaction for all waiting callers, each with its arguments and in its
    context; an exception from one call reaches that caller alone, unless the database is at fault."""

    def all_of(calls: list[Call]) -> list[Answer | Exception]:
        return read(lambda session: [_one(service, session, *each) for each in calls])

    batched = Batch(all_of, most)
    return lambda arguments: batched((copy_context(), arguments))


def _one(
    service: Callable[..., Answer], session: Session, context: Context, arguments: Arguments
) -> Answer | Exception:
    """Return a service's result or exception for one call; raise here, for all calls, what is the database's fault."""
    try:
        return context.run(service, session, *arguments)
    except (UnavailableError, NoAnswerError, SQLAlchemyError):
        raise
    except Exception as error:
        if is_damage(error):
            raise
        return error
