"""Browser tabs without a browser: states with a user's token, and what their handlers send."""

import asyncio
import inspect
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import reflex as rx
from reflex.state import State

from rental_app.models import User
from rental_app.web.session.base import SessionState
from tests.support.shop import token_of

S = TypeVar("S", bound=rx.State)


async def tab_of(user: User | None, kind: type[S]) -> S:
    """Return a state of a fresh tab that holds a user's token, or none."""
    root = State(_reflex_internal_init=True)
    session = await root.get_state(SessionState)
    session.token, session._shown_by = token_of(user) if user else "", "a connection"
    state: S = await root.get_state(kind)
    return state


async def hand_over(state: rx.State, user: User) -> None:
    """Put another user's token into the same tab."""
    (await state.get_state(SessionState)).token = token_of(user)


def is_asked(told: str | list[str]) -> bool:
    """Return whether the browser was asked for its stored token, and no toast was shown."""
    text = str(told)
    return "hydrate_and_load" in text and "toast" not in text


async def answers(events: Any) -> str:
    """Run a handler; return everything it sends to the browser as one text."""
    return " ".join([str(event) async for event in events if event is not None])


async def loaded(opening: Coroutine[Any, Any, S]) -> S:
    """Open a tab and load its page."""
    tab: Any = await opening
    await answers(tab.load())
    return tab  # type: ignore[no-any-return]


def content(state: rx.State) -> dict[str, Any]:
    """Return a state's values."""
    return {name: getattr(state, name) for name in state.base_vars}


async def told(events: Any) -> list[str]:
    """Run a handler; return the toasts and addresses it sends to the browser."""
    return [str(event.args) for event in [event async for event in events] if event is not None]


def journey(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run an async test."""

    def run(**fixtures: Any) -> None:
        asyncio.run(test(**fixtures))

    run.__name__, run.__doc__ = test.__name__, test.__doc__
    run.__signature__ = inspect.signature(test)  # type: ignore[attr-defined]
    return run
