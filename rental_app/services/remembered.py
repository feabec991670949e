"""Calls that may be repeated: the first use of an Idempotency-Key does the work, later ones get the same answer."""

from typing import NamedTuple

from sqlalchemy import ColumnElement
from sqlalchemy.dialects import postgresql, sqlite
from sqlmodel import Session, col, select, update

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.settings import settings
from rental_app.models import RememberedAnswer

MOST_BYTES = 16 * 1024


class KeyUse(NamedTuple):
    """The use of a key: its owner, and the digest of the call."""

    user_id: int
    key: str
    digest: str


class EarlierAnswer(NamedTuple):
    """That a key has been used for the same call before; `body` is the answer as JSON unless it was too large."""

    body: str | None


def take(session: Session, use: KeyUse) -> EarlierAnswer | None:
    """Take a key for this transaction, or return the earlier answer to the same call.

    Must be the first statement of a transaction: another that has the key is waited for, and would deadlock with one
    that holds locks already. Raises ConflictError if the key was used for another call.
    """
    dialect = sqlite if settings().is_sqlite else postgresql
    row = dialect.insert(RememberedAnswer).values(**use._asdict(), created_at=clock.now())
    # Returned, because PostgreSQL's driver does not count the rows.
    inserted = row.on_conflict_do_nothing().returning(col(RememberedAnswer.key))
    if session.connection().execute(inserted).first() is not None:
        return None
    earlier = session.exec(select(RememberedAnswer).where(*_of(use))).one()
    if earlier.digest != use.digest:
        raise ConflictError("This Idempotency-Key was used for another call", code="idempotency_key_reused")
    return EarlierAnswer(earlier.body)


def keep(session: Session, use: KeyUse, body: str) -> None:
    """Remember the answer to a call; of one that is larger than 16 KB only that it was given."""
    if len(body.encode()) <= MOST_BYTES:
        session.execute(update(RememberedAnswer).where(*_of(use)).values(body=body))


def _of(use: KeyUse) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    return col(RememberedAnswer.user_id) == use.user_id, col(RememberedAnswer.key) == use.key
