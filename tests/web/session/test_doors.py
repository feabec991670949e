"""Every public handler of every state, called with what no page would send, without a valid token."""

import asyncio
import importlib
import inspect
import itertools
import pkgutil
from collections.abc import Iterator
from typing import Any

import pytest
import reflex as rx
from reflex.state import State

import rental_app.web
from rental_app.web.session.base import SessionState
from tests.support.shop import Shop, count, token_of
from tests.support.state_tabs import answers

for module in pkgutil.walk_packages(rental_app.web.__path__, "rental_app.web."):
    importlib.import_module(module.name)

NONSENSE: list[Any] = [
    None,
    0,
    -1,
    10**30,
    1.5,
    True,
    "",
    "'; DROP TABLE user; --",
    "\x00\ud83d",
    "x" * 100_000,
    [],
    [{"a": [1]}],
    {},
    {"email": {"$ne": 1}, "password": ["x"], "name": None, "isVendor": 3},
    {"id": 1, "status": "confirmed", "token": "forged", "is_vendor": True},
]
FORGED = ["", "forged", "a.b.c", 5, {"sub": "1"}, ["x"], None, "\x00"]
TABLES = ("user", "booking", "vehicle", "vehicle_price", "login_session")


def states(of: type[rx.State] = State) -> Iterator[type[rx.State]]:
    """All states of the app."""
    for state in of.get_substates():
        if state.__module__.startswith("rental_app."):
            yield state
        yield from states(state)


HANDLERS = sorted(
    (state.__name__, name, state, handler)
    for state in states()
    for name, handler in state.event_handlers.items()
    if handler.fn.__module__.startswith("rental_app.")
)
IDS = [f"{state}.{name}" for state, name, _, _ in HANDLERS]


async def opened(owner: type[rx.State], token: Any, place: Any = "") -> rx.State:
    """Return a state of a fresh tab whose storage may hold anything."""
    root = State(_reflex_internal_init=True)
    session = await root.get_state(SessionState)
    session.token, session.selected_location = token, place
    return await root.get_state(owner)


async def call(owner: type[rx.State], handler: Any, payload: tuple[Any, ...], token: Any, place: Any = "") -> rx.State:
    """Call a handler in such a tab."""
    state = await opened(owner, token, place)
    events = handler.fn(state, *payload)
    if hasattr(events, "__aiter__"):
        await answers(events)
    else:
        await events
    return state


def arguments(handler: Any, value: Any) -> tuple[Any, ...]:
    """The same value for each of a handler's parameters."""
    return (value,) * (len(inspect.signature(handler.fn).parameters) - 1)


def fingerprint() -> dict[str, int]:
    """Return the row counts of the database."""
    return {table: count(table) for table in TABLES}


EACH_HANDLER = pytest.mark.parametrize(("owner", "handler"), [entry[2:] for entry in HANDLERS], ids=IDS)


@EACH_HANDLER
def test_nonsense_neither_raises_nor_stores(shop: Shop, owner: type[rx.State], handler: Any) -> None:
    tokens = ["", token_of(shop.customer), token_of(shop.vendor)]
    before = fingerprint()

    async def try_all() -> None:
        for token, value in itertools.product(tokens, NONSENSE if arguments(handler, "") else [None]):
            state = await call(owner, handler, arguments(handler, value), token)
            assert not getattr(state, "busy", False)

    asyncio.run(try_all())
    assert fingerprint() == before


@EACH_HANDLER
def test_forged_storage_gives_nothing(shop: Shop, owner: type[rx.State], handler: Any) -> None:
    before = fingerprint()

    async def try_all() -> None:
        for forged in FORGED:
            state = await call(owner, handler, arguments(handler, "1"), forged, forged)
            session = await state.get_state(SessionState)
            assert (session.logged_in, session.is_vendor, session.user_name) == (False, False, "")

    asyncio.run(try_all())
    assert fingerprint() == before


def test_a_wrong_number_of_arguments_is_refused(shop: Shop) -> None:
    token = token_of(shop.vendor)
    before = fingerprint()

    async def told(owner: type[rx.State], handler: Any) -> str:
        return await answers(handler.fn(await opened(owner, token), *"abcdefgh"))

    for state, name, owner, handler in HANDLERS:
        assert "This request could not be understood" in asyncio.run(told(owner, handler)), f"{state}.{name}"
    assert fingerprint() == before
