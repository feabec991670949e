"""All bookings, and what customers object to in them."""

from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, join, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.domain.booking_events import EventKind
from rental_app.domain.bookings import BookingSource, BookingStatus, TripStage
from rental_app.models import (
    TITLE,
    AssetModel,
    Booking,
    BookingEvent,
    LedgerEntry,
    Manufacturer,
    TripReading,
    User,
    Vehicle,
)
from rental_app.schemas.operating import OperatorCancelRequest
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability.holds import bound
from rental_app.services.bookings.rows import deposit_owed, rent_owed, status_at
from rental_app.services.console.table import (
    WHY,
    Action,
    ActionField,
    Column,
    Filter,
    Option,
    Related,
    RowStanding,
    Table,
    by,
    service_of,
    state_filter,
    state_of,
)
from rental_app.services.operating import acts
from rental_app.services.operating import bookings as operating

_Customer: Any = aliased(User)
_Vendor: Any = aliased(User)
_STATUS = status_at(bound("instant"))
_RENT, _DEPOSIT = rent_owed(_STATUS), deposit_owed(_STATUS)
_CAME_BACK = select(col(TripReading.at)).where(
    col(TripReading.booking_id) == Booking.id, col(TripReading.kind) == "return"
)
# When a trip was over: as it came back, was cancelled, or was to come back.
ENDED = func.coalesce(_CAME_BACK.correlate(Booking).scalar_subquery(), col(Booking.decided_at), col(Booking.return_at))
_IS_OVER = or_(
    col(Booking.status) == BookingStatus.CANCELLED, col(Booking.stage).in_((TripStage.RETURNED, TripStage.NO_SHOW))
)
_OVERDUE = and_(_IS_OVER, bound("refunds") >= ENDED, or_(_RENT < 0, _DEPOSIT < 0))


class BookingStanding(RowStanding):
    """How a booking stands: a request, cancelled, or the stage of a confirmed one."""

    REQUESTED = "pending", "Requested", "waits"
    CANCELLED = "cancelled", "Cancelled", "plain"
    CONFIRMED = "booked", "Confirmed", "good"
    OUT = "out", "Out", "good"
    RETURNED = "returned", "Returned", "waits"
    SETTLED = "settled", "Settled", "plain"
    NO_SHOW = "no_show", "Not picked up", "bad"


_STATE = case(
    (_STATUS == BookingStatus.PENDING, BookingStanding.REQUESTED.value),
    (_STATUS == BookingStatus.CANCELLED, BookingStanding.CANCELLED.value),
    else_=col(Booking.stage),
)
# What `_STATE` says, in words that an index answers.
_IS: dict[RowStanding, Any] = {
    BookingStanding.REQUESTED: _STATUS == BookingStatus.PENDING,
    BookingStanding.CANCELLED: _STATUS == BookingStatus.CANCELLED,
    BookingStanding.CONFIRMED: and_(
        col(Booking.status) == BookingStatus.CONFIRMED, col(Booking.stage) == TripStage.BOOKED
    ),
    BookingStanding.OUT: col(Booking.stage) == TripStage.OUT,
    BookingStanding.RETURNED: col(Booking.stage) == TripStage.RETURNED,
    BookingStanding.SETTLED: col(Booking.stage) == TripStage.SETTLED,
    BookingStanding.NO_SHOW: col(Booking.stage) == TripStage.NO_SHOW,
}
_VEHICLED = join(Booking, Vehicle, col(Booking.vehicle_id) == col(Vehicle.id))
_MODELLED = _VEHICLED.join(AssetModel, col(Vehicle.model_id) == col(AssetModel.id)).join(
    Manufacturer, col(AssetModel.manufacturer_id) == col(Manufacturer.id)
)


_OF_BLOCKED = select(col(Vehicle.id)).join(User, col(Vehicle.vendor_id) == User.id).where(col(User.status) != "active")


def _of_person(person_id: int) -> ColumnElement[bool]:
    """SQL: whether a booking is a person's, or of a vehicle of theirs; an index finds both, and no joined vendor."""
    own = select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == person_id)
    return or_(col(Booking.customer_id) == person_id, col(Booking.vehicle_id).in_(own))


def _cancel(session: Session, actor: Actor, row: int, request: OperatorCancelRequest) -> object:
    """Cancel a booking by its id, which its service takes in place of its reference."""
    return operating.cancel(session, actor, str(row), request)


