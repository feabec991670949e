"""A raw connection may do no more than a page: what exceeds a limit is refused."""

import json
import socket
import struct
import time
import uuid
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session.newcomers import FIRST_EVENT_SECONDS
from tests.support import app as the_app
from tests.support.app import App
from tests.support.shop import Shop, token_of
from tests.support.socket_client import FIRST, Tab
from tests.support.within import until

pytestmark = [pytest.mark.e2e, pytest.mark.long]
# Processor time in a second in which nobody asks for anything.
IDLE_SECONDS = 0.1
# What a connection may get without reading, in bytes: in the server's queues and, for the most part, in the system's.
MOST = 15_000_000
FIRST_EVENT = json.dumps({"name": FIRST, "payload": {"vars": {}}, "router_data": {"pathname": "/", "asPath": "/"}})
SEARCH_EVENT = json.dumps(
    {"name": f"{VehiclesState.get_full_name()}.filter", "payload": {"text": "activa"}, "router_data": {"pathname": "/"}}
)
UPGRADE = (
    "GET /_event/?EIO=4&transport=websocket&token={} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\n"
    "Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[App]:
    """The real app with the limits it has outside tests."""
    with the_app.running(tmp_path_factory.mktemp("limits"), sqlite_template, RENTAL_RATE_LIMITS="on") as started:
        yield started


def test_nothing_is_kept_of_attachments(app: App) -> None:
    tab = Tab(app.url)
    assert "locations" in tab.heard(until="locations")
    tab.socket.send('45999999999-/_event,["event",{"_placeholder":true,"num":0}]')
    tab.socket.send(b"x" * 1000)
    tab.send_raw(FIRST, vars={})
    # As another attachment, this event would not be answered.
    assert "is_hydrated" in tab.heard(until="is_hydrated")
    tab.close()


def frame(text: str) -> bytes:
    """Return a text as a client's websocket frame."""
    return b"\x81\xfe" + struct.pack(">HI", len(text), 0) + text.encode()


def is_idle(app: App) -> bool:
    """Return whether the app has done hardly anything for a second, which is what this takes."""
    variables = {"PORT": str(port_of(app)), "RENTAL_DATA_DIR": str(app.folder)}.items()
    own = [each for each in psutil.process_iter(["environ"]) if variables <= (each.info["environ"] or {}).items()]

    def spent() -> float:
        return sum(sum(process.cpu_times()[:2]) for process in own)

    before = spent()
    time.sleep(1)
    return spent() - before < IDLE_SECONDS


def test_whoever_asks_and_does_not_read_gets_only_so_much(app: App) -> None:
    with socket.create_connection(("localhost", urlsplit(app.url).port or 0), timeout=60) as line:
        line.sendall(UPGRADE.format(uuid.uuid4()).encode())
        line.recv(1000)
        line.sendall(frame(f'40/_event,{{"event":{FIRST_EVENT}}}'))
        line.sendall(frame(f'42/_event,["event",{FIRST_EVENT}]') * 1100)
        # Everything has been asked by then, and as much of it answered as ever will be.
        until(lambda: is_idle(app))
        heard = 0
        with suppress(ConnectionResetError):
            while piece := line.recv(1_000_000) if heard < MOST else b"":
                heard += len(piece)
        assert 500_000 < heard < MOST


def port_of(app: App) -> int:
    return urlsplit(app.url).port or 0


def open_line(app: App, stack: ExitStack) -> socket.socket:
    """Open a websocket that says nothing yet."""
    line = stack.enter_context(socket.create_connection(("localhost", port_of(app)), timeout=60))
    line.sendall(UPGRADE.format(uuid.uuid4()).encode())
    assert b" 101 " in line.recv(1000)
    return line


def gets_in(app: App, **storage: str) -> bool:
    """Return whether a page gets its connection."""
    tab = Tab(app.url, dict(storage), path="/blog")
    heard = tab.heard(until="/_event")
    tab.close()
    return "40/_event" in heard


def test_a_thousand_silent_sockets_lock_nobody_out_and_end(app: App, shop: Shop) -> None:
    with ExitStack() as stack:
        lines = [open_line(app, stack) for _ in range(1000)]
        # Not the first event of a page: it is told so, and that does not count as one.
        lines[-1].sendall(frame("40/_event,"))
        assert gets_in(app)
        assert gets_in(app, token=token_of(shop.customer))
        began = time.monotonic()
        for line in (lines[0], lines[-1]):
            while line.recv(1000):
                pass
        assert time.monotonic() - began < FIRST_EVENT_SECONDS + 5


def test_tabs_that_come_and_go_lock_nobody_out(app: App) -> None:
    for number in range(330):
        with ExitStack() as stack:
            line = open_line(app, stack)
            line.sendall(frame(f'40/_event,{{"event":{FIRST_EVENT}}}'))
            while b"/_event" not in line.recv(100_000):
                pass
            if number % 2:
                # What somebody has done something on is remembered for longer.
                line.sendall(frame(f'42/_event,["event",{SEARCH_EVENT}]'))
    assert gets_in(app)
