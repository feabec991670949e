"""What the two sides of a trip say about each other once it is over."""

from datetime import datetime

from sqlalchemy import CheckConstraint, Index, UniqueConstraint
from sqlmodel import Field, SQLModel

from rental_app.domain import clock


class Review(SQLModel, table=True):
    """What one side of a returned trip says about the other; `side` wrote it.

    Nobody but its writer sees it before `shown_at`: when the other side has written too, or at `show_by` at the latest.
    `answer` is the vendor's reply to a customer's review. A review may be reported; an operator judges the report.
    """

    __table_args__ = (
        UniqueConstraint("booking_id", "side"),
        CheckConstraint("side IN ('customer', 'vendor')", name="ck_review_side"),
        CheckConstraint("stars BETWEEN 1 AND 5", name="ck_review_stars"),
        CheckConstraint("(answer = '') = (answered_at IS NULL)", name="ck_review_answer"),
        CheckConstraint("answered_at IS NULL OR side = 'customer'", name="ck_review_answered_by_vendor"),
        CheckConstraint("(reported_at IS NULL) = (reported_by IS NULL)", name="ck_review_reported_by_someone"),
        CheckConstraint("NOT is_hidden OR judged_at IS NOT NULL", name="ck_review_hidden_by_judgement"),
        CheckConstraint(
            "shown_at IS NOT NULL OR (answered_at IS NULL AND reported_at IS NULL AND judged_at IS NULL)",
            name="ck_review_nothing_before_shown",
        ),
        # The first three begin with what reviews are looked up by.
        Index("ix_review_vehicle", "vehicle_id", "side", "shown_at"),
        Index("ix_review_vendor", "vendor_id", "side", "shown_at"),
        Index("ix_review_customer", "customer_id", "side", "shown_at"),
        Index("ix_review_waiting", "shown_at", "show_by"),
        # The usual order of the operator's list.
        Index("ix_review_written_at_id", "written_at", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    booking_id: int = Field(foreign_key="booking.id")
    side: str
    # Copied from the booking, because reviews are looked up by them.
    vehicle_id: int = Field(foreign_key="vehicle.id")
    vendor_id: int = Field(foreign_key="user.id")
    customer_id: int = Field(foreign_key="user.id")
    stars: int
    text: str = ""
    written_at: datetime = Field(default_factory=clock.now)
    edited_at: datetime | None = None
    show_by: datetime
    shown_at: datetime | None = None
    answer: str = ""
    answered_at: datetime | None = None
    reported_at: datetime | None = Field(default=None, index=True)
    reported_by: int | None = Field(default=None, foreign_key="user.id")
    report_note: str = ""
    judged_at: datetime | None = None
    is_hidden: bool = Field(default=False)
