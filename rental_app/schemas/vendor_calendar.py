"""Shapes of a vendor's calendar: what each vehicle does when, blocks, and the buffer between trips."""

from typing import Annotated, Literal, get_args

from pydantic import Field

from rental_app.schemas.calendar import OpenFrom
from rental_app.schemas.wire import Answer, Day, Id, IndianTime, Moment, Refusal, WholeNumber, Wire

Reason = Literal["service", "own use", "other"]
REASONS: tuple[Reason, ...] = get_args(Reason)
EntryKind = Literal["booking", "hold", "block", "buffer"]
MAX_BUFFER_HOURS = 12


class BlockRequest(Wire):
    """Let nobody book a vehicle from one instant to another; a bare day is meant whole, at either end."""

    vehicle: Annotated[Id, Field(examples=[17])]
    begin: Moment = Field(default="", alias="from", examples=["2026-12-01"])
    end: Moment = Field(default="", alias="to", examples=["2026-12-02"])
    reason: Annotated[Reason, Field(examples=["service"])]


class BlockView(Wire):
    """A block that stands."""

    id: int
    vehicle: int
    begin: IndianTime = Field(alias="from")
    end: IndianTime = Field(alias="to")
    reason: Reason


class BlockAnswer(Answer):
    """A block made."""

    block: BlockView


class BlockRefusal(Refusal):
    """Why nothing was blocked; `reference` is that of the booking in the way, where the code is `booked`."""

    reference: str | None = None


class BufferRequest(Wire):
    """Hours that have to lie between two trips of a vehicle."""

    hours: Annotated[WholeNumber, Field(ge=0, le=MAX_BUFFER_HOURS, examples=[2])]


class BufferAnswer(Answer):
    """The buffer now, and how many bookings made before it follow another one more closely. They stand."""

    hours: int
    closer: int


class CalendarSpan(Wire):
    """From which Indian day to which, both included; two weeks from today, or from the first day, if not given."""

    first_day: Day | None = Field(default=None, alias="from", examples=["2026-12-01"])
    last_day: Day | None = Field(default=None, alias="to", examples=["2026-12-14"])


class CalendarEntry(Wire):
    """What a vehicle does for a while. `ref` is a booking's reference, or the id of a block.

    A `hold` is a request that waits for its answer; a `buffer` lies behind a trip. `source` is the host of the calendar
    that a block was read from, blank for one's own.
    """

    kind: EntryKind
    begin: IndianTime = Field(alias="from")
    end: IndianTime = Field(alias="to")
    ref: str
    text: str
    source: str = ""


class Clash(Wire):
    """What another platform's calendar says over a booking; `calendar` is that calendar's id, `source` its host."""

    begin: IndianTime = Field(alias="from")
    end: IndianTime = Field(alias="to")
    calendar: int
    source: str


class CalendarVehicle(Wire):
    """A vehicle with its entries, in order of time, and what other calendars say over its bookings."""

    id: int
    title: str
    rc_number: str
    is_active: bool = Field(alias="isActive")
    entries: list[CalendarEntry]
    clashes: list[Clash] = []


class VendorCalendarAnswer(Answer):
    """All vehicles of a vendor; the weekdays on which there is no handover, the hours of the others, the buffer."""

    vehicles: list[CalendarVehicle]
    closed: list[str]
    hours: OpenFrom
    buffer: int
