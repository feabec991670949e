"""The pages as production serves them: exported by Reflex when their sources have changed."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import IO

from filelock import BaseFileLock, FileLock, Timeout

WEB = Path(".web")
STAMP = WEB / "build" / "pahiya-sources"
# Beside the folder, which may be deleted and made again.
LOCK = Path(".web.lock")
SOURCES = ("rxconfig.py", "requirements.lock", "rental_app", "assets", "reflex.lock", "SECURITY.md")
EXPORT = (sys.executable, "-m", "reflex", "export", "--frontend-only", "--no-zip")
# Versions are pinned, and checking for the latest takes a quarter of a minute without network access.
BUILD_SWITCHES = {"REFLEX_ENV_MODE": "prod", "REFLEX_USE_NPM": "1", "REFLEX_CHECK_LATEST_VERSION": "false"}
# Full paths, because folders with these names also occur deeper, among the sources of the pages.
NOT_IN_PAGES = tuple(Path("rental_app", name) for name in ("seed", "models", "api", "ssr"))


def say(text: str) -> None:
    """Print a plain line for the person who started the server."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def sources_digest() -> str:
    """A digest of everything the built pages depend on."""
    from rental_app.infrastructure.settings import settings

    digest = hashlib.sha256(json.dumps(settings().public(), sort_keys=True).encode())
    for source in map(Path, SOURCES):
        for path in sorted([source, *source.rglob("*")]):
            made = "__pycache__" in path.parts or "external" in path.parts
            if path.is_file() and not made and not any(map(path.is_relative_to, NOT_IN_PAGES)):
                digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()


@contextmanager
def building() -> Iterator[None]:
    """Build the production pages, unless up to date, while the `with` body runs; abandon the build if the body fails.

    Raises SystemExit when they cannot be built.
    """
    from rental_app.infrastructure.settings import settings

    with _turn() as lock:
        digest = sources_digest()
        if STAMP.exists() and STAMP.read_text() == digest:
            say("Pages are up to date")
            lock.release()
            yield
            return
        say("Building the pages (about half a minute, longer the first time) ...")
        log_file = settings().data_dir / "build.log"
        log_file.parent.mkdir(parents=True, exist_ok=True)
        # Reflex would add to the files left from an earlier build.
        shutil.rmtree(WEB / "public" / "external", ignore_errors=True)
        with log_file.open("w") as log, _exporting(log) as export:
            yield
            failed = export.wait()
        if failed:
            say(log_file.read_text()[-4000:])
            raise SystemExit(f"The pages could not be built; the whole log is in {log_file}")
        # Written after the export, which starts from an empty folder.
        STAMP.write_text(digest)


@contextmanager
def _turn() -> Iterator[BaseFileLock]:
    """Make a second build in the same folder wait for the first, whose files it would delete."""
    lock = FileLock(LOCK)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        say("Another build is at work here: waiting for it ...")
        lock.acquire()
    try:
        yield lock
    finally:
        lock.release()


@contextmanager
def _exporting(log: IO[str]) -> Iterator[subprocess.Popen[bytes]]:
    switches = os.environ | BUILD_SWITCHES
    # Its own process group, so that its child processes end with it.
    export = subprocess.Popen(EXPORT, stdout=log, stderr=subprocess.STDOUT, env=switches, start_new_session=True)  # noqa: S603
    try:
        yield export
    finally:
        if export.poll() is None:
            os.killpg(export.pid, signal.SIGTERM)
            export.wait()


def build_pages() -> None:
    """Build the production pages unless they are up to date; raises SystemExit when that fails."""
    with building():
        pass


def existing_pages() -> AbstractContextManager[None]:
    """In place of `building`; raises SystemExit when nothing has been built."""
    if not STAMP.exists():
        raise SystemExit("There is no build yet: run `make build`")
    return nullcontext()
