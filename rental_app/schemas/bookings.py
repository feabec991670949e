"""Shapes of bookings and the vendor's dashboard."""

from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationInfo, field_validator

from rental_app.domain import clock, pictures
from rental_app.domain.bookings import BookingSource, BookingStatus, DeclineReason, TripStage, VendorPart
from rental_app.domain.confirm_at_once import MOST_HOURS, MOST_OPEN, AtOnceConditions
from rental_app.domain.due import DueToday
from rental_app.domain.policies import Policies
from rental_app.schemas.quotes import MAX_CODE, PriceLines, QuoteRefusal, QuoteRequest, QuoteView
from rental_app.schemas.wire import (
    CLEAN,
    Answer,
    AnswerBy,
    Body,
    BodyType,
    Deposit,
    ExactBody,
    FirstDay,
    Id,
    IncludedKilometres,
    IndianTime,
    ItsId,
    LastDay,
    ListFilters,
    ManufacturerName,
    Moment,
    NameOut,
    Page,
    Paged,
    PickupLocality,
    PickupTime,
    Picture,
    RcNumber,
    Reference,
    ReturnTime,
    RupeesOut,
    ShownRupees,
    Text,
    VehicleChoice,
    VendorName,
    WholeNumber,
    Wire,
    YearOfManufacture,
    at_most,
    stored_as,
)

_USUAL = AtOnceConditions()
Status = Literal[BookingStatus.PENDING, BookingStatus.CONFIRMED, BookingStatus.CANCELLED]
Part = Literal[
    VendorPart.WAITING,
    VendorPart.UPCOMING,
    VendorPart.OUT,
    VendorPart.TO_SETTLE,
    VendorPart.PAST,
    VendorPart.ALL,
]
Source = Literal[BookingSource.ONLINE, BookingSource.COUNTER]
Stage = Literal[TripStage.BOOKED, TripStage.OUT, TripStage.RETURNED, TripStage.SETTLED, TripStage.NO_SHOW]


class BookingRequest(QuoteRequest):
    """A vehicle and a window to book at the price the customer was shown, or at any price if none is given.

    Extras for delivery or collection need an `address`.
    """

    address: Text = Field(
        default="", description="Where to deliver or collect the vehicle, required with such an extra"
    )

    expected_total: ShownRupees = Field(
        default=None, alias="expectedTotal", description="The total shown, in rupees: another one is refused"
    )
    expected_deposit: ShownRupees = Field(
        default=None, alias="expectedDeposit", description="The deposit shown, in rupees: another one is refused"
    )
    expected_at_once: bool | None = Field(
        default=None,
        alias="expectedConfirmedAtOnce",
        description="The quote's `confirmedAtOnce`: if the vendor has changed that, the booking is refused",
    )
    expected_numbers: Annotated[str, at_most(MAX_CODE), CLEAN] = Field(
        default="",
        alias="expectedNumbers",
        description="The quote's `numbers`: if the shop has changed them, the booking is refused; blank expects none",
    )


class ConfirmAtOnceSettings(ExactBody):
    """Which bookings a vendor lets be confirmed as they are made, without answering each."""

    is_on: bool = Field(alias="on", description="Whether bookings are confirmed at once")
    verified_phone: bool = Field(
        default=_USUAL.verified_phone,
        alias="verifiedMobile",
        description="Whether the customer's mobile number has to be confirmed",
    )
    hours_ahead: Annotated[WholeNumber, Field(ge=0, le=MOST_HOURS, examples=[2])] = Field(
        default=_USUAL.hours_ahead, alias="hoursAhead", description="The fewest hours between booking and pickup"
    )
    most_open: Annotated[WholeNumber, Field(ge=1, le=MOST_OPEN, examples=[2])] = Field(
        default=_USUAL.most_open,
        alias="mostOpen",
        description="How many bookings a customer may have with the vendor, this one included",
    )
    exceptions: Annotated[list[Id], Field(max_length=1000)] = Field(
        default=[], description="Ids of the vehicles for which it is the other way round"
    )


class ConfirmAtOnceAnswer(Answer):
    """Which bookings are confirmed at once."""

    confirm_at_once: ConfirmAtOnceSettings = Field(
        alias="confirmAtOnce", description="Which bookings are confirmed at once"
    )


class StatusChange(Body):
    """A vendor's decision about a request as it was shown, or as it is now if nothing is expected."""

    booking_id: Id = Field(alias="bookingId", description="Id of the booking")
    status: Status = Field(description="The decision")
    expected_pickup: Moment = Field(
        default="", alias="expectedPickupDate", description="The pickup shown, or its day alone: another one is refused"
    )
    expected_return: Moment = Field(
        default="", alias="expectedReturnDate", description="The return shown, or its day alone: another one is refused"
    )
    expected_total: ShownRupees = Field(
        default=None, alias="expectedTotal", description="The price shown, in rupees: another one is refused"
    )
    reason: DeclineReason = Field(default="", description="Why a request is declined; the customer is told")


