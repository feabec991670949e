"""The master process: serves through workers, replaces those that die or hang, gives up when new ones die as well."""

import importlib
import os
import time
from asyncio import TimerHandle, Transport
from typing import Any

from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.config import Config
from gunicorn.errors import HaltServer
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker
from prometheus_client import multiprocess
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol
from uvicorn_worker import UvicornWorker

from rental_app import logs

APP = "rental_app.rental_app:app"
# Also how long a client may take for the head of a request.
IDLE_SECONDS = 75
# How much of a request may come without any of it being a body: its line and headers, and what trails behind a body.
LONGEST_HEAD = 64 * 1024
# In bytes: of characters, of which each has four at most, Engine.IO takes a fifth of that (sockets.py).
LONGEST_MESSAGE = 1_000_000
# For how long a worker's event loop may stand still, or take to start.
HANGING_SECONDS = 60
STOPPING_SECONDS = 3
MOST_DEATHS, DEATHS_SECONDS = 5, 120


class Impatient(HttpToolsProtocol):
    """uvicorn's end of a connection, which itself would take a head of any length and wait for its end for ever."""

    _deadline: TimerHandle | None = None
    _unread = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Wait no more."""
        self._stop_waiting()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take what has come, and hang up on a head that is too long."""
        self._unread += len(data)
        super().data_received(data)
        if self._unread > LONGEST_HEAD:
            self.transport.close()

    def on_headers_complete(self) -> None:
        """Wait no more: the application knows by itself how long a body may take."""
        self._stop_waiting()
        self._unread = 0
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Take a part of a body, which the application measures by itself."""
        self._unread = 0
        super().on_body(body)

    def on_response_complete(self) -> None:
        """Begin to wait for the next request, unless it is there already."""
        super().on_response_complete()
        if self.timeout_keep_alive_task:
            self._wait()

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)

    def _stop_waiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()


class OwnLog(Logger):  # type: ignore[misc]
    """The master logs as its workers do."""

    def setup(self, cfg: Config) -> None:
        """Take Gunicorn's settings, and put the product's handlers in place of its own."""
        super().setup(cfg)
        logs.set_up()


class OwnWorker(UvicornWorker):  # type: ignore[misc]
    """A worker whose websockets are Engine.IO's to keep alive, and whose proxies are the application's to know."""

    CONFIG_KWARGS = {
        "loop": "uvloop",
        "http": Impatient,
        "ws": "wsproto",
        "ws_max_size": LONGEST_MESSAGE,
        "ws_ping_interval": None,
        "ws_per_message_deflate": False,
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
    }


class Master(Arbiter):  # type: ignore[misc]
    """Gunicorn's, which itself gives up only on workers that cannot even start."""

    # What it tells workers when it is in a hurry says nothing to uvicorn's, which would be killed seconds later.
    handle_int = handle_quit = Arbiter.handle_term

    def __init__(self, app: "Supervisor") -> None:
        self.deaths: list[float] = []
        self.is_ending = False
        super().__init__(app)

    def stop(self, graceful: bool = True) -> None:
        """End all workers: these deaths are meant."""
        self.is_ending = True
        super().stop(graceful)

    def count_death(self, worker: Worker) -> None:
        """Forget a dead worker's gauges; raises HaltServer when too many have died lately."""
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
        now = time.monotonic()
        self.deaths = [death for death in self.deaths if now - death < DEATHS_SECONDS] + [now]
        if len(self.deaths) > MOST_DEATHS and not self.is_ending:
            raise HaltServer("Workers die again and again: giving up", 1)


class Supervisor(BaseApplication):  # type: ignore[misc]
    """What the master is told, and what its workers serve."""

    def __init__(self, target: str, **given: Any) -> None:
        self.target, self.given = target, given
        super().__init__()

    def load_config(self) -> None:
        """Tell Gunicorn what was given, and nothing else: no files, no command line."""
        for name, value in (self.given | {"child_exit": Master.count_death}).items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The ASGI application, made in each worker."""
        module, name = self.target.split(":")
        return getattr(importlib.import_module(module), name)()

    def run(self) -> None:
        """Serve until interrupted."""
        Master(self).run()


def supervisor(
    address: str,
    port: int,
    workers: int = 1,
    target: str = APP,
    *,
    idle_seconds: int = IDLE_SECONDS,
    hanging_seconds: int = HANGING_SECONDS,
) -> Supervisor:
    """The master of `workers` processes that serve an ASGI factory; its `run` lasts until interrupted.

    Connections are closed after `idle_seconds` without a request, workers replaced that stand still for
    `hanging_seconds`.
    """
    return Supervisor(
        target,
        bind=f"[{address}]:{port}" if ":" in address else f"{address}:{port}",
        workers=workers,
        worker_class=OwnWorker,
        logger_class=OwnLog,
        # Each with a socket of its own: of one that they share, the first to wake takes whatever waits.
        reuse_port=workers > 1,
        keepalive=idle_seconds,
        timeout=hanging_seconds,
        graceful_timeout=STOPPING_SECONDS,
        loglevel="warning",
        control_socket_disable=True,
    )
