"""The states of connected tabs are kept, also after Redis was away for a while."""

import asyncio

import pytest
from redis.exceptions import ConnectionError as RedisAway

from rental_app import sockets
from rental_app.sockets import Connections, Tab


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
