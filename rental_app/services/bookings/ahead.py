"""The bookings of a vehicle that is to go off, each of which its vendor can move to another one or cancel."""

from datetime import datetime

from sqlalchemy import ColumnElement, select
from sqlmodel import Session, col

from rental_app.models import TITLE, Booking, User, Vehicle, titled
from rental_app.models.booking import BOOKED
from rental_app.schemas.vendor_calendar import BookingInTheWay
from rental_app.services.availability.holds import standing


def of_vehicle(session: Session, vehicle_id: int, instant: datetime) -> list[BookingInTheWay]:
    """The requests and bookings of a vehicle that has not been handed over for them; the caller has checked whose."""
    own = (col(Booking.vehicle_id) == vehicle_id, col(Booking.stage) == BOOKED, col(Booking.return_at) > instant)
    return listed(session, *own, standing(instant))


def listed(session: Session, *which: ColumnElement[bool]) -> list[BookingInTheWay]:
    """The bookings that meet the conditions, the earliest first, as their vendor knows them."""
    named = titled(select(Booking, TITLE.label("title"), col(Vehicle.rc_number), col(User.name)))
    found = (
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
        for booking, title, plate, name in session.execute(found)
    ]
