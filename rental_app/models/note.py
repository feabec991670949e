"""What operators note about people."""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class PersonNote(SQLModel, table=True):
    """A note about an account, for operators alone. The database refuses to change or delete it."""

    __tablename__ = "person_note"
    __table_args__ = (Index("ix_person_note_user_id_id", "user_id", "id"),)

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="user.id")
    text: str
    # Empty for a command on the machine.
    who_id: int | None = Field(default=None, foreign_key="user.id")
    at: datetime = Field(default_factory=clock.now)
