"""A browser's websocket without a browser, to send what no page would."""

import json
import time
import uuid
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import reflex as rx
from simple_websocket import Client, ConnectionClosed

from rental_app.web.session.base import SessionState

ROOT = "reflex___state____state"
SESSION = SessionState.get_full_name()
FIRST = f"{ROOT}.hydrate_and_load"


def open_socket(url: str, ident: str) -> Client:
    """Open a bare connection that claims an id."""
    return Client.connect(f"{url.replace('http', 'ws', 1)}/_event/?EIO=4&transport=websocket&token={ident}")


class Tab:
    """One connection with its own session on the server, hydrated with whatever its storage claims to hold."""

    def __init__(
        self, url: str, storage: dict[str, Any] | None = None, path: str = "/", ident: str = "", shows: bool = True
    ) -> None:
        """`ident` is another tab's id; with `shows` off it connects without a first event, which no browser does."""
        self.path = {"pathname": path, "asPath": path}
        self.url, self.ident = url, ident or str(uuid.uuid4())
        self.socket = open_socket(url, self.ident)
        self.storage = {f"{SESSION}.{name}_rx_state_": value for name, value in (storage or {}).items()}
        if shows:
            self.connect()
        else:
            self.socket.send("40/_event,")

    def connect(self) -> None:
        """Send the first event, as browsers do and do again when they are refused."""
        boot = {"name": FIRST, "payload": {"vars": self.storage}, "router_data": self.path}
        self.socket.send(f"40/_event,{json.dumps({'event': boot})}")

    def connect_again(self, until: str) -> bool:
        """Send it again, on a new connection if the server has ended the refused one; whether a text then comes."""
        try:
            self.connect()
        except ConnectionClosed:
            self.socket = open_socket(self.url, self.ident)
            self.connect()
        return until in self.heard(until=until)

    def send(self, state: type[rx.State], handler: str, **payload: Any) -> None:
        """Call a state's handler."""
        self.send_raw(f"{state.get_full_name()}.{handler}", **payload)

    def send_raw(self, name: str, **payload: Any) -> None:
        """Call a handler by its whole name."""
        event = {"name": name, "payload": payload, "router_data": self.path}
        self.socket.send(f'42/_event,["event",{json.dumps(event)}]')

    def heard(self, seconds: float = 1.0, until: str = "", expected: Sequence[str] = ()) -> str:
        """Return everything the server sends until the awaited text comes, or else until it is silent for a while.

        Silence counts only once the expected texts have come: on a busy machine an answer takes longer than that.
        """
        # A flood is answered up to its limit first, which takes long while other tests run.
        said, deadline = [""], time.monotonic() + (60 if until or expected else 20)
        while (left := deadline - time.monotonic()) > 0 and not (until and until in said[-1]):
            is_waiting = bool(until) or any(text not in "\n".join(said) for text in expected)
            try:
                frame = self.socket.receive(timeout=left if is_waiting else seconds)
            except ConnectionClosed:
                break
            if frame is None:
                break
            said.append(str(frame))
        return "\n".join(said)

    def leave(self) -> None:
        """Disconnect, and return once the server has noticed: until then the id counts as taken."""
        self.socket.send("41/_event,")
        # Refused, since it sends no first event, but answered in order.
        self.socket.send("40/_event,")
        while not str(self.socket.receive(timeout=20)).startswith(("40/_event", "44/_event", "None")):
            pass
        self.close()
        time.sleep(0.2)

    def close(self) -> None:
        """Disconnect."""
        with suppress(ConnectionClosed):
            self.socket.close()
