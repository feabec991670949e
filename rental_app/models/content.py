"""What operators have written: the versions of the words and numbers of the shop."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, UniqueConstraint
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class ContentVersion(SQLModel, table=True):
    """A version of the words under a key of `content.words.KEYS`, or of the numbers; the newest is in force. The
    database refuses to change or delete one.

    Terms have a `name`, which bookings note, and `read_as`: how they read while they were in force, with names and
    numbers filled in. Both are '' for all else.
    """

    __tablename__ = "content_version"
    __table_args__ = (
        UniqueConstraint("key", "version"),
        CheckConstraint("version > 0", name="ck_content_version_version"),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str
    version: int
    value: Any = Field(sa_type=JSON)
    name: str = ""
    read_as: str = ""
    # Why it was changed.
    note: str = ""
    # Empty for a command on the machine.
    who_id: int | None = Field(default=None, foreign_key="user.id")
    at: datetime = Field(default_factory=clock.now)
