"""Files are examined in a separate process, with limits on memory, time and output (check_process.py)."""

import logging
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, cast

from rental_app.domain.errors import UnavailableError, UnsupportedTypeError
from rental_app.services.files import check_process, process_limits
from rental_app.services.files.check_process import message, messages

ROOT = Path(__file__).parents[3]
SECONDS = 60
TOO_MUCH = "this file takes too much time or memory to be checked"
UNAVAILABLE = "Files cannot be checked right now, please try again shortly"
log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Job:
    """A file to examine: a picture to re-encode at two widths or more, a paper to keep as it is if it can be, a sheet
    whose cells are wanted as JSON, a person's document to draw, or a picture of one to write a `text` over."""

    data: bytes = field(repr=False)
    widths: tuple[int, ...] = ()
    job: Literal["", "sheet", "identity", "watermark"] = ""
    text: str = ""

    @property
    def head(self) -> dict[str, object]:
        """What the process is told of it."""
        return {"job": self.job, "widths": self.widths, "text": self.text}


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result: a refusal's code and reason, or the type and what to store instead of the file, if anything."""

    code: str = ""
    reason: str = ""
    content_type: str = ""
    instead: tuple[bytes, ...] = field(default=(), repr=False)


def answers(jobs: Sequence[Job]) -> list[CheckResult]:
    """Examine files in turn, up to the first that exceeds a limit; raises UnavailableError.

    Blocks for SECONDS at most.
    """
    requests = b"".join(message(job.head, job.data) for job in jobs)
    with _room() as out:
        ended = _run(requests, out)
        out.seek(0)
        results = [CheckResult(**head, instead=tuple(parts)) for head, parts in messages(out)]
    if ended > 0:
        log.error("the process that checks files ended with status %s", ended)
        raise UnavailableError(UNAVAILABLE)
    return results if ended == 0 else [*results, CheckResult(UnsupportedTypeError.code, TOO_MUCH)]


def _room() -> BinaryIO:
    try:
        return cast(BinaryIO, tempfile.TemporaryFile())
    except OSError as error:
        log.error("there is no temporary file for checks: %s", type(error).__name__)
        raise UnavailableError(UNAVAILABLE) from error


def _run(requests: bytes, out: BinaryIO) -> int:
    """Run the checking process; returns its exit status, negative when it was killed for exceeding a limit."""
    command = [sys.executable, "-m", check_process.__name__]
    environment = process_limits.environment()
    try:
        return subprocess.run(  # noqa: S603
            command, input=requests, stdout=out, stderr=subprocess.DEVNULL, cwd=ROOT, env=environment, timeout=SECONDS
        ).returncode
    except subprocess.TimeoutExpired:
        return -1
    except OSError as error:
        log.error("the process that checks files did not start: %s", type(error).__name__)
        raise UnavailableError(UNAVAILABLE) from error
