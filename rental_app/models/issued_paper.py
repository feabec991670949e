"""Papers that stay as they are: what they said when they got their number, or when their month was closed."""

from datetime import datetime
from typing import Any

from pydantic import BaseModel
from sqlalchemy import JSON, CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock, gst
from rental_app.domain.policies import FIRST

RECEIPT, STATEMENT, AGREEMENT = "receipt", "statement", "agreement"
# What the law keeps as it is: the database refuses to change their snapshots, too.
INVOICE, CREDIT_NOTE, DEBIT_NOTE = "invoice", "credit note", "debit note"
NOTES = (CREDIT_NOTE, DEBIT_NOTE)
TAX_PAPERS = (INVOICE, *NOTES)
# What numbers of each kind begin with.
_PREFIXES = {INVOICE: "", CREDIT_NOTE: "CN/", DEBIT_NOTE: "DN/"}
_NOT_FROZEN = text("snapshot IS NULL")


class IssuedPaper(SQLModel, table=True):
    """A paper of a vendor, made once for what it is `about`.

    A receipt or a tax invoice is about a booking (its reference), a credit or debit note about a line of its account
    (reference, slash, the line's id), an agreement about what was agreed (reference, slash, a digest of that), a
    statement about a month (2026-11).

    Receipts, invoices and notes have a number in the gapless series of their kind, of their vendor's GST number as it
    was then, and of the financial year that began on 1 April of `year`. An empty GST number of a numbered paper is that
    of a version that did not note it. `snapshot` is all that is ever drawn, in the shape of its kind below; papers
    numbered before there were snapshots have none until they are first read. The database refuses to change anything
    else, of invoices and notes the snapshot too, and to delete a paper.

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
        """The number as printed: '2026-27/0042', of tax papers '26-27/0042'; '' for a paper without one."""
        if self.year is None or self.number is None:
            return ""
        if self.kind in _PREFIXES:
            return gst.document_number(_PREFIXES[self.kind], self.year, self.number)
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
    back, which may have been noted later. `refunds` are the Indian hours between which deposits are returned.
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
    refunds: tuple[int, int] = (FIRST.refunds_from, FIRST.refunds_to)


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
    documents: list["IssuedDocument"] = []


class TaxSplit(BaseModel):
    """Parts of a total that includes tax (paise)."""

    taxable: int
    cgst: int
    sgst: int
    igst: int


class InvoiceLine(TaxSplit):
    """A charge on an invoice or a note (paise): `paise` is what it costs in all. One that is not taxed has no parts."""

    what: str
    note: str
    paise: int


class InvoiceSnapshot(TaxSplit):
    """What a tax invoice says as of `at`, or a note about the invoice `of` (paise, UTC).

    The parts of the tax are of all lines; `untaxed` is what of the `total` has none. `supplier`, `address` and
    `gst_number` are as registered then; `supplier_state` and `place` are states with their codes. `paid` to `held` say
    how the account stood, and are empty on notes.
    """

    at: datetime
    product: str
    reference: str
    of: str = ""
    of_at: datetime | None = None
    supplier: str
    address: str
    gst_number: str
    supplier_state: str
    customer: str
    customer_address: str
    place: str
    own_tax: str
    vehicle: str
    plate: str
    pickup_at: datetime
    return_at: datetime
    sac: str
    rate_bps: int
    lines: list[InvoiceLine]
    untaxed: int
    total: int
    words: str
    paid: int = 0
    due: int = 0
    deposit_taken: int = 0
    deposit_kept: int = 0
    deposit_returned: int = 0
    held: int = 0


class IssuedDocument(TaxSplit):
    """An invoice or a note as statements list it (paise, what a credit note takes back negative)."""

    at: datetime
    number: str
    kind: str
    booking: str
    untaxed: int
    total: int


class AgreedLine(BaseModel):
    """A line of an agreed price (paise)."""

    what: str
    paise: int


class AgreementSnapshot(BaseModel):
    """What a rental agreement says as of `at` (paise, UTC).

    `terms` is our own text of the `terms_version` that was accepted, as Markdown; both are '' if none was shown.
    """

    at: datetime
    product: str
    reference: str
    vendor: str
    address: str
    gst_number: str
    customer: str
    vehicle: str
    plate: str
    pickup_at: datetime
    return_at: datetime
    price_lines: list[AgreedLine]
    price: int
    deposit: int
    kms_included: int | None
    late_penalty: int
    distance_penalty: int
    speed_limit: int
    vehicle_terms: str
    vendor_terms: str
    terms_version: str
    accepted_at: datetime | None
    terms: str
    # What cancelling keeps and when a return is late, by the booking's numbers; agreements made before had neither.
    cancelling: str = ""
    late_from: str = ""
