"""What else keeps a vehicle from being booked, and the calendars shared with other programs and imported from them."""

from datetime import datetime

from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class Block(SQLModel, table=True):
    """A period [begins_at, ends_at) for which the vendor rents a vehicle to nobody."""

    __tablename__ = "vehicle_block"
    __table_args__ = (
        Index("ix_vehicle_block_held", "vehicle_id", "ends_at", "begins_at").ddl_if("sqlite"),
        Index("ix_vehicle_block_ends", "vehicle_id", "ends_at", postgresql_include=["begins_at"]).ddl_if("postgresql"),
        CheckConstraint("begins_at < ends_at", name="ck_vehicle_block_window"),
        CheckConstraint("reason IN ('service', 'own use', 'other')", name="ck_vehicle_block_reason"),
    )

    id: int | None = Field(default=None, primary_key=True)
    vehicle_id: int = Field(foreign_key="vehicle.id")
    begins_at: datetime
    ends_at: datetime
    reason: str
    note: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    # Set if it comes from another platform's calendar.
    import_id: int | None = Field(default=None, foreign_key="ical_import.id", index=True)
    # Set if it holds what a proposal needs.
    proposal_id: int | None = Field(default=None, index=True)
    created_at: datetime = Field(default_factory=clock.now)


class IcalFeed(SQLModel, table=True):
    """A secret, stored as a digest, with which anyone can read a vendor's calendar, or that of one vehicle."""

    __tablename__ = "ical_feed"

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    vehicle_id: int | None = Field(default=None, foreign_key="vehicle.id")
    digest: str = Field(unique=True)
    created_at: datetime = Field(default_factory=clock.now)
    # The account that was shown the secret, which ends with its access; empty for what was made before it was noted.
    made_by: int | None = None


class IcalImport(SQLModel, table=True):
    """A calendar of another platform, imported as blocks of a vehicle. `error` is what went wrong in the last import.

    `clashes` are the entries that overlap bookings, each with its two ends in ISO 8601 (UTC). `unread` are texts of
    entries that could not be read. `taken` has the two ends of everything imported last, by the entries' keys. Both are
    None until a version that knows them has read the calendar.
    """

    __tablename__ = "ical_import"
    __table_args__ = (UniqueConstraint("vehicle_id", "url"),)

    id: int | None = Field(default=None, primary_key=True)
    vehicle_id: int = Field(foreign_key="vehicle.id")
    url: str
    due_at: datetime = Field(index=True)
    fetched_at: datetime | None = None
    error: str = ""
    clashes: list[list[str]] = Field(default_factory=list, sa_type=JSON)
    unread: list[str] | None = Field(default=None, sa_type=JSON)
    taken: dict[str, list[list[str]]] | None = Field(default=None, sa_type=JSON)
