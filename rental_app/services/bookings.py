"""Bookings: quoting, requesting, deciding, listing. The database has the last word on overlaps."""

import hashlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, Update, and_, case, select, update
from sqlalchemy.exc import DatabaseError, IntegrityError
from sqlmodel import Session, col

from rental_app.errors import ConflictError, ForbiddenError, InvalidInputError, NotFoundError
from rental_app.models import AssetModel, Booking, IdempotencyKey, Location, Manufacturer, User, Vehicle
from rental_app.models.booking import CANCELLED, CONFIRMED, PENDING
from rental_app.models.user import opening_hours
from rental_app.rules import clock
from rental_app.rules.clock import Window
from rental_app.rules.expiry import answer_by
from rental_app.rules.hours import resolve
from rental_app.rules.pricing import Quote, quote
from rental_app.schemas.bookings import (
    BookedCar,
    BookedModel,
    BookingRequest,
    BookingView,
    QuoteLine,
    QuoteView,
    StatusChange,
    VendorBookingView,
)
from rental_app.schemas.wire import Page
from rental_app.services.accounts import Actor, require_vendor
from rental_app.services.paging import Columns, Slice, paged
from rental_app.services.search import read_window
from rental_app.services.shop import VehicleRow, bookable, image_of, vehicle_columns

GUARD = "ex_booking_no_overlap"
View = TypeVar("View", bound=BookingView)


def quote_for(session: Session, request: BookingRequest) -> QuoteView:
    """The price of a vehicle over a window, under the very rules a booking is held to.

    Raises NotFoundError, InvalidInputError and ConflictError as `create` does, short of overlaps.
    """
    vehicle, window = _rentable(session, request, clock.now())
    return _quote_view(_price(vehicle, window), window)


def _price(vehicle: VehicleRow, window: Window) -> Quote:
    return quote(window, vehicle.daily_paise, vehicle.deposit_paise, vehicle.kms_limit)


def _quote_view(price: Quote, window: Window) -> QuoteView:
    return QuoteView(
        lines=[QuoteLine(**asdict(line)) for line in price.lines],
        total=price.total,
        deposit=price.deposit,
        days=price.days,
        kms_included=price.kms_included,
        kms_text="Unlimited" if price.kms_included is None else f"{price.kms_included} km",
        pickup=window.pickup,
        return_at=window.return_at,
    )


def _rentable(session: Session, request: BookingRequest, instant: datetime) -> tuple[VehicleRow, Window]:
    """The vehicle asked for and its window, held against every rule but overlaps."""
    ends = read_window(request.pickup, request.return_at)
    today = clock.indian_today(instant)
    # A date that cannot be read as a window yet still has a last day; the window's own rules follow below.
    last_day = clock.indian_today(ends[1]) if isinstance(ends[1], datetime) else ends[1]
    wanted = vehicle_columns().add_columns(
        and_(*bookable(today, today)).label("bookable_today"),
        and_(*bookable(today, last_day)).label("bookable_throughout"),
    )
    vehicle = session.execute(wanted.where(col(Vehicle.id) == request.car)).first()
    if vehicle is None:
        raise NotFoundError("There is no such vehicle", code="unknown_vehicle")
    if not vehicle.bookable_today:
        raise ConflictError("This vehicle is not available for booking", code="not_bookable")
    hours = opening_hours(vehicle.open_time, vehicle.close_time, vehicle.closing_days)
    window = resolve(*ends, hours)
    clock.check_window(window, instant)
    if refusal := hours.refusal(window):
        raise InvalidInputError(refusal[1], code="outside_hours", fields=dict([refusal]))
    if not vehicle.bookable_throughout:
        raise ConflictError("This vehicle's papers run out before your return", code="papers_expire")
    return vehicle, window


