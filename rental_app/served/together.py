"""Blocking work that many ask for at once is done for all of them in one go."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from contextvars import Context, copy_context
from functools import partial
from typing import Any, Generic, TypeVar

from sqlalchemy.exc import OperationalError, SQLAlchemyError
from sqlmodel import Session

from rental_app import db
from rental_app.errors import NoAnswerError, UnavailableError
from rental_app.settings import settings

Asked = TypeVar("Asked")
Given = TypeVar("Given")
Arguments = tuple[Any, ...]
Call = tuple[Context, Arguments]
Service = Callable[[Arguments], Awaitable[Given]]


class Together(Generic[Asked, Given]):
    """Runs a function in a thread for everyone who waits; who comes while it runs is in the next run.

    So what a run finds is never older than any of those it is for. The function answers in the order it was asked in,
    with an exception for those it refuses; `most` are in a run.
    """

    def __init__(self, function: Callable[[list[Asked]], Sequence[Given | Exception]], most: int | None = None) -> None:
        self._function, self._most = function, most
        self._waiting: list[tuple[Asked, asyncio.Future[Given]]] = []
        self._runs: asyncio.Task[None] | None = None

    async def __call__(self, asked: Asked) -> Given:
        """What the function gives for this; raises what it raises."""
        answer: asyncio.Future[Given] = asyncio.get_running_loop().create_future()
        self._waiting.append((asked, answer))
        if self._runs is None or self._runs.done():
            # A task of its own: whoever came first may go before the others have their answers.
            self._runs = asyncio.create_task(self._run())
        return await answer

    async def _run(self) -> None:
        while self._waiting:
            now = self._waiting[: self._most]
            del self._waiting[: len(now)]
            try:
                given = await db.run(self._function, [asked for asked, _ in now])
            except Exception as error:
                for _, answer in now:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for (_, answer), each in zip(now, given, strict=True):
                    # Whoever has gone has cancelled it.
                    if not answer.done():
                        _tell(answer, each)


def reading(service: Callable[..., Given], most: int | None = None) -> Service[Given]:
    """A service that only reads, called in one transaction for all who wait, each with their arguments and in their
    context; what it raises for one of them is theirs alone, unless the database is at fault."""
    one = partial(_one, service, nullcontext, SQLAlchemyError)

    def all_of(calls: list[Call]) -> list[Given | Exception]:
        return db.read(lambda session: [one(session, *each) for each in calls])

    together = Together(all_of, most)
    return lambda asked: together((copy_context(), asked))


def writing(
    service: Callable[..., Given], most: int, ahead: Callable[[Session, list[Arguments]], object] = lambda *_: None
) -> Service[Given]:
    """A service that writes, on SQLite in one transaction for all who wait, since only one can write there anyway: one
    wait for the disk is enough for all of them. What is raised for one undoes what was done for that one.

    What they need in common is read `ahead` of them.

    On PostgreSQL each has a transaction: one for all would keep every row it locks until the last of them is done.
    """
    # A row that a guard refuses is the fault of whoever asked for it.
    one = partial(_one, service, db.apart, OperationalError)

    def all_of(calls: list[Call]) -> list[Given | Exception]:
        with db.transaction(writing=True) as session, db.shared(session):
            ahead(session, [asked for _, asked in calls])
            return [one(session, *each) for each in calls]

    together = Together(all_of, most)

    async def written(asked: Arguments) -> Given:
        return await (together((copy_context(), asked)) if settings().is_sqlite else db.run(db.write, service, *asked))

    return written


def _one(
    service: Callable[..., Given],
    within: Callable[[Session], AbstractContextManager[Any]],
    fault: type[SQLAlchemyError],
    session: Session,
    context: Context,
    asked: Arguments,
) -> Given | Exception:
    """What a service gives for one of them, or raises; what is the database's fault is raised here, for all."""
    try:
        with within(session):
            return context.run(service, session, *asked)
    except (UnavailableError, NoAnswerError, fault):
        raise
    except Exception as error:
        return error


def _tell(answer: asyncio.Future[Given], given: Given | Exception) -> None:
    if isinstance(given, Exception):
        answer.set_exception(given)
    else:
        answer.set_result(given)
