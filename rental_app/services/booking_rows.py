"""Rows of bookings, as both sides' lists read them from the database."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Row, and_, case, select
from sqlmodel import Session, col

from rental_app.models import AssetModel, Booking, Location, Manufacturer, User, Vehicle
from rental_app.models.booking import CANCELLED, CONFIRMED, PENDING
from rental_app.schemas.bookings import BookedCar, BookedModel, BookingView, QuoteLine, VendorBookingView
from rental_app.services.paging import Columns
from rental_app.services.shop import image_of

View = TypeVar("View", bound=BookingView)


def booking_rows(session: Session, condition: ColumnElement[bool], instant: datetime) -> Sequence[Row[Any]]:
    """The bookings that meet a condition, as they stand at an instant."""
    return session.execute(booking_columns(instant).where(condition)).all()


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


def booking_view(row: Row[Any], view: type[View], **more: str) -> View:
    """A row in one of the views' shapes."""
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


def vendor_view(row: Row[Any]) -> VendorBookingView:
    """A row as the vehicle's vendor sees it: the customer's phone number only once confirmed."""
    phone = row.customer_phone if row.status == CONFIRMED else ""
    return booking_view(row, VendorBookingView, customer_name=row.customer_name, customer_phone=phone)
