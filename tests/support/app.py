"""The real app, started as `make run` starts it."""

import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import httpx2

from tests.support.environment import ENVIRONMENT

ROOT = Path(__file__).parents[2]
BUILD = "from rental_app.infrastructure.build import build_pages; build_pages()"
START_SECONDS, STOP_SECONDS = 180, 10


@dataclass(frozen=True)
class App:
    """A running app: its address, its data folder and its database."""

    url: str
    folder: Path
    other_database: str = ""

    @property
    def database_url(self) -> str:
        """The URL of the database it works on."""
        return self.other_database or f"sqlite:///{self.folder / 'pahiya.db'}"

    @property
    def log(self) -> str:
        """The contents of its log."""
        return (self.folder / "serve.log").read_text()


@contextmanager
def running(folder: Path, demo: Path | None = None, **others: str) -> Iterator[App]:
    """Build the pages if they are stale, serve the app from a data folder, and stop it at the end.

    `demo` is a SQLite file with the demo data, beside its files: what the app would fill an empty folder with, in
    half as much processor time as a whole start. `others` are environment variables that differ from the tests' usual
    ones.
    """
    if demo:
        shutil.copy(demo, folder / "pahiya.db")
        shutil.copytree(demo.with_name("files"), folder / "files")
    port = int(others.get("PORT", free_port()))
    variables = environment() | ENVIRONMENT | {"RENTAL_DATA_DIR": str(folder), "PORT": str(port)}
    variables |= {"RENTAL_DATABASE_URL": ""} | others
    build_once()
    log = folder / "serve.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-m", "rental_app.serve", "--no-build"],
            cwd=ROOT,
            env=variables,
            stdout=out,
            stderr=subprocess.STDOUT,
            start_new_session=True,
        )
    try:
        app = App(f"http://localhost:{port}", folder, variables["RENTAL_DATABASE_URL"])
        _wait_for(app, process, log)
        yield app
    finally:
        stop(process)


def environment() -> dict[str, str]:
    """Return this process's variables, with the project's own Node first on the PATH."""
    return os.environ | {"PATH": f"{ROOT / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"}


@cache
def build_once() -> None:
    """Build stale pages, checked once per run; of several processes one builds and the others wait for it."""
    built = subprocess.run(
        [sys.executable, "-c", BUILD],
        cwd=ROOT,
        env=environment() | ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    if built.returncode:
        raise RuntimeError(f"The pages could not be built:\n{built.stdout[-2000:]}{built.stderr[-2000:]}")


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process and all it started."""
    for ending in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(process.pid, ending)
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS)
            return


def free_port() -> int:
    """Return an unused port."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _wait_for(app: App, process: subprocess.Popen[bytes], log: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        with suppress(httpx2.TransportError):
            if httpx2.get(f"{app.url}/ping").status_code == 200:
                return
        time.sleep(0.2)
    raise RuntimeError(f"The app did not start:\n{log.read_text()[-3000:]}")
