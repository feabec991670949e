"""Who did what, when and from where."""

from datetime import datetime

from sqlalchemy import Index
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class AuditEntry(SQLModel, table=True):
    """One act. The database refuses to change an entry, and to delete one before its retention is over.

    `user_id` is empty for commands on the machine and for those who had not logged in. What was acted upon is a
    `subject` with its id; `about` narrows it, such as the network of a failed login. `before` and `after` are JSON
    objects of the fields that changed, with personal values masked.
    """

    __tablename__ = "audit_entry"
    __table_args__ = (
        Index("ix_audit_entry_user_id_id", "user_id", "id"),
        Index("ix_audit_entry_subject_subject_id_id", "subject", "subject_id", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    # Indexed, because the sweep looks for the oldest.
    at: datetime = Field(default_factory=clock.now, index=True)
    act: str
    # No foreign keys: an entry outlives what it is about.
    user_id: int | None = None
    role: str = ""
    subject: str
    subject_id: int
    about: str = ""
    before: str = "{}"
    after: str = "{}"
    address: str = ""
    request_id: str = ""
