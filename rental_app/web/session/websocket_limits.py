"""What a websocket may bring, and how much may wait to be read by its browser, before anything looks at events."""

import asyncio
import time
from itertools import count
from typing import Any

from limits import parse
from limits.aio.storage import MemoryStorage
from limits.aio.strategies import FixedWindowRateLimiter
from socketio.packet import BINARY_ACK, BINARY_EVENT, Packet
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app.infrastructure.settings import settings

# A message counts once, and once more for every thousand characters. Even the longest is less than a minute's worth
# (supervisor.py), and no page sends a tenth of it.
PACE = parse("1200 per minute")
# In characters. A single message may be longer.
MOST_UNSENT = 500_000


def paced_sockets(app: ASGIApp) -> ASGIApp:
    """Read each websocket no faster than at a certain pace: whoever sends more has to wait, and loses nothing."""
    pace, numbers = FixedWindowRateLimiter(MemoryStorage()), count()

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        number = str(next(numbers))

        async def unhurried() -> Message:
            message = await receive()
            if not await pace.hit(PACE, number, cost=_cost(message)):
                minute = await pace.get_window_stats(PACE, number)
                await asyncio.sleep(minute.reset_time - time.time())
            return message

        is_paced = scope["type"] == "websocket" and settings().rate_limits == "on"
        await app(scope, unhurried if is_paced else receive, send)

    return wrapped


def _cost(message: Message) -> int:
    return 1 + len(message.get("text") or message.get("bytes") or "") // 1000


class TextPacket(Packet):
    """A Socket.IO packet without attachments: any number of them could be announced, and would be kept."""

    def decode(self, encoded_packet: str) -> int:
        """Read a packet; raises ValueError if it is not one that pages send."""
        if encoded_packet[:1] in (str(BINARY_EVENT), str(BINARY_ACK)):
            raise ValueError("Pages send no attachments")
        attachments: int = super().decode(encoded_packet)
        return attachments


class Unsent(asyncio.Queue[Any]):
    """Engine.IO's packets for a connection; when too much is waiting, only the connection's end may follow."""

    characters = 0

    def _put(self, packet: Any) -> None:
        # Engine.IO closes the connection when it gets to None.
        kept = packet if self.characters < MOST_UNSENT else None
        self.characters += _length(kept)
        super()._put(kept)

    def _get(self) -> Any:
        packet = super()._get()
        self.characters -= _length(packet)
        return packet


def _length(packet: Any) -> int:
    return len(packet.data or "") if packet else 0
