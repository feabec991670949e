"""Access to the operator's console: for everybody else its pages are not there."""

import functools
from collections.abc import AsyncIterator, Callable
from typing import Any

import reflex as rx

from rental_app.domain.characters import initials
from rental_app.domain.errors import ForbiddenError, NotAuthenticatedError, RentalError
from rental_app.infrastructure import db
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import Actor
from rental_app.services.console import work
from rental_app.services.operating import read_only
from rental_app.web.session.base import PrivateState, SessionState, read
from rental_app.web.session.handlers import action, change, events_of, handed_on

# What the console shows to whom: nothing yet, everything, the not-found page, or how to set up a second step.
UNKNOWN, IN, OUT, STEP = "", "in", "out", "step"


class OperatorDoorState(PrivateState):
    """Whether the tab's user is an operator, and how much work of each kind waits for them."""

    standing: str = UNKNOWN
    counts: dict[str, int] = {}
    waiting: int = 0
    # Of their name, in place of a picture.
    initials: str = ""
    # Whether the shop is read-only.
    read_only: bool = False

    @action
    async def enter(self) -> None:
        """The first event of every page of the console."""
        try:
            actor = await acting_operator(self)
        except (NotAuthenticatedError, ForbiddenError) as error:
            await _shut(self, error)
            return
        await self._note(actor)

    async def _note(self, actor: Actor) -> None:
        """Note that somebody is an operator, and what waits for them."""
        self.counts = await read(work.counts, actor)
        self.read_only = await read(read_only.is_on, actor)
        self.initials = initials((await self.get_state(SessionState)).user_name)
        self.waiting, self.standing = sum(self.counts.values()), IN


async def acting_operator(state: rx.State) -> Actor:
    """The operator behind a state's session; raises NotAuthenticatedError and ForbiddenError."""
    session = await state.get_state(SessionState)
    actor = await session._actor()
    await session._note_role(actor)
    await db.run(operators.enter, actor)
    return actor


async def _shut(state: rx.State, error: RentalError) -> None:
    """Have a tab forget what it showed of the console, as that of somebody who was an operator until now."""
    (await state.get_state(PrivateState)).reset()
    door = await state.get_state(OperatorDoorState)
    door.standing = STEP if error.code == "second_step_required" else OUT


def operator_action(handler: Callable[..., Any]) -> Any:
    """Make an `action` of a method whose first argument is the acting operator; everyone else is refused."""
    return action(_handed(handler))


def operator_change(handler: Callable[..., Any]) -> Any:
    """Make a `change` of a method whose first argument is the acting operator; everyone else is refused."""
    return change(_handed(handler))


def operator_load(handler: Callable[..., Any]) -> Any:
    """Make the `operator_action` that fills a page; when it fails, the state's `_failed(message)` says so there.

    Everybody else is told nothing: the page is not there for them.
    """
    handed = _handed(handler)

    @functools.wraps(handed)
    async def load(self: Any, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        try:
            async for event in events_of(handed(self, *args, **kwargs)):
                yield event
        except (NotAuthenticatedError, ForbiddenError):
            return
        except RentalError as error:
            self._failed(error.message)

    return action(load)


def _handed(handler: Callable[..., Any]) -> Callable[..., AsyncIterator[Any]]:
    """The handler as pages call it: without the actor, who is identified again at every call."""

    @functools.wraps(handler)
    async def handed(self: rx.State, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        try:
            operator = await acting_operator(self)
        except (NotAuthenticatedError, ForbiddenError) as error:
            await _shut(self, error)
            raise
        async for event in events_of(handler(self, operator, *args, **kwargs)):
            yield event

    return handed_on(handed, handler)
