"""The master process: serves through workers, replaces those that die or hang, gives up when new ones die too."""

import asyncio
import importlib
import os
import signal
import time
from asyncio import TimerHandle, Transport
from threading import Thread
from typing import Any, NamedTuple

from gunicorn.app.base import BaseApplication
from gunicorn.config import Config
from gunicorn.errors import HaltServer
from prometheus_client import multiprocess
from wsproto.events import Ping

from rental_app.infrastructure import logs, metrics
from rental_app.infrastructure.connection_limits import OpenConnections, raise_open_files
from rental_app.library_patches.gunicorn_master import Arbiter, Logger, UvicornWorker, Worker
from rental_app.library_patches.uvicorn_protocols import HttpToolsProtocol, WSProtocol
from rental_app.schemas.wire import Refusal

APP = "rental_app.rental_app:app"
# Also how long a client may take for the head of a request, and may leave unread what a websocket sends.
IDLE_SECONDS = 75
# The most bytes a request may send outside of a body: its request line, headers and trailers.
LONGEST_HEAD = 64 * 1024
# How much of what has arrived is read at once: a head that arrives whole is as long as one that arrives in pieces.
PIECE = 16 * 1024
# In bytes. Engine.IO's limit is a fifth of that in characters (sockets.py), which take at most four bytes each.
LONGEST_MESSAGE = 1_000_000
MALFORMED = "malformed_request"
# How many requests may wait behind the one that a connection is being answered; no browser or proxy sends any.
MOST_PIPELINED = 8
# How long a worker's event loop may be blocked: with the start of another worker, a quarter of a minute in all.
HANGING_SECONDS = 5
# How long a worker may take to start, which it does slowly on a busy machine.
STARTING_SECONDS = 60
# How often the master checks its workers, and each worker checks the master; how often a worker reports that it runs.
LOOK_SECONDS, BEAT_SECONDS = 1, 0.5
STOPPING_SECONDS = 3
MOST_DEATHS, DEATHS_SECONDS = 5, 120
REFUSED_HEAD = (
    b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nContent-Length: %d\r\nX-Request-ID: %b\r\n"
    b"Connection: close\r\n\r\n"
)


# The connections of this process. Those of websockets stay the same when they change their protocol.
open_connections = OpenConnections()


class LimitedProtocol(HttpToolsProtocol):
    """uvicorn's end of a connection, with limits: by itself it takes a head of any length and waits for it forever."""

    _deadline: TimerHandle | None = None
    _unread = 0

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Count the connection and start the timeout for a request."""
        super().connection_made(transport)
        open_connections.add(transport, _address(self))
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._stop_waiting()
        open_connections.remove(self.transport, _address(self))
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Process received data, and refuse a head that is too long."""
        for start in range(0, len(data), PIECE):
            piece = data[start : start + PIECE]
            self._unread += len(piece)
            super().data_received(piece)
            if self._unread > LONGEST_HEAD and not self.transport.is_closing():
                self.send_400_response("The head of the request is too long")
            # A websocket has a protocol of its own, and gets what follows its head from there.
            if self.transport.is_closing() or self.transport.get_protocol() is not self:
                return

    def on_headers_complete(self) -> None:
        """Stop the timeout for the head: the application itself limits how long a body may take.

        Close the connection if too many requests wait: uvicorn goes on reading whenever it has answered one.
        """
        self._stop_waiting()
        self._unread = 0
        if len(self.pipeline) >= MOST_PIPELINED:
            self.transport.close()
            return
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Pass on a part of a body, whose size the application itself limits."""
        self._unread = 0
        super().on_body(body)

    def on_response_complete(self) -> None:
        """Start the timeout for the next request, unless that has already arrived."""
        super().on_response_complete()
        if self.timeout_keep_alive_task:
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP, in JSON as calls do: it may have been meant for one."""
        before = logs.request_log.set(logs.RequestLog(code=MALFORMED))
        refusal = Refusal(message=msg, code=MALFORMED, request_id=logs.request_id())
        body, ident = refusal.written(), refusal.request_id.encode()
        self.transport.write(REFUSED_HEAD % (len(body), ident) + body)
        logs.done("request", MALFORMED, 0, method="OTHER", status=400)
        logs.request_log.reset(before)
        self.transport.close()

    def _wait(self) -> None:
        self._deadline = self.loop.call_later(self.timeout_keep_alive, self.timeout_keep_alive_handler)
        open_connections.note_waiting(self.transport, _address(self))

    def _stop_waiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()
        open_connections.note_request(self.transport, _address(self))


