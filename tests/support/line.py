"""Connections to the app as they are on trains and in lifts: cut, or slow."""

import re
import socket
import threading
import time
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Locator, Page, Route, WebSocketRoute

LOST = re.compile("^You are offline or the shop cannot be reached. Trying again")
BACK = "Connected again"
REFUSED = "No connection: nothing was sent"
UNSURE = "The connection was lost: check whether this was done before you try again"
# Of a slow line: the seconds that any message takes, and the bytes a second of each connection. A browser has six.
DELAY, RATE = 0.075, 100_000


class Line:
    """A proxy that forwards connections to a local port while it is whole."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._whole = True
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """Cut all connections and refuse new ones."""
        self._whole = False
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        """Let new connections through again."""
        self._whole = True

    def close(self) -> None:
        """Close the proxy for good."""
        self.cut()
        self._door.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                self._connect(self._door.accept()[0])

    def _connect(self, caller: socket.socket) -> None:
        if not self._whole:
            caller.close()
            return
        ends = caller, socket.create_connection(("127.0.0.1", self._target))
        self._ends += ends
        for source, sink in (ends, ends[::-1]):
            threading.Thread(target=self._pass_on, args=(source, sink), daemon=True).start()

    def _pass_on(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(16_384):
                self._take_time(len(data))
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)

    def _take_time(self, size: int) -> None:
        """Take none."""


class SlowLine(Line):
    """A proxy on which everything takes a while, websockets included."""

    def _take_time(self, size: int) -> None:
        time.sleep(DELAY + size / RATE)


class Answers:
    """Messages from the server to a page's scripts, held back until they are let through.

    They are `held` from the start, or `held_after` the first message that contains this text.
    """

    def __init__(self, page: Page, *, held: bool = False) -> None:
        self.held = held
        self.held_after = ""
        self._page = page
        self._waiting: list[str | bytes] = []
        page.route_web_socket(re.compile("_event"), self._connect)

    def await_one(self) -> None:
        """Wait until a message is held back, which shows that the page's scripts run."""
        while not self._waiting:
            self._page.wait_for_timeout(50)

    def let_through(self) -> None:
        """Deliver the held messages, and any later ones at once."""
        self.held, self.held_after = False, ""
        for answer in self._waiting:
            self._socket.send(answer)
        self._waiting.clear()

    def _connect(self, page_end: WebSocketRoute) -> None:
        self._socket = page_end
        page_end.connect_to_server().on_message(self._hand_on)

    def _hand_on(self, answer: str | bytes) -> None:
        if self.held and str(answer).startswith("42"):
            self._waiting.append(answer)
        else:
            self._socket.send(answer)
            self.held = self.held or bool(self.held_after and self.held_after in str(answer))


class DeadEnd:
    """A connection that swallows what a page sends, like one that has broken unnoticed."""

    def __init__(self, page: Page) -> None:
        self.swallows = False
        page.route_web_socket(re.compile("_event"), self._connect)

    def notice(self) -> None:
        """Let the page notice; its next connection works."""
        self.swallows = False
        self._page_end.close()

    def _connect(self, page_end: WebSocketRoute) -> None:
        self._page_end, server = page_end, page_end.connect_to_server()
        page_end.on_message(lambda message: None if self.swallows else server.send(message))


def hold_scripts(page: Page, name: str = "") -> Callable[[], None]:
    """Hold back the scripts of later pages, or those with a name; return a function that lets them through."""
    held: list[Route] = []
    let_through: list[bool] = []
    scripts = re.compile(rf"/assets/{name}.*\.js")
    page.route(scripts, lambda route: route.continue_() if let_through else held.append(route))

    def let_go() -> None:
        let_through.append(True)
        for script in held:
            script.continue_()

    return let_go


def news(page: Page) -> Locator:
    """Return the page's status message about its connection."""
    return page.get_by_role("status", name="Connection")
