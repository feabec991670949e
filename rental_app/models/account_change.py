"""What a vendor asks the operator to change of their account."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class AccountChange(SQLModel, table=True):
    """A wish for another name, e-mail, mobile number or bank account; at most one of a kind is open.

    `decision` is empty while it is open.
    """

    __tablename__ = "change_request"
    __table_args__ = (
        CheckConstraint("field IN ('name', 'email', 'phone', 'bank')", name="ck_change_request_field"),
        CheckConstraint(
            "decision IN ('', 'granted', 'refused', 'withdrawn') AND (decision = '') = (decided_at IS NULL)",
            name="ck_change_request_decision",
        ),
        Index(
            "uq_change_request_open",
            "user_id",
            "field",
            unique=True,
            sqlite_where=text("decision = ''"),
            postgresql_where=text("decision = ''"),
        ),
        # The usual order of the operator's list.
        Index("ix_change_request_created_at_id", "created_at", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    user_id: int = Field(foreign_key="user.id", index=True)
    field: str
    value: str
    why: str = ""
    created_at: datetime = Field(default_factory=clock.now)
    decision: str = ""
    decided_at: datetime | None = None
    # Whoever decided it; empty for the command on the machine.
    decided_by: int | None = Field(default=None, foreign_key="user.id")
    reason: str = ""
