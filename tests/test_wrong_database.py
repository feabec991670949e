"""A start with a wrong database URL reports it at once, and stops building pages."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from rental_app import serve
from rental_app.infrastructure import build
from tests.conftest import forget, use
from tests.support.app import free_port
from tests.support.environment import ENVIRONMENT

# As long as a build may take, in a process of its own as with bundlers.
EXPORT = "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import time; time.sleep(60)', '{mark}'])"
START = [sys.executable, "-m", "rental_app.serve", "--prepare"]


def running(mark: str) -> set[int]:
    """Return the processes with a mark among their arguments."""
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark.encode() in (process / "cmdline").read_bytes():
                found.add(int(process.name))
    return found


@pytest.fixture
def mark(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A mark that identifies the processes of a slow build."""
    mark = f"build-{tmp_path}"
    monkeypatch.setattr(build, "EXPORT", (sys.executable, "-c", EXPORT.format(mark=mark)))
    monkeypatch.setattr(build, "WEB", tmp_path)
    monkeypatch.setattr(build, "STAMP", tmp_path / "stamp")
    yield mark
    for process in running(mark):
        os.kill(process, signal.SIGKILL)
    forget()


@pytest.mark.long
def test_the_build_is_given_up(mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    use(monkeypatch, f"postgresql://nobody@127.0.0.1:{free_port()}/nothing", tmp_path)
    began = time.monotonic()
    with pytest.raises(SystemExit, match="The database of RENTAL_DATABASE_URL does not answer: "):
        serve.prepare_all(free_port(), build=True)
    while running(mark) and time.monotonic() < began + 50:
        time.sleep(0.05)
    assert time.monotonic() < began + 50
    assert not build.STAMP.exists()


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://nobody:hidden@127.0.0.1:{port}/nothing", "does not answer: connection failed"),
        ("hidden", "must look like"),
    ],
)
def test_it_is_told_in_a_sentence_without_the_password(url: str, told: str, tmp_path: Path) -> None:
    address = {"RENTAL_DATABASE_URL": url.format(port=free_port()), "RENTAL_DATA_DIR": str(tmp_path)}
    start = subprocess.run(START, env=os.environ | ENVIRONMENT | address, capture_output=True, text=True, check=False)
    assert start.returncode == 1
    assert told in start.stderr
    assert "Traceback" not in start.stderr
    assert "hidden" not in start.stderr + start.stdout
