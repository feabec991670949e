"""Rows of bookings, as both sides' lists read them from the database."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, and_, case, or_, select
from sqlmodel import Session, col

from rental_app.models import Booking, Snapshot, User, Vehicle
from rental_app.models.booking import CANCELLED, CONFIRMED, PENDING
from rental_app.schemas.bookings import BookedCar, BookedModel, BookingView, QuoteLine, VendorBookingView
from rental_app.services.paging import Columns
from rental_app.services.shop import image_of

View = TypeVar("View", bound=BookingView)


def booking_rows(session: Session, condition: ColumnElement[bool], instant: datetime) -> Sequence[Row[Any]]:
    """The bookings that meet a condition, as they stand at an instant."""
    return session.execute(booking_columns(instant).where(condition)).all()


def is_waiting(instant: datetime) -> ColumnElement[bool]:
    """Whether a booking is a request that its vendor may still answer."""
    return and_(col(Booking.status) == PENDING, col(Booking.answer_by) > instant)


def is_open(instant: datetime) -> ColumnElement[bool]:
    """Whether a booking waits for its answer, or is confirmed and not over."""
    return or_(is_waiting(instant), and_(col(Booking.status) == CONFIRMED, col(Booking.return_at) > instant))


def _lapsed(instant: datetime) -> ColumnElement[bool]:
    return and_(col(Booking.status) == PENDING, col(Booking.answer_by) <= instant)


def status_at(instant: datetime) -> ColumnElement[str]:
    """A booking's status at an instant."""
    return case((_lapsed(instant), CANCELLED), else_=col(Booking.status))


def booking_columns(instant: datetime) -> Columns:
    """SELECT of what both lists of bookings show. A pending request past its time reads as cancelled at once."""
    return (
        select(
            col(Booking.id),
            col(Booking.vehicle_id),
            col(Booking.pickup_at),
            col(Booking.return_at),
            status_at(instant).label("status"),
            case((_lapsed(instant), "system"), else_=col(Booking.cancelled_by)).label("cancelled_by"),
            col(Booking.price_paise),
            col(Booking.deposit_paise),
            col(Booking.kms_included),
            col(Booking.lines),
            col(Booking.created_at),
            col(Booking.answer_by),
            col(Booking.booked),
            col(User.name).label("customer_name"),
            col(User.phone_number).label("customer_phone"),
        )
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .join(User, col(Booking.customer_id) == User.id)
    )


def booking_view(row: Row[Any], view: type[View], **more: str) -> View:
    """A row in one of the views' shapes, its vehicle as it was when it was booked."""
    booked = Snapshot(**row.booked)
    return view(
        id=row.id,
        car=BookedCar(
            id=row.vehicle_id,
            image=image_of(booked).full,
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
        lines=[QuoteLine(**line) for line in row.lines],
        kms_included=row.kms_included,
        created_at=row.created_at,
        answer_by=row.answer_by,
        cancelled_by=row.cancelled_by,
        **more,
    )


def vendor_view(row: Row[Any]) -> VendorBookingView:
    """A row as the vehicle's vendor sees it: the customer's phone number only once confirmed."""
    phone = row.customer_phone if row.status == CONFIRMED else ""
    return booking_view(row, VendorBookingView, customer_name=row.customer_name, customer_phone=phone)
