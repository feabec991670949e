"""Papers that never change: numbered in their issuer's series, and made from the stored snapshot alone.

The caller holds the issuer (`hold_issuer`), makes the snapshot (a shape of `models/issued_paper.py`), and calls
`number` in the same transaction. A paper that has a month instead of a number, or was numbered before there were
snapshots, is frozen when it is first read (`frozen`). `read` returns the snapshot.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeVar

from pydantic import BaseModel
from sqlalchemy import func, or_, select
from sqlmodel import Session, col

from rental_app.domain.gst import financial_year
from rental_app.infrastructure.db import StoreFirstError, may_write
from rental_app.models import IssuedPaper, User

Content = TypeVar("Content", bound=BaseModel)
# What a paper that is being frozen says, read in the transaction that stores it.
SnapshotMaker = Callable[[Session, IssuedPaper], BaseModel]


def hold_issuer(session: Session, vendor_id: int) -> User:
    """A vendor as they are now, locked: their papers are numbered one after the other, as their GST number stands."""
    own = select(User).where(col(User.id) == vendor_id).with_for_update(key_share=True)
    return session.scalars(own.execution_options(populate_existing=True)).one()


def number(
    session: Session,
    issuer: User,
    kind: str,
    about: str,
    content: BaseModel,
    instant: datetime,
    *,
    gst_number: str | None = None,
) -> IssuedPaper:
    """Store a paper with the next number of its kind, in the series of the financial year and its issuer's GST number:
    of the present one unless another is given.

    The issuer is held (`hold_issuer`).
    """
    year, vendor_id = financial_year(instant), issuer.id or 0
    of_series = issuer.gst_number if gst_number is None else gst_number
    # Numbers of versions that did not note the GST number may be of this one: none is given twice.
    series = (
        *(col(IssuedPaper.vendor_id) == vendor_id, col(IssuedPaper.kind) == kind, col(IssuedPaper.year) == year),
        col(IssuedPaper.gst_number).in_((of_series, "")),
    )
    last = session.execute(select(func.max(col(IssuedPaper.number))).where(*series)).scalar_one() or 0
    paper = IssuedPaper(
        vendor_id=vendor_id,
        kind=kind,
        about=about,
        gst_number=of_series,
        year=year,
        number=last + 1,
        made_at=instant,
        snapshot=_stored(content),
    )
    session.add(paper)
    session.flush()
    return paper


def find(session: Session, vendor_id: int, kind: str, about: str) -> IssuedPaper | None:
    """The paper of a vendor about something; None if there is none yet."""
    own = (col(IssuedPaper.vendor_id) == vendor_id, col(IssuedPaper.kind) == kind, col(IssuedPaper.about) == about)
    return session.scalars(select(IssuedPaper).where(*own).execution_options(populate_existing=True)).first()


def frozen(
    session: Session, vendor_id: int, kind: str, about: str, instant: datetime, say: SnapshotMaker
) -> IssuedPaper:
    """The frozen paper about something: with the snapshot that `say` makes, unless it was frozen before.

    Raises StoreFirstError in a transaction that may not write.
    """
    paper = find(session, vendor_id, kind, about)
    if paper and paper.snapshot is not None:
        return paper
    if not may_write(session):
        raise StoreFirstError(lambda writing: frozen(writing, vendor_id, kind, about, instant, say))
    issuer = hold_issuer(session, vendor_id)
    # Once the issuer is held: somebody else may have frozen it meanwhile.
    paper = find(session, vendor_id, kind, about)
    if paper is None:
        paper = IssuedPaper(vendor_id=vendor_id, kind=kind, about=about, gst_number=issuer.gst_number, made_at=instant)
    if paper.snapshot is None:
        paper.snapshot = _stored(say(session, paper))
    session.add(paper)
    session.flush()
    return paper


def read(paper: IssuedPaper, shape: type[Content]) -> Content:
    """What a paper says."""
    return shape.model_validate(paper.snapshot)


def forget(session: Session, kind: str, abouts: Sequence[str], **names: str) -> None:
    """Replace the names of an erased person in the papers of a kind. Numbers, amounts and dates stay.

    `names` are fields of the kind's shape, such as `customer`. The law keeps invoices and notes as they are.
    """
    which = (col(IssuedPaper.kind) == kind, col(IssuedPaper.snapshot).is_not(None))
    for about in abouts:
        own = or_(col(IssuedPaper.about) == about, col(IssuedPaper.about).startswith(f"{about}/"))
        for paper in session.scalars(select(IssuedPaper).where(*which, own)):
            paper.snapshot = (paper.snapshot or {}) | names
    session.flush()


def forget_vendor(session: Session, vendor_id: int, kind: str, **names: str) -> None:
    """The same for all papers of a kind that an erased vendor issued."""
    own = (col(IssuedPaper.vendor_id) == vendor_id, col(IssuedPaper.kind) == kind)
    for paper in session.scalars(select(IssuedPaper).where(*own, col(IssuedPaper.snapshot).is_not(None))):
        paper.snapshot = (paper.snapshot or {}) | names
    session.flush()


def _stored(content: BaseModel) -> dict[str, object]:
    return content.model_dump(mode="json")
