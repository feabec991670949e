"""A booking once it is confirmed: account, history, readings, what is proposed, and what people are told."""

from datetime import datetime
from typing import Annotated, Any, ClassVar, Literal

from pydantic import BaseModel, PlainSerializer
from sqlalchemy import JSON, BigInteger, CheckConstraint, Index, UniqueConstraint, text
from sqlmodel import Field, SQLModel

from rental_app.domain import clock
from rental_app.domain.account import LedgerKind
from rental_app.domain.policies import Policies
from rental_app.domain.settlement import ReturnTerms
from rental_app.models.booking import Booking, Snapshot

ProposalKind = Literal["extension", "move", "discount"]


class LedgerEntry(SQLModel, table=True):
    """One line of a booking's account (paise). The database refuses to change or delete it.

    Discounts are negative; a reversal has the opposite sign of the entry it cancels, `reverses`, and may be reversed in
    turn. `at` is when it was written, `paid_at` the start of the Indian day on which the money changed hands, if that
    was an earlier one. `who_id` is empty for entries written by the system. `request_key` lets a repeated call find
    what it wrote the first time. `vehicle_id` is the vehicle that the booking had then; lines of earlier versions may
    leave it empty.
    """

    __tablename__ = "ledger_entry"
    __table_args__ = (
        CheckConstraint(
            "kind IN ('rental', 'extra', 'discount', 'extension', 'late', 'kilometres', 'speeding', 'damage',"
            " 'cancellation', 'payment', 'refund', 'deposit taken', 'deposit kept', 'deposit returned')",
            name="ck_ledger_entry_kind",
        ),
        CheckConstraint("method IN ('', 'cash', 'upi', 'card')", name="ck_ledger_entry_method"),
        CheckConstraint("paise <> 0", name="ck_ledger_entry_paise"),
        CheckConstraint(
            "reverses IS NOT NULL OR (paise < 0) = (kind = 'discount')", name="ck_ledger_entry_sign_of_its_kind"
        ),
        UniqueConstraint("booking_id", "request_key"),
        # The usual order of the operator's list.
        Index("ix_ledger_entry_at_id", "at", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    booking_id: int = Field(foreign_key="booking.id", index=True)
    kind: str
    paise: int = Field(sa_type=BigInteger)
    method: str = ""
    at: datetime = Field(default_factory=clock.now)
    who_id: int | None = Field(default=None, foreign_key="user.id")
    note: str = ""
    reverses: int | None = Field(default=None, foreign_key="ledger_entry.id", unique=True)
    photo_id: int | None = Field(default=None, foreign_key="trip_photo.id")
    request_key: str | None = None
    # What a charge after the return is for, if its kind does not say it (`domain/charging.py`).
    detail: str | None = None
    vehicle_id: int | None = None
    paid_at: datetime | None = None

    @property
    def shown_kind(self) -> str:
        """What the line is called."""
        return self.detail or self.kind


_IS_ABOUT = text("about_id IS NOT NULL")


class BookingEvent(SQLModel, table=True):
    """What happened to a booking, when, and on whose side.

    `at` is when it was noted, `happened_at` when it was, if that was earlier. `entry_id` is the line of the account it
    concerns, `about_id` the event it answers: once by each kind of answer.
    """

    __tablename__ = "booking_event"
    __table_args__ = (
        CheckConstraint("side IN ('customer', 'vendor', 'operator', 'system')", name="ck_booking_event_side"),
        Index(
            "uq_booking_event_about",
            "about_id",
            "what",
            unique=True,
            sqlite_where=_IS_ABOUT,
            postgresql_where=_IS_ABOUT,
        ),
        # Of one kind in the order of time, as the operator reads objections.
        Index("ix_booking_event_what_at_id", "what", "at", "id"),
    )

    id: int | None = Field(default=None, primary_key=True)
    booking_id: int = Field(foreign_key="booking.id", index=True)
    what: str
    at: datetime = Field(default_factory=clock.now)
    side: str
    who_id: int | None = Field(default=None, foreign_key="user.id")
    note: str = ""
    entry_id: int | None = Field(default=None, foreign_key="ledger_entry.id")
    about_id: int | None = Field(default=None, foreign_key="booking_event.id")
    happened_at: datetime | None = None


class EventPhoto(SQLModel, table=True):
    """A photo of an objection or of its answer, for the booking's two sides and operators; `key` as in `TripPhoto`."""

    __tablename__ = "event_photo"

    id: int | None = Field(default=None, primary_key=True)
    event_id: int = Field(foreign_key="booking_event.id", index=True)
    key: str = Field(unique=True)
    content_type: str


class TripReading(SQLModel, table=True):
    """The readings taken when a vehicle went out, or when it came back. Fuel or charge is in eighths.

    `noted_at` is when that was noted, if it was later. `reason` is why it came back, if not because its trip was over.
    """

    __tablename__ = "trip_reading"
    __table_args__ = (
        Index("ix_trip_reading_at", "kind", "at"),
        UniqueConstraint("booking_id", "kind"),
        CheckConstraint("kind IN ('handover', 'return')", name="ck_trip_reading_kind"),
        CheckConstraint(
            "odometer >= 0 AND fuel_eighths BETWEEN 0 AND 8 AND helmets >= 0 AND speedings >= 0",
            name="ck_trip_reading_figures",
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    booking_id: int = Field(foreign_key="booking.id")
    kind: str
    at: datetime = Field(default_factory=clock.now)
    who_id: int = Field(foreign_key="user.id")
    odometer: int
    fuel_eighths: int
    helmets: int = 0
    speedings: int = 0
    papers_seen: list[str] = Field(default_factory=list, sa_type=JSON)
    # Which needed no look because we had accepted them; empty for readings of versions that took none.
    papers_checked: list[str] | None = Field(default_factory=list, sa_type=JSON)
    reason: str | None = None
    noted_at: datetime | None = None

    @property
    def written_at(self) -> datetime:
        """When it was noted: from then on both sides know of it."""
        return self.noted_at or self.at


class TripDraft(SQLModel, table=True):
    """What has been entered for a reading that is not final yet (`schemas.readings.Noted`)."""

    __tablename__ = "trip_draft"
    __table_args__ = (CheckConstraint("kind IN ('handover', 'return')", name="ck_trip_draft_kind"),)

    booking_id: int = Field(foreign_key="booking.id", primary_key=True)
    kind: str = Field(primary_key=True)
    noted: dict[str, Any] = Field(default_factory=dict, sa_type=JSON)


class TripPhoto(SQLModel, table=True):
    """A photo taken with a reading, for the booking's two sides only; `key` is its name in the file store."""

    __tablename__ = "trip_photo"
    __table_args__ = (
        CheckConstraint(
            "group_name IN ('Front', 'Left', 'Right', 'Back', 'Odometer Reading', 'Damage')", name="ck_trip_photo_group"
        ),
    )

    id: int | None = Field(default=None, primary_key=True)
    reading_id: int = Field(foreign_key="trip_reading.id", index=True)
    group_name: str
    key: str = Field(unique=True)
    content_type: str


class ReceiptNumber(SQLModel, table=True):
    """The number of a receipt by vendor and financial year: written and read only by the version before `IssuedPaper`,
    which may still run during an upgrade. The database copies its rows to and from there (migration 0051)."""

    __tablename__ = "receipt_number"

    vendor_id: int = Field(foreign_key="user.id", primary_key=True)
    year: int = Field(primary_key=True)
    number: int = Field(primary_key=True)
    booking_id: int = Field(foreign_key="booking.id", unique=True)


_HAS_PROOF = text("proof_id IS NOT NULL")
_IS_TEXT = text("channel = 'sms'")


class Outbox(SQLModel, table=True):
    """A message to somebody, written in the same transaction as what it reports.

    It goes by its `channel` (`email`, `sms`) to the account's address unless `to` names another; without either it goes
    nowhere. Of a text, `kind` is the template and `note` holds its values as JSON.
    One that carries the secret of a proof, `proof_id`, goes before all others. `key` identifies the message and its
    recipient, so that a reminder is written once; a message about an event has a unique one. It waits until `due_at`;
    without one it was sent, or given up with the last `error`, or, with neither `sent_at` nor `error`, dropped because
    it does not hold any more.
    """

    __table_args__ = (
        Index("ix_outbox_proof_id", "proof_id", sqlite_where=_HAS_PROOF, postgresql_where=_HAS_PROOF),
        # The usual order of the operator's list.
        Index("ix_outbox_created_at_id", "created_at", "id"),
        Index("ix_outbox_user_id", "user_id", "id"),
        # Of the texts alone, which are counted by the day: those sent, and those queued about bookings.
        Index("ix_outbox_text_sent_at", "sent_at", sqlite_where=_IS_TEXT, postgresql_where=_IS_TEXT),
        Index("ix_outbox_text_created_at", "created_at", sqlite_where=_IS_TEXT, postgresql_where=_IS_TEXT),
    )

    id: int | None = Field(default=None, primary_key=True)
    key: str = Field(unique=True)
    kind: str
    channel: str = Field(default="email", sa_column_kwargs={"server_default": text("'email'")})
    to: str = Field(default="", sa_column_kwargs={"server_default": text("''")})
    user_id: int | None = Field(default=None, foreign_key="user.id")
    booking_id: int | None = Field(default=None, foreign_key="booking.id", index=True)
    vehicle_id: int | None = Field(default=None, foreign_key="vehicle.id")
    note: str = ""
    created_at: datetime = Field(default_factory=clock.now)
    due_at: datetime | None = Field(index=True)
    # The message whose e-mail tells this one as well.
    joined_to: int | None = None
    proof_id: int | None = None
    tries: int = 0
    sent_at: datetime | None = None
    error: str = ""


# The account's kinds for the kinds of price lines.
_KINDS = {"extra": LedgerKind.EXTRA, "discount": LedgerKind.DISCOUNT}


def opening_entries(booking: Booking, at: datetime) -> list[LedgerEntry]:
    """The account entries made from a booking's price lines when it is confirmed."""
    return [
        LedgerEntry(
            booking_id=booking.id or 0,
            vehicle_id=booking.vehicle_id,
            kind=_KINDS.get(line.get("kind", ""), LedgerKind.RENTAL),
            paise=line["amount"],
            at=at,
            note=f"{line['quantity']} × {line['label']}",
        )
        for line in booking.lines
        if line["amount"]
    ]


def return_terms(booking: Booking) -> ReturnTerms:
    """The agreed terms for late returns and extra kilometres."""
    booked = Snapshot(**booking.booked)
    return ReturnTerms(
        return_at=booking.return_at,
        kms_included=booking.kms_included,
        late_penalty=booked.late_penalty_paise,
        distance_penalty=booked.distance_penalty_paise,
        full_day=booking.daily_paise,
        policies=Policies.of(booking.policies),
    )


_OPEN = text("state = 'open'")


# Stored as ISO 8601.
_Stored = Annotated[datetime, PlainSerializer(lambda at: at.isoformat(), return_type=str)]


class MoveTerms(BaseModel):
    """Another vehicle for a booking, at what it costs then (paise)."""

    kind: ClassVar[ProposalKind] = "move"
    vehicle: int
    title: str
    total: int
    deposit: int
    note: str


class ExtensionTerms(BaseModel):
    """A later return, and what it costs in addition and in all (paise); `kms` are those included then, if limited."""

    kind: ClassVar[ProposalKind] = "extension"
    return_from: _Stored
    return_at: _Stored
    extra: int
    total: int
    kms: int | None


class DiscountTerms(BaseModel):
    """A line of the account taken back, and what the customer is charged more by that and in all (paise)."""

    kind: ClassVar[ProposalKind] = "discount"
    entry: int
    label: str
    extra: int
    total: int
    note: str


ProposalTerms = MoveTerms | ExtensionTerms | DiscountTerms
_TERMS: dict[str, type[ProposalTerms]] = {terms.kind: terms for terms in (MoveTerms, ExtensionTerms, DiscountTerms)}


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
    # A ProposalTerms, as the customer was shown them.
    terms: dict[str, Any] = Field(sa_type=JSON)
    state: str = "open"
    created_at: datetime = Field(default_factory=clock.now)
    answer_by: datetime
    ended_at: datetime | None = None
    who_id: int = Field(foreign_key="user.id")

    def shown_terms(self) -> ProposalTerms:
        """What is proposed, as the customer was shown it."""
        return _TERMS[self.kind](**self.terms)