def _month(text: Any) -> date:
    if first := clock.month_of(str(text)):
        return first
    raise ValueError("Use a month like 2026-11")


Month = Annotated[date, BeforeValidator(_month, json_schema_input_type=str)]


class BookingFilter(ListFilters):
    """Which of a vendor's bookings to list: one of them, or by status, two Indian days that they overlap, the month of
    their pickup, vehicle, part of the list, or words of customer, phone, RC number or reference; and what comes first:
    the latest request, the next answer due, the next pickup, or the earliest return."""

    booking: Id | None = Field(default=None, description="Id of the only booking wanted")
    status: Status | None = Field(default=None, description="Only bookings of this status")
    first_day: FirstDay = None
    last_day: LastDay = None
    month: Month | None = Field(default=None, description="The Indian month of the pickup, such as 2026-11")
    vehicle: VehicleChoice = None
    due: DueToday | None = Field(default=None, description="Only those about which this is to be done today")
    part: Part = Field(
        default=VendorPart.ALL,
        description="Only bookings of this part of the list: requests that wait for an answer, before those answered"
        " today; confirmed and not handed over; out; over with money or a word of the vendor's open; over for good",
    )
    text: Text = ""
    sort: Literal["created", "deadline", "pickup", "return"] = Field(
        default="created",
        description="What comes first: the latest request, the next answer due, the next pickup or the earliest return",
    )

    @field_validator("last_day")
    @classmethod
    def _not_reversed(cls, last: date | None, known: ValidationInfo) -> date | None:
        first = known.data.get("first_day")
        if first and last and last < first:
            raise ValueError("Choose a last day that is not before the first")
        return last


class BookingQuery(BookingFilter, Page):
    """A booking filter by its wire names; in any order but `created` the cursor is an offset."""

    first_day: FirstDay = Field(default=None, alias="from")
    last_day: LastDay = Field(default=None, alias="to")
    text: Text = Field(default="", alias="q", description="Words of customer, phone, RC number or reference")


class BookingRefusal(QuoteRefusal):
    """Why nothing was booked; `quote` is the current price if the code is `price_changed`."""

    quote: QuoteView | None = Field(default=None, description="The price")


class BookedModel(Wire):
    """The model of a booked vehicle."""

    name: NameOut


class BookedCar(Wire):
    """A booked vehicle as the customer's and the vendor's lists show it."""

    id: ItsId
    image: Picture
    asset_manufacturer: ManufacturerName
    asset_model: BookedModel = Field(description="The model")
    year: YearOfManufacture = Field(alias="year_of_manufacture")
    body_type: BodyType = Field(alias="bodyType")
    service_location: PickupLocality
    # A photo that shows the whole vehicle, as its card has it, for the pages, not on the wire; '' without one.
    from_the_side: str = Field(default="", exclude=True)

    @property
    def card(self) -> str:
        """The picture of its rows and pages."""
        return pictures.Picture(self.from_the_side or self.image).card

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.asset_manufacturer} {self.asset_model.name}"


class Balance(Wire):
    """What the customer still owes, negative if they are owed money; and what the vendor holds of the deposit."""

    rent: RupeesOut = Field(description="What the customer owes of the rent, in rupees; negative if the vendor owes it")
    deposit: RupeesOut = Field(
        description="What the customer owes of the deposit, in rupees; negative if the vendor owes it"
    )
    held: RupeesOut = Field(description="The deposit taken, less what was kept and what was returned of it")


BalanceNow = Annotated[Balance, Field(description="What is owed, and what is held of the deposit")]


class Contact(Wire):
    """How to reach the other side, and where both meet next.

    That is the customer's address if the vehicle is delivered there or, once on the road, collected there; else the
    pickup place, which is left blank for the vendor.
    """

    phone: str = Field(description="Mobile number, blank if there is none")
    whatsapp: str = Field(description="WhatsApp number, blank if there is none")
    address: str = Field(description="Where to meet, blank if it is the vendor's own place")
    maps: str = Field(description="Address of the place on a map, blank if there is none")


