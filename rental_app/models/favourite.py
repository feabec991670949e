"""What people keep as favourites."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class Favourite(SQLModel, table=True):
    """A vehicle that somebody has marked, and when."""

    user_id: int = Field(foreign_key="user.id", primary_key=True)
    vehicle_id: int = Field(foreign_key="vehicle.id", primary_key=True, index=True)
    added_at: datetime = Field(default_factory=clock.now)
