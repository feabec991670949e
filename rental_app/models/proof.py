"""What proves that somebody reads an e-mail address or a phone."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class Proof(SQLModel, table=True):
    """A link or a code for one purpose and one account: it works once, until it expires.

    The secret itself is nowhere in the database: it is made again from `nonce` when the message is composed, and
    recognised by its keyed `digest` (services/accounts/proofs.py). `payload` is what the secret is about, such as the
    address it was sent to. Nobody's (`user_id` empty) are those asked for with an address that no account has.
    """

    __table_args__ = (
        CheckConstraint("tries >= 0", name="ck_proof_tries"),
        Index("ix_proof_user_id_purpose", "user_id", "purpose"),
        Index("ix_proof_about_purpose", "about", "purpose"),
    )

    id: int | None = Field(default=None, primary_key=True)
    purpose: str
    user_id: int | None = Field(default=None, foreign_key="user.id")
    nonce: str
    digest: str = Field(unique=True)
    # The mobile number that a code was sent to, with the booking that it is for, if it is for one.
    about: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    payload: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)
    created_at: datetime = Field(default_factory=clock.now)
    expires_at: datetime = Field(index=True)
    tries: int = 0
    used_at: datetime | None = None
