"""What connected tabs cost one process: memory per tab, and how long an event takes with that many connected.

python -m bench.sessions --connected 500 2000
"""

import argparse
import asyncio
import json
import os
import tempfile
import time
import uuid
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from random import Random

import psutil
from simple_websocket import AioClient

from bench.requests import bare
from rental_app.web.parts.search_form.state import SearchState
from tests.support.app import running
from tests.support.environment import ENVIRONMENT
from tests.support.socket_client import FIRST

EVENTS, AT_ONCE, QUIET_SECONDS = 400, 25, 1.5
HOME = {"pathname": "/", "asPath": "/"}
PLACES = ("Madhapur", "Gachibowli")
CHOOSE = f"{SearchState.get_full_name()}.choose_place"


class Tab:
    """The websocket of a browser that shows the home page."""

    def __init__(self, url: str) -> None:
        self._url = f"{url.replace('http', 'ws', 1)}/_event/?EIO=4&transport=websocket&token={uuid.uuid4()}"
        self._places = cycle(PLACES)
        self._said: asyncio.Queue[str] = asyncio.Queue()

    async def connect(self) -> None:
        """Connect as a browser does, and receive everything its page starts with."""
        self._socket = await AioClient.connect(self._url)
        boot = {"name": FIRST, "payload": {"vars": {}}, "router_data": HOME}
        await self._socket.send(f"40/_event,{json.dumps({'event': boot})}")
        self._listening = asyncio.create_task(self._listen())
        with suppress(TimeoutError):
            while True:
                await asyncio.wait_for(self._said.get(), QUIET_SECONDS)

    async def choose(self) -> float:
        """Choose a locality, never the same twice in a row; return the response time (ms)."""
        event = {"name": CHOOSE, "payload": {"name": next(self._places)}, "router_data": HOME}
        began = time.perf_counter()
        await self._socket.send(f'42/_event,["event",{json.dumps(event)}]')
        while "selected_location" not in await asyncio.wait_for(self._said.get(), 60):
            pass
        return (time.perf_counter() - began) * 1000

    async def _listen(self) -> None:
        """Queue the server's messages, and answer its pings."""
        while True:
            frame = str(await self._socket.receive())
            if frame == "2":
                await self._socket.send("3")
            else:
                self._said.put_nowait(frame)


def main() -> None:
    """Measure and print for each requested number of tabs."""
    parser = argparse.ArgumentParser(description="Measure connected tabs")
    parser.add_argument("--connected", type=int, nargs="+", default=[500, 2000])
    asked = parser.parse_args()
    os.environ |= ENVIRONMENT
    with tempfile.TemporaryDirectory(prefix="rental-bench-") as folder:
        with bare(Path(folder)) as url:
            asyncio.run(_measure_bare(url, min(asked.connected)))
        with running(Path(folder)) as app:
            asyncio.run(_measure(app.url, sorted(asked.connected)))


async def _measure_bare(url: str, many: int) -> None:
    """Measure the server's own memory for an idle socket."""
    sockets: list[AioClient] = []
    for step in (AT_ONCE, many - AT_ONCE):
        before = _memory(url)
        sockets += [await AioClient.connect(f"{url}/".replace("http", "ws", 1)) for _ in range(step)]
    print(f"{many:6,} bare sockets {(_memory(url) - before) / step / 1024:6.0f} KB each", flush=True)


async def _measure(url: str, steps: list[int]) -> None:
    tabs: list[Tab] = []
    await _grow(url, tabs, AT_ONCE)
    alone = _memory(url)
    for step in steps:
        await _grow(url, tabs, step - len(tabs))
        each = (_memory(url) - alone) / (len(tabs) - AT_ONCE) / 1024
        random = Random(7)  # noqa: S311
        taken = sorted([await random.choice(tabs).choose() for _ in range(EVENTS)])
        p50, p99 = taken[EVENTS // 2], taken[EVENTS * 99 // 100]
        print(f"{step:6,} connected {each:8.0f} KB each   an event: p50 {p50:.1f} p99 {p99:.1f} ms", flush=True)


async def _grow(url: str, tabs: list[Tab], more: int) -> None:
    """Connect more tabs, a few at a time."""
    for start in range(0, more, AT_ONCE):
        some = [Tab(url) for _ in range(min(AT_ONCE, more - start))]
        await asyncio.gather(*(tab.connect() for tab in some))
        tabs += some


def _memory(url: str) -> int:
    """Return the unshared memory of the server's processes (bytes)."""
    port = url.rpartition(":")[2]
    found = [each for each in psutil.process_iter(["environ"]) if (each.info["environ"] or {}).get("PORT") == port]
    return sum(each.memory_full_info().uss for each in found)


if __name__ == "__main__":
    main()