def create(session: Session, actor: Actor, request: BookingRequest, key: str = "") -> BookingView:
    """Request a vehicle over a window; the vendor confirms or cancels it.

    With an idempotency `key` a repetition gives the first answer again. Raises NotFoundError, InvalidInputError
    (window), ForbiddenError (own vehicle) and ConflictError (not bookable, dates taken, key used for another body).
    """
    # The vehicle's row is the queue its bookings stand in: without it PostgreSQL deadlocks under load.
    session.execute(select(col(Vehicle.id)).where(col(Vehicle.id) == request.car).with_for_update())
    digest = hashlib.sha256(request.model_dump_json().encode()).hexdigest()
    if key and (earlier := session.get(IdempotencyKey, (actor.id, key))):
        if earlier.body_digest != digest:
            raise _key_reused()
        return _as_first_answered(session, earlier.booking_id)
    instant = clock.now()
    vehicle, window = _rentable(session, request, instant)
    if vehicle.vendor_id == actor.id:
        raise ForbiddenError("This is your own vehicle", code="own_vehicle")
    expire_stale(session, instant, vehicle.id)
    booking = _insert(session, actor, vehicle, window, instant)
    view = _view(_rows(session, col(Booking.id) == booking.id, instant)[0], BookingView)
    if key:
        _remember(session, IdempotencyKey(user_id=actor.id, key=key, body_digest=digest, booking_id=booking.id or 0))
    return view


def _remember(session: Session, key: IdempotencyKey) -> None:
    session.add(key)
    try:
        session.flush()
    except IntegrityError:
        raise _key_reused() from None


def _key_reused() -> ConflictError:
    return ConflictError("This Idempotency-Key was used for another booking", code="idempotency_key_reused")


def _as_first_answered(session: Session, booking_id: int) -> BookingView:
    row = _rows(session, col(Booking.id) == booking_id, clock.now())[0]
    return _view(row, BookingView).model_copy(update={"status": PENDING, "cancelled_by": None})


def _insert(session: Session, actor: Actor, vehicle: VehicleRow, window: Window, instant: datetime) -> Booking:
    price = _price(vehicle, window)
    booking = Booking(
        vehicle_id=vehicle.id,
        customer_id=actor.id,
        pickup_at=window.pickup,
        return_at=window.return_at,
        price_paise=price.total,
        deposit_paise=price.deposit,
        kms_included=price.kms_included,
        lines=[asdict(line) for line in price.lines],
        created_at=instant,
        # The tolerance for clocks lets a pickup lie five minutes back; its answer time must not.
        answer_by=max(answer_by(instant, window.pickup), instant + clock.PAST_TOLERANCE),
    )
    session.add(booking)
    try:
        session.flush()
    except DatabaseError as error:
        if GUARD not in str(error.orig):
            raise
        raise ConflictError("This vehicle was just booked for these dates", code="dates_taken") from None
    return booking


def expire_stale(session: Session, instant: datetime, vehicle_id: int | None = None) -> int:
    """Cancel, in the system's name, pending requests past their answer time; returns how many."""
    stale = update(Booking).where(col(Booking.status) == PENDING, col(Booking.answer_by) <= instant)
    if vehicle_id is not None:
        stale = stale.where(col(Booking.vehicle_id) == vehicle_id)
    lapsed = stale.values(
        status=CANCELLED,
        cancelled_by="system",
        decided_at=instant,
        cancel_reason="The vendor did not answer in time",
    )
    return _changed(session, lapsed)


def _changed(session: Session, statement: Update) -> int:
    """Run an UPDATE; how many rows it changed."""
    done = session.execute(statement.execution_options(synchronize_session=False))
    return int(done.rowcount)  # type: ignore[attr-defined]  # an UPDATE's result has it, the annotation is wider


