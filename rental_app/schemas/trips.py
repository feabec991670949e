"""Shapes of a trip: the booking in full, its account, and what its two sides send."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import ConfigDict, Field

from rental_app.domain.account import PaymentMethod
from rental_app.domain.cancellation import CancelReason
from rental_app.domain.settlement import ChargeKind, stored_kind
from rental_app.domain.uploads import MAX_OBJECTION_PHOTOS
from rental_app.schemas.bookings import BookingView
from rental_app.schemas.calendars import HandoverHours
from rental_app.schemas.reviews import TripReviews
from rental_app.schemas.sign_in import SixDigits
from rental_app.schemas.wire import (
    A_MOMENT,
    BLANK_IS_NONE,
    CLEAN,
    IN_SIGHT,
    MAX_RUPEES,
    Amount,
    Answer,
    AnswerBy,
    BeginTime,
    Body,
    ChosenVehicle,
    Day,
    Deposit,
    EndTime,
    EventTime,
    ExactBody,
    ExactRupees,
    FileGroup,
    Id,
    IncludedKilometres,
    IndianTime,
    ItsId,
    Moment,
    OdometerOut,
    Picture,
    Reference,
    Refusal,
    ReturnMoment,
    ReturnTime,
    RupeesOut,
    ShownRupees,
    ShownTotal,
    Text,
    Title,
    Total,
    VendorName,
    WebAddress,
    WholeNumber,
    Wire,
    YearOfManufacture,
    at_most,
    documented_as_required,
    exactly,
    stored_as,
)

ProposalKind = Literal["extension", "move", "discount"]
TaxPaper = Literal["invoice", "credit note", "debit note"]
Method = Literal[PaymentMethod.CASH, PaymentMethod.UPI, PaymentMethod.CARD]
Note = Annotated[Text, Field(min_length=1, description="A note in words")]
NoteOut = Annotated[str, Field(description="A note in words")]
LineKind = Annotated[str, Field(description="What kind of line or entry it is")]
_NEW_END = f"When the rental is to end, {A_MOMENT}"
# Longer than other notes: a line can be objected to only once, so everything wrong with it has to fit in.
MAX_OBJECTION = 1000
Objection = Annotated[str, at_most(MAX_OBJECTION, 1), CLEAN, IN_SIGHT]
ObjectionPhotos = Annotated[tuple[Id, ...], Field(max_length=MAX_OBJECTION_PHOTOS)]


class LedgerLine(Wire):
    """A line of the account. `at` is when it was written; `reverses` is the line a reversal cancels, and `objected` is
    whether the customer objects."""

    id: ItsId
    kind: LineKind
    amount: Amount
    at: EventTime
    paid_on: date | None = Field(
        default=None, alias="paidOn", description="The Indian day on which it was paid, null if that is the day of `at`"
    )
    method: str = Field(description="How it was paid: cash, UPI or card")
    note: NoteOut
    reverses: int | None = Field(description="Id of the line that this one cancels, null if none")
    objected: bool = Field(description="Whether the customer objects to it")
    photo: str | None = Field(default=None, description="Address of the photo, null if there is none")

    @property
    def account_kind(self) -> str:
        """The kind by which the line counts in the account."""
        return stored_kind(self.kind)


class Happening(Wire):
    """What happened, when, and on whose side."""

    id: ItsId
    what: str = Field(description="What happened")
    at: EventTime
    happened_at: IndianTime | None = Field(
        default=None, alias="happenedAt", description="When it happened, if `at` is when it was noted later, else null"
    )
    by: str = Field(description="The side that did it")
    who: str = Field(default="", description="Who of the vendor's people did it; told to them and to operators only")
    yours: bool = Field(default=False, description="Whether you did it")
    note: NoteOut
    entry: int | None = Field(default=None, description="The line of the account it is about")
    about: int | None = Field(default=None, description="The event of this list that it answers")
    photos: list[str] = Field(default=[], description="Addresses of its photos; loading them requires the token")


class TripPhotoView(Wire):
    """A photo of a handover or return; loading it requires the token."""

    group: FileGroup
    url: WebAddress


class ReadingView(Wire):
    """The readings taken at the vehicle. Fuel or charge is in eighths."""

    at: IndianTime = Field(description="When the vehicle went out, or came back")
    noted_at: IndianTime | None = Field(
        default=None, alias="notedAt", description="When that was noted, if it was later, else null"
    )
    noted_by: str = Field(
        default="", alias="notedBy", description="Who of the vendor's people noted it; told to them and operators only"
    )
    odometer: OdometerOut
    fuel_eighths: int = Field(alias="fuelEighths", description="Fuel or charge, in eighths of a full tank or battery")
    helmets: int = Field(description="How many helmets")
    speedings: int = Field(description="How many times the vehicle was too fast")
    papers_seen: list[str] = Field(
        alias="papersSeen", description="Which documents of the customer the vendor has seen"
    )
    papers_checked: list[str] = Field(
        default=[],
        alias="papersChecked",
        description="Which documents we had checked before, so that the vendor did not have to see them",
    )
    photos: list[TripPhotoView] = Field(description="The photos")
    reason: str | None = Field(
        default=None, description="`breakdown` if the vehicle came back because it broke down, else null"
    )

    @property
    def written_at(self) -> datetime:
        """When it was noted: from then on both sides know of it."""
        return self.noted_at or self.at


class Between(Wire):
    """A period of time."""

    begin: BeginTime = Field(alias="from")
    end: EndTime = Field(alias="to")


class ProposalView(Wire):
    """What the vendor proposes; nothing changes unless the customer agrees by `answerBy`."""

    id: ItsId
    kind: ProposalKind = Field(description="What kind of line or entry it is")
    text: str = Field(description="What is proposed, in words")
    total: RupeesOut = Field(description="What the rent is then, in rupees: to be sent along with a yes")
    extra: RupeesOut = Field(description="What the customer pays more, in rupees; negative if it is less")
    answer_by: AnswerBy = Field(alias="answerBy")


class OtherBooking(Wire):
    """The booking that another one follows, or is followed by."""

    reference: Reference
    page: str = Field(description="The path of its page for you")


class InvoiceView(Wire):
    """A tax invoice, or a credit or debit note about it; loading it requires the token."""

    number: str = Field(description="Its number, which no other of its kind has in a financial year")
    kind: Annotated[TaxPaper, stored_as(TaxPaper, "invoice")] = Field(description="What kind of paper it is")
    issued_at: IndianTime = Field(alias="issuedAt", description="When it was issued")
    total: RupeesOut = Field(description="Its total with tax, in rupees; what a credit note takes back is negative")
    url: WebAddress


class TripView(BookingView):
    """A booking with its account and its full history, for its customer, its vendor and operators."""

    customer_name: str = Field(alias="customerName", description="The customer's name")
    vendor_name: VendorName = Field(alias="vendorName")
    hours: HandoverHours
    closed: list[str] = Field(description="The weekdays on which the vendor is closed")
    late_penalty: RupeesOut = Field(alias="latePenalty", description="What each late hour costs")
    ledger: list[LedgerLine] = Field(description="The lines of the account, in order of time")
    timeline: list[Happening] = Field(description="What happened, in order of time")
    bring: list[str] = Field(description="What the customer brings to the pickup")
    terms: str = Field(description="The vehicle's terms as they were when it was booked")
    vendor_terms: str = Field(
        alias="vendorTerms", description="The vendor's terms for all vehicles as they were when it was booked"
    )
    handover: ReadingView | None = Field(description="The readings at the handover, null before it")
    returned: ReadingView | None = Field(alias="return", description="The readings at the return, null before it")
    deposit_back: Between | None = Field(alias="depositBack", description="The period in which the deposit is returned")
    receipt_number: str | None = Field(
        alias="receiptNumber",
        description="Number of the receipt, which says the same from then on; null while there is none",
    )
    invoices: list[InvoiceView] = Field(
        description="The tax invoice and the notes about it, in the order in which they were issued"
    )
    proposal: ProposalView | None = Field(
        default=None, description="What the vendor proposes, if it waits for an answer"
    )
    follows: OtherBooking | None = Field(
        default=None, description="The booking this one is in place of, or continues with another vehicle"
    )
    followed_by: OtherBooking | None = Field(
        default=None, alias="followedBy", description="The booking in its place, or that continues it"
    )
    reviews: TripReviews = Field(description="What the two sides say about each other")
    # The address below which its files are loaded, for the pages.
    files: str = Field(default="", exclude=True)
    # How many helmets the customer has booked, for the vendor's page.
    helmets: int = Field(default=0, exclude=True)
    # The number that a guest's codes go to, but for its ends, for the guest's page.
    code_to: str = Field(default="", exclude=True)
    # For the text on the page while the request waits, not on the wire.
    answers_in: timedelta | None = Field(default=None, exclude=True)


class TripAnswer(Answer):
    """A booking in full."""

    booking: TripView = Field(description="The booking")


class Cancellation(Wire):
    """What cancelling now would keep and return; the deposit is returned in full."""

    kept: RupeesOut = Field(description="What the vendor keeps of the rent, in rupees")
    returned: RupeesOut = Field(description="What the customer gets back of the rent, in rupees")
    deposit: Deposit
    percent: int = Field(description="Percent of the rent that is kept")
    dearer_at: IndianTime | None = Field(
        alias="dearerAt", description="When cancelling becomes dearer, null if it does not"
    )


class CancellationAnswer(Cancellation, Answer):
    """The preview of a cancellation."""


class CancelRefusal(Refusal):
    """Why nothing was cancelled; `cancellation` is the current preview if the code is `terms_changed`."""

    cancellation: Cancellation | None = Field(default=None, description="What cancelling now keeps and returns")


class CancelRequest(Wire):
    """A cancellation on the terms the customer was shown."""

    kept: ExactRupees = Field(description="What the vendor keeps of the rent, in rupees")


class VendorCancelRequest(ExactBody):
    """Why a vendor cannot keep a booking; a `note` is needed for another reason."""

    reason: CancelReason = Field(description="Why the vendor cancels")
    note: Text = Field(default="", description="What the customer should know; they read it")
    block: bool | None = Field(
        default=None,
        description="Whether to block the vehicle for these days; null means after a breakdown or an accident",
    )


class EqualVehicle(Wire):
    """A vehicle like the one of a cancelled booking, free for its dates; `at_once` for one of the same vendor's."""

    id: ItsId
    title: Title
    image: Picture
    year: YearOfManufacture
    location: str = Field(description="The locality")
    vendor_name: VendorName = Field(alias="vendorName")
    total: Total
    deposit: Deposit
    at_once: bool = Field(
        alias="atOnce", description="Whether it is confirmed at once, at no more than the booking's price"
    )


