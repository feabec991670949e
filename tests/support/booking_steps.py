"""Steps that tests of bookings repeat."""

import secrets
from datetime import datetime

from sqlalchemy import inspect, text, update
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Member, User, Vehicle, VehiclePrice
from rental_app.schemas.bookings import BookingRequest, BookingView, StatusChange
from rental_app.services.bookings import requests
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.files.storage import CheckedFile
from tests.support.shop import Shop, actor


def book(user: User, request: BookingRequest) -> BookingView:
    return write(requests.create, actor(user), request)


def decide(vendor: User, booking_id: int, status: str) -> str:
    return write(requests.change_status, actor(vendor), StatusChange(booking_id=booking_id, status=status))


def alter(table: type[Booking | Member | User | Vehicle], row_id: int | None, **values: object) -> None:
    (key,) = inspect(table).primary_key
    write(lambda session: session.execute(update(table).where(key == row_id).values(**values)))


def ask(vehicle: Vehicle, paise: int, **more: object) -> None:
    """Change a vehicle's Full Day price as its vendor would; `more` are other columns of that plan."""
    own = (col(VehiclePrice.vehicle_id) == vehicle.id, col(VehiclePrice.price_name) == "Full Day")
    write(lambda session: session.execute(update(VehiclePrice).where(*own).values(price_paise=paise, **more)))


def status_of(booking_id: int) -> str:
    wanted_status = text("SELECT status FROM booking WHERE id = :id").bindparams(id=booking_id)
    return str(read(lambda session: session.execute(wanted_status).scalar_one()))


def every_file() -> CheckedUploads:
    """Return files of all groups, without which no vehicle is listed."""
    names = ((group, f"public/{secrets.token_hex(16)}.jpg") for group in FILE_GROUPS)
    return CheckedUploads([CheckedFile(group, key, "image/jpeg", 1, {}) for group, key in names])


def bookings_of(vehicle_id: int | None) -> list[tuple[datetime, datetime, str]]:
    """Return pickup, return (UTC) and status of a vehicle's bookings, in the order they were made."""
    wanted = select(Booking).where(col(Booking.vehicle_id) == vehicle_id).order_by(col(Booking.id))
    return [(row.pickup_at, row.return_at, row.status) for row in read(lambda s: s.scalars(wanted).all())]


def vehicle_path(shop: Shop, pickup: datetime, return_at: datetime) -> str:
    """The address of a shop's vehicle with a window."""
    ends = (clock.indian(instant).isoformat().replace("+", "%2B") for instant in (pickup, return_at))
    return "/vehicle-details/{}?pickupDate={}&returnDate={}".format(shop.vehicle.id, *ends)


def booked(shop: Shop) -> Booking:
    """The only booking of the shop's vehicle."""
    wanted = select(Booking).where(col(Booking.vehicle_id) == shop.vehicle.id)
    return read(lambda session: session.scalars(wanted).one())
