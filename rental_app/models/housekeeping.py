"""What the shop keeps about itself: its edition, who did what, and what calls with an Idempotency-Key were answered."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class Edition(SQLModel, table=True):
    """The only row; triggers change its `name` with every change to what the shop shows (see migration 0011).

    A name is never reused: not after a transaction is rolled back, not after a backup is restored.
    """

    __table_args__ = (CheckConstraint("id = 1", name="ck_edition_only_one"),)

    id: int | None = Field(default=None, primary_key=True)
    name: str
    # While it is set, nothing is written save what `db.even_if_read_only` names, and people are told this instead.
    read_only_since: datetime | None = None
    read_only_message: str = Field(default="", sa_column_kwargs={"server_default": text("''")})


class AuditEntry(SQLModel, table=True):
    """One act. The database refuses to change an entry, and to delete one before its retention is over.

    Of one by or about an erased account it lets all be blanked but what was done, when, to what and by which account.

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


class RememberedAnswer(SQLModel, table=True):
    """The answer to an account's call with a key; only successes are kept, so its status is 200.

    `body` is JSON; empty while the call runs, and for good if the answer is too large to keep.
    """

    __tablename__ = "remembered_answer"

    user_id: int = Field(foreign_key="user.id", primary_key=True)
    key: str = Field(primary_key=True)
    # Of the call's method, path and body.
    digest: str
    body: str | None = None
    # Indexed, because the sweep looks for the oldest.
    created_at: datetime = Field(default_factory=clock.now, index=True)
