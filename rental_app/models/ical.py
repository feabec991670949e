"""Calendars that vendors share with other programs, and calendars imported from other platforms."""

from datetime import datetime

from sqlalchemy import JSON, UniqueConstraint
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class IcalFeed(SQLModel, table=True):
    """A secret, stored as a digest, with which anyone can read a vendor's calendar, or that of one vehicle."""

    __tablename__ = "ical_feed"

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    vehicle_id: int | None = Field(default=None, foreign_key="vehicle.id")
    digest: str = Field(unique=True)
    created_at: datetime = Field(default_factory=clock.now)


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
