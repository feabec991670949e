"""Socket.IO and Engine.IO: what a connection may bring, and how much may wait until its browser reads it."""

import asyncio
from typing import Any

import engineio
import socketio
from engineio.base_socket import BaseSocket
from socketio.packet import BINARY_ACK, BINARY_EVENT, Packet

from rental_app.library_patches import Name, require

NAMES = (
    Name(engineio.AsyncServer, "create_queue"),
    Name(BaseSocket, "__init__", "create_queue"),
    Name(socketio.AsyncServer, "_handle_eio_message", "packet_class"),
    Name(Packet, "decode"),
    Name(asyncio.Queue, "put_nowait", "_put"),
    Name(asyncio.Queue, "get_nowait", "_get"),
)
require(*NAMES)
# In characters. A single message may be longer.
MOST_UNSENT = 500_000


def limit(server: socketio.AsyncServer, longest_message: int) -> None:
    """Have a server take messages of so many characters at most, as text alone, and keep MOST_UNSENT for a client."""
    server.eio.max_http_buffer_size = longest_message
    server.eio.create_queue, server.packet_class = Unsent, TextPacket


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
