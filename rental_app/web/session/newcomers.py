"""Websockets that have not sent their page's first event yet (sockets.py): the time of each is limited, and so is their
number per address."""

import asyncio
from weakref import WeakValueDictionary

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app.domain.devices import network_of
from rental_app.infrastructure.settings import settings

# Browsers send it with the first thing they say.
FIRST_EVENT_SECONDS = 10.0
# Of an address, in each process. The oldest makes way for another: a genuine page is one for a moment only, so whoever
# opens many and says nothing is in nobody's way.
NEWCOMERS_OF_AN_ADDRESS = 500
NEWCOMER = "rental_app.newcomer"


class Newcomers(dict["Newcomer", None]):
    """Those of one address, the oldest first."""


class Newcomer:
    """A websocket's time to show itself, among the other newcomers of its address."""

    def __init__(self, among: Newcomers) -> None:
        self._among = among
        self._deadline: float | None = None
        self._reading: asyncio.Timeout | None = None

    def wait(self) -> None:
        """Begin to wait for the first event, or for another one after the page has left."""
        if len(self._among) >= NEWCOMERS_OF_AN_ADDRESS and settings().rate_limits == "on":
            next(iter(self._among)).leave()
        self._among[self] = None
        self._end_at(asyncio.get_running_loop().time() + FIRST_EVENT_SECONDS)

    def enter(self) -> None:
        """Stop waiting: the first event is accepted."""
        self._among.pop(self, None)
        self._end_at(None)

    def leave(self) -> None:
        """End now."""
        self._among.pop(self, None)
        self._end_at(asyncio.get_running_loop().time())

    def within(self, receive: Receive) -> Receive:
        """Read while there is time; after that the websocket has ended."""

        async def in_time() -> Message:
            try:
                async with asyncio.timeout_at(self._deadline) as self._reading:
                    return await receive()
            except TimeoutError:
                return {"type": "websocket.disconnect", "code": 1008}
            finally:
                self._reading = None

        return in_time

    def _end_at(self, deadline: float | None) -> None:
        self._deadline = deadline
        if self._reading and not self._reading.expired():
            self._reading.reschedule(deadline)


def brief_newcomers(app: ASGIApp) -> ASGIApp:
    """Close websockets that say nothing, the oldest first when their address has too many of them."""
    # For as long as an address has any websocket.
    at: WeakValueDictionary[str, Newcomers] = WeakValueDictionary()

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            return await app(scope, receive, send)
        network = network_of(scope["client"][0] if scope.get("client") else "unknown")
        newcomer = scope[NEWCOMER] = Newcomer(at.setdefault(network, Newcomers()))
        newcomer.wait()
        try:
            await app(scope, newcomer.within(receive), send)
        finally:
            newcomer.leave()

    return wrapped
