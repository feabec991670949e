"""Whether the parts that the product depends on respond."""

import logging
from collections.abc import Callable

from sqlalchemy import text
from sqlmodel import Session

from rental_app.db import read
from rental_app.services import files, throttle

NO_ANSWER = "No answer"

log = logging.getLogger(__name__)


def failing() -> dict[str, str]:
    """The parts that do not respond, with what is wrong."""
    parts: dict[str, Callable[[], object]] = {"database": _database, "redis": throttle.ping, "files": files.ping}
    return {name: NO_ANSWER for name, ping in parts.items() if not _answers(name, ping)}


def _answers(name: str, ping: Callable[[], object]) -> bool:
    try:
        ping()
    # Whatever it is, the part is of no use.
    except Exception as error:
        log.error("%s gave no answer: %s", name, type(error).__name__)
        return False
    return True


def _database() -> None:
    read(Session.execute, text("SELECT 1"))
