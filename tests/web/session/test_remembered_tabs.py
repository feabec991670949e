"""The states of connected tabs are kept, even after a Redis outage; an account has so many tabs, and so has nobody."""

import asyncio
import uuid
from collections import defaultdict
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
import reflex as rx
from redis.asyncio import Redis
from redis.exceptions import ConnectionError as RedisAway
from reflex.app import EventNamespace
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import State
from socketio.exceptions import ConnectionRefusedError

from rental_app.infrastructure.db import BUSY
from rental_app.infrastructure.settings import settings
from rental_app.web.operator.words_state import WordsState
from rental_app.web.session import sockets
from rental_app.web.session.connection import FIRST, TOKEN
from rental_app.web.session.newcomers import NEWCOMER, Newcomer, Newcomers
from rental_app.web.session.sockets import LONGEST_WORDS, Connections, Tab
from tests.support.state_tabs import journey

IDENT = "12345678-1234-4234-8234-123456789012"


def test_states_are_kept_again_when_redis_is_back(monkeypatch: pytest.MonkeyPatch) -> None:
    tries, kept = [], asyncio.Event()

    async def touch(_: Connections, token: object) -> None:
        tries.append(token)
        if len(tries) < 3:
            raise RedisAway
        kept.set()

    monkeypatch.setattr(sockets, "_grace", lambda: 0.03)
    monkeypatch.setattr(Connections, "_touch", touch)
    namespace = object.__new__(Connections)
    namespace._tabs = {"sid": Tab("ident", "here", 0.0, Newcomer(Newcomers()), account=1)}

    async def keep() -> None:
        async with asyncio.timeout(30):
            keeping = asyncio.create_task(namespace.keep_states())
            await kept.wait()
            keeping.cancel()

    asyncio.run(keep())
    assert len(tries) == 3


@pytest.fixture
def door(monkeypatch: pytest.MonkeyPatch) -> Iterator[Connections]:
    """A door with room for two tabs of each kind, where everybody takes a moment to come in."""

    async def let_in(namespace: Connections, sid: str, environ: dict[str, Any], auth: Any) -> None:
        await asyncio.sleep(0)
        namespace.sid_to_token[sid] = environ["given"]

    async def account_of(_: str, token: str) -> int:
        await asyncio.sleep(0)
        return {"mine": 1, "yours": 2}.get(token, 0)

    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    settings.cache_clear()
    monkeypatch.setattr(sockets, "ANONYMOUS_OF_AN_ADDRESS", 2)
    monkeypatch.setattr(sockets, "TABS_OF_AN_ACCOUNT", 2)
    monkeypatch.setattr(sockets, "account_of", account_of)
    monkeypatch.setattr(EventNamespace, "on_connect", let_in)
    monkeypatch.setattr(EventNamespace, "sid_to_token", {})
    monkeypatch.setattr(EventNamespace, "on_disconnect", lambda *_: None)
    namespace = object.__new__(Connections)
    namespace.app = SimpleNamespace(state_manager=StateManagerMemory())
    namespace._tabs, namespace._counted = {}, defaultdict(set)
    namespace._gone = defaultdict(dict)
    yield namespace
    settings.cache_clear()


async def connect(door: Connections, token: str, address: str, ident: str = "", given: str = "") -> None:
    """Connect a tab that shows a token, and is given an id of its own or keeps the one it brings."""
    ident = ident or str(uuid.uuid4())
    scope = {"client": (address, 1), NEWCOMER: Newcomer(Newcomers())}
    environ = {"QUERY_STRING": f"token={ident}", "asgi.scope": scope, "given": given or ident}
    event = {"name": FIRST, "payload": {"vars": {TOKEN: token}}}
    assert await door.on_connect(str(uuid.uuid4()), environ, {"event": event}) is None


async def visit(door: Connections, token: str, address: str, ident: str = "", given: str = "") -> bool:
    """Return whether the tab gets in."""
    try:
        await connect(door, token, address, ident, given)
    except ConnectionRefusedError:
        return False
    return True


