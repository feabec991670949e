"""Which edition of the shop is current, and whether it may be changed."""

from datetime import datetime

from sqlalchemy import CheckConstraint, text
from sqlmodel import Field, SQLModel


class Edition(SQLModel, table=True):
    """The only row; triggers change its `name` with every change to what the shop shows (see migration 0011).

    A name is never reused: not after a transaction is rolled back, not after a backup is restored.
    """

    __table_args__ = (CheckConstraint("id = 1", name="ck_edition_only_one"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str
    # While it is set, nothing is written save what `db.even_if_read_only` names, and people are told this instead.
    read_only_since: datetime | None = None
    read_only_message: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
