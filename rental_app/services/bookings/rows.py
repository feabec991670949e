"""How a booking is stored and read: its row, and bookings that are in the way of something."""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import BigInteger, ColumnElement, Row, String, and_, bindparam, case, cast, func, literal, or_, select
from sqlalchemy.orm import aliased
from sqlmodel import Session, col
from sqlmodel.sql.sqltypes import UTCDateTime

from rental_app.domain import account, contacts
from rental_app.domain.account import Signs
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.pictures import from_the_side
from rental_app.domain.policies import Policies
from rental_app.domain.reviews import rating
from rental_app.infrastructure.constants import with_constants
from rental_app.models import (
    SIDE_PHOTOS,
    TITLE,
    Booking,
    Columns,
    LedgerEntry,
    Snapshot,
    TripReading,
    User,
    Vehicle,
    titled,
)
from rental_app.schemas.bookings import Balance, BookedCar, BookedModel, BookingView, Contact, VendorBookingView
from rental_app.schemas.calendars import BookingInTheWay
from rental_app.schemas.quotes import QuoteLine
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability.holds import Moment, is_waiting, standing

Vendor = aliased(User)
# When the return was noted: the deposit is given back after that.
_CAME_BACK = (
    select(func.coalesce(col(TripReading.noted_at), col(TripReading.at)))
    .where(col(TripReading.booking_id) == Booking.id, col(TripReading.kind) == "return")
    .correlate(Booking)
    .scalar_subquery()
)
# By customer id: the sum of the stars that vendors gave them, and the number of reviews.
Stars = Mapping[int, tuple[int, int]]
View = TypeVar("View", bound=BookingView)


class BookingRow(NamedTuple):
    """A booking as it stands at an instant, with what its sides show of each other. Money is paise, instants UTC;
    `booked` is its vehicle as it was then, and what is owed is negative if the customer is owed money."""

    id: int
    reference: str
    vehicle_id: int
    customer_id: int
    pickup_at: datetime
    return_at: datetime
    status: str
    stage: str
    rent_owed: int
    deposit_owed: int
    came_back: datetime | None
    cancelled_by: str | None
    price_paise: int
    deposit_paise: int
    kms_included: int | None
    lines: list[QuoteLine]
    extras: list[str] | None
    offer: str | None
    address: str
    created_at: datetime
    answer_by: datetime
    decided_at: datetime | None
    booked: Snapshot
    policies: Policies
    source: str
    cancel_reason: str
    photos: str
    rc_number: str
    customer_name: str
    customer_phone: str
    vendor_name: str
    vendor_phone: str
    booking_contact_no: str
    booking_whatsapp_no: str

    @classmethod
    def of(cls, row: Row[Any]) -> "BookingRow":
        """The booking in a row of `booking_columns`, which may have more columns at its end."""
        stored = {name: getattr(row, name) for name in cls._fields}
        stored |= {"lines": [QuoteLine(**line) for line in row.lines], "booked": Snapshot(**row.booked)}
        stored["policies"] = Policies.of(row.policies)
        return cls(**stored)


@cache
def _by_id() -> Columns:
    of_id = col(Booking.id) == bindparam("booking")
    return with_constants(booking_columns(bindparam("instant", type_=UTCDateTime())).where(of_id))


def booking_row(session: Session, booking_id: int | None, instant: datetime) -> BookingRow:
    """A booking as it stands at an instant."""
    result = session.connection().execute(_by_id(), {"booking": booking_id, "instant": instant})
    return BookingRow.of(result.one())


def is_open(instant: Moment) -> ColumnElement[bool]:
    """Whether a booking waits for its answer, or is confirmed and not over."""
    return or_(
        is_waiting(instant), and_(col(Booking.status) == BookingStatus.CONFIRMED, col(Booking.return_at) > instant)
    )


def _lapsed(instant: Moment) -> ColumnElement[bool]:
    return and_(col(Booking.status) == BookingStatus.PENDING, col(Booking.answer_by) <= instant)


def status_at(instant: Moment) -> ColumnElement[str]:
    """A booking's status at an instant."""
    return case((_lapsed(instant), literal(BookingStatus.CANCELLED, String)), else_=col(Booking.status))


