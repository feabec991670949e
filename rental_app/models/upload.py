"""Files that wait for the form they belong to, and the form of a new vehicle while it is being filled in."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class VehicleDraft(SQLModel, table=True):
    """What a vendor has typed into Add New Vehicle, by field name; blank fields are left out."""

    __tablename__ = "vehicle_draft"

    vendor_id: int = Field(foreign_key="user.id", primary_key=True)
    typed: dict[str, str] = Field(sa_type=JSON)
    saved_at: datetime = Field(index=True)


class UnclaimedFile(SQLModel, table=True):
    """A file its vendor has uploaded ahead; the form that names it claims it. `key` as in `VehicleFile`.

    Photos for an objection belong to the customer: `vendor_id` is their account then.
    """

    __tablename__ = "unclaimed_file"
    __table_args__ = (CheckConstraint("size > 0", name="ck_unclaimed_file_size"),)

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    group_name: str
    key: str = Field(unique=True)
    content_type: str
    size: int
    # Of all objects in the store that belong to it; files older than this column have only `size`.
    stored_bytes: int | None = None
    created_at: datetime = Field(default_factory=clock.now, index=True)
    # If this vendor's draft names it, it is kept as long as the draft.
    draft_of: int | None = Field(default=None, foreign_key="vehicle_draft.vendor_id")
