"""Shapes of bookings, quotes and the vendor's dashboard."""

from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from rental_app.rules.extras import EXTRAS, Extra
from rental_app.rules.pricing import Kind
from rental_app.schemas.calendar import Stretch
from rental_app.schemas.wire import (
    Answer,
    Day,
    Id,
    IndianTime,
    Moment,
    Page,
    Paged,
    Refusal,
    RupeesOut,
    ShownRupees,
    Text,
    Wire,
)

Status = Literal["pending", "confirmed", "cancelled"]
Stage = Literal["booked", "out", "returned", "settled", "no_show"]


def _extras(value: Any) -> Any:
    """A list, or one text with commas as queries have it; each extra once."""
    texts = [value] if isinstance(value, str) else value
    if not isinstance(texts, list | tuple) or not all(isinstance(text, str) for text in texts):
        raise ValueError("Send a list of extras")
    named = [name.strip() for text in texts for name in text.split(",") if name.strip()]
    if unknown := sorted({name[:40] for name in named if name not in EXTRAS}):
        raise ValueError(f"There is no extra {', '.join(unknown[:3])}: choose from {', '.join(EXTRAS)}")
    if len(set(named)) < len(named):
        raise ValueError("Name each extra once")
    return named


Extras = Annotated[list[Extra], BeforeValidator(_extras, json_schema_input_type=list[Extra] | str)]
Code = Annotated[Text, Field(max_length=40), AfterValidator(str.upper)]


class QuoteRequest(Wire):
    """A vehicle and a window; a bare date means the vendor's opening time.

    `extras` may be one text with commas; `offer` is a code in capitals or small letters.
    """

    car: Id
    pickup: Moment = Field(default="", alias="pickupDate")
    return_at: Moment = Field(default="", alias="returnDate")
    extras: Extras = []
    offer: Code = ""


class BookingRequest(QuoteRequest):
    """The same, to be booked at the price its customer was shown, or at any price if none is given.

    Extras that bring or fetch the vehicle need an `address`.
    """

    address: Text = ""

    expected_total: ShownRupees = Field(
        default=None, alias="expectedTotal", description="The total shown, in rupees: another one is refused"
    )
    expected_deposit: ShownRupees = Field(
        default=None, alias="expectedDeposit", description="The deposit shown, in rupees: another one is refused"
    )


class StatusChange(Wire):
    """A vendor's decision."""

    booking_id: Id = Field(alias="bookingId")
    status: Status


class BookingFilter(Wire):
    """Which of a vendor's bookings to list: one of them, a status, those on the road between two Indian days, of one
    vehicle, by words of customer, phone, RC number or reference; and what comes first: the latest request, the next
    answer due, or the next pickup."""

    booking: Id | None = None
    status: Status | None = None
    first_day: Day | None = None
    last_day: Day | None = None
    vehicle: Id | None = None
    text: Text = ""
    sort: Literal["created", "deadline", "pickup"] = "created"


class BookingQuery(BookingFilter, Page):
    """The same by the names of the wire; with another order than `created` the cursor counts bookings."""

    first_day: Day | None = Field(default=None, alias="from")
    last_day: Day | None = Field(default=None, alias="to")
    text: Text = Field(default="", alias="q")


class QuoteLine(Wire):
    """One line of a price: a plan, an extra, or a discount, whose amount is negative."""

    kind: Kind = "plan"
    label: str
    quantity: int
    rate: RupeesOut
    amount: RupeesOut


class Cheaper(Wire):
    """A return that costs less, and the total then."""

    return_at: IndianTime = Field(alias="returnDate")
    total: RupeesOut


class QuoteView(Wire):
    """A price before the booking. The deposit is collected at pickup, apart from the total."""

    lines: list[QuoteLine]
    total: RupeesOut
    deposit: RupeesOut
    days: int
    kms_included: int | None = Field(alias="kmsIncluded")
    kms_text: str = Field(alias="kmsText")
    saving: RupeesOut = Field(description="What the plans cost less than Full Days alone")
    cheaper: Cheaper | None = Field(description="A return nearby that costs less")
    pickup: IndianTime = Field(alias="pickupDate")
    return_at: IndianTime = Field(alias="returnDate")


