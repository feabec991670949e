"""All bookings."""

from typing import Any

from sqlalchemy import ColumnElement, and_, case, func, join, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col

from rental_app.domain.bookings import BookingSource, BookingStatus, TripStage
from rental_app.models import TITLE, AssetModel, Booking, Manufacturer, TripReading, User, Vehicle
from rental_app.schemas.operating import OperatorCancelRequest
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability.holds import bound
from rental_app.services.bookings.rows import deposit_owed, rent_owed, status_at
from rental_app.services.console.deciding import WHY, by
from rental_app.services.console.table import Action, ActionField, Column, Filter, Option, Related, Table
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
_WORDS = {
    "pending": "Requested",
    "cancelled": "Cancelled",
    "booked": "Confirmed",
    "out": "Out",
    "returned": "Returned",
    "settled": "Settled",
    "no_show": "Not picked up",
}
_STATE = case(
    (_STATUS == BookingStatus.PENDING, "pending"),
    (_STATUS == BookingStatus.CANCELLED, "cancelled"),
    else_=col(Booking.stage),
)
# What `_STATE` says, in words that an index answers.
_IS: dict[str, Any] = {
    "pending": _STATUS == BookingStatus.PENDING,
    "cancelled": _STATUS == BookingStatus.CANCELLED,
    "booked": and_(col(Booking.status) == BookingStatus.CONFIRMED, col(Booking.stage) == TripStage.BOOKED),
} | {
    stage: col(Booking.stage) == stage
    for stage in (TripStage.OUT, TripStage.RETURNED, TripStage.SETTLED, TripStage.NO_SHOW)
}
_CALLED = case(_WORDS, value=_STATE, else_=_STATE)
_JOINED = join(Booking, Vehicle, col(Booking.vehicle_id) == col(Vehicle.id))
_MODELLED = _JOINED.join(AssetModel, col(Vehicle.model_id) == col(AssetModel.id)).join(
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


TABLE = Table(
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
        Column("owed", "Rent owed", _RENT, "money", balance=True),
        Column(
            "state",
            "State",
            _CALLED,
            "state",
            tones={
                "Requested": "waits",
                "Cancelled": "plain",
                "Confirmed": "good",
                "Out": "good",
                "Returned": "waits",
                "Settled": "plain",
                "Not picked up": "bad",
            },
        ),
        Column("made", "Requested", col(Booking.created_at), "moment", sortable=True, listed=False),
        Column("phone", "Customer's mobile", _Customer.phone_number, listed=False),
        Column("vendors_phone", "Vendor's mobile", _Vendor.phone_number, listed=False),
        Column("deposit", "Deposit", col(Booking.deposit_paise), "money", listed=False),
        Column("deposit_owed", "Deposit owed", _DEPOSIT, "money", listed=False, balance=True),
        Column("ended", "Over since", case((_IS_OVER, ENDED)), "moment", listed=False),
        Column("source", "Made", col(Booking.source), "code", listed=False),
        Column("why", "Why cancelled", col(Booking.cancel_reason), listed=False),
    ),
    sort="-made",
    search=(col(Booking.reference), _Customer.name, _Customer.phone_number, _Vendor.name),
    plates=(col(Vehicle.rc_number),),
    filters=(
        Filter("state", "State", tuple(Option(value, word, _IS[value]) for value, word in _WORDS.items())),
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
            by(_cancel, OperatorCancelRequest, operating.CANCELLED),
            frozenset({"Requested", "Confirmed"}),
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
