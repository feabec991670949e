"""What is logged: kinds and places. Nothing people sent is logged, an entry is one line, and nobody can fill a disk."""

import logging
import os
import time
import traceback

# Loggers that write down whole events, ids and exceptions' texts; the rest of Reflex's hang below `reflex`.
FOREIGN = ("reflex", "socketio.server", "engineio.server", "asyncio", "_granian")
OWN = "rental_app"
LONGEST, FRAMES = 600, 4
LINES, SECONDS = 20, 60.0


class Kinds(logging.Formatter):
    """One line: when, how bad, where; what an exception is and where it was raised; words only of our own."""

    def format(self, record: logging.LogRecord) -> str:
        """The line of a record."""
        place = f"{record.name} {record.filename}:{record.lineno}"
        words = record.getMessage() if _is_own(record) else record.funcName
        line = f"{self.formatTime(record)} {record.levelname} {place} {words}{_raised(record)}"
        return "".join(letter if letter.isprintable() else " " for letter in line[:LONGEST])


class Bounded(logging.Filter):
    """Limits the lines a place writes a minute; the last one says that the rest is left out."""

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
            record.funcName = f"{record.funcName} (no more from here for a minute)"
        return self._lines[place] <= LINES


def set_up() -> None:
    """Have this process log that way; while Reflex's own command line builds or develops, it logs as it likes."""
    if os.environ.get("REFLEX_MANAGED_LOGGING") == "true":
        return
    handler = logging.StreamHandler()
    handler.setFormatter(Kinds())
    handler.addFilter(Bounded())
    for name in (*FOREIGN, OWN):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [handler], name == OWN
        # Socket.IO and Engine.IO add a handler of their own to a logger without a level.
        logger.setLevel(logging.WARNING)


def _is_own(record: logging.LogRecord) -> bool:
    return record.name.split(".")[0] == OWN


def _raised(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    if error is None:
        return ""
    frames = traceback.extract_tb(error.__traceback__)[-FRAMES:]
    places = " < ".join(f"{os.path.basename(frame.filename)}:{frame.lineno}" for frame in reversed(frames))
    return f": {type(error).__name__} at {places}"
