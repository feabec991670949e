"""What customers object to: a line of a booking's account, or a handover."""

from typing import Any

from sqlalchemy import case, func, join, select
from sqlalchemy.orm import aliased
from sqlmodel import col

from rental_app.domain.booking_events import EventKind
from rental_app.models import Booking, BookingEvent, LedgerEntry, User, Vehicle
from rental_app.schemas.operating import ObjectionDecision
from rental_app.services.console.deciding import by
from rental_app.services.console.table import Action, ActionField, Column, Filter, Option, Table
from rental_app.services.operating import bookings

OPEN, DECIDED, REVERSED = "Waits for you", "Decided", "Line reversed"
_Customer: Any = aliased(User)
_Vendor: Any = aliased(User)
_Reverse: Any = aliased(LedgerEntry)
_ABOUT = func.coalesce(col(LedgerEntry.detail), col(LedgerEntry.kind), "handover")
_Judged: Any = aliased(BookingEvent)
_IS_JUDGED = (
    select(_Judged.id)
    .where(
        _Judged.booking_id == BookingEvent.booking_id,
        _Judged.what == EventKind.JUDGED.value,
        _Judged.entry_id.is_not_distinct_from(BookingEvent.entry_id),
    )
    .correlate(BookingEvent)
    .exists()
)
_STATE = case((_IS_JUDGED, DECIDED), (_Reverse.id.is_not(None), REVERSED), else_=OPEN)
_NOTE = ActionField("note", "Why: both sides read it")
_BOOKED = join(BookingEvent, Booking, col(BookingEvent.booking_id) == col(Booking.id))

TABLE = Table(
    name="objections",
    title="Objections",
    one="objection",
    under="reference",
    of=("bookings", "booking_id"),
    versioned=True,
    key=col(BookingEvent.id),
    source=_BOOKED.join(Vehicle, col(Booking.vehicle_id) == col(Vehicle.id))
    .join(_Customer, col(Booking.customer_id) == _Customer.id)
    .join(_Vendor, col(Vehicle.vendor_id) == _Vendor.id)
    .outerjoin(LedgerEntry, col(BookingEvent.entry_id) == col(LedgerEntry.id))
    .outerjoin(_Reverse, _Reverse.reverses == col(LedgerEntry.id)),
    base=(col(BookingEvent.what) == EventKind.OBJECTED.value,),
    columns=(
        Column("about", "About", _ABOUT, "code"),
        Column("amount", "Amount", col(LedgerEntry.paise), "money"),
        Column("reference", "Booking", col(Booking.reference)),
        Column("customer", "Customer", _Customer.name),
        Column("vendor", "Vendor", _Vendor.name),
        Column("note", "Says", col(BookingEvent.note)),
        Column("at", "Objected", col(BookingEvent.at), "moment", sortable=True),
        Column("state", "State", _STATE, "state", tones={OPEN: "waits", DECIDED: "good", REVERSED: "plain"}),
        Column("written", "The line's note", func.coalesce(col(LedgerEntry.note), ""), listed=False),
        Column("line_at", "Line written", col(LedgerEntry.at), "moment", listed=False),
        Column("phone", "Customer's mobile", _Customer.phone_number, listed=False),
        Column("vendors_phone", "Vendor's mobile", _Vendor.phone_number, listed=False),
        Column("booking_id", "Id of its booking", col(BookingEvent.booking_id), "number", listed=False, told=False),
    ),
    sort="-at",
    search=(col(Booking.reference), _Customer.name, _Customer.phone_number, _Vendor.name, col(BookingEvent.note)),
    plates=(col(Vehicle.rc_number),),
    filters=(
        Filter(
            "state",
            "State",
            (
                Option("open", OPEN, _STATE == OPEN),
                Option("decided", DECIDED, _IS_JUDGED),
                Option("taken_back", REVERSED, _STATE == REVERSED),
            ),
        ),
        Filter("booking", "Booking", owners=(col(BookingEvent.booking_id),)),
    ),
    state="state",
    actions=(
        Action(
            "uphold",
            "Uphold",
            by(bookings.judge, ObjectionDecision, decision="uphold"),
            frozenset({OPEN}),
            (_NOTE,),
            key="a",
        ),
        Action(
            "partly",
            "Lower the line",
            by(bookings.judge, ObjectionDecision, decision="partly"),
            frozenset({OPEN}),
            (ActionField("amount", "What stays of the line, in rupees", "rupees"), _NOTE),
        ),
        Action(
            "dismiss",
            "Dismiss",
            by(bookings.judge, ObjectionDecision, decision="dismiss"),
            frozenset({OPEN}),
            (_NOTE,),
            danger=True,
            key="r",
        ),
    ),
)
