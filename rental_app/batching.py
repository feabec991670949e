"""Batches blocking work that many callers request at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from contextvars import Context, copy_context
from functools import partial
from typing import Any, Generic, TypeVar

from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlmodel import Session

from rental_app import db
from rental_app.errors import NoAnswerError, OccupiedError, UnavailableError
from rental_app.settings import settings

Asked = TypeVar("Asked")
Given = TypeVar("Given")
Arguments = tuple[Any, ...]
Call = tuple[Context, Arguments]
Service = Callable[[Arguments], Awaitable[Given]]
# From so many calls on, two threads that take turns running Python cost more than a wait for the disk.
MANY = 8


class Batch(Generic[Asked, Given]):
    """Runs a function for all waiting callers, in a thread unless `run` says otherwise; those that come while it runs
    are in the next run.

    So the results of a run are never older than any request they answer. The function returns them in the order of the
    requests, with an exception for each that it refuses; a run has at most `most` requests.
    """

    def __init__(
        self,
        function: Callable[[list[Asked]], Sequence[Given | Exception]],
        most: int | None = None,
        run: Callable[..., Awaitable[Sequence[Given | Exception]]] = db.run,
    ) -> None:
        self._function, self._most, self._in = function, most, run
        self._waiting: list[tuple[Asked, asyncio.Future[Given]]] = []
        self._runs: asyncio.Task[None] | None = None

    async def __call__(self, asked: Asked) -> Given:
        """Return the function's result for this request; raises its exception."""
        answer: asyncio.Future[Given] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, answer))
        if self._runs is None or self._runs.done():
            # A separate task: the first caller may disconnect before the others have their answers.
            self._runs = asyncio.create_task(self._run())
        return await answer

    async def _run(self) -> None:
        while self._waiting:
            now = self._waiting[: self._most]
            del self._waiting[: len(now)]
            try:
                given = await self._in(self._function, [asked for asked, _ in now])
            except Exception as error:
                for _, answer in now:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for (_, answer), each in zip(now, given, strict=True):
                    # A caller that has disconnected has already cancelled its future.
                    if not answer.done():
                        _tell(answer, each)
            # A run in the event loop has kept it from all else.
            await asyncio.sleep(0)


def reading(service: Callable[..., Given], most: int | None = None) -> Service[Given]:
    """A read-only service, called in one transaction for all waiting callers, each with its arguments and in its
    context; an exception from one call reaches that caller alone, unless the database is at fault."""
    one = partial(_one, service, nullcontext, SQLAlchemyError)

    def all_of(calls: list[Call]) -> list[Given | Exception]:
        return db.read(lambda session: [one(session, *each) for each in calls])

    batched = Batch(all_of, most)
    return lambda asked: batched((copy_context(), asked))


def writing(
    service: Callable[..., Given], most: int, ahead: Callable[[Session, list[Arguments]], object] = lambda *_: None
) -> Service[Given]:
    """A service that writes, on SQLite in one transaction for all waiting callers, since only one can write there
    anyway: they wait for the disk once. An exception from one call rolls back that call alone.

    What all calls need is read `ahead` of them.

    On PostgreSQL each call has a transaction: one for all would keep every row it locks until the last call is done.
    """
    # A row that a database guard refuses is the fault of the caller that asked for it.
    one = partial(_one, service, db.apart, OperationalError)

    def all_of(calls: list[Call], *, waits: bool = True) -> list[Given | Exception]:
        with db.transaction(writing=True, waits=waits) as session, db.shared(session):
            ahead(session, [asked for _, asked in calls])
            return [one(session, *each) for each in calls]

    batched = Batch(all_of, most, _where_faster)

    async def written(asked: Arguments) -> Given:
        return await (batched((copy_context(), asked)) if settings().is_sqlite else db.run(db.write, service, *asked))

    return written


async def _where_faster(function: Callable[..., Given], calls: list[Call]) -> Given:
    """Call a function that writes to SQLite: for many calls in the event loop, unless it would have to wait there for
    another writer or for Redis, else in a thread (record 26)."""
    if len(calls) >= MANY and not settings().redis_url:
        with suppress(OccupiedError):
            return function(calls, waits=False)
    return await db.run(function, calls)


def _one(
    service: Callable[..., Given],
    within: Callable[[Session], AbstractContextManager[Any]],
    fault: type[SQLAlchemyError],
    session: Session,
    context: Context,
    asked: Arguments,
) -> Given | Exception:
    """Return a service's result or exception for one call; raise here, for all calls, what is the database's fault."""
    try:
        with within(session):
            return context.run(service, session, *asked)
    except (UnavailableError, NoAnswerError, fault):
        raise
    except Exception as error:
        if db.is_damage(error):
            raise
        return error


def _tell(answer: asyncio.Future[Given], given: Given | Exception) -> None:
    if isinstance(given, Exception):
        answer.set_exception(given)
    else:
        answer.set_result(given)