class EqualsAnswer(Answer):
    """Vehicles to have instead of one whose booking its vendor cancelled."""

    equals: list[EqualVehicle] = Field(description="The vendor's own first, then by price")


class ReplacementRequest(Body):
    """The vehicle to have instead."""

    vehicle: ChosenVehicle


class ChangeRequest(Body):
    """New dates for a request not answered yet, at the price the customer was shown, if that is given."""

    model_config = documented_as_required("pickupDate", "returnDate")

    pickup: Moment = Field(default="", alias="pickupDate", description=f"When the rental is to begin, {A_MOMENT}")
    return_at: Moment = Field(default="", alias="returnDate", description=_NEW_END)
    expected_total: ShownTotal = Field(default=None, alias="expectedTotal")
    expected_deposit: ShownRupees = Field(
        default=None, alias="expectedDeposit", description="The deposit shown, in rupees: another one is refused"
    )


class ExtensionRequest(Body):
    """A later return."""

    model_config = documented_as_required("returnDate")

    return_at: ReturnMoment = Field(default="", alias="returnDate")


class ExtendRequest(ExtensionRequest):
    """A later return at the price the caller was shown, if that is given; null kilometres are unlimited."""

    model_config = ConfigDict(extra="forbid")

    return_at: Moment = Field(default="", alias="returnDate", description=_NEW_END)
    expected_extra: ShownRupees = Field(
        default=None,
        alias="expectedExtra",
        description="What the later return was shown to cost, in rupees: another amount is refused",
    )
    expected_kms: WholeNumber | None = Field(
        default=None, alias="expectedKmsIncluded", description="The kilometres shown as included, null if unlimited"
    )