def change_status(session: Session, actor: Actor, change: StatusChange) -> str:
    """Confirm or cancel a pending request for one of the actor's vehicles; returns what to tell the vendor.

    Raises ForbiddenError (no vendor), NotFoundError (no such booking of theirs), ConflictError (already decided).
    """
    require_vendor(actor)
    own = select(col(Vehicle.id)).where(col(Vehicle.vendor_id) == actor.id)
    mine = (col(Booking.id) == change.booking_id, col(Booking.vehicle_id).in_(own))
    instant = clock.now()
    undecided = (col(Booking.status) == PENDING, col(Booking.answer_by) > instant)
    decision: dict[str, object] = {"status": change.status}
    if change.status != PENDING:
        decision["decided_at"] = instant
    if change.status == CANCELLED:
        decision |= {"cancelled_by": "vendor", "cancel_reason": "Declined by the vendor"}
    if _changed(session, update(Booking).where(*mine, *undecided).values(**decision)):
        return f"Booking {'left pending' if change.status == PENDING else change.status}"
    if session.execute(select(col(Booking.id)).where(*mine)).first() is None:
        raise NotFoundError("There is no such booking", code="unknown_booking")
    raise ConflictError("This booking was already decided", code="already_decided")


def of_customer(session: Session, actor: Actor, page: Page | None = None) -> Slice[BookingView]:
    """The actor's own bookings, newest first."""
    wanted = _columns(clock.now()).where(col(Booking.customer_id) == actor.id)
    part = paged(session, wanted, col(Booking.id), page, newest_first=True)
    return part.of([_view(row, BookingView) for row in part.items])


def of_vendor(session: Session, actor: Actor, page: Page | None = None) -> Slice[VendorBookingView]:
    """Bookings of the actor's vehicles, newest first. Raises ForbiddenError."""
    require_vendor(actor)
    wanted = _columns(clock.now()).where(col(Vehicle.vendor_id) == actor.id)
    part = paged(session, wanted, col(Booking.id), page, newest_first=True)
    return part.of([_vendor_view(row) for row in part.items])


def _rows(session: Session, condition: ColumnElement[bool], instant: datetime) -> Sequence[Row[Any]]:
    return session.execute(_columns(instant).where(condition)).all()


def _columns(instant: datetime) -> Columns:
    """SELECT of what both lists of bookings show. A pending request past its time reads as cancelled at once."""
    lapsed = and_(col(Booking.status) == PENDING, col(Booking.answer_by) <= instant)
    return (
        select(
            col(Booking.id),
            col(Booking.vehicle_id),
            col(Booking.pickup_at),
            col(Booking.return_at),
            case((lapsed, CANCELLED), else_=col(Booking.status)).label("status"),
            case((lapsed, "system"), else_=col(Booking.cancelled_by)).label("cancelled_by"),
            col(Booking.price_paise),
            col(Booking.deposit_paise),
            col(Booking.kms_included),
            col(Booking.lines),
            col(Booking.created_at),
            col(Booking.answer_by),
            col(Vehicle.image),
            col(Vehicle.color),
            col(Vehicle.year),
            col(AssetModel.shape),
            col(AssetModel.body_type),
            col(AssetModel.name).label("model_name"),
            col(Manufacturer.name).label("maker"),
            col(Location.name).label("service_location"),
            col(User.name).label("customer_name"),
            col(User.phone_number).label("customer_phone"),
        )
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .join(AssetModel, col(Vehicle.model_id) == AssetModel.id)
        .join(Manufacturer, col(AssetModel.manufacturer_id) == Manufacturer.id)
        .join(Location, col(Vehicle.location_id) == Location.id)
        .join(User, col(Booking.customer_id) == User.id)
    )


def _view(row: Row[Any], view: type[View], **more: str) -> View:
    return view(
        id=row.id,
        car=BookedCar(
            id=row.vehicle_id,
            image=image_of(row),
            asset_manufacturer=row.maker,
            asset_model=BookedModel(name=row.model_name),
            year=row.year,
            body_type=row.body_type,
            service_location=row.service_location,
        ),
        pickup=row.pickup_at,
        return_at=row.return_at,
        status=row.status,
        price=row.price_paise,
        deposit=row.deposit_paise,
        lines=[QuoteLine(**line) for line in row.lines],
        kms_included=row.kms_included,
        created_at=row.created_at,
        answer_by=row.answer_by,
        cancelled_by=row.cancelled_by,
        **more,
    )


def _vendor_view(row: Row[Any]) -> VendorBookingView:
    phone = row.customer_phone if row.status == CONFIRMED else ""
    return _view(row, VendorBookingView, customer_name=row.customer_name, customer_phone=phone)
