"""Every public handler of every state."""

import importlib
import inspect
import pkgutil
from collections.abc import Collection, Iterator
from typing import Any

import reflex as rx
from reflex.state import State
from sqlalchemy import text
from sqlmodel import SQLModel

import rental_app.web
from rental_app.infrastructure.db import read
from rental_app.schemas.accounts import ProfileUpdate, Registration
from rental_app.web.session.base import SessionState
from tests.support.rows import each
from tests.support.shop import count
from tests.support.state_tabs import answers
from tests.support.within import TAGS

TAG = TAGS[0]
FORM = {field.alias or name: TAG for kind in (ProfileUpdate, Registration) for name, field in kind.model_fields.items()}
ANSWER = {"success": False, "message": TAG, "errors": [{"field": TAG, "message": TAG}]}

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

for module in pkgutil.walk_packages(rental_app.web.__path__, "rental_app.web."):
    importlib.import_module(module.name)

SAMPLES = {"int": 1, "bool": True, "dict": {}, "list": []}

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


IDS = [f"{owner.__module__.removeprefix('rental_app.web.')}.{state}.{name}" for state, name, owner, _ in HANDLERS]


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


def every_row(but: Collection[str] = ("login_session",)) -> dict[str, list[str]]:
    """All rows of all tables but those that a mere visit writes."""
    names = sorted(set(SQLModel.metadata.tables) - set(but))
    return {name: _rows(name) for name in names}


def _rows(table: str) -> list[str]:
    return sorted(map(str, read(lambda session: session.execute(text(f'SELECT * FROM "{table}"')).all())))


_ROWS = [entry[2:] for entry in HANDLERS]
# For calls that change nothing: one test, on one database.
EVERY_HANDLER = each(("owner", "handler"), _ROWS)


def payload(handler: Any) -> tuple[Any, ...]:
    """Return what a page might send to a handler."""
    parameters = list(inspect.signature(handler.fn).parameters.values())[1:]
    kinds = [str(getattr(p.annotation, "__name__", p.annotation)) for p in parameters]
    return tuple(SAMPLES.get(kind, "500081") for kind in kinds)