class Extension(Wire):
    """What a later return costs in addition, and the booking in total; null kilometres are unlimited."""

    extra: RupeesOut = Field(description="What the later return costs in addition, in rupees")
    total: Total
    return_at: ReturnTime = Field(alias="returnDate")
    kms_included: IncludedKilometres = Field(alias="kmsIncluded")


class ExtensionAnswer(Extension, Answer):
    """The preview of an extension."""


class ExtendRefusal(Refusal):
    """Why nothing was extended; `extension` says what it costs now if the code is `price_changed`."""

    extension: Extension | None = Field(default=None, description="What the later return costs now")


class PaymentRequest(ExactBody):
    """Money that changed hands between customer and vendor; `direction` is the vendor's view: in or out.

    What is `of` all pays the rent first, then the deposit.
    """

    amount: Annotated[ExactRupees, Field(gt=0)] = Field(description="Amount in rupees")
    method: Method = Field(description="How it was paid: cash, UPI or card")
    of: Literal["rent", "deposit", "all"] = Field(description="What the money is for: rent or deposit")
    direction: Literal["in", "out"] = Field(description="Whether the vendor received (`in`) or paid (`out`) the money")
    paid_on: Annotated[Day | None, BLANK_IS_NONE] = Field(
        default=None,
        alias="paidOn",
        description="The Indian day on which it was paid, today if it is not given: not in the future, and not in a"
        " month that is settled",
    )
    note: Text = Field(default="", description="A note in words")


