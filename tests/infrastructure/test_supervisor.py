"""The master and its workers as real processes, with shortened timeouts."""

import io
import json
import os
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from types import SimpleNamespace
from typing import Any, NamedTuple

import httpx2
import psutil
import pytest
from gunicorn.arbiter import Arbiter

from rental_app.infrastructure import supervisor
from rental_app.infrastructure.supervisor import HANGING_SECONDS, MOST_DEATHS, MOST_PIPELINED, STARTING_SECONDS
from tests.support.app import ROOT, free_port, stop

START = "from rental_app.infrastructure.supervisor import supervisor; supervisor({}).run()"
PATIENCE = 60
# So few open files that an address may have a few connections only.
FEW_FILES = (100, 240)
OF_AN_ADDRESS = FEW_FILES[1] // 4
JSON_HEAD = (
    b"POST /api/echo HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\n\r\n"
)

UPGRADE = (
    b"GET %b HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class Master(NamedTuple):
    """A master and the port at which its worker responds."""

    process: subprocess.Popen[bytes]
    port: int


@contextmanager
def started(
    target: str, workers: int = 1, hanging: int = PATIENCE, idle: int = 2, files: tuple[int, int] | None = None
) -> Iterator[Master]:
    """Start a master of workers that close idle connections, with a soft and a hard limit of open files."""
    port = free_port()
    given = (
        f"'127.0.0.1', {port}, {workers}, 'tests.support.small_app:{target}', idle_seconds={idle},"
        f" hanging_seconds={hanging}"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", START.format(given)],
        cwd=ROOT,
        start_new_session=True,
        stderr=subprocess.PIPE,
        preexec_fn=partial(resource.setrlimit, resource.RLIMIT_NOFILE, files) if files else None,
    )
    try:
        yield Master(process, port)
    finally:
        stop(process)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """The port of a worker that survives everything sent to it."""
    with started("app") as one:
        worker_of(one.port)
        yield one.port


def worker_of(port: int, other_than: int = 0) -> int:
    """Return the id of the process that responds, once there is one."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(httpx2.TransportError):
            if (process := httpx2.get(f"http://127.0.0.1:{port}/process").json()) != other_than:
                return int(process)
        time.sleep(0.1)
    raise AssertionError("no worker answers")


def said(port: int, *parts: bytes, pause: float = 0) -> bytes:
    """Send some parts one by one; return everything that comes back until the server hangs up."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
        for part in parts:
            with suppress(OSError):
                line.sendall(part)
            time.sleep(pause)
        heard = b""
        with suppress(ConnectionResetError):
            while piece := line.recv(4096):
                heard += piece
        return heard


@pytest.mark.long
def test_a_master_whose_workers_die_replaces_them_until_that_is_too_often() -> None:
    with started("plain") as master:
        worker = worker_of(master.port)
        for _ in range(MOST_DEATHS):
            os.kill(worker, signal.SIGKILL)
            worker = worker_of(master.port, other_than=worker)
        assert master.process.poll() is None
        os.kill(worker, signal.SIGKILL)
        assert master.process.wait(PATIENCE) == 1


@pytest.mark.long
def test_a_worker_that_stands_still_is_replaced_soon() -> None:
    """A quarter of a minute, the start of another one included, where the machine does nothing else."""
    assert HANGING_SECONDS <= 5
    with started("plain", hanging=HANGING_SECONDS) as master:
        worker, began = worker_of(master.port), time.monotonic()
        with suppress(httpx2.TransportError):
            httpx2.get(f"http://127.0.0.1:{master.port}/still", timeout=1)
        worker_of(master.port, other_than=worker)
        assert time.monotonic() - began < 45
        assert master.process.poll() is None


@pytest.mark.long
def test_a_worker_that_is_slow_and_alive_is_left_alone() -> None:
    with started("plain", hanging=4, idle=PATIENCE) as master:
        worker = worker_of(master.port)
        for _ in range(4):
            assert httpx2.get(f"http://127.0.0.1:{master.port}/slow", timeout=PATIENCE).text == str(worker)


class Watching(supervisor.Master):
    """A master of one worker that never reports."""

    timeout = 4

    def __init__(self, beat: float) -> None:
        self.silences, self.next_look, self.killed = {}, 0.0, 0
        self.WORKERS = {1: SimpleNamespace(tmp=SimpleNamespace(last_update=lambda: beat))}
        self.log = SimpleNamespace(critical=lambda *_: None)

    def kill_worker(self, _pid: int, _signal: Any) -> None:
        """Count."""
        self.killed += 1


@pytest.mark.parametrize(("beat", "patience"), [(1_700_000_000.0, STARTING_SECONDS), (50.0, Watching.timeout)])
def test_a_worker_that_never_reports_is_killed_and_one_that_starts_has_longer(
    monkeypatch: pytest.MonkeyPatch, beat: float, patience: int
) -> None:
    master = Watching(beat)
    for second in range(patience + 1):
        assert master.killed == 0
        # Woken by a signal, it looks again in the same second.
        for now in (100.0 + second, 100.5 + second):
            monkeypatch.setattr("time.monotonic", lambda now=now: now)
            master.murder_workers()
    assert master.killed == 1


def test_a_busy_machine_kills_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    """The master gets on as rarely as its workers do."""
    master = Watching(50.0)
    for now in (100.0, 110.0, 120.0, 130.0):
        monkeypatch.setattr("time.monotonic", lambda now=now: now)
        master.murder_workers()
    assert master.killed == 0


@pytest.mark.long
@pytest.mark.parametrize("hangs", [False, True])
def test_a_worker_ends_with_its_master(hangs: bool) -> None:
    with started("plain") as master:
        worker = psutil.Process(worker_of(master.port))
        if hangs:
            with suppress(httpx2.TransportError):
                httpx2.get(f"http://127.0.0.1:{master.port}/still", timeout=1)
        master.process.kill()
        worker.wait(15)


@pytest.mark.long
def test_as_many_files_as_the_system_permits_may_be_open() -> None:
    hard = min(4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    with started("plain", files=(256, hard)) as master:
        worker = psutil.Process(worker_of(master.port))
        assert worker.rlimit(psutil.RLIMIT_NOFILE)[0] == hard


def call(port: int) -> int:
    """Return the status of a call on a new connection; 0 if it is closed unanswered."""
    with suppress(httpx2.TransportError):
        return httpx2.get(f"http://127.0.0.1:{port}/process").status_code
    return 0


def connect(port: int, stack: ExitStack, sent: bytes = b"") -> socket.socket:
    """Open a connection and send something."""
    line = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=PATIENCE))
    line.sendall(sent)
    return line