def leave(door: Connections, ident: str, *, used: bool = False) -> None:
    """Disconnect the tab of an id, on which something has been done or not; it has a state."""
    sid, tab = next((sid, tab) for sid, tab in door._tabs.items() if tab.ident == ident)
    door.app.state_manager.states[ident] = SimpleNamespace(substates={})
    tab.is_used = used
    door.on_disconnect(sid)


def visits(door: Connections, token: str, *addresses: str) -> list[bool]:
    """Connect one tab after the other."""

    async def one_by_one() -> list[bool]:
        return [await visit(door, token, address) for address in addresses]

    return asyncio.run(one_by_one())


@pytest.mark.parametrize(
    ("address", "same", "other"),
    [("10.0.0.1", "10.0.0.1", "10.0.0.2"), ("2001:db8:1:2::1", "2001:db8:1:2:f::1", "2001:db8:1:3::1")],
)
def test_an_address_has_only_so_many_anonymous_tabs(door: Connections, address: str, same: str, other: str) -> None:
    assert visits(door, "", address, address) == [True, True]
    assert visits(door, "", same, other) == [False, True]


def test_an_account_has_only_so_many_tabs_at_an_address(door: Connections) -> None:
    assert visits(door, "mine", "10.0.0.1", "10.0.0.1", "10.0.0.1", "10.0.0.2") == [True, True, False, True]
    assert visits(door, "yours", "10.0.0.1") == [True]
    assert visits(door, "ended", "10.0.0.1", "10.0.0.1", "10.0.0.1") == [True, True, False]