class ChargeRequest(ExactBody):
    """What is charged after the return, and why."""

    kind: ChargeKind = Field(description="What kind of line or entry it is")
    amount: Annotated[int, exactly(MAX_RUPEES), Field(gt=0)] = Field(description="Amount in rupees")
    note: Note


class MoveRequest(ExactBody):
    """Another of the vendor's vehicles for a booking, and why."""

    vehicle: ChosenVehicle
    note: Text = Field(default="", description="A note in words")


class ProposalAnswerRequest(Body):
    """The customer's answer to a proposal; a yes at another total than the one shown is refused."""

    id: Id = Field(description="Its id")
    answer: Literal["yes", "no"] = Field(description="Whether the customer agrees")
    expected_total: ShownTotal = Field(default=None, alias="expectedTotal")


class CodeRequest(ExactBody):
    """The code that the customer has read out."""

    code: SixDigits = Field(description="The six digits that were sent to the customer's mobile")


class CodeAnswer(Answer):
    """Where a code has gone; the code itself is told to nobody else."""

    sent_to: str = Field(alias="sentTo", description="The mobile number, but for its ends", examples=["90xxxxxx88"])
    works_until: IndianTime = Field(alias="worksUntil", description="When the code is of no use any more")


class ReverseRequest(ExactBody):
    """A line of the account that was wrong, and why."""

    entry: Id = Field(description="Id of the account's line")
    note: Note = Field(description="Why the line was wrong")


class ObjectRequest(Body):
    """What the customer objects to: a line of the account or, if none is given, the handover as it was recorded."""

    entry: Id | None = Field(default=None, description="Id of the account's line, null for the handover")
    note: Annotated[Objection, Field(title="What is not right")] = Field(description="What is wrong with it")
    photos: ObjectionPhotos = Field(default=(), description="Photos uploaded ahead (`POST /api/uploads`)")


class ObjectionAnswerRequest(ExactBody):
    """What the vendor answers to an objection: an event `objected` of the booking's timeline."""

    objection: Id = Field(description="The event's id")
    note: Objection = Field(description="A note in words")
    photos: ObjectionPhotos = Field(
        default=(), description="Photos uploaded ahead (`POST /api/vendor/uploads`) in the group Trip Answer"
    )