def booking_columns(instant: Moment) -> Columns:
    """SELECT of what `BookingRow.of` reads. A pending request past its deadline reads as cancelled at once."""
    status = status_at(instant)
    return (
        select(
            col(Booking.id),
            col(Booking.reference),
            col(Booking.vehicle_id),
            col(Booking.customer_id),
            col(Booking.pickup_at),
            col(Booking.return_at),
            status.label("status"),
            col(Booking.stage),
            rent_owed(status).label("rent_owed"),
            deposit_owed(status).label("deposit_owed"),
            _CAME_BACK.label("came_back"),
            case((_lapsed(instant), "system"), else_=col(Booking.cancelled_by)).label("cancelled_by"),
            col(Booking.price_paise),
            col(Booking.deposit_paise),
            col(Booking.kms_included),
            col(Booking.lines),
            col(Booking.extras),
            col(Booking.offer),
            col(Booking.address),
            col(Booking.created_at),
            col(Booking.answer_by),
            col(Booking.decided_at),
            col(Booking.booked),
            col(Booking.policies),
            col(Booking.source),
            col(Booking.cancel_reason),
            SIDE_PHOTOS.label("photos"),
            col(Vehicle.rc_number),
            col(User.name).label("customer_name"),
            col(User.phone_number).label("customer_phone"),
            col(Vendor.name).label("vendor_name"),
            col(Vendor.phone_number).label("vendor_phone"),
            col(Vendor.booking_contact_no),
            col(Vendor.booking_whatsapp_no),
        )
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .join(Vendor, col(Vehicle.vendor_id) == Vendor.id)
        .join(User, col(Booking.customer_id) == User.id)
    )


def booking_view(row: BookingRow, view: type[View], *, for_vendor: bool = False, **more: Any) -> View:
    """A row as one of the views, with its vehicle as it was when it was booked."""
    booked = row.booked
    texts = {"vendor_name": row.vendor_name, "came_back": row.came_back, "cancel_reason": row.cancel_reason}
    texts |= {"decided_at": row.decided_at}
    wanted = deposit_wanted(row)
    ahead = row.status != BookingStatus.CANCELLED and row.stage == TripStage.BOOKED
    return view(
        id=row.id,
        reference=row.reference,
        car=BookedCar(
            id=row.vehicle_id,
            image=booked.picture.full,
            from_the_side=from_the_side(row.photos, booked.image),
            asset_manufacturer=booked.maker,
            asset_model=BookedModel(name=booked.model_name),
            year=booked.year,
            body_type=booked.body_type,
            service_location=booked.service_location,
        ),
        pickup=row.pickup_at,
        return_at=row.return_at,
        status=row.status,
        price=row.price_paise,
        deposit=row.deposit_paise,
        lines=row.lines,
        extras=row.extras or [],
        offer=row.offer,
        address=row.address,
        kms_included=row.kms_included,
        created_at=row.created_at,
        answer_by=row.answer_by,
        cancelled_by=row.cancelled_by,
        source=row.source,
        stage=row.stage,
        policies=row.policies,
        due_at_pickup=max(0, row.rent_owed) + max(0, row.deposit_owed) if ahead else 0,
        balance=Balance(rent=row.rent_owed, deposit=row.deposit_owed, held=wanted - row.deposit_owed),
        contact=_contact(row, booked, for_vendor=for_vendor) if row.status == BookingStatus.CONFIRMED else None,
        **(texts | {"rc_number": row.rc_number} if for_vendor else texts) | more,
    )


def _contact(row: BookingRow, booked: Snapshot, *, for_vendor: bool) -> Contact:
    phone = row.customer_phone if for_vendor else row.booking_contact_no or row.vendor_phone
    mobile = phone if for_vendor else row.booking_whatsapp_no or phone
    address, maps = _place(row, booked, for_vendor=for_vendor)
    return Contact(phone=phone, whatsapp=contacts.whatsapp_link(mobile), address=address, maps=maps)


# The extra for which the vendor comes to the customer's address: to hand the vehicle over, or to take it back.
_VENDOR_COMES: dict[str, str] = {TripStage.BOOKED: "drop_off", TripStage.OUT: "pick_up"}


def _place(row: BookingRow, booked: Snapshot, *, for_vendor: bool) -> tuple[str, str]:
    """Where both sides meet next and its map link; blank for a vendor who stays at the pickup place."""
    if _VENDOR_COMES.get(row.stage) in (row.extras or []):
        return row.address, contacts.maps_link(row.address)
    if for_vendor:
        return "", ""
    return booked.pickup_address, booked.google_maps_link or contacts.maps_link(booked.pickup_address)


def vendor_view(row: BookingRow, stars: Stars | None = None) -> VendorBookingView:
    """A row as the vehicle's vendor sees it: with the customer's phone number only once confirmed, and with the stars
    other vendors gave only while the request is pending."""
    total_stars, reviews = (stars or {}).get(row.customer_id, (0, 0)) if row.status == BookingStatus.PENDING else (0, 0)
    return booking_view(
        row,
        VendorBookingView,
        for_vendor=True,
        customer_name=row.customer_name,
        customer_phone=row.customer_phone if row.status == BookingStatus.CONFIRMED else "",
        customer_rating=rating(total_stars, reviews),
        customer_reviews=reviews,
    )


