"""Files that wait for the form they belong to."""

from datetime import datetime

from sqlalchemy import CheckConstraint
from sqlmodel import Field, SQLModel

from rental_app.rules import clock


class UnclaimedFile(SQLModel, table=True):
    """A file its vendor has sent ahead; the form that names it claims it. `key` as in `VehicleFile`."""

    __tablename__ = "unclaimed_file"
    __table_args__ = (CheckConstraint("size > 0", name="ck_unclaimed_file_size"),)

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    group_name: str
    key: str = Field(unique=True)
    content_type: str
    size: int
    created_at: datetime = Field(default_factory=clock.now, index=True)
