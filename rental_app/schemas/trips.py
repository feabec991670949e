"""Shapes of a trip: the booking in full, its account, and what its two sides send."""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal

from pydantic import Field

from rental_app.domain.account import PaymentMethod
from rental_app.domain.settlement import ChargeKind, stored_kind
from rental_app.domain.uploads import MAX_OBJECTION_PHOTOS
from rental_app.domain.vendor_cancelling import CancelReason
from rental_app.schemas.bookings import BookingView
from rental_app.schemas.calendar import OpenFrom
from rental_app.schemas.people import SixDigits
from rental_app.schemas.reviews import TripReviews
from rental_app.schemas.wire import (
    BLANK_IS_NONE,
    CLEAN,
    IN_SIGHT,
    MAX_RUPEES,
    Answer,
    Body,
    Day,
    ExactRupees,
    Id,
    IndianTime,
    Moment,
    Refusal,
    RupeesOut,
    ShownRupees,
    Text,
    VehicleId,
    WholeNumber,
    Wire,
    at_most,
    documented_as_required,
    exactly,
)

ProposalKind = Literal["extension", "move", "discount"]
Method = Literal[PaymentMethod.CASH, PaymentMethod.UPI, PaymentMethod.CARD]
Note = Annotated[Text, Field(min_length=1)]
# Longer than other notes: a line can be objected to only once, so everything wrong with it has to fit in.
MAX_OBJECTION = 1000
Objection = Annotated[str, at_most(MAX_OBJECTION, 1), CLEAN, IN_SIGHT]
ObjectionPhotos = Annotated[tuple[Id, ...], Field(max_length=MAX_OBJECTION_PHOTOS)]


class LedgerLine(Wire):
    """A line of the account. `at` is when it was written; `reverses` is the line a reversal cancels, and `objected` is
    whether the customer objects."""

    id: int
    kind: str
    amount: RupeesOut
    at: IndianTime
    paid_on: date | None = Field(
        default=None, alias="paidOn", description="The Indian day on which it was paid, null if that is the day of `at`"
    )
    method: str
    note: str
    reverses: int | None
    objected: bool
    photo: str | None = None

    @property
    def account_kind(self) -> str:
        """The kind by which the line counts in the account."""
        return stored_kind(self.kind)


class Happening(Wire):
    """What happened, when, and on whose side."""

    id: int
    what: str
    at: IndianTime
    happened_at: IndianTime | None = Field(
        default=None, alias="happenedAt", description="When it happened, if `at` is when it was noted later, else null"
    )
    by: str
    who: str = Field(default="", description="Who of the vendor's people did it; told to them and to operators only")
    yours: bool = Field(default=False, description="Whether you did it")
    note: str
    entry: int | None = Field(default=None, description="The line of the account it is about")
    about: int | None = Field(default=None, description="The event of this list that it answers")
    photos: list[str] = Field(default=[], description="Addresses of its photos; loading them requires the token")


class TripPhotoView(Wire):
    """A photo of a handover or return; loading it requires the token."""

    group: str
    url: str


class ReadingView(Wire):
    """The readings taken at the vehicle. Fuel or charge is in eighths."""

    at: IndianTime = Field(description="When the vehicle went out, or came back")
    noted_at: IndianTime | None = Field(
        default=None, alias="notedAt", description="When that was noted, if it was later, else null"
    )
    noted_by: str = Field(
        default="", alias="notedBy", description="Who of the vendor's people noted it; told to them and operators only"
    )
    odometer: int
    fuel_eighths: int = Field(alias="fuelEighths")
    helmets: int
    speedings: int
    papers_seen: list[str] = Field(alias="papersSeen")
    photos: list[TripPhotoView]
    reason: str | None = Field(
        default=None, description="`breakdown` if the vehicle came back because it broke down, else null"
    )

    @property
    def written_at(self) -> datetime:
        """When it was noted: from then on both sides know of it."""
        return self.noted_at or self.at


class Between(Wire):
    """A period of time."""

    begin: IndianTime = Field(alias="from")
    end: IndianTime = Field(alias="to")


