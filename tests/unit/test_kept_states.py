"""The states of connected tabs are kept, even after a Redis outage; tabs without a login are limited in number."""

import asyncio
import uuid
from collections import defaultdict
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisAway
from reflex.app import EventNamespace

from rental_app import sockets
from rental_app.settings import settings
from rental_app.sockets import Connections, Tab
from rental_app.states.connection import FIRST


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
    namespace._tabs = {"sid": Tab("ident", "here", known=True, heard=0.0)}

    async def keep() -> None:
        async with asyncio.timeout(30):
            keeping = asyncio.create_task(namespace.keep_states())
            await kept.wait()
            keeping.cancel()

    asyncio.run(keep())
    assert len(tries) == 3


@pytest.mark.parametrize(
    ("address", "same", "other"),
    [("10.0.0.1", "10.0.0.1", "10.0.0.2"), ("2001:db8:1:2::1", "2001:db8:1:2:f::1", "2001:db8:1:3::1")],
)
def test_an_address_has_only_so_many_anonymous_tabs(
    address: str, same: str, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def let_in(namespace: Connections, sid: str, environ: dict[str, Any], auth: Any) -> None:
        namespace.sid_to_token[sid] = sid

    def visit(sid: str, client: str) -> bool:
        environ = {"QUERY_STRING": f"token={uuid.uuid4()}", "asgi.scope": {"client": (client, 1)}}
        return asyncio.run(namespace.on_connect(sid, environ, {"event": {"name": FIRST}})) is None

    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    settings.cache_clear()
    monkeypatch.setattr(sockets, "ANONYMOUS_OF_AN_ADDRESS", 2)
    monkeypatch.setattr(EventNamespace, "on_connect", let_in)
    monkeypatch.setattr(EventNamespace, "sid_to_token", {})
    namespace = object.__new__(Connections)
    namespace._tabs, namespace._anonymous, namespace._names = {}, defaultdict(set), frozenset({FIRST})
    assert [visit("first", address), visit("second", address)] == [True, True]
    assert (visit("third", same), visit("fourth", other)) == (False, True)
    settings.cache_clear()