class QuoteAnswer(Answer):
    """A quote."""

    quote: QuoteView


class QuoteRefusal(Refusal):
    """Why there is no price; `nearest` are free windows as long, where the code is `dates_taken`."""

    nearest: list[Stretch] | None = None


class BookingRefusal(QuoteRefusal):
    """Why nothing was booked; `quote` is the current price where the code is `price_changed`."""

    quote: QuoteView | None = None


class BookedModel(Wire):
    """The model of a booked vehicle."""

    name: str


class BookedCar(Wire):
    """A booked vehicle as both lists show it."""

    id: int
    image: str
    asset_manufacturer: str
    asset_model: BookedModel
    year: int = Field(alias="year_of_manufacture")
    body_type: str = Field(alias="bodyType")
    service_location: str

    @property
    def title(self) -> str:
        """What the vehicle is called: maker and model."""
        return f"{self.asset_manufacturer} {self.asset_model.name}"


class Balance(Wire):
    """What the customer still owes; negative is what they are owed."""

    rent: RupeesOut
    deposit: RupeesOut


class Contact(Wire):
    """How to reach the other side, and where to meet."""

    phone: str
    whatsapp: str
    address: str
    maps: str


class BookingView(Wire):
    """A booking in its customer's list. `answer_by` is when a pending one lapses.

    `contact` is there once the booking is confirmed, never before.
    """

    id: int
    reference: str
    car: BookedCar
    pickup: IndianTime = Field(alias="pickupDate")
    return_at: IndianTime = Field(alias="returnDate")
    status: Status
    price: RupeesOut
    deposit: RupeesOut = Field(alias="securityDeposit")
    lines: list[QuoteLine]
    extras: list[str] = []
    offer: str | None = None
    address: str = ""
    kms_included: int | None = Field(alias="kmsIncluded")
    created_at: IndianTime = Field(alias="createdAt")
    answer_by: IndianTime = Field(alias="answerBy")
    cancelled_by: str | None = Field(alias="cancelledBy")
    stage: Stage
    due_at_pickup: RupeesOut = Field(alias="dueAtPickup")
    balance: Balance
    contact: Contact | None = None


class VendorBookingView(BookingView):
    """A booking in the vendor's list; the phone number is shown once confirmed."""

    customer_name: str = Field(alias="customerName")
    customer_phone: str = Field(alias="customerPhone")
    customer_rating: float | None = Field(
        default=None, alias="customerRating", description="What vendors gave who waits for an answer"
    )
    customer_reviews: int = Field(default=0, alias="customerReviews", description="How many reviews that is of")


class BookingsAnswer(Paged):
    """A customer's bookings."""

    bookings: list[BookingView]


class VendorBookingsAnswer(Paged):
    """The bookings of a vendor's vehicles."""

    bookings: list[VendorBookingView]


class BookedAnswer(Answer):
    """A booking made."""

    booking: BookingView


class Dashboard(Wire):
    """A vendor's figures; `completedBookings` counts confirmed ones, revenue is this Indian calendar month's.

    Revenue goes by pickups, `monthlyReceived` by when the money came: rent paid less rent paid back, and what was kept
    of deposits.
    """

    total_cars: int = Field(alias="totalCars")
    total_bookings: int = Field(alias="totalBookings")
    pending_bookings: int = Field(alias="pendingBookings")
    completed_bookings: int = Field(alias="completedBookings")
    recent_bookings: list[VendorBookingView] = Field(alias="recentBookings")
    monthly_revenue: RupeesOut = Field(alias="monthlyRevenue")
    monthly_received: RupeesOut = Field(alias="monthlyReceived")


class DashboardAnswer(Answer):
    """The vendor's dashboard."""

    dashboard: Dashboard = Field(alias="dashboardData")