class LimitedSocket(WSProtocol):
    """uvicorn's end of a websocket, with limits: by itself it waits forever for a client that reads nothing, and keeps
    all its answers to pings."""

    _deadline: TimerHandle | None = None

    def pause_writing(self) -> None:
        """Start the timeout: the client has to read what was sent."""
        super().pause_writing()
        self._deadline = self.loop.call_later(self.config.timeout_keep_alive, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timeout."""
        self._stop_waiting()
        super().resume_writing()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._stop_waiting()
        open_connections.remove(self.transport, _address(self))
        super().connection_lost(exc)

    def handle_ping(self, event: Ping) -> None:
        """Answer a ping, which no browser sends, unless the client leaves its answers unread."""
        if self.writable.is_set():
            super().handle_ping(event)

    def _stop_waiting(self) -> None:
        if self._deadline:
            self._deadline.cancel()


def _address(protocol: HttpToolsProtocol | WSProtocol) -> str:
    return protocol.client[0] if protocol.client else "unknown"


class OwnLog(Logger):  # type: ignore[misc]
    """Gunicorn's logger, which writes the master's lines in the format of the workers."""

    def setup(self, cfg: Config) -> None:
        """Take Gunicorn's settings, and put the product's handlers in place of its own."""
        super().setup(cfg)
        logs.set_up()


class OwnWorker(UvicornWorker):  # type: ignore[misc]
    """A worker that leaves keeping websockets alive to Engine.IO, and trusting proxies to the application."""

    CONFIG_KWARGS = {
        "loop": "uvloop",
        "http": LimitedProtocol,
        "ws": LimitedSocket,
        "ws_max_size": LONGEST_MESSAGE,
        "ws_ping_interval": None,
        "ws_per_message_deflate": False,
        "proxy_headers": False,
        "server_header": False,
        "access_log": False,
    }

    _beats: TimerHandle | None = None

    def init_process(self) -> None:
        """Start the application, and a thread that ends this process when the master has died."""
        Thread(target=self._end_with_master, name="master", daemon=True).start()
        super().init_process()

    async def callback_notify(self) -> None:
        """Report to the master from now on, as long as the event loop is not blocked.

        uvicorn calls this when it begins to serve. Its later calls are ignored: on a busy worker they come too rarely.
        """
        if not self._beats:
            self._beat()

    def _beat(self) -> None:
        self.notify()
        self._beats = asyncio.get_running_loop().call_later(BEAT_SECONDS, self._beat)

    def _end_with_master(self) -> None:
        """Wait for the death of the master, then end this process, which would keep the port from the next master.

        In a thread, because the event loop may be blocked.
        """
        while os.getppid() == self.ppid:
            time.sleep(LOOK_SECONDS)
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOPPING_SECONDS)
        os.kill(os.getpid(), signal.SIGKILL)


class Silence(NamedTuple):
    """When a worker last reported, and how many times the master has checked it since."""

    beat: float
    looks: int


class Master(Arbiter):  # type: ignore[misc]
    """Gunicorn's arbiter, which by itself gives up only on workers that cannot even start."""

    # uvicorn's workers do not understand the signals for a quick stop, and would be killed seconds later.
    handle_int = handle_quit = Arbiter.handle_term

    def __init__(self, app: "Supervisor") -> None:
        self.deaths: list[float] = []
        self.is_ending = False
        self.silences: dict[int, Silence] = {}
        self.next_look = 0.0
        super().__init__(app)

    def stop(self, graceful: bool = True) -> None:
        """Stop all workers, whose deaths are not counted as failures."""
        self.is_ending = True
        super().stop(graceful)

    def murder_workers(self) -> None:
        """Kill workers that hang; called at least every second.

        It counts its checks instead of seconds: on an overloaded machine the master checks less often too, and so does
        not kill workers that are merely slow.
        """
        if (now := time.monotonic()) < self.next_look:
            return
        self.next_look = now + LOOK_SECONDS
        self.silences = {pid: self._silence(pid, worker) for pid, worker in self.WORKERS.items()}
        for pid, silence in self.silences.items():
            # Until the first report, the beat is the wall-clock time of the start; gunicorn reports monotonic times.
            patience = STARTING_SECONDS if silence.beat > now else self.timeout
            if silence.looks * LOOK_SECONDS >= patience:
                self.log.critical("WORKER TIMEOUT (pid:%s)", pid)
                self.kill_worker(pid, signal.SIGKILL)

    def _silence(self, pid: int, worker: Worker) -> Silence:
        beat, before = worker.tmp.last_update(), self.silences.get(pid)
        return Silence(beat, before.looks + 1 if before and before.beat == beat else 0)

    def count_death(self, worker: Worker) -> None:
        """Forget a dead worker's gauges; raises HaltServer when too many have died lately.

        If there is one worker only, its successor exports the count of deaths: it is forked from this process.
        """
        if not self.is_ending:
            metrics.DEATHS.inc()
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            multiprocess.mark_process_dead(worker.pid)  # type: ignore[no-untyped-call]
        now = time.monotonic()
        self.deaths = [death for death in self.deaths if now - death < DEATHS_SECONDS] + [now]
        if len(self.deaths) > MOST_DEATHS and not self.is_ending:
            raise HaltServer("Workers die again and again: giving up", 1)


class Supervisor(BaseApplication):  # type: ignore[misc]
    """The master's configuration, and the application that its workers serve."""

    def __init__(self, target: str, **options: Any) -> None:
        self.target, self.options = target, options
        super().__init__()

    def load_config(self) -> None:
        """Configure Gunicorn from the options alone, not from files or the command line."""
        for name, value in (self.options | {"child_exit": Master.count_death}).items():
            self.cfg.set(name, value)

    def load(self) -> Any:
        """The ASGI application, made in each worker."""
        module, name = self.target.split(":")
        return getattr(importlib.import_module(module), name)()

    def run(self) -> None:
        """Serve until interrupted."""
        raise_open_files()
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

    Connections are closed after `idle_seconds` without a request; workers that hang for `hanging_seconds` are
    replaced.
    """
    return Supervisor(
        target,
        bind=f"[{address}]:{port}" if ":" in address else f"{address}:{port}",
        workers=workers,
        worker_class=OwnWorker,
        logger_class=OwnLog,
        # Each has its own socket: on a shared one, the first worker to wake accepts every waiting connection.
        reuse_port=workers > 1,
        keepalive=idle_seconds,
        timeout=hanging_seconds,
        graceful_timeout=STOPPING_SECONDS,
        loglevel="warning",
        control_socket_disable=True,
    )
