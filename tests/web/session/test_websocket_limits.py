"""How fast websockets are read, which packets they may bring, and how much may wait for their browsers."""

import asyncio
import time
from typing import Any

import pytest
from engineio.packet import MESSAGE
from engineio.packet import Packet as Sent
from limits import parse
from starlette.types import Message, Receive, Scope, Send

from rental_app.infrastructure.settings import settings
from rental_app.infrastructure.supervisor import LONGEST_MESSAGE
from rental_app.web.session import websocket_limits
from rental_app.web.session.websocket_limits import MOST_UNSENT, PACE, TextPacket, Unsent, paced_sockets
from tests.support.rows import each


def seconds_to_read(*texts: str) -> list[float]:
    """Return when each message of a websocket was read, in seconds from the start."""
    queue, read = list(texts), []

    async def receive() -> Message:
        return {"type": "websocket.receive", "text": queue.pop(0)}

    async def send(_: Message) -> None:
        raise AssertionError("nothing is refused")

    async def application(_scope: Scope, receive: Receive, _send: Send) -> None:
        began = time.monotonic()
        for _ in texts:
            await receive()
            read.append(time.monotonic() - began)

    asyncio.run(paced_sockets(application)({"type": "websocket"}, receive, send))
    return read


@pytest.fixture
def limited(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Limits on, and a pace that a test can wait for."""
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    monkeypatch.setattr(websocket_limits, "PACE", parse("3 per second"))
    settings.cache_clear()
    yield
    monkeypatch.undo()
    settings.cache_clear()


@pytest.mark.usefixtures("limited")
def test_a_websocket_is_read_at_a_certain_pace_and_loses_nothing() -> None:
    first, *_, third, fourth, last = seconds_to_read(*["x"] * 9)
    assert first < 0.5 < third < fourth
    assert last > 1.5


@pytest.mark.usefixtures("limited")
def test_long_messages_count_as_several() -> None:
    assert seconds_to_read("x" * 2500, "x")[1] > 0.5


def test_without_limits_nothing_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "off")
    settings.cache_clear()
    assert seconds_to_read(*["x"] * 2000)[-1] < 0.5
    settings.cache_clear()


def test_even_the_longest_message_is_read() -> None:
    assert websocket_limits._cost({"type": "websocket.receive", "text": "x" * LONGEST_MESSAGE}) < PACE.amount


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
