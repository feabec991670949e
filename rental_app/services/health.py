"""Whether the parts that the product depends on respond."""

import logging
import tempfile
from collections.abc import Callable, Sequence

from sqlalchemy import text
from sqlmodel import Session

from rental_app.infrastructure.db import read
from rental_app.services import throttle
from rental_app.services.files import storage

NO_ANSWER = "No answer"
# Of parts that do not answer anything.
_WRONG = {"disk": "Less than RENTAL_DISK_RESERVE_MB is free", "temporary_folder": "Nothing can be written there"}
# More than a file system keeps apart for a new file.
SOME_BYTES = 64 * 1024

log = logging.getLogger(__name__)


def failing() -> dict[str, str]:
    """The parts that do not respond or have no room, with what is wrong."""
    return failing_parts(tuple(_parts()))


def failing_parts(names: Sequence[str]) -> dict[str, str]:
    """The same for some of the parts."""
    parts = _parts()
    return {name: _WRONG.get(name, NO_ANSWER) for name in names if not _answers(name, parts[name])}


def _parts() -> dict[str, Callable[[], object]]:
    return {
        "database": _database,
        "redis": throttle.ping,
        "files": storage.ping,
        "disk": storage.require_reserve,
        "temporary_folder": _write_temporary,
    }


def _answers(name: str, ping: Callable[[], object]) -> bool:
    try:
        ping()
    # Whatever it is, the part is of no use.
    except Exception as error:
        log.error("%s is not ready: %s", name, type(error).__name__)
        return False
    return True


def _write_temporary() -> None:
    with tempfile.TemporaryFile() as file:
        file.write(bytes(SOME_BYTES))


def _database() -> None:
    read(Session.execute, text("SELECT 1"))
