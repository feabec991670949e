"""Shapes of operators: rows of the tables, the queue of work, decisions about people, listings and bookings."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, Field

from rental_app.domain.characters import without_hidden
from rental_app.domain.errors import InvalidInputError
from rental_app.schemas.accounts import bank_account
from rental_app.schemas.bookings import BookingView, VendorBookingView
from rental_app.schemas.people import Email, Mobile, Name
from rental_app.schemas.wire import (
    BLANK_IS_NONE,
    CLEAN,
    IN_SIGHT,
    MAX_RUPEES,
    MAX_TOTAL_RUPEES,
    VISIBLE,
    Answer,
    Day,
    ExactBody,
    IndianTime,
    ItsId,
    NameOut,
    Number,
    RupeesOut,
    Text,
    Wire,
    at_most,
    exactly,
)

Cell = str | int | float | bool | None
WorkName = Literal[
    "listings", "requests", "identity", "objections", "reviews", "messages", "refunds", "bookings", "papers"
]


class OperatorColumn(Wire):
    """A column of a table: what it is called, and what kind of value it has."""

    name: str = Field(description="Its name among the cells of a row, and in `sort`")
    label: str = Field(description="What people call it")
    kind: Literal["text", "plate", "number", "money", "day", "moment", "month", "state", "code"] = Field(
        description="What its values are: money is in rupees, a moment in Indian time, a month a number like 202611"
    )
    sortable: bool = Field(description="Whether the list can be sorted by it")


class OperatorRow(Wire):
    """A row of a table: its id, and its values by the names of the table's columns."""

    id: ItsId
    cells: dict[str, Cell] = Field(description="Its values by the names of the columns")


class OperatorListAnswer(Answer):
    """A page of a table; `total` rows match what was asked for, of `whole` in the table."""

    columns: list[OperatorColumn] = Field(description="The columns of the list")
    rows: list[OperatorRow] = Field(description="The rows of the page")
    total: int = Field(description="How many rows match")
    whole: int = Field(description="How many rows the table has")
    sort: str = Field(description="The order they are in")
    next_cursor: Annotated[str | None, Field(alias="nextCursor")] = Field(
        description="Where the next page begins, null on the last"
    )
    back_cursor: Annotated[str | None, Field(alias="backCursor")] = Field(
        description="Where the page before begins, null on the first"
    )


class OperatorRowAnswer(Answer):
    """A row with all that its table tells of it."""

    columns: list[OperatorColumn] = Field(description="What is told of it, in order")
    row: OperatorRow = Field(description="The row")
    version: str = Field(description="Its version now, which decisions name as `expected`; blank where there are none")


class OperatorPartAnswer(Answer):
    """A part of a row's page, the latest first; its rows are numbered from 1 on."""

    columns: list[OperatorColumn] = Field(description="What each of its rows tells, in order")
    rows: list[OperatorRow] = Field(description="The rows of the part")


class TheirsAnswer(Answer):
    """What somebody sees of their own pages: the bookings they made, and those of the vendor they work for."""

    name: NameOut
    bookings: list[BookingView] = Field(description="Those they made, as their own list has them")
    requests: list[VendorBookingView] = Field(description="Those of the vendor they work for, the newest first")


class WorkView(Wire):
    """Something that waits for an operator; `id` is what its decision call takes."""

    kind: WorkName = Field(description="What it is about")
    id: int = Field(description="What its decision takes")
    ref: str = Field(description="What people call it: a reference, an RC number, an address")
    title: str = Field(description="What it is about, in a few words")
    due: IndianTime = Field(description="When it should be decided")


class WorkAnswer(Answer):
    """The queue, the oldest due first, and how much there is of each kind in all."""

    work: list[WorkView] = Field(description="What waits, the oldest due first")
    counts: dict[str, int] = Field(description="How much there is of each kind")


MOST_REASON = 1000
# Told to those it concerns, so that it is no essay.
Reason = Annotated[str, at_most(MOST_REASON), CLEAN, IN_SIGHT]
Expected = Annotated[
    str,
    Field(
        max_length=64,
        description="The `version` that was seen; 409 `changed_meanwhile` if it is another now. Blank expects nothing",
    ),
]
REASON = "Why it is decided so; told to those it concerns"


def require_reason(reason: str, field: str = "reason", message: str = "Say why: those it concerns read it") -> None:
    """Raise InvalidInputError if a decision that hurts somebody has no reason."""
    if not without_hidden(reason).strip():
        raise InvalidInputError(message, fields={field: message})


class ListingDecision(ExactBody):
    """What is decided about a listing; refusing and taking down need a reason."""

    decision: Literal["approve", "refuse", "take_down"] = Field(description="What is decided")
    reason: Reason = Field(default="", description=REASON)
    expected: Expected = ""


class Blocking(ExactBody):
    """Why an account is blocked or unblocked; blocking needs a reason."""

    reason: Reason = Field(default="", description=REASON)
    expected: Expected = ""


class RequestDecision(ExactBody):
    """What is decided about a vendor's request for a change; refusing needs a reason."""

    decision: Literal["grant", "refuse"] = Field(description="What is decided")
    reason: Reason = Field(default="", description=REASON)
    expected: Expected = ""


def _bank(text: str) -> str:
    return ", ".join(bank_account(text)) if text else ""


