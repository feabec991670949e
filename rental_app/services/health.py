"""Whether the parts the product depends on answer."""

from sqlalchemy import text
from sqlmodel import Session

from rental_app.errors import UnavailableError
from rental_app.services import files


def check(session: Session) -> None:
    """Raise UnavailableError unless the database and the file store answer."""
    session.execute(text("SELECT 1"))
    try:
        next(iter(files.store().list(chunk_size=1)), None)
    except files.STORE_FAILURES as error:
        raise UnavailableError(files.STORE_AWAY) from error