BOOKINGS = Table(
    name="bookings",
    title="Bookings",
    one="booking",
    under="vehicle",
    subject="booking",
    versioned=True,
    key=col(Booking.id),
    source=_MODELLED.join(_Customer, col(Booking.customer_id) == _Customer.id).join(
        _Vendor, col(Vehicle.vendor_id) == _Vendor.id
    ),
    columns=(
        Column("reference", "Reference", col(Booking.reference), sortable=True),
        Column("vehicle", "Vehicle", TITLE),
        Column("plate", "RC number", col(Vehicle.rc_number), "plate"),
        Column("customer", "Customer", _Customer.name),
        Column("vendor", "Vendor", _Vendor.name),
        Column("pickup", "Pickup", col(Booking.pickup_at), "moment", sortable=True),
        Column("return", "Return", col(Booking.return_at), "moment", sortable=True),
        Column("price", "Price", col(Booking.price_paise), "money", sortable=True),
        Column("owed", "Rent open", _RENT, "money", balance=True),
        Column("state", "State", _STATE, "state", states=BookingStanding),
        Column("made", "Requested", col(Booking.created_at), "moment", sortable=True, listed=False),
        Column("phone", "Customer's mobile", _Customer.phone_number, listed=False),
        Column("vendors_phone", "Vendor's mobile", _Vendor.phone_number, listed=False),
        Column("deposit", "Deposit", col(Booking.deposit_paise), "money", listed=False),
        Column("deposit_owed", "Deposit open", _DEPOSIT, "money", listed=False, balance=True),
        Column("ended", "Over since", case((_IS_OVER, ENDED)), "moment", listed=False),
        Column("source", "Made", col(Booking.source), "code", listed=False),
        Column("why", "Why cancelled", col(Booking.cancel_reason), listed=False),
    ),
    sort="-made",
    search=(col(Booking.reference), _Customer.name, _Customer.phone_number, _Vendor.name),
    plates=(col(Vehicle.rc_number),),
    filters=(
        state_filter(_IS),
        Filter(
            "money",
            "Money open",
            (
                Option("rent", "Rent owed", _RENT > 0),
                Option("refund", "Owed to the customer", or_(_RENT < 0, _DEPOSIT < 0)),
                Option("overdue", "Refund or deposit overdue", _OVERDUE),
            ),
        ),
        Filter(
            "source",
            "Made",
            (
                Option("online", "Online", col(Booking.source) == BookingSource.ONLINE),
                Option("counter", "At the counter", col(Booking.source) == BookingSource.COUNTER),
            ),
        ),
        Filter("vendor", "Vendor", (Option("blocked", "Blocked", col(Booking.vehicle_id).in_(_OF_BLOCKED)),)),
        Filter("person", "Person", belongs=_of_person),
        Filter("vehicle", "Vehicle", owners=(col(Booking.vehicle_id),)),
    ),
    state="state",
    actions=(
        Action(
            "cancel",
            "Cancel booking",
            service_of(_cancel, OperatorCancelRequest, operating.CANCELLED),
            {BookingStanding.REQUESTED, BookingStanding.CONFIRMED},
            (ActionField("kept", "What the vendor keeps of what was paid, in rupees", "rupees"), *WHY),
            danger=True,
        ),
    ),
    figures=("price", "owed", "deposit", "deposit_owed"),
    related=(
        Related("ledger", "booking", "Account"),
        Related("objections", "booking", "Objections"),
        Related("reviews", "booking", "Reviews"),
        Related("messages", "booking", "Messages"),
        Related("audit", "booking", "Audit"),
    ),
)


class ObjectionStanding(RowStanding):
    """How an objection stands."""

    OPEN = "open", "Waits for you", "waits"
    DECIDED = "decided", "Decided", "good"
    REVERSED = "taken_back", "Line reversed", "plain"


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
_OBJECTION_STATE = state_of(
    ((_IS_JUDGED, ObjectionStanding.DECIDED), (_Reverse.id.is_not(None), ObjectionStanding.REVERSED)),
    ObjectionStanding.OPEN,
)
_WHY = ActionField("note", "Why: both sides read it")
_OBJECTED = join(BookingEvent, Booking, col(BookingEvent.booking_id) == col(Booking.id))

OBJECTIONS = Table(
    name="objections",
    title="Objections",
    one="objection",
    under="reference",
    of=("bookings", "booking_id"),
    versioned=True,
    key=col(BookingEvent.id),
    source=_OBJECTED.join(Vehicle, col(Booking.vehicle_id) == col(Vehicle.id))
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
        Column("state", "State", _OBJECTION_STATE, "state", states=ObjectionStanding),
        Column("written", "The line's note", func.coalesce(col(LedgerEntry.note), ""), listed=False),
        Column("line_at", "Line written", col(LedgerEntry.at), "moment", listed=False),
        Column("phone", "Customer's mobile", _Customer.phone_number, listed=False),
        Column("vendors_phone", "Vendor's mobile", _Vendor.phone_number, listed=False),
        Column("booking_id", "Id of its booking", col(BookingEvent.booking_id), "number", listed=False, detailed=False),
    ),
    sort="-at",
    search=(col(Booking.reference), _Customer.name, _Customer.phone_number, _Vendor.name, col(BookingEvent.note)),
    plates=(col(Vehicle.rc_number),),
    filters=(
        state_filter(
            {
                ObjectionStanding.OPEN: ObjectionStanding.OPEN.value == _OBJECTION_STATE,
                ObjectionStanding.DECIDED: _IS_JUDGED,
                ObjectionStanding.REVERSED: ObjectionStanding.REVERSED.value == _OBJECTION_STATE,
            }
        ),
        Filter("booking", "Booking", owners=(col(BookingEvent.booking_id),)),
    ),
    state="state",
    actions=(
        Action(
            "uphold",
            "Uphold",
            by(acts.DECIDE_OBJECTION, decision="uphold"),
            {ObjectionStanding.OPEN},
            (_WHY,),
            key="a",
        ),
        Action(
            "partly",
            "Lower the line",
            by(acts.DECIDE_OBJECTION, decision="partly"),
            {ObjectionStanding.OPEN},
            (ActionField("amount", "What stays of the line, in rupees", "rupees", now=("amount",)), _WHY),
        ),
        Action(
            "dismiss",
            "Dismiss",
            by(acts.DECIDE_OBJECTION, decision="dismiss"),
            {ObjectionStanding.OPEN},
            (_WHY,),
            danger=True,
            key="r",
        ),
    ),
)
