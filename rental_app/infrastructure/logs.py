"""Logs name errors and places. They hold nothing people sent, an entry is one line, and nobody can fill a disk.

As text or as JSON (RENTAL_LOGS); JSON also has a line for every request and event, written by `done`.
"""

import logging
import os
import random
import sys
import time
import traceback
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import orjson
import structlog

from rental_app.infrastructure.settings import settings

# Loggers that would log whole events, ids and exception messages; the rest of Reflex's are children of `reflex`.
LIBRARIES = ("reflex", "socketio.server", "engineio.server", "asyncio", "uvicorn.error", "gunicorn.error")
OWN = "rental_app"
# Loggers whose messages hold nothing that people sent.
WITHOUT_VALUES = (OWN, "gunicorn")
LONGEST, FRAMES = 600, 4
HERE = os.path.dirname(os.path.dirname(__file__))
LINES, SECONDS = 20, 60.0


@dataclass(slots=True)
class RequestLog:
    """A request or an event that is being handled: its id and, once known, its user and why it was refused."""

    # It may be guessable, and asking the system for randomness would let other threads go first.
    ident: str = field(default_factory=lambda: f"{random.getrandbits(128):032x}")
    user: int | None = None
    code: str = ""


# Holds the object, not its fields: threads get a copy of the context, and record the user in the one shared object.
request_log: ContextVar[RequestLog | None] = ContextVar("request_log", default=None)


def request_id() -> str:
    """The id of the request or event being handled, or a new one outside of any."""
    return (request_log.get() or RequestLog()).ident


def note_user(user_id: int) -> None:
    """Record the user whose request this has turned out to be."""
    if current := request_log.get():
        current.user = user_id


def note_refusal(code: str) -> None:
    """Record the code that the request is refused with."""
    if current := request_log.get():
        current.code = code


def done(kind: str, route: str, seconds: float, **facts: Any) -> None:
    """Log that a request or an event has been handled; `route` is one of ours, never an address somebody sent."""
    if settings().json_logs:
        if (current := request_log.get()) and current.code:
            facts["code"] = current.code
        _write({"event": kind, "route": route, "ms": round(seconds * 1000, 1), **facts})


def started(version: str) -> None:
    """Log that a worker has started, and the version it runs."""
    if settings().json_logs:
        _write({"event": "start", "version": version, "pid": os.getpid()})


def _write(entry: structlog.typing.EventDict) -> None:
    structlog.BytesLogger(sys.stderr.buffer).msg(_json(entry))


_stamp = structlog.processors.TimeStamper("iso")


def _json(entry: structlog.typing.EventDict) -> bytes:
    """A log entry with its time, and the request and the trace it belongs to."""
    if current := request_log.get():
        entry.update(request_id=current.ident, user=current.user)
    if trace := _trace_id():
        entry["trace_id"] = trace
    return orjson.dumps(_stamp(None, "", entry))


def _trace_id() -> str:
    """The id of the current trace as collectors show it; '' outside of any, and if nothing is traced."""
    if not settings().traces_url:
        return ""
    from opentelemetry import trace

    context = trace.get_current_span().get_span_context()
    return trace.format_trace_id(context.trace_id) if context.is_valid else ""


class Kinds(logging.Formatter):
    """One line: time, level, logger, file and line, words, an exception's type and where it was raised.

    The words are the message only from loggers in WITHOUT_VALUES. From others they are the name of the function that
    logs: the message may hold what people sent, and file and line say which one it is.
    """

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        place = f"{record.name} {_path(record.pathname)}:{record.lineno}"
        return _printable(f"{self.formatTime(record)} {record.levelname} {place} {_words(record)}")


class KindsAsJson(logging.Formatter):
    """The same as a JSON object, with the id of the request."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        place = _printable(f"{record.name} {_path(record.pathname)}:{record.lineno}")
        return _json({"event": _printable(_words(record)), "level": record.levelname.lower(), "place": place}).decode()


class Bounded(logging.Filter):
    """Limits the lines that one place in the code writes per minute; the last one says that the rest is left out."""

    def __init__(self) -> None:
        super().__init__()
        self._minute = 0.0
        self._lines: dict[tuple[str, int], int] = {}

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether a record is written."""
        if time.monotonic() - self._minute > SECONDS:
            self._minute, self._lines = time.monotonic(), {}
        place = (record.pathname, record.lineno)
        self._lines[place] = self._lines.get(place, 0) + 1
        if self._lines[place] == LINES:
            vars(record)["left_out"] = " (no more from here for a minute)"
        return self._lines[place] <= LINES


def set_up() -> None:
    """Set up this process's logging, except while Reflex's own command line builds or runs in development."""
    if os.environ.get("REFLEX_MANAGED_LOGGING") == "true":
        return
    handler = logging.StreamHandler()
    handler.setFormatter(KindsAsJson() if settings().json_logs else Kinds())
    handler.addFilter(Bounded())
    for name in (*LIBRARIES, OWN):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], name == OWN
        # Socket.IO and Engine.IO add their own handler to a logger without a level.
        logger.setLevel(logging.WARNING)
    # For all others: Python's own would print their messages as they are.
    handler.setLevel(logging.WARNING)
    logging.lastResort = handler


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else " " for letter in text[:LONGEST])


def _path(file: str) -> str:
    """The path of a module below the project, or below the folder that a library is imported from."""
    libraries = sorted(filter(None, sys.path), key=len, reverse=True)
    # An environment may lie in the project.
    roots = (*(root for root in libraries if "site-packages" in root), os.path.dirname(HERE), *libraries)
    below = next((root for root in roots if file.startswith(root + os.sep)), "")
    return file[len(below) + 1 :] if below else os.path.basename(file)


def _words(record: logging.LogRecord) -> str:
    words = record.getMessage() if record.name.split(".")[0] in WITHOUT_VALUES else record.funcName
    return f"{words}{vars(record).get('left_out', '')}{_raised(record)}"


def _raised(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)
    # Where it was raised, and the way there through our own code: layers of libraries would take all the room.
    own = [frame for frame in frames[:-1] if frame.filename.startswith(HERE)][-FRAMES:]
    places = " < ".join(f"{_path(frame.filename)}:{frame.lineno}" for frame in (*frames[-1:], *reversed(own)))
    return f": {type(error).__name__}{_database_code(error)} at {places}"


def _database_code(error: BaseException) -> str:
    """The SQLSTATE, or SQLite's name, of the database's failure behind an exception; '' if it has none."""
    cause: BaseException | None = error
    while cause:
        original = getattr(cause, "orig", cause)
        if code := getattr(original, "sqlstate", None) or getattr(original, "sqlite_errorname", None):
            return f" {code}"
        cause = cause.__cause__
    return ""