@pytest.mark.long
def test_silent_connections_of_an_address_make_way_for_new_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    with started("app", idle=PATIENCE, files=FEW_FILES) as master, ExitStack() as stack:
        worker_of(master.port)
        lines = [connect(master.port, stack, b"GET / HT") for _ in range(3 * OF_AN_ADDRESS)]
        assert call(master.port) == 200
        with suppress(ConnectionResetError):
            assert lines[0].recv(1) == b""
        assert len(psutil.Process(worker_of(master.port)).net_connections()) < 2 * OF_AN_ADDRESS


@pytest.mark.long
@pytest.mark.parametrize("proxies", ["[]", '["127.0.0.1"]'])
def test_an_address_has_so_many_connections_unless_it_is_a_proxys(
    monkeypatch: pytest.MonkeyPatch, proxies: str
) -> None:
    monkeypatch.setenv("RENTAL_TRUSTED_PROXIES", proxies)
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    with started("app", files=FEW_FILES) as master, ExitStack() as stack:
        worker_of(master.port)
        for _ in range(OF_AN_ADDRESS):
            connect(master.port, stack, JSON_HEAD)
        assert call(master.port) == (0 if proxies == "[]" else 200)
        # The slow bodies are refused after two seconds.
        while call(master.port) != 200:
            time.sleep(0.1)


@pytest.mark.long
def test_a_master_whose_workers_cannot_start_ends_with_an_error() -> None:
    with started("broken") as master:
        assert master.process.wait(PATIENCE) == Arbiter.WORKER_BOOT_ERROR


@pytest.mark.long
@pytest.mark.parametrize(
    "asked", [signal.SIGTERM, *(pytest.param(each, marks=pytest.mark.long) for each in (signal.SIGINT, signal.SIGQUIT))]
)
def test_a_master_that_is_asked_to_end_lets_its_workers_end_and_ends_without_an_error(asked: signal.Signals) -> None:
    with started("plain") as master:
        worker = psutil.Process(worker_of(master.port))
        master.process.send_signal(asked)
        assert master.process.wait(PATIENCE) == 0
        assert not worker.is_running()
    assert b"SIGKILL" not in (master.process.stderr.read() if master.process.stderr else b"")


@pytest.mark.long
def test_however_many_workers_end_with_it_that_is_no_error() -> None:
    with started("plain", workers=MOST_DEATHS + 2) as master:
        while len(psutil.Process(master.process.pid).children()) <= MOST_DEATHS + 1:
            time.sleep(0.1)
        master.process.terminate()
        assert master.process.wait(PATIENCE) == 0