@journey
async def test_whoever_comes_and_goes_keeps_nobody_out(door: Connections, monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest of the tabs that are gone makes way, with its state."""
    monkeypatch.setattr("reflex.istate.manager.memory._release_state_tree", lambda _: None)
    idents = [str(uuid.uuid4()) for _ in range(8)]
    for ident in idents:
        assert await visit(door, "", "10.0.0.1", ident)
        leave(door, ident, used=True)
    assert door._counted == {(0, "10.0.0.1"): set(idents[-2:])}
    assert set(door.app.state_manager.states) == set(idents[-2:])
    # One that comes back is no longer gone.
    assert await visit(door, "", "10.0.0.1", idents[-2])
    assert await visit(door, "", "10.0.0.1")
    assert set(door.app.state_manager.states) == {idents[-2]}
    assert not await visit(door, "", "10.0.0.1")
    assert not door._gone


@pytest.mark.parametrize(("token", "used"), [("", False), ("", True), ("mine", False)])
@journey
async def test_a_gone_tab_on_which_nobody_did_anything_costs_nothing(
    door: Connections, monkeypatch: pytest.MonkeyPatch, token: str, used: bool
) -> None:
    monkeypatch.setattr("reflex.istate.manager.memory._release_state_tree", lambda _: None)
    monkeypatch.setattr(sockets, "BRIEF_SECONDS", 0.1)
    assert await visit(door, token, "10.0.0.1", IDENT)
    lock = await door.app.state_manager._get_state_lock(rx.BaseStateToken(ident=IDENT, cls=State))
    async with lock:
        leave(door, IDENT, used=used)
        await asyncio.sleep(0.3)
        assert IDENT in door.app.state_manager.states, "an event still works on it"
    is_kept = bool(token) or used
    for _ in range(1 if is_kept else 100):
        await asyncio.sleep(0.3)
        if not door._counted and IDENT not in door.app.state_manager.states:
            break
    assert (IDENT in door.app.state_manager.states, bool(door._counted)) == (is_kept, is_kept)


def test_every_tab_of_an_account_gets_in_however_full_the_address_is(
    door: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sockets, "TABS_OF_AN_ADDRESS", 3)
    monkeypatch.setattr(sockets, "TABS_OF_AN_ACCOUNT", 12)
    assert visits(door, "", "10.0.0.1", "10.0.0.1", "10.0.0.1") == [True, True, False]
    assert visits(door, "mine", *["10.0.0.1"] * 13) == [True] * 12 + [False]
    assert visits(door, "yours", *["10.0.0.1"] * 12) == [True] * 12


@journey
async def test_at_a_full_address_gone_tabs_of_anybody_are_forgotten(
    door: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reflex.istate.manager.memory._release_state_tree", lambda _: None)
    monkeypatch.setattr(sockets, "TABS_OF_AN_ADDRESS", 3)
    elsewhere, first, second = (str(uuid.uuid4()) for _ in range(3))
    for ident, token, address in ((elsewhere, "mine", "10.0.0.2"), (first, "mine", "10.0.0.1")):
        assert await visit(door, token, address, ident)
        leave(door, ident)
    assert await visit(door, "yours", "10.0.0.1", second)
    leave(door, second)
    assert [await visit(door, token, "10.0.0.1") for token in ("", "yours", "")] == [True] * 3
    assert set(door.app.state_manager.states) == {elsewhere}


def test_a_tab_is_refused_with_the_reason_while_redis_is_away(
    door: Connections, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = object.__new__(StateManagerRedis)
    manager.redis = Redis.from_url("redis://127.0.0.1:1", retry=None)
    door.app.state_manager = manager
    assert why_refused(door, "") == {"message": BUSY, "data": {"code": "unavailable"}}


def why_refused(door: Connections, token: str) -> object:
    """Return what a refused page is told."""
    with pytest.raises(ConnectionRefusedError) as refusal:
        asyncio.run(connect(door, token, "10.0.0.1"))
    return refusal.value.error_args


@pytest.mark.parametrize(("token", "message"), [("", sockets.TOO_MANY_TABS), ("mine", sockets.TOO_MANY_OF_ONE)])
def test_a_refused_tab_is_told_why(door: Connections, token: str, message: str) -> None:
    visits(door, token, "10.0.0.1", "10.0.0.1")
    assert why_refused(door, token) == {"message": message, "data": {"code": "too_many_tabs"}}


def test_tabs_that_come_at_once_are_all_counted(door: Connections) -> None:
    async def at_once() -> list[bool]:
        return await asyncio.gather(*(visit(door, "", "10.0.0.1") for _ in range(5)))

    assert sum(asyncio.run(at_once())) == 2


@journey
async def test_a_tab_counts_as_its_new_account_if_there_is_room_and_otherwise_as_before(door: Connections) -> None:
    for token in ("", "mine", "mine", "yours"):
        assert await visit(door, token, "10.0.0.1")
    visitor, _, _, yours = door._tabs.values()
    assert not door._counts_as(yours, 1)
    assert door._counts_as(yours, 0)
    assert [len(ids) for ids in door._counted.values()] == [2, 2]
    assert (visitor.account, yours.account) == (0, 0)


@journey
async def test_a_duplicated_tab_counts_by_the_id_it_is_given(door: Connections) -> None:
    assert await visit(door, "", "10.0.0.1", ident=IDENT)
    assert await visit(door, "", "10.0.0.1", ident=IDENT, given="another")
    assert door._counted == {(0, "10.0.0.1"): {IDENT, "another"}}


def test_an_event_is_kept_as_far_as_pages_need_it_and_texts_are_bounded(door: Connections) -> None:
    place = {"pathname": "/blog", "query": {"x": "x" * 100_000}}
    event = {"name": FIRST, "payload": {}, "router_data": place}
    assert door._understood(event) == {"name": FIRST, "payload": {"vars": {}}, "router_data": {"pathname": "/blog"}}
    for payload in ({"text": "x" * 20_001}, {"form": {"text": ["x" * 20_001]}}, {"form": {"x" * 20_001: 1}}):
        assert door._understood(event | {"payload": payload}) is None
    # A page's whole text in the editor of words, and all of its form.
    words = event | {"name": f"{WordsState.get_full_name()}.take_draft", "payload": {"stored": "x" * LONGEST_WORDS}}
    assert door._understood(words) is not None
    assert door._understood(words | {"payload": {"stored": "x" * (LONGEST_WORDS + 1)}}) is None