class ProposalView(Wire):
    """What the vendor proposes; nothing changes unless the customer agrees by `answerBy`."""

    id: int
    kind: ProposalKind
    text: str = Field(description="What is proposed, in words")
    total: RupeesOut = Field(description="What the rent is then, in rupees: to be sent along with a yes")
    extra: RupeesOut = Field(description="What the customer pays more, in rupees; negative if it is less")
    answer_by: IndianTime = Field(alias="answerBy")


class OtherBooking(Wire):
    """The booking that another one follows, or is followed by."""

    reference: str
    page: str = Field(description="The path of its page for you")


class TripView(BookingView):
    """A booking with its account and its full history, for its customer, its vendor and operators."""

    customer_name: str = Field(alias="customerName")
    vendor_name: str = Field(alias="vendorName")
    hours: OpenFrom
    closed: list[str] = Field(description="The weekdays on which the vendor is closed")
    late_penalty: RupeesOut = Field(alias="latePenalty", description="What each late hour costs")
    ledger: list[LedgerLine]
    timeline: list[Happening]
    bring: list[str]
    terms: str = Field(description="The vehicle's terms as they were when it was booked")
    vendor_terms: str = Field(
        alias="vendorTerms", description="The vendor's terms for all vehicles as they were when it was booked"
    )
    handover: ReadingView | None
    returned: ReadingView | None = Field(alias="return")
    deposit_back: Between | None = Field(alias="depositBack")
    receipt_number: str | None = Field(alias="receiptNumber")
    proposal: ProposalView | None = Field(
        default=None, description="What the vendor proposes, if it waits for an answer"
    )
    follows: OtherBooking | None = Field(
        default=None, description="The booking this one is in place of, or continues with another vehicle"
    )
    followed_by: OtherBooking | None = Field(
        default=None, alias="followedBy", description="The booking in its place, or that continues it"
    )
    reviews: TripReviews
    # How many helmets the customer has booked, for the vendor's page.
    helmets: int = Field(default=0, exclude=True)
    # The number that a guest's codes go to, but for its ends, for the guest's page.
    code_to: str = Field(default="", exclude=True)
    # For the text on the page while the request waits, not on the wire.
    answers_in: timedelta | None = Field(default=None, exclude=True)


class TripAnswer(Answer):
    """A booking in full."""

    booking: TripView


class Cancellation(Wire):
    """What cancelling now would keep and return; the deposit is returned in full."""

    kept: RupeesOut
    returned: RupeesOut
    deposit: RupeesOut
    percent: int
    dearer_at: IndianTime | None = Field(alias="dearerAt")


class CancellationAnswer(Cancellation, Answer):
    """The preview of a cancellation."""


class CancelRefusal(Refusal):
    """Why nothing was cancelled; `cancellation` is the current preview if the code is `terms_changed`."""

    cancellation: Cancellation | None = None


class CancelRequest(Wire):
    """A cancellation on the terms the customer was shown."""

    kept: ExactRupees


class VendorCancelRequest(Body):
    """Why a vendor cannot keep a booking; a `note` is needed for another reason."""

    reason: CancelReason
    note: Text = Field(default="", description="What the customer should know; they read it")
    block: bool | None = Field(
        default=None,
        description="Whether to block the vehicle for these days; null means after a breakdown or an accident",
    )


class EqualVehicle(Wire):
    """A vehicle like the one of a cancelled booking, free for its dates; `at_once` for one of the same vendor's."""

    id: int
    title: str
    image: str
    year: int
    location: str
    vendor_name: str = Field(alias="vendorName")
    total: RupeesOut
    deposit: RupeesOut
    at_once: bool = Field(
        alias="atOnce", description="Whether it is confirmed at once, at no more than the booking's price"
    )


class EqualsAnswer(Answer):
    """Vehicles to have instead of one whose booking its vendor cancelled."""

    equals: list[EqualVehicle] = Field(description="The vendor's own first, then by price")


