"""Whether the parts that the product depends on respond."""

from collections.abc import Callable

from limits.errors import StorageError
from sqlalchemy import text
from sqlmodel import Session

from rental_app.db import read
from rental_app.errors import UnavailableError
from rental_app.services import files, throttle

NO_ANSWER = "No answer"


def failing() -> dict[str, str]:
    """The parts that do not respond, with what is wrong."""
    parts: dict[str, Callable[[], object]] = {"database": _database, "redis": throttle.ping, "files": files.ping}
    return {name: NO_ANSWER for name, ping in parts.items() if not _answers(ping)}


def _answers(ping: Callable[[], object]) -> bool:
    try:
        ping()
    except (UnavailableError, StorageError, *files.STORE_FAILURES):
        return False
    return True


def _database() -> None:
    read(Session.execute, text("SELECT 1"))
