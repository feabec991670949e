"""Which edition of the shop is current."""

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel


class Edition(SQLModel, table=True):
    """The only row; triggers change its `name` with every change to what the shop shows (see migration 0011).

    A name is never reused: not after a transaction is rolled back, not after a backup is restored.
    """

    __table_args__ = (CheckConstraint("id = 1", name="ck_edition_only_one"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str
