"""Batches reading that many callers request at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context, copy_context
from typing import Any, Generic, TypeVar

from sqlalchemy.exc import SQLAlchemyError
from sqlmodel import Session

from rental_app.domain.errors import NoAnswerError, UnavailableError
from rental_app.infrastructure import db

Asked = TypeVar("Asked")
Given = TypeVar("Given")
Arguments = tuple[Any, ...]
Call = tuple[Context, Arguments]
Service = Callable[[Arguments], Awaitable[Given]]


class Batch(Generic[Asked, Given]):
    """Runs a function in a thread for all waiting callers; those that come while it runs are in the next run.

    So the results of a run are never older than any request they answer. The function returns them in the order of the
    requests, with an exception for each that it refuses; a run has at most `most` requests.
    """

    def __init__(self, function: Callable[[list[Asked]], Sequence[Given | Exception]], most: int | None = None) -> None:
        self._function, self._most = function, most
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
                given = await db.run(self._function, [asked for asked, _ in now])
            except Exception as error:
                for _, answer in now:
                    if not answer.done():
                        answer.set_exception(error)
            else:
                for (_, answer), each in zip(now, given, strict=True):
                    # A caller that has disconnected has already cancelled its future.
                    if not answer.done():
                        _tell(answer, each)


def reading(service: Callable[..., Given], most: int | None = None) -> Service[Given]:
    """A read-only service, called in one transaction for all waiting callers, each with its arguments and in its
    context; an exception from one call reaches that caller alone, unless the database is at fault."""

    def all_of(calls: list[Call]) -> list[Given | Exception]:
        return db.read(lambda session: [_one(service, session, *each) for each in calls])

    batched = Batch(all_of, most)
    return lambda asked: batched((copy_context(), asked))


def _one(service: Callable[..., Given], session: Session, context: Context, asked: Arguments) -> Given | Exception:
    """Return a service's result or exception for one call; raise here, for all calls, what is the database's fault."""
    try:
        return context.run(service, session, *asked)
    except (UnavailableError, NoAnswerError, SQLAlchemyError):
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
