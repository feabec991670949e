"""The stars that vendors gave customers who request a vehicle."""

from datetime import datetime

from sqlalchemy import func, select
from sqlmodel import Session, col

from rental_app.models import Booking, Columns, Review, Vehicle
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings.rows import Stars


def of_waiting(session: Session, vendor_id: int, instant: datetime) -> Stars:
    """The stars of all customers who wait for a vendor's answer and have any."""
    waiting = (
        select(col(Booking.customer_id))
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(col(Vehicle.vendor_id) == vendor_id, is_waiting(instant))
    )
    by_vendors = (
        col(Review.customer_id).in_(waiting),
        col(Review.side) == "vendor",
        col(Review.shown_at).is_not(None),
        col(Review.is_hidden).is_(False),
    )
    summed: Columns = (
        select(col(Review.customer_id), func.sum(col(Review.stars)), func.count())
        .where(*by_vendors)
        .group_by(col(Review.customer_id))
    )
    return {row[0]: (int(row[1]), int(row[2])) for row in session.execute(summed)}