class ReplacementRequest(Body):
    """The vehicle to have instead."""

    vehicle: VehicleId


class ChangeRequest(Body):
    """New dates for a request not answered yet, at the price the customer was shown, if that is given."""

    model_config = documented_as_required("pickupDate", "returnDate")

    pickup: Moment = Field(default="", alias="pickupDate")
    return_at: Moment = Field(default="", alias="returnDate")
    expected_total: ShownRupees = Field(default=None, alias="expectedTotal")
    expected_deposit: ShownRupees = Field(default=None, alias="expectedDeposit")


class ExtensionRequest(Body):
    """A later return."""

    model_config = documented_as_required("returnDate")

    return_at: Moment = Field(default="", alias="returnDate")


class ExtendRequest(ExtensionRequest):
    """A later return at the price the caller was shown, if that is given; null kilometres are unlimited."""

    expected_extra: ShownRupees = Field(default=None, alias="expectedExtra")
    expected_kms: WholeNumber | None = Field(default=None, alias="expectedKmsIncluded")


class Extension(Wire):
    """What a later return costs in addition, and the booking in total; null kilometres are unlimited."""

    extra: RupeesOut
    total: RupeesOut
    return_at: IndianTime = Field(alias="returnDate")
    kms_included: int | None = Field(alias="kmsIncluded")


class ExtensionAnswer(Extension, Answer):
    """The preview of an extension."""


class ExtendRefusal(Refusal):
    """Why nothing was extended; `extension` says what it costs now if the code is `price_changed`."""

    extension: Extension | None = None


class PaymentRequest(Body):
    """Money that changed hands between customer and vendor; `direction` is the vendor's view: in or out.

    What is `of` all pays the rent first, then the deposit.
    """

    amount: Annotated[ExactRupees, Field(gt=0)]
    method: Method
    of: Literal["rent", "deposit", "all"]
    direction: Literal["in", "out"]
    paid_on: Annotated[Day | None, BLANK_IS_NONE] = Field(
        default=None,
        alias="paidOn",
        description="The Indian day on which it was paid, today if it is not given: not in the future, and not in a"
        " month that is settled",
    )
    note: Text = ""


class ChargeRequest(Body):
    """What is charged after the return, and why."""

    kind: ChargeKind
    amount: Annotated[int, exactly(MAX_RUPEES), Field(gt=0)]
    note: Note


class MoveRequest(Body):
    """Another of the vendor's vehicles for a booking, and why."""

    vehicle: VehicleId
    note: Text = ""


class ProposalAnswerRequest(Body):
    """The customer's answer to a proposal; a yes at another total than the one shown is refused."""

    id: Id
    answer: Literal["yes", "no"] = Field(description="Whether the customer agrees")
    expected_total: ShownRupees = Field(default=None, alias="expectedTotal")


class CodeRequest(Body):
    """The code that the customer has read out."""

    code: SixDigits = Field(description="The six digits that were sent to the customer's mobile")


class CodeAnswer(Answer):
    """Where a code has gone; the code itself is told to nobody else."""

    sent_to: str = Field(alias="sentTo", description="The mobile number, but for its ends", examples=["90xxxxxx88"])
    works_until: IndianTime = Field(alias="worksUntil", description="When the code is of no use any more")


class ReverseRequest(Wire):
    """A line of the account that was wrong, and why."""

    entry: Id
    note: Note


class ObjectRequest(Body):
    """What the customer objects to: a line of the account or, if none is given, the handover as it was recorded."""

    entry: Id | None = None
    note: Annotated[Objection, Field(title="What is not right")]
    photos: ObjectionPhotos = Field(default=(), description="Photos uploaded ahead (`POST /api/uploads`)")


class ObjectionAnswerRequest(Body):
    """What the vendor answers to an objection: an event `objected` of the booking's timeline."""

    objection: Id = Field(description="The event's id")
    note: Objection
    photos: ObjectionPhotos = Field(
        default=(), description="Photos uploaded ahead (`POST /api/vendor/uploads`) in the group Trip Answer"
    )