def sign_of_line(signs: Signs) -> ColumnElement[int]:
    """SQL: the sign of a line of an account by its kind, 0 for kinds that have none."""
    # SQLAlchemy knows the type of a plain string only.
    return case({str(kind): sign for kind, sign in signs.items()}, value=col(LedgerEntry.kind), else_=0)


def summed(signs: Signs) -> ColumnElement[int]:
    """SQL: what `domain.account.total` computes."""
    # PostgreSQL sums big integers as decimals.
    return with_constants(cast(func.coalesce(func.sum(sign_of_line(signs) * col(LedgerEntry.paise)), 0), BigInteger))


def _sum_of(signs: Signs) -> ColumnElement[int]:
    """SQL: `summed` for each row of a SELECT of bookings."""
    return select(summed(signs)).where(col(LedgerEntry.booking_id) == Booking.id).correlate(Booking).scalar_subquery()


# Made once: as parts of every list of bookings they would be most of what making it takes.
_RENT, _DEPOSIT = _sum_of(account.RENT_SIGNS), _sum_of(account.DEPOSIT_SIGNS)


def lines_of(actor: Actor, *columns: Any) -> Columns:
    """SELECT of these columns of the lines of a vendor's accounts, with their bookings and vehicles."""
    return (
        select(*columns)
        .select_from(LedgerEntry)
        .join(Booking, col(LedgerEntry.booking_id) == Booking.id)
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .where(col(Vehicle.vendor_id) == actor.vendor)
    )


def counted_at() -> ColumnElement[datetime]:
    """SQL: the moment by which a line of an account counts in a month: when it was paid, else when it was written."""
    return func.coalesce(col(LedgerEntry.paid_at), col(LedgerEntry.at))


def counted_within(begin: datetime, end: datetime) -> list[ColumnElement[bool]]:
    """SQL: the conditions of lines that count in [begin, end)."""
    # Nothing is paid after it was noted: the first one lets the index of `at` help.
    return [col(LedgerEntry.at) >= begin, counted_at() >= begin, counted_at() < end]


def line_vehicle() -> ColumnElement[int]:
    """SQL: the id of the vehicle that a line of an account is about."""
    return func.coalesce(col(LedgerEntry.vehicle_id), col(Booking.vehicle_id))


def charged() -> ColumnElement[int]:
    """SQL: what some lines charge customers (paise), less what was taken back."""
    return summed(account.CHARGE_SIGNS)


def received() -> ColumnElement[int]:
    """SQL: what a vendor has received according to some lines (paise): rent, and what was kept of deposits."""
    return summed(account.RECEIVED_SIGNS)


def rent_owed(status: ColumnElement[str]) -> ColumnElement[int]:
    """SQL: the rent still owed (paise); for a request, its whole price."""
    return case((status == BookingStatus.PENDING, col(Booking.price_paise)), else_=_RENT)


def deposit_wanted(booking: Booking | BookingRow) -> int:
    """How much of the deposit (paise) the vendor may hold: all of it until the vehicle is back."""
    return (
        booking.deposit_paise
        if booking.status != BookingStatus.CANCELLED and booking.stage in (TripStage.BOOKED, TripStage.OUT)
        else 0
    )


def deposit_owed(status: ColumnElement[str]) -> ColumnElement[int]:
    """SQL: the deposit still owed (paise): what `deposit_wanted` says, less what is held."""
    wanted = (status != BookingStatus.CANCELLED) & col(Booking.stage).in_((TripStage.BOOKED, TripStage.OUT))
    return case((wanted, col(Booking.deposit_paise)), else_=0) - _DEPOSIT


def in_the_way_of(session: Session, vehicle_id: int, instant: datetime) -> list[BookingInTheWay]:
    """The requests and bookings of a vehicle that has not been handed over for them; the caller has checked whose."""
    own = (
        col(Booking.vehicle_id) == vehicle_id,
        col(Booking.stage) == TripStage.BOOKED,
        col(Booking.return_at) > instant,
    )
    return in_the_way(session, *own, standing(instant))


def in_the_way(session: Session, *which: ColumnElement[bool]) -> list[BookingInTheWay]:
    """The bookings that meet the conditions, the earliest first, as their vendor knows them."""
    named = titled(select(Booking, TITLE.label("title"), col(Vehicle.rc_number), col(User.name)))
    query = (
        named.join(Booking, col(Booking.vehicle_id) == Vehicle.id)
        .join(User, col(User.id) == Booking.customer_id)
        .where(*which)
        .order_by(col(Booking.pickup_at), col(Booking.id))
    )
    return [
        BookingInTheWay.model_validate(
            {
                "reference": booking.reference,
                "vehicle": f"{title}, {plate}",
                "customer": name,
                "status": booking.status,
                "from": booking.pickup_at,
                "to": booking.return_at,
            }
        )
        for booking, title, plate, name in session.execute(query)
    ]
