"""How fast websockets are read, which packets they may bring, and how much may wait for their browsers."""

import asyncio
from collections.abc import Iterator

import pytest
from engineio.packet import MESSAGE
from engineio.packet import Packet as Sent
from limits import parse
from starlette.types import Message, Receive, Scope, Send

from rental_app.infrastructure.settings import settings
from rental_app.infrastructure.supervisor import LONGEST_MESSAGE
from rental_app.library_patches.socket_io import MOST_UNSENT, TextPacket, Unsent
from rental_app.web.session import sockets
from rental_app.web.session.sockets import PACE, paced_sockets
from tests.support.rows import each

HOUR = 3600


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[float]]:
    """How long is slept, in seconds; nobody sleeps really."""
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    monkeypatch.setattr(asyncio, "sleep", sleep)
    monkeypatch.setattr(sockets, "PACE", parse("3 per hour"))
    yield slept
    monkeypatch.undo()
    settings.cache_clear()


def read_all(*texts: str) -> list[str]:
    """Have a websocket read; returns what of its messages was read."""
    queue: list[str] = list(texts)
    read: list[str] = []

    async def receive() -> Message:
        return {"type": "websocket.receive", "text": queue.pop(0)}

    async def send(_: Message) -> None:
        raise AssertionError("nothing is refused")

    async def application(_scope: Scope, receive: Receive, _send: Send) -> None:
        read.extend([(await receive())["text"] for _ in texts])

    asyncio.run(paced_sockets(application)({"type": "websocket"}, receive, send))
    return read


def limit(monkeypatch: pytest.MonkeyPatch, rate_limits: str) -> None:
    """Turn rate limits on or off."""
    monkeypatch.setenv("RENTAL_RATE_LIMITS", rate_limits)
    settings.cache_clear()


def test_a_websocket_is_read_at_a_certain_pace_and_loses_nothing(
    pauses: list[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit(monkeypatch, "on")
    assert read_all(*"abcdefghi") == list("abcdefghi")
    # The first three at once, each later one when the hour is over.
    assert len(pauses) == 6
    assert all(0 < pause <= HOUR for pause in pauses)


def test_long_messages_count_as_several(pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, "on")
    read_all("x" * 2500, "x")
    assert len(pauses) == 1


def test_without_limits_nothing_waits(pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    limit(monkeypatch, "off")
    read_all(*["x"] * 2000)
    assert pauses == []


def test_even_the_longest_message_is_read() -> None:
    assert sockets._cost({"type": "websocket.receive", "text": "x" * LONGEST_MESSAGE}) < PACE.amount


@each("sent", ['45999999999-/_event,["event",{"_placeholder":true,"num":0}]', "46/_event,1[]"])
def test_packets_with_attachments_are_refused(sent: str) -> None:
    with pytest.raises(ValueError, match="attachments"):
        TextPacket(encoded_packet=sent[1:])
    assert TextPacket(encoded_packet='2/_event,["event",{}]').data == ["event", {}]


def test_nothing_but_the_end_follows_too_much_that_is_unread() -> None:
    unsent, large = Unsent(), Sent(MESSAGE, "x" * (MOST_UNSENT // 2))
    for _ in range(10):
        unsent.put_nowait(large)
    assert [unsent.get_nowait() for _ in range(4)] == [large, large, None, None]
    assert unsent.characters == 0
    unsent.put_nowait(large)
    assert unsent.characters == MOST_UNSENT // 2
