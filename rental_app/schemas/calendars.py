"""Shapes of calendars: when a vehicle is taken, what occupies a vendor's fleet, and calendars of other programs."""

from datetime import date
from typing import Annotated, Literal, Self, get_args

from pydantic import Field

from rental_app.domain.clock import HORIZON
from rental_app.domain.hours import OpeningHours
from rental_app.schemas.people import ClosingTime, OpeningTime
from rental_app.schemas.wire import (
    CLEAN,
    Answer,
    BeginTime,
    ChosenVehicle,
    Day,
    EndTime,
    ExactBody,
    FirstDay,
    IndianTime,
    ItsId,
    LastDay,
    ListFilters,
    Moment,
    PickupTime,
    RcNumber,
    Reference,
    Refusal,
    ReturnTime,
    Text,
    Title,
    VehicleChoice,
    VehicleId,
    VehicleIdOut,
    VehicleOrAllIn,
    VehicleOrAllOut,
    WebAddress,
    WholeNumber,
    Wire,
    at_most,
    documented_as_required,
    stored_as,
)


class Stretch(Wire):
    """A period from a pickup to a return."""

    pickup: PickupTime = Field(alias="pickupDate")
    return_at: ReturnTime = Field(alias="returnDate")


class CalendarRequest(ListFilters):
    """The first and last Indian day; if not given, from today, and as far ahead as can be booked."""

    first_day: FirstDay = Field(default=None, alias="from")
    last_day: Day | None = Field(default=None, alias="to", description=f"At most {HORIZON.days} days after the first")


class OpenFrom(Wire):
    """The hours at which a vendor hands vehicles over and takes them back."""

    open_time: OpeningTime
    close_time: ClosingTime

    @classmethod
    def of(cls, hours: OpeningHours) -> Self:
        """A vendor's opening hours for the wire."""
        return cls(open_time=hours.open, close_time=hours.close)


HandoverHours = Annotated[OpenFrom, Field(description="The hours of handovers and returns")]
ClosedDays = Annotated[list[str], Field(description="The weekdays without handovers, by their English names")]


class CalendarAnswer(Answer):
    """When a vehicle is taken, but not by whom; the weekdays on which its vendor is closed, and the hours on others."""

    busy: list[Stretch] = Field(description="The periods in which the vehicle is taken")
    closed: ClosedDays
    hours: HandoverHours


BlockReason = Literal["service", "own use", "other"]
BLOCK_REASONS: tuple[BlockReason, ...] = get_args(BlockReason)
EntryKind = Literal["booking", "hold", "block", "buffer"]
MAX_BUFFER_HOURS = 12
BufferHours = Annotated[int, Field(description="Hours required between two trips of a vehicle")]


class BlockRequest(ExactBody):
    """Block a vehicle from one instant to another; a bare date at either end includes the whole day.

    Without a vehicle (null) all of the vendor's are blocked, as for a holiday.
    """

    model_config = documented_as_required("from", "to")

    vehicle: Annotated[VehicleId | None, Field(examples=[17], description="Id of the vehicle, null for all of them")]
    begin: Moment = Field(
        default="",
        alias="from",
        examples=["2026-12-01"],
        description="When it begins, in ISO 8601: an instant, or a day alone, which is blocked from its start",
    )
    end: Moment = Field(
        default="",
        alias="to",
        examples=["2026-12-02"],
        description="When it ends, in ISO 8601: an instant, or a day alone, which is blocked to its end",
    )
    reason: Annotated[BlockReason, Field(examples=["service"])] = Field(description="Why it is blocked")
    note: Annotated[Text, Field(examples=["Clutch plates"], description="What the vendor's people should know")] = ""


class BlockView(Wire):
    """A block in force."""

    id: ItsId
    vehicle: VehicleIdOut
    begin: BeginTime = Field(alias="from")
    end: EndTime = Field(alias="to")
    reason: Annotated[BlockReason, stored_as(BlockReason, "other")] = Field(description="Why it is blocked")
    note: str = Field(description="What the vendor's people should know, blank for nothing")


class BlockAnswer(Answer):
    """The block created; if all vehicles were blocked, the blocks of each."""

    block: BlockView | None = Field(description="The block, null if all vehicles were blocked")
    blocks: list[BlockView] = Field(description="All blocks that were created")


class BookingInTheWay(Wire):
    """A booking that stands, which the vendor can move to another vehicle or cancel."""

    reference: Reference
    vehicle: str = Field(description="The vehicle's name and RC number")
    customer: str = Field(description="The customer's name")
    status: str = Field(description="Whether it waits for an answer, is confirmed, or is cancelled")
    begin: BeginTime = Field(alias="from")
    end: EndTime = Field(alias="to")


class BlockRefusal(Refusal):
    """Why nothing was blocked; `reference` is that of the conflicting booking if the code is `booked`."""

    reference: str | None = Field(
        default=None, description="Reference of the booking in the way, null unless the code is `booked`"
    )
    bookings: list[BookingInTheWay] = Field(
        default=[], description="All bookings in the way, each to be moved to another vehicle or cancelled first"
    )


class ToggleAnswer(Answer):
    """Whether a vehicle is on the platform now, in words."""

    bookings: list[BookingInTheWay] = Field(
        default=[],
        description="The bookings ahead of a vehicle that was switched off: they stand, and each can be moved or"
        " cancelled",
    )


