"""Calls that may be repeated with the same Idempotency-Key: the work is done once, and later calls get its answer."""

import hashlib
from collections.abc import Callable
from typing import Annotated, Concatenate, ParamSpec, TypeVar

from fastapi import Depends, FastAPI, Header, Request, Response
from sqlmodel import Session

from rental_app.api.dependencies import written
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.db import write
from rental_app.infrastructure.security import keyed_digest
from rental_app.schemas.trips import TripAnswer, TripView
from rental_app.schemas.wire import MAX_KEY, Answer
from rental_app.services import remembered
from rental_app.services.accounts.actor import Actor
from rental_app.services.remembered import EarlierAnswer, KeyUse
from rental_app.services.trips import detail

P = ParamSpec("P")
Done = TypeVar("Done")
Reply = TypeVar("Reply", bound=Answer)
Key = Annotated[
    str,
    Header(
        max_length=MAX_KEY,
        description=(
            "Makes the call safe to repeat: with the same key, for 7 days, the same call returns the first answer and"
            " does nothing again. Another call with the key is refused (409 `idempotency_key_reused`). Refusals are not"
            " remembered. Of an answer of more than 16 KB it is only remembered that it was given: the booking is"
            " returned as it is now, or the repeated call refused (409 `idempotency_key_used`)."
        ),
    ),
]


class AnsweredEarlierError(Exception):
    """Not a failure: the call was made before and is answered as it was then.

    An exception, so that the transaction is rolled back and files sent again are deleted.
    """

    def __init__(self, body: str) -> None:
        super().__init__("answered earlier")
        self.body = body


class Once:
    """Runs the service of a call: only once if the call has a key. The same key with another `digest` is refused."""

    def __init__(self, key: str = "", digest: str = "") -> None:
        self.key, self._digest = key, digest

    def __call__(
        self,
        answer_of: Callable[[Done], Reply],
        service: Callable[Concatenate[Session, Actor, P], Done],
        actor: Actor,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> Reply:
        """Call a service that writes, and return the answer that `answer_of` makes of its result.

        The key, the work and the answer are one transaction: nothing is done without being remembered, and a refusal
        leaves the key free. Raises ConflictError for a key that was used for something else.
        """
        return write(self._within, actor, answer_of, lambda session: service(session, actor, *args, **kwargs), None)

    def on_booking(
        self,
        message: str | Callable[[TripView], str],
        service: Callable[Concatenate[Session, Actor, str, P], TripView],
        actor: Actor,
        ref: str,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> TripAnswer:
        """The same for a service that returns a booking in full: one too large to be remembered is read again.

        The message may depend on the booking.
        """
        message_of = (lambda _: message) if isinstance(message, str) else message
        return write(
            self._within,
            actor,
            lambda booking: TripAnswer(message=message_of(booking), booking=booking),
            lambda session: service(session, actor, ref, *args, **kwargs),
            lambda session: detail.view_of(session, actor, ref),
        )

    def _within(
        self,
        session: Session,
        actor: Actor,
        answer_of: Callable[[Done], Reply],
        work: Callable[[Session], Done],
        again: Callable[[Session], Done] | None,
    ) -> Reply:
        if not self.key:
            return answer_of(work(session))
        use = KeyUse(actor.id, self.key, self._digest)
        if earlier := remembered.take(session, use):
            raise AnsweredEarlierError(_repeated(session, earlier, answer_of, again))
        answer = answer_of(work(session))
        remembered.keep(session, use, answer.model_dump_json(by_alias=True))
        return answer


def _repeated(
    session: Session,
    earlier: EarlierAnswer,
    answer_of: Callable[[Done], Reply],
    again: Callable[[Session], Done] | None,
) -> str:
    if earlier.body is not None:
        return earlier.body
    if again is None:
        message = "This call has been made, but its answer was too large to be remembered"
        raise ConflictError(message, code="idempotency_key_used")
    return answer_of(again(session)).model_dump_json(by_alias=True)


async def once(request: Request, idempotency_key: Key = "") -> Once:
    """The `Once` of a call with a JSON body, or with none."""
    if not idempotency_key:
        return Once()
    return used(request, idempotency_key, await request.body())


async def once_with_password(request: Request, idempotency_key: Key = "") -> Once:
    """The same for a call whose body holds a password: its digest is keyed, as a plain one could be guessed."""
    if not idempotency_key:
        return Once()
    return used(request, idempotency_key, keyed_digest("call", await request.body()))


def used(request: Request, key: str, *parts: bytes) -> Once:
    """The `Once` of a call with a key; `parts` are what its body consists of."""
    digest = hashlib.sha256(f"{request.method} {request.url.path}".encode())
    for part in parts:
        # The digests of parts have one length, so that no part can pass for the end of another.
        digest.update(hashlib.sha256(part).digest())
    return Once(key, digest.hexdigest())


async def _answered(_request: Request, error: Exception) -> Response:
    if not isinstance(error, AnsweredEarlierError):
        raise error
    return written(error.body.encode())


def install(app: FastAPI) -> None:
    """Have repeated calls answered as they were the first time."""
    app.add_exception_handler(AnsweredEarlierError, _answered)


def message_answer(message: str) -> Answer:
    """The answer that only says what was done."""
    return Answer(message=message)


OnlyOnce = Annotated[Once, Depends(once)]
OnlyOnceWithPassword = Annotated[Once, Depends(once_with_password)]
