"""What else keeps a vehicle from being booked. The database refuses blocks and bookings that overlap each other."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, text
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
