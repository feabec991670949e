"""How many TCP connections an address may have open: each takes memory and one of the process's open files."""

import resource
from asyncio import Transport
from collections import defaultdict
from contextlib import suppress
from dataclasses import dataclass, field

from rental_app.domain.devices import network_of
from rental_app.infrastructure.headers import is_proxy
from rental_app.infrastructure.settings import settings

# As many as the service files ask for; a system may permit a million, and nobody needs them.
MOST_FILES = 65_536
# Carriers put hundreds of people behind one address, and a browser opens six connections and a websocket.
MOST_CONNECTIONS = 2_000


def raise_open_files() -> None:
    """Let this process and its workers open as many files as the system permits, up to MOST_FILES."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < most:
        # The hard limit of macOS may exceed what its kernel permits.
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))


def most_connections() -> int:
    """How many connections an address may have open in this process: never more than a quarter of its files."""
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return MOST_CONNECTIONS if soft == resource.RLIM_INFINITY else min(MOST_CONNECTIONS, soft // 4)


@dataclass
class _OfAddress:
    """The connections of one address; those that wait for a request in the order in which they began to."""

    opened: int = 0
    waiting: dict[Transport, None] = field(default_factory=dict)


class OpenConnections:
    """The connections of each address. Trusted proxies may have any number: each speaks for many."""

    def __init__(self) -> None:
        self._at: defaultdict[str, _OfAddress] = defaultdict(_OfAddress)

    def add(self, transport: Transport, address: str) -> None:
        """Count a new connection. If its address has too many, the one that has waited longest for a request makes way,
        so that whoever opens many and says nothing locks out nobody; when none waits, the new one is closed."""
        here = self._at[network_of(address)]
        here.opened += 1
        if here.opened > most_connections() and settings().rate_limits == "on" and not is_proxy(address):
            oldest = next(iter(here.waiting), transport)
            here.waiting.pop(oldest, None)
            oldest.abort()

    def note_waiting(self, transport: Transport, address: str) -> None:
        """Note that a connection waits for a request."""
        if not transport.is_closing():
            self._at[network_of(address)].waiting[transport] = None

    def note_request(self, transport: Transport, address: str) -> None:
        """Note that a connection's request has arrived."""
        self._at[network_of(address)].waiting.pop(transport, None)

    def remove(self, transport: Transport, address: str) -> None:
        """Forget a connection that is closed."""
        here = self._at[network := network_of(address)]
        here.opened -= 1
        here.waiting.pop(transport, None)
        if here.opened <= 0:
            del self._at[network]
