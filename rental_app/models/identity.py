"""Documents by which customers prove who they are and what they may drive."""

from datetime import date, datetime

from sqlalchemy import JSON, CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from rental_app.domain import clock
from rental_app.domain.identity import IdentityState


class IdentityPaper(SQLModel, table=True):
    """What a person has sent of one kind; another one replaces the row, whose id is never used again.

    `number_ends` are the last four characters of a number, of which no more is stored anywhere.
    """

    __tablename__ = "identity_paper"
    __table_args__ = (
        UniqueConstraint("user_id", "kind"),
        CheckConstraint("kind IN ('id', 'licence', 'work', 'residence')", name="ck_identity_paper_kind"),
        CheckConstraint("document IN ('', 'pan', 'aadhaar')", name="ck_identity_paper_document"),
        CheckConstraint("state IN ('sent', 'accepted', 'refused', 'expired')", name="ck_identity_paper_state"),
        CheckConstraint("length(number_ends) <= 4", name="ck_identity_paper_number_ends"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="user.id")
    kind: str
    # Which government ID it is, '' for the other kinds.
    document: str = ""
    number_ends: str = ""
    # The name that stands on it.
    name: str
    # Of a licence: the classes of vehicles, and the last Indian day.
    classes: list[str] = Field(default_factory=list, sa_type=JSON)
    valid_until: date | None = None
    state: str = IdentityState.SENT
    # Why it was refused, in the words its owner reads.
    reason: str = ""
    sent_at: datetime = Field(default_factory=clock.now, index=True)
    decided_at: datetime | None = None


class IdentityPaperFile(SQLModel, table=True):
    """A file of such a document as pictures without metadata: `key` as in `VehicleFile`, with one object a page."""

    __tablename__ = "identity_paper_file"
    __table_args__ = (CheckConstraint("size > 0", name="ck_identity_paper_file_size"),)

    id: int | None = Field(default=None, primary_key=True)
    paper_id: int = Field(foreign_key="identity_paper.id", index=True)
    key: str = Field(unique=True)
    content_type: str
    size: int
    # As in `UnclaimedFile`.
    stored_bytes: int