class BookingView(Wire):
    """A booking in its customer's list. `answer_by` is when a pending one lapses.

    `contact` is given once the booking is confirmed, never before.
    """

    id: ItsId
    reference: Reference
    car: BookedCar = Field(description="The vehicle")
    pickup: PickupTime = Field(alias="pickupDate")
    return_at: ReturnTime = Field(alias="returnDate")
    # What nothing can be done with any more.
    status: Annotated[Status, stored_as(Status, BookingStatus.CANCELLED)] = Field(
        description="Whether it waits for an answer, is confirmed, or is cancelled"
    )
    price: RupeesOut = Field(description="The total without the deposit, in rupees")
    deposit: Deposit = Field(alias="securityDeposit")
    lines: PriceLines
    extras: list[str] = Field(default=[], description="The extras, such as helmet or delivery")
    offer: str | None = Field(default=None, description="Code of an offer")
    address: str = Field(default="", description="Where the vehicle is delivered or collected, blank if nowhere")
    kms_included: IncludedKilometres = Field(alias="kmsIncluded")
    created_at: IndianTime = Field(alias="createdAt", description="When it was requested")
    answer_by: AnswerBy = Field(alias="answerBy")
    cancelled_by: str | None = Field(
        alias="cancelledBy", description="Who cancelled or declined it, null if nobody did"
    )
    source: Annotated[Source, stored_as(Source, BookingSource.ONLINE)] = Field(
        default=BookingSource.ONLINE, description="Where it was made: by the customer, or at the counter by the vendor"
    )
    stage: Annotated[Stage, stored_as(Stage, TripStage.SETTLED)] = Field(description="How far the trip is")
    due_at_pickup: RupeesOut = Field(alias="dueAtPickup", description="What is to be paid at pickup, in rupees")
    balance: BalanceNow
    contact: Contact | None = Field(
        default=None, description="How to reach the other side, null until the booking is confirmed"
    )
    # For the texts on the pages, not on the wire; the RC number is for the vendor's people alone, the part is that of
    # the customer's list, the policies are the numbers that the booking goes by.
    rc_number: str = Field(default="", exclude=True)
    vendor_name: str = Field(default="", exclude=True)
    came_back: datetime | None = Field(default=None, exclude=True)
    cancel_reason: str = Field(default="", exclude=True)
    decided_at: datetime | None = Field(default=None, exclude=True)
    policies: Policies = Field(exclude=True)
    part: str = Field(default="", exclude=True)

    @property
    def vehicle(self) -> str:
        """What the vehicle is called: maker and model and, for its vendor, the RC number."""
        return f"{self.car.title}, {self.rc_number}" if self.rc_number else self.car.title


class VendorBookingView(BookingView):
    """A booking in the vendor's list; the phone number is shown once confirmed."""

    rc_number: RcNumber = Field(alias="rcNumber")
    customer_name: str = Field(alias="customerName", description="The customer's name")
    customer_phone: str = Field(
        alias="customerPhone", description="The customer's mobile number, blank until the booking is confirmed"
    )
    customer_rating: float | None = Field(
        default=None,
        alias="customerRating",
        description="The average rating vendors gave this customer, while the request is pending",
    )
    customer_reviews: int = Field(default=0, alias="customerReviews", description="How many reviews that average is of")


class BookingsAnswer(Paged):
    """A customer's bookings."""

    bookings: list[BookingView] = Field(description="The bookings")


class VendorBookingsAnswer(Paged):
    """The bookings of a vendor's vehicles."""

    bookings: list[VendorBookingView] = Field(description="The bookings")


class BookedAnswer(Answer):
    """The new booking."""

    booking: BookingView = Field(description="The booking")


class Dashboard(Wire):
    """A vendor's figures; `completedBookings` counts confirmed ones, revenue is for the current Indian calendar month.

    Both count by the date of the account's line, as the earnings do: `monthlyRevenue` what was charged less what was
    taken back, `monthlyReceived` rent paid less rent refunded, plus what was kept of deposits.
    """

    total_cars: int = Field(alias="totalCars", description="How many vehicles there are")
    total_bookings: int = Field(alias="totalBookings", description="How many bookings there are")
    pending_bookings: int = Field(alias="pendingBookings", description="How many requests wait for an answer")
    completed_bookings: int = Field(alias="completedBookings", description="How many bookings are confirmed")
    recent_bookings: list[VendorBookingView] = Field(alias="recentBookings", description="The latest bookings")
    monthly_revenue: RupeesOut = Field(alias="monthlyRevenue", description="What was charged in this month, in rupees")
    monthly_received: RupeesOut = Field(
        alias="monthlyReceived", description="What was received in this month, in rupees"
    )


class DashboardAnswer(Answer):
    """The vendor's dashboard."""

    dashboard: Dashboard = Field(alias="dashboardData", description="The figures")


class GuestBooking(Wire):
    """A booking that a vendor made for a mobile number."""

    reference: Reference
    vehicle: str = Field(description="The vehicle's name")
    vendor_name: VendorName = Field(alias="vendorName")
    pickup: PickupTime = Field(alias="pickupDate")
    return_at: ReturnTime = Field(alias="returnDate")


class GuestBookingsAnswer(Answer):
    """The bookings that vendors made for the account's confirmed mobile number."""

    bookings: list[GuestBooking] = Field(description="The bookings")
