"""What a vendor proposes about a booking: nothing of it holds before the customer has agreed."""

from datetime import datetime
from typing import Any

from sqlalchemy import JSON, CheckConstraint, Index, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock

_OPEN = text("state = 'open'")


class Proposal(SQLModel, table=True):
    """A later return that costs more, another vehicle, or a discount taken back. One is open a booking at most.

    Dates or vehicle that it needs are held meanwhile by a block that names it.
    """

    __table_args__ = (
        Index("uq_proposal_open", "booking_id", unique=True, sqlite_where=_OPEN, postgresql_where=_OPEN),
        CheckConstraint("kind IN ('extension', 'move', 'discount')", name="ck_proposal_kind"),
        CheckConstraint(
            "state IN ('open', 'agreed', 'refused', 'lapsed', 'withdrawn') AND (state = 'open') = (ended_at IS NULL)",
            name="ck_proposal_state",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    booking_id: int = Field(foreign_key="booking.id")
    kind: str
    # As the customer was shown them, in paise; which ones depends on the kind.
    terms: dict[str, Any] = Field(sa_type=JSON)
    state: str = "open"
    created_at: datetime = Field(default_factory=clock.now)
    answer_by: datetime
    ended_at: datetime | None = None
    who_id: int = Field(foreign_key="user.id")
