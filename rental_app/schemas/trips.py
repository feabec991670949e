"""Shapes of a trip: the booking in full, its account, what its two sides send."""

from typing import Annotated, Literal, get_args

from pydantic import Field, PlainSerializer

from rental_app.rules.money import to_rupees
from rental_app.schemas.bookings import Balance, BookingView
from rental_app.schemas.calendar import OpenFrom
from rental_app.schemas.reviews import TripReviews
from rental_app.schemas.wire import (
    MAX_RUPEES,
    Answer,
    ExactRupees,
    Id,
    IndianTime,
    Moment,
    Refusal,
    RupeesOut,
    ShownRupees,
    Text,
    WholeNumber,
    Wire,
)

Method = Literal["cash", "upi", "card"]
Paper = Literal["government_id", "licence", "work_proof", "residence_proof"]
PAPERS: tuple[str, ...] = get_args(Paper)
Odometer = Annotated[WholeNumber, Field(ge=0, le=2_000_000)]
Eighths = Annotated[WholeNumber, Field(ge=0, le=8)]
Few = Annotated[WholeNumber, Field(ge=0, le=50)]
MAX_DAMAGES = 8
Note = Annotated[Text, Field(min_length=1)]


class LedgerLine(Wire):
    """A line of the account. `reverses` is the line a reversal takes back; `objected` whether the customer objects."""

    id: int
    kind: str
    amount: RupeesOut
    at: IndianTime
    method: str
    note: str
    reverses: int | None
    objected: bool
    photo: str | None = None


class Happening(Wire):
    """What happened, when, and on whose side."""

    what: str
    at: IndianTime
    by: str
    note: str
    entry: int | None = Field(default=None, description="The line of the account it is about")


class PhotoView(Wire):
    """A photo of a handover or return; its path needs the token."""

    group: str
    url: str


class ReadingView(Wire):
    """What was read at the vehicle. Fuel or charge is in eighths."""

    at: IndianTime
    odometer: int
    fuel_eighths: int = Field(alias="fuelEighths")
    helmets: int
    speedings: int
    papers_seen: list[str] = Field(alias="papersSeen")
    photos: list[PhotoView]


class Between(Wire):
    """A stretch of time."""

    begin: IndianTime = Field(alias="from")
    end: IndianTime = Field(alias="to")


class TripView(BookingView):
    """A booking with its account and all that happened, for its customer, its vendor and operators."""

    customer_name: str = Field(alias="customerName")
    vendor_name: str = Field(alias="vendorName")
    hours: OpenFrom
    closed: list[str] = Field(description="The weekdays on which the vendor is closed")
    late_penalty: RupeesOut = Field(alias="latePenalty", description="What each late hour costs")
    ledger: list[LedgerLine]
    timeline: list[Happening]
    bring: list[str]
    terms: str = Field(description="The vehicle's terms as they were when it was booked")
    vendor_terms: str = Field(alias="vendorTerms", description="Those its vendor then had for all vehicles")
    handover: ReadingView | None
    returned: ReadingView | None = Field(alias="return")
    deposit_back: Between | None = Field(alias="depositBack")
    receipt_number: str | None = Field(alias="receiptNumber")
    reviews: TripReviews


class TripAnswer(Answer):
    """A booking in full."""

    booking: TripView


class Cancellation(Wire):
    """What cancelling now would keep and give back; the deposit comes back whole."""

    kept: RupeesOut
    returned: RupeesOut
    deposit: RupeesOut
    percent: int
    dearer_at: IndianTime | None = Field(alias="dearerAt")


class CancellationAnswer(Cancellation, Answer):
    """The preview of a cancellation."""


class CancelRefusal(Refusal):
    """Why nothing was cancelled; `cancellation` is the preview of now, where the code is `terms_changed`."""

    cancellation: Cancellation | None = None


class CancelRequest(Wire):
    """A cancellation at the terms its customer was shown."""

    kept: ExactRupees


class ChangeRequest(Wire):
    """Other dates for a request that waits for its answer."""

    pickup: Moment = Field(default="", alias="pickupDate")
    return_at: Moment = Field(default="", alias="returnDate")
    expected_total: ShownRupees = Field(default=None, alias="expectedTotal")


class ExtensionRequest(Wire):
    """A later return."""

    return_at: Moment = Field(default="", alias="returnDate")


class ExtendRequest(ExtensionRequest):
    """A later return at the price its asker was shown."""

    expected_extra: ShownRupees = Field(default=None, alias="expectedExtra")


class Extension(Wire):
    """What a later return costs on top, and the booking in all."""

    extra: RupeesOut
    total: RupeesOut
    return_at: IndianTime = Field(alias="returnDate")


class ExtensionAnswer(Extension, Answer):
    """The preview of an extension."""


class ExtendRefusal(Refusal):
    """Why nothing was extended; `extension` is the price of now, where the code is `price_changed`."""

    extension: Extension | None = None


class PaymentRequest(Wire):
    """Money that changed hands between customer and vendor; `direction` is the vendor's: in or out."""

    amount: Annotated[ExactRupees, Field(gt=0)]
    method: Method
    of: Literal["rent", "deposit"]
    direction: Literal["in", "out"]
    note: Text = ""


class ReverseRequest(Wire):
    """A line of the account that was wrong, and why."""

    entry: Id
    note: Note


class ObjectRequest(Wire):
    """What the customer does not agree with: a line of the account, or without one the handover as it was noted."""

    entry: Id | None = None
    note: Note


class Damage(Wire):
    """Something broken, and what it costs; its photo is the one of the same place among the files `Damage`."""

    note: Note
    amount: Annotated[ExactRupees, Field(gt=0, le=MAX_RUPEES * 100), PlainSerializer(to_rupees)]


class HandoverData(Wire):
    """What the vendor reads and sees when the vehicle goes out."""

    odometer: Odometer
    fuel_eighths: Eighths = Field(alias="fuelEighths")
    papers_seen: list[Paper] = Field(default=[], alias="papersSeen", max_length=8)
    helmets: Few = 0


class ReturnData(Wire):
    """What the vendor reads and sees when the vehicle comes back."""

    odometer: Odometer
    fuel_eighths: Eighths = Field(alias="fuelEighths")
    helmets: Few = 0
    speedings: Few = 0
    damages: Annotated[list[Damage], Field(max_length=MAX_DAMAGES)] = []


class SettlementRequest(Wire):
    """Readings of a return that is not final yet; without an odometer no kilometres are charged.

    `damages` is what is broken costs in all.
    """

    odometer: Odometer | None = None
    speedings: Few = 0
    damages: Annotated[ExactRupees, Field(le=MAX_DAMAGES * MAX_RUPEES * 100)] = 0


class SettlementLine(Wire):
    """What a return would charge."""

    kind: str
    amount: RupeesOut
    note: str


class SettlementAnswer(Answer):
    """What a return now would charge, what is kept of the deposit for it, and both balances after it."""

    lines: list[SettlementLine]
    total: RupeesOut
    kept_of_deposit: RupeesOut = Field(alias="keptOfDeposit")
    balance: Balance
    deposit_back: Between = Field(alias="depositBack")
