"""Which edition of the shop is the present one."""

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel


class Edition(SQLModel, table=True):
    """The one row whose `name` triggers change with everything that the shop shows (see migration 0011).

    A name never comes back: not after a transaction that was undone, not after a backup was restored.
    """

    __table_args__ = (CheckConstraint("id = 1", name="ck_edition_only_one"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str