@pytest.mark.long
@pytest.mark.parametrize("sent", [b"", b"GET /process HTTP/1.1\r\nHost: loc"])
def test_whoever_says_nothing_is_hung_up_on(port: int, sent: bytes) -> None:
    assert said(port, sent) == b""


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /%b HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"GET /process HTTP/1.1\r\nHost: localhost\r\nX: %b\r\n\r\n",
        b"POST /api/size HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\nX: %b\r\n\r\n",
    ],
)
def test_whoever_says_too_much_before_or_after_a_body_is_hung_up_on(port: int, sent: bytes) -> None:
    assert said(port, sent % (b"x" * 1_000_000)).partition(b"\r\n")[0] in (b"", b"HTTP/1.1 400 Bad Request")


@pytest.mark.parametrize(
    "sent",
    [
        b"GET /api/echo?%b HTTP/1.1\r\nHost: localhost\r\n\r\n" % (b"x" * 65_600),
        b"GET /api/echo HTTP/1.1\r\nHost: localhost\r\n%b\r\n" % (b"X-Some: thing\r\n" * 6_000),
        b"G\x01T /api/echo HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"POST /api/echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: many\r\n\r\n",
        b"GET /api/\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_what_is_not_http_is_refused_as_calls_refuse(port: int, sent: bytes) -> None:
    head, _, body = said(port, sent).partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\n")
    refusal = json.loads(body)
    assert (refusal["success"], refusal["code"], refusal["errors"]) == (False, "malformed_request", [])
    assert f"X-Request-ID: {refusal['requestId']}".encode() in head


@pytest.mark.long
def test_a_refused_request_is_in_the_log_under_its_id(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_LOGS", "json")
    with started("app") as master:
        worker_of(master.port)
        refusal = json.loads(said(master.port, b"G\x01T / HTTP/1.1\r\n\r\n").partition(b"\r\n\r\n")[2])
    written = (master.process.stderr or io.BytesIO()).read().splitlines()
    told = [line for line in map(json.loads, written) if line.get("request_id") == refusal["requestId"]]
    assert [(line["event"], line["route"], line["status"]) for line in told] == [("request", "malformed_request", 400)]


@pytest.mark.long
def test_whoever_sends_many_requests_at_once_is_hung_up_on(port: int) -> None:
    asked = b"GET /process HTTP/1.1\r\nHost: localhost\r\n\r\n"
    # A connection left open after its answers is closed, too.
    assert said(port, asked * MOST_PIPELINED).count(b"HTTP/1.1 200") == MOST_PIPELINED
    assert said(port, asked * 5000).count(b"HTTP/1.1 200") < 100


@pytest.mark.long
def test_a_body_that_trickles_in_is_refused(port: int) -> None:
    heard = said(port, JSON_HEAD, *[b" "] * 8, pause=0.2)
    assert heard.startswith(b"HTTP/1.1 408")
    assert b"connection: close" in heard
    assert b'"code":"too_slow","errors":[],"requestId":"' in heard


@pytest.mark.long
def test_a_large_body_may_take_longer_while_it_keeps_coming(port: int) -> None:
    head = b"POST /api/size HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 1310720\r\n\r\n"
    assert said(port, head, *[b"x" * 131_072] * 10, pause=0.3).endswith(b"1310720")


def open_socket(line: socket.socket, port: int, path: str) -> None:
    """Upgrade a connection to a websocket."""
    line.settimeout(20)
    line.connect(("127.0.0.1", port))
    line.sendall(UPGRADE % path.encode())
    assert line.recv(12) == b"HTTP/1.1 101"


@pytest.mark.long
def test_whoever_leaves_unread_what_a_websocket_says_is_hung_up_on() -> None:
    with started("chatty") as master, socket.socket() as line:
        worker_of(master.port)
        open_socket(line, master.port, "/")
        # Real time passes, in which nothing is read.
        time.sleep(4)
        heard = 0
        with suppress(ConnectionResetError):
            while piece := line.recv(1_000_000) if heard < 50_000_000 else b"":
                heard += len(piece)
        assert heard < 50_000_000


@pytest.mark.long
def test_answers_to_pings_that_nobody_reads_are_not_kept() -> None:
    ping = b"\x89\xfd\0\0\0\0" + b"x" * 125
    with started("chatty") as master, socket.socket() as line:
        worker = psutil.Process(worker_of(master.port))
        open_socket(line, master.port, "/silent")
        before = worker.memory_info().rss
        with suppress(ConnectionResetError, BrokenPipeError):
            for _ in range(1000):
                line.sendall(ping * 500)
        assert worker.memory_info().rss - before < 20_000_000
