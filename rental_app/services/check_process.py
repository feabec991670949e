"""Files are examined in a process of their own, with limits on memory, time and output.

`answers` starts one for all files of a request; `main` is what runs there. Decoders are loaded nowhere else.
"""

import json
import logging
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from rental_app.errors import RentalError, UnavailableError, UnsupportedTypeError

ROOT = Path(__file__).parents[2]
MEGABYTE = 1024 * 1024
# A WebP of 40 megapixels is held four times over while it is decoded; a PDF is not decoded but listed.
PICTURE_BYTES, PDF_BYTES = 768 * MEGABYTE, 256 * MEGABYTE
OUTPUT_BYTES = 64 * MEGABYTE
CPU_SECONDS, SECONDS = 20, 60
TOO_MUCH = "this file takes too much time or memory to be checked"
AWAY = "Files cannot be checked right now, please try again shortly"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A file to examine: a picture to re-encode at two widths or more, or a paper to keep as it is."""

    data: bytes = field(repr=False)
    widths: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Answer:
    """What was found: a refusal's code and reason, or the type and the pictures drawn."""

    code: str = ""
    reason: str = ""
    content_type: str = ""
    pictures: tuple[bytes, ...] = field(default=(), repr=False)


def answers(jobs: Sequence[Job]) -> list[Answer]:
    """Look into files in turn, up to the first that takes too much; raises UnavailableError.

    Blocks for SECONDS at most.
    """
    asked = b"".join(_frame({"widths": job.widths}, job.data) for job in jobs)
    with tempfile.TemporaryFile() as out:
        ended = _run(asked, out)
        out.seek(0)
        found = [Answer(**head, pictures=tuple(parts)) for head, parts in _frames(out)]
    if ended > 0:
        log.error("the process that checks files ended with status %s", ended)
        raise UnavailableError(AWAY)
    return found if ended == 0 else [*found, Answer(UnsupportedTypeError.code, TOO_MUCH)]


def _run(asked: bytes, out: BinaryIO) -> int:
    """Run the other process; returns its exit status, negative when it was killed for exceeding a limit."""
    command = [sys.executable, "-m", __name__]
    # The keys to everything are of no use there.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("RENTAL_")}
    try:
        return subprocess.run(  # noqa: S603
            command, input=asked, stdout=out, stderr=subprocess.DEVNULL, cwd=ROOT, env=environment, timeout=SECONDS
        ).returncode
    except subprocess.TimeoutExpired:
        return -1
    except OSError as error:
        log.error("the process that checks files did not start: %s", type(error).__name__)
        raise UnavailableError(AWAY) from error


def _frame(head: dict[str, object], *parts: bytes) -> bytes:
    line = json.dumps([head, [len(part) for part in parts]]).encode()
    return b"".join((line, b"\n", *parts))


def _frames(stream: BinaryIO) -> Iterator[tuple[dict[str, Any], list[bytes]]]:
    """What `_frame` wrote, up to the end or to where its writer was killed."""
    while (line := stream.readline()).endswith(b"\n"):
        head, sizes = json.loads(line)
        parts = [stream.read(size) for size in sizes]
        if [len(part) for part in parts] != sizes:
            return
        yield head, parts


def _limit_memory(most: int) -> None:
    # Outside Linux the limit is refused or has no effect; time and output are limited there too.
    if sys.platform == "linux":
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


def _answer(widths: Sequence[int], data: bytes) -> tuple[str, list[bytes]]:
    """A file's type and what to keep in its place; raises UnsupportedTypeError and TooLargeError."""
    if data.startswith(b"%PDF-") and not widths:
        _limit_memory(PDF_BYTES)
        from rental_app.services import pdf_check

        pdf_check.check(data)
        return "application/pdf", []
    _limit_memory(PICTURE_BYTES)
    from rental_app.services import pictures

    if widths:
        return "image/jpeg", pictures.redrawn(data, *widths)
    return pictures.content_type(data), []


def main() -> None:
    """Answer for the files on standard input."""
    os.nice(10)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (OUTPUT_BYTES, OUTPUT_BYTES))
    # Otherwise Python raises an error, which would look like a full disk.
    signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
    # Not `sys.stdout`: with PYTHONUNBUFFERED it writes a part of what exceeds the limit, and goes on.
    with open(sys.stdout.fileno(), "wb", closefd=False) as out:
        for head, (data,) in _frames(sys.stdin.buffer):
            try:
                content_type, drawn = _answer(head["widths"], data)
            except RentalError as error:
                out.write(_frame({"code": error.code, "reason": error.message}))
            else:
                out.write(_frame({"content_type": content_type}, *drawn))
            out.flush()


if __name__ == "__main__":
    main()