class BufferRequest(ExactBody):
    """The hours required between two trips of a vehicle."""

    hours: Annotated[WholeNumber, Field(ge=0, le=MAX_BUFFER_HOURS, examples=[2])] = Field(
        description="Hours required between two trips of a vehicle"
    )


class BufferAnswer(Answer):
    """The new buffer, and how many earlier bookings follow another one more closely. They remain valid."""

    hours: BufferHours
    closer: int = Field(description="How many earlier bookings follow another one more closely")


class CalendarSpan(ListFilters):
    """The first and last Indian day, both included; if not given, two weeks from today, or from the first day."""

    first_day: FirstDay = Field(default=None, alias="from", examples=["2026-12-01"])
    last_day: LastDay = Field(default=None, alias="to", examples=["2026-12-14"])


class CalendarEntry(Wire):
    """What occupies a vehicle for a period. `ref` is a booking's reference, or the id of a block.

    A `hold` is a request waiting for its answer; a `buffer` follows a trip. Once handed over, a trip lasts from then
    until the vehicle is back, a late one until now. `source` is
    the host of the calendar that a block was imported from, blank for the vendor's own.
    """

    kind: EntryKind = Field(description="What kind of line or entry it is")
    begin: BeginTime = Field(alias="from")
    end: EndTime = Field(alias="to")
    ref: str = Field(description="Reference of the booking, or id of the block")
    text: str = Field(description="What it is, in words")
    source: str = Field(default="", description="Host of the calendar it comes from, blank for the vendor's own")
    # For the page, not on the wire: whether it is a trip whose vehicle is out.
    is_out: bool = Field(default=False, exclude=True)


class Clash(Wire):
    """Another platform's calendar entry that overlaps a booking; `calendar` is its calendar's id, `source` the host."""

    begin: BeginTime = Field(alias="from")
    end: EndTime = Field(alias="to")
    calendar: int = Field(description="Id of the other platform's calendar")
    source: str = Field(description="Host of the other platform's calendar")


class CalendarVehicle(Wire):
    """A vehicle with its entries in order of time, and entries of other calendars that overlap its bookings."""

    id: ItsId
    title: Title
    rc_number: RcNumber
    is_active: bool = Field(alias="isActive", description="Whether it is listed")
    entries: list[CalendarEntry] = Field(description="What occupies the vehicle, in order of time")
    clashes: list[Clash] = Field(default=[], description="The entries that overlap a booking")
    # For the page, not on the wire: its picture, the price of a Full Day in paise, whether the platform has approved
    # it, and the paper that ends first with its last day.
    image: str = Field(default="", exclude=True)
    daily_paise: int = Field(default=0, exclude=True)
    is_approved: bool = Field(default=True, exclude=True)
    paper: str = Field(default="", exclude=True)
    valid_to: date = Field(default=date.max, exclude=True)


class VendorCalendarAnswer(Answer):
    """All vehicles of a vendor; the weekdays without handovers, the hours on the others, and the buffer."""

    vehicles: list[CalendarVehicle] = Field(description="The vehicles")
    closed: ClosedDays
    hours: HandoverHours
    buffer: BufferHours


class FeedRequest(ExactBody):
    """A request for the calendar of one vehicle, or of all the vendor's vehicles if none is given."""

    vehicle: VehicleOrAllIn = None


class RevokedFeed(FeedRequest):
    """The calendar of one vehicle, or of all the vendor's vehicles if none is given, that is no longer shared."""

    vehicle: VehicleChoice = None


class FeedAnswer(Answer):
    """Where the calendar is from now on; its URL is returned only this once."""

    url: str = Field(description="The calendar's address, told only this once")


class FeedView(Wire):
    """A shared calendar, and since when it has been shared."""

    vehicle: VehicleOrAllOut
    since: IndianTime = Field(description="Since when")


class FeedsAnswer(Answer):
    """A vendor's calendars."""

    feeds: list[FeedView] = Field(description="The shared calendars")


class ImportRequest(ExactBody):
    """The URL (https) of another platform's calendar of a vehicle."""

    vehicle: ChosenVehicle
    url: Annotated[str, at_most(500), CLEAN] = Field(description="Its address")


class ImportView(Wire):
    """A calendar imported every half hour: when that last worked, what went wrong, how many entries clash.

    `source` is its host. `clashes` counts entries that overlap bookings. `unread` are the texts of entries that could
    not be read, at most 20: what they took when they last could be read stays blocked.
    """

    id: ItsId
    vehicle: VehicleIdOut
    url: WebAddress
    source: str = Field(description="Host of the calendar")
    fetched_at: IndianTime | None = Field(
        alias="fetchedAt", description="When the calendar was last read, null if never"
    )
    error: str = Field(description="Why the calendar could not be read the last time, blank if it could")
    unread: list[str] = Field(description="Texts of entries that could not be read, at most 20")
    clashes: int = Field(description="How many entries overlap bookings")


class ImportAnswer(Answer):
    """A calendar to be imported."""

    calendar: ImportView = Field(description="The calendar")


class ImportsAnswer(Answer):
    """The calendars imported for a vendor's vehicles."""

    calendars: list[ImportView] = Field(description="The calendars")
