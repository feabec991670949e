"""Calendars that vendors give to other programs."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from rental_app.rules import clock


class IcalFeed(SQLModel, table=True):
    """Whoever knows the secret, of which a digest is kept, reads a vendor's calendar, or that of one vehicle."""

    __tablename__ = "ical_feed"

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id", index=True)
    vehicle_id: int | None = Field(default=None, foreign_key="vehicle.id")
    digest: str = Field(unique=True)
    created_at: datetime = Field(default_factory=clock.now)
