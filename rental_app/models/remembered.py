"""What calls with an Idempotency-Key were answered."""

from datetime import datetime

from sqlmodel import Field, SQLModel

from rental_app.domain import clock


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
