"""Ways to the app as trains and lifts leave them: cut, or slow."""

import re
import socket
import threading
from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Locator, Page, Route, WebSocketRoute

LOST = re.compile("^You are offline or the shop cannot be reached. Trying again")
BACK = "Connected again"
REFUSED = "No connection: nothing was sent"
UNSURE = "The connection broke: look whether this was done before you try again"


class Line:
    """Passes connections on to a port of this machine while it is whole."""

    def __init__(self, target: int) -> None:
        self._target = target
        self._whole = True
        self._ends: list[socket.socket] = []
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._door.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def cut(self) -> None:
        """End what is connected and let nobody through any more."""
        self._whole = False
        for end in self._ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
        self._ends.clear()

    def mend(self) -> None:
        """Let the next one through."""
        self._whole = True

    def close(self) -> None:
        """End it for good."""
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
            threading.Thread(target=_pass_on, args=(source, sink), daemon=True).start()


class Answers:
    """What the server sends to a page's scripts: held back until it is let through.

    `held` from the start, or `held_after` the first answer that contains this text.
    """

    def __init__(self, page: Page, *, held: bool = False) -> None:
        self.held = held
        self.held_after = ""
        self._page = page
        self._waiting: list[str | bytes] = []
        page.route_web_socket(re.compile("_event"), self._connect)

    def await_one(self) -> None:
        """Wait until there is something to hold back: from then on the page's scripts run."""
        while not self._waiting:
            self._page.wait_for_timeout(50)

    def let_through(self) -> None:
        """Hand over what was held back, and what comes after it at once."""
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
    """A line that swallows what a page sends, as one that has broken without anybody having noticed."""

    def __init__(self, page: Page) -> None:
        self.swallows = False
        page.route_web_socket(re.compile("_event"), self._connect)

    def notice(self) -> None:
        """Let the page notice; the next line is whole."""
        self.swallows = False
        self._page_end.close()

    def _connect(self, page_end: WebSocketRoute) -> None:
        self._page_end, server = page_end, page_end.connect_to_server()
        page_end.on_message(lambda message: None if self.swallows else server.send(message))


def hold_scripts(page: Page, name: str = "") -> Callable[[], None]:
    """Hold back the scripts of the pages to come, or those of a name; what is returned lets them through."""
    held: list[Route] = []
    let_through: list[bool] = []
    scripts = re.compile(rf"/assets/{name}.*\.js")
    page.route(scripts, lambda route: route.continue_() if let_through else held.append(route))

    def let_go() -> None:
        let_through.append(True)
        for script in held:
            script.continue_()

    return let_go


def _pass_on(source: socket.socket, sink: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            sink.sendall(data)
        sink.shutdown(socket.SHUT_WR)


def news(page: Page) -> Locator:
    """What a page says of its connection."""
    return page.get_by_role("status", name="Connection")