class LockedFields(ExactBody):
    """What is to change of an account; what is left out or null stays."""

    name: Name | None = Field(default=None, description="Its name")
    email: Email | None = Field(default=None, description="E-mail address")
    phone_number: Mobile | None = Field(default=None, alias="phoneNumber", description="Mobile number")
    bank: Annotated[Text, AfterValidator(_bank)] = Field(
        default="", description="The bank, the number, the IFSC, with commas between them"
    )
    commission: Annotated[Number, Field(ge=0, le=100)] | None = Field(
        default=None, description="The platform's share of bookings made from now on, in percent"
    )
    reason: Reason = Field(default="", description=REASON)
    expected: Expected = ""

    def columns(self) -> dict[str, Any]:
        """The account's columns that are given, with their values."""
        given: dict[str, Any] = {"name": self.name, "email": self.email, "phone_number": self.phone_number}
        if self.bank:
            given |= dict(zip(("bank_name", "bank_account_no", "bank_ifsc"), bank_account(self.bank), strict=True))
        if self.commission is not None:
            given["commission_bps"] = round(self.commission * 100)
        return {name: value for name, value in given.items() if value is not None}


class RecoveryRequest(ExactBody):
    """What somebody is to be reached at who has lost both e-mail and phone, and how the operator knows them."""

    email: Email | None = Field(default=None, description="The account's new email; left out, it stays")
    phone_number: Mobile | None = Field(
        default=None, alias="phoneNumber", description="The account's new mobile number; left out, it stays"
    )
    checked: Reason = Field(default="", description="How you know that it is them; for the audit trail alone")
    expected: Expected = ""

    def columns(self) -> dict[str, str]:
        """The account's columns that are given, with their values."""
        given = {"email": self.email, "phone_number": self.phone_number}
        return {name: value for name, value in given.items() if value is not None}


class NoteRequest(ExactBody):
    """A note about an account, which stays as it is."""

    text: Annotated[str, at_most(MOST_REASON), CLEAN, IN_SIGHT] = Field(description="The note; for operators alone")


class StopRequest(ExactBody):
    """A press that stops something, as it was seen."""

    expected: Expected = ""


class UndoRequest(ExactBody):
    """A press that takes back the last change of something, as it was seen."""

    expected: Expected = ""


class ObjectionDecision(ExactBody):
    """What is decided about an objection, and why; `amount` is what stays of the line if it is lowered in part."""

    decision: Literal["uphold", "dismiss", "partly"] = Field(
        description="Whether the line is reversed, stays, or is written again lower"
    )
    amount: Annotated[int, exactly(MAX_RUPEES)] | None = Field(
        default=None, description="What stays of the line, in rupees; only with `partly`"
    )
    note: Reason = Field(default="", description="Why it is decided so; both sides read it")
    expected: Expected = ""


class OperatorCancelRequest(ExactBody):
    """Why a booking is cancelled, and what is kept of what was paid."""

    reason: Reason = Field(default="", description=REASON)
    kept: Annotated[int, exactly(MAX_TOTAL_RUPEES)] = Field(
        description="What the vendor keeps, in rupees: at most what was paid of the rent"
    )
    expected: Expected = ""


class ReviewDecision(ExactBody):
    """What is decided about a review; removing needs a reason."""

    decision: Literal["keep", "remove"] = Field(description="What is decided")
    reason: Reason = Field(default="", description=REASON)
    expected: Expected = ""


class PaidCommission(ExactBody):
    """Commission that a vendor has paid for a month, and what names the payment at the bank."""

    amount: Annotated[int, exactly(MAX_TOTAL_RUPEES), Field(gt=0)] = Field(description="How much, in rupees")
    reference: Annotated[str, at_most(100, 1), CLEAN, VISIBLE] = Field(
        description="What names the payment, such as its UTR"
    )
    direction: Literal["in", "out"] = Field(
        default="in", description="Whether the vendor paid it, or a payment noted by mistake is reversed"
    )
    paid_on: Annotated[Day | None, BLANK_IS_NONE] = Field(
        default=None,
        alias="paidOn",
        description="The Indian day on which it was paid, today if it is not given: not in the future",
    )


class CommissionView(Wire):
    """The commission of a vendor for a month: what their statement says, what they paid, and what they still owe."""

    vendor: int = Field(description="Id of the vendor's account")
    name: str = Field(description="The vendor's name")
    commission: RupeesOut = Field(description="The platform's share of what was received in the month, in rupees")
    paid: RupeesOut = Field(description="What was paid of it, in rupees")
    owed: RupeesOut = Field(description="What is still to pay, in rupees; negative if too much was paid")


class CommissionAnswer(Answer):
    """What a vendor owes for a month, after a payment."""

    commission: CommissionView = Field(description="What is owed now")


class CommissionsAnswer(Answer):
    """What all vendors owe for a month, the most first."""

    month: str = Field(description="The month, such as 2026-11")
    vendors: list[CommissionView] = Field(description="The vendors who owe or have paid something")


class ReadOnlyRequest(ExactBody):
    """Whether the shop only shows itself, and what people are told meanwhile."""

    on: bool = Field(description="Whether it does")
    message: Annotated[str, at_most(300), CLEAN, IN_SIGHT] = Field(
        default="", description="What people are told; blank for the usual words"
    )


class FeatureRequest(ExactBody):
    """Whether a vehicle stands among the first on the home page."""

    on: bool = Field(description="Whether it does")
