"""Customers' documents as they are stored: read, counted and erased with their files."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, select
from sqlmodel import Session, col

from rental_app.domain.errors import NotFoundError
from rental_app.domain.identity import IdentityKind, IdentityState
from rental_app.infrastructure.settings import settings
from rental_app.models import IdentityPaper, IdentityPaperFile
from rental_app.services.files.storage import objects_of

WAITS_OR_ACCEPTED = frozenset({IdentityState.SENT, IdentityState.ACCEPTED})


class IdentityFile(NamedTuple):
    """A file of a document: its key in the store, of which `storage.objects_of` are the pictures, and what it is."""

    paper_id: int
    kind: str
    key: str
    content_type: str


def is_off() -> bool:
    """Whether no documents are taken (RENTAL_PAPERS)."""
    return settings().papers == "off"


def require_on() -> None:
    """Raise NotFoundError (`papers_off`) if no documents are taken."""
    if is_off():
        raise NotFoundError("Documents are not taken online here: bring the originals", code="papers_off")


def of_person(session: Session, user_id: int) -> dict[IdentityKind, IdentityPaper]:
    """What a person has sent, by kind."""
    own = select(IdentityPaper).where(col(IdentityPaper.user_id) == user_id)
    return {row.kind: row for row in session.scalars(own)}  # type: ignore[misc]


def files(session: Session, which: ColumnElement[bool]) -> list[IdentityFile]:
    """The files of the documents that meet a condition, in the order they were sent."""
    columns = (
        col(IdentityPaper.id),
        col(IdentityPaper.kind),
        col(IdentityPaperFile.key),
        col(IdentityPaperFile.content_type),
    )
    joined = select(*columns).join(IdentityPaperFile, col(IdentityPaperFile.paper_id) == col(IdentityPaper.id))
    return [IdentityFile(*row) for row in session.execute(joined.where(which).order_by(col(IdentityPaperFile.id)))]


def files_of(session: Session, user_id: int) -> list[IdentityFile]:
    """All files of a person's documents."""
    return files(session, col(IdentityPaper.user_id) == user_id)


def pictures_of(session: Session, paper_ids: Collection[int]) -> dict[int, list[str]]:
    """The store keys of all pictures of some documents, by document; none for one without files."""
    pictures: dict[int, list[str]] = {paper_id: [] for paper_id in paper_ids}
    for file in files(session, col(IdentityPaper.id).in_(paper_ids)):
        pictures[file.paper_id] += objects_of(file.key)
    return pictures


def erase_files(session: Session, paper_ids: Sequence[int]) -> list[str]:
    """Take the files off some documents; returns store keys no longer used."""
    gone = delete(IdentityPaperFile).where(col(IdentityPaperFile.paper_id).in_(paper_ids))
    keys = gone.returning(col(IdentityPaperFile.key)).execution_options(synchronize_session=False)
    return [name for key in session.scalars(keys) for name in objects_of(key)]


def erase(session: Session, paper_ids: Sequence[int]) -> list[str]:
    """Erase some documents with all that was known of them; returns store keys no longer used."""
    keys = erase_files(session, paper_ids)
    rows = delete(IdentityPaper).where(col(IdentityPaper.id).in_(paper_ids))
    session.execute(rows.execution_options(synchronize_session=False))
    return keys


def erase_for(session: Session, user_id: int) -> list[str]:
    """Erase all documents of a person; returns store keys no longer used."""
    own = select(col(IdentityPaper.id)).where(col(IdentityPaper.user_id) == user_id).with_for_update()
    return erase(session, list(session.scalars(own)))
