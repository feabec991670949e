"""Papers that stay as they are: what they said when they got their number, or when their month was closed."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock

RECEIPT, STATEMENT = "receipt", "statement"
_NOT_FROZEN = text("snapshot IS NULL")


class IssuedPaper(SQLModel, table=True):
    """A paper of a vendor, made once for what it is `about`: a receipt for a booking (its reference), a statement for a
    month (2026-11).

    Receipts have a number in the gapless series of their vendor's GST number, as it was then, and the financial year
    that began on 1 April of `year`; statements go by their month. An empty GST number of a numbered paper is that of a
    version that did not note it. `snapshot` is all that is ever drawn, in the shape of its kind below; papers numbered
    before there were snapshots have none until they are first read. The database refuses to change anything else, and
    to delete a paper.

    The names of people stand in `customer`, `holder` and `vendor` of the shapes below, and in what somebody typed into
    a line's `note`; `services/issued_papers.forget` replaces them when a person is erased.
    """

    __tablename__ = "issued_paper"
    __table_args__ = (
        UniqueConstraint("vendor_id", "kind", "about"),
        UniqueConstraint("vendor_id", "kind", "gst_number", "year", "number", name="uq_issued_paper_number"),
        CheckConstraint("(year IS NULL) = (number IS NULL)", name="ck_issued_paper_number"),
        # Which papers the sweep still has to freeze: none, once those of the version before are.
        Index("ix_issued_paper_not_frozen", "id", sqlite_where=_NOT_FROZEN, postgresql_where=_NOT_FROZEN),
    )

    id: int | None = Field(default=None, primary_key=True)
    vendor_id: int = Field(foreign_key="user.id")
    kind: str
    about: str
    gst_number: str = ""
    year: int | None = None
    number: int | None = None
    made_at: datetime = Field(default_factory=clock.now)
    snapshot: dict[str, Any] | None = Field(default=None, sa_type=JSON(none_as_null=True))

    @property
    def number_text(self) -> str:
        """The number as printed: '2026-27/0042'; '' for a paper without one."""
        if self.year is None or self.number is None:
            return ""
        return f"{self.year}-{(self.year + 1) % 100:02}/{self.number:04}"


class IssuedLine(BaseModel):
    """A line of an account as papers show it; on a statement with its booking and the vehicle's plate.

    `paid_at` is the start of the day on which the money was paid, if that was before it was noted.
    """

    at: datetime
    paid_at: datetime | None = None
    what: str
    note: str
    how: str
    paise: int
    booking: str = ""
    plate: str = ""


class ReceiptSnapshot(BaseModel):
    """What a receipt says, as of `at` (paise, UTC).

    `plate` is shown to the vendor's people alone, `address` is where the vehicle was picked up, `holder` who holds the
    deposit. `rent`, `deposit`, `held` and `came_back` are as in `OpenBalance`; `back_at` is when the vehicle did come
    back, which may have been noted later.
    """

    at: datetime
    product: str
    reference: str
    vehicle: str
    plate: str
    pickup_at: datetime
    return_at: datetime
    vendor: str
    address: str
    gst_number: str
    customer: str
    lines: list[IssuedLine]
    rent: int
    deposit: int
    held: int
    holder: str
    came_back: datetime | None
    back_at: datetime | None = None
    ended: bool


class EarnedSnapshot(BaseModel):
    """Figures of a statement (paise): of a vehicle, or of all."""

    label: str
    charged: int
    received: int
    commission: int
    net: int
    deposits_held: int


class StatementSnapshot(BaseModel):
    """What a vendor's statement for the time from `begin` to `end` says, as of `at`."""

    at: datetime
    product: str
    month: str
    begin: datetime
    end: datetime
    vendor: str
    gst_number: str
    commission_bps: int
    total: EarnedSnapshot
    vehicles: list[EarnedSnapshot]
    lines: list[IssuedLine]
