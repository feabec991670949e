"""A vendor's figures."""

from sqlalchemy import case, func
from sqlmodel import Session, col, select

from rental_app.models import Booking, Vehicle
from rental_app.models.booking import CONFIRMED, PENDING
from rental_app.rules import clock
from rental_app.schemas.bookings import Dashboard
from rental_app.schemas.wire import Page
from rental_app.services import bookings
from rental_app.services.accounts import Actor, require_vendor

RECENT = 5


def of_vendor(session: Session, actor: Actor) -> Dashboard:
    """Counts, the latest bookings and this Indian calendar month's confirmed revenue (paise). Raises ForbiddenError."""
    require_vendor(actor)
    instant = clock.now()
    first, following = clock.month_bounds(instant)
    confirmed = col(Booking.status) == CONFIRMED
    this_month = confirmed & (col(Booking.pickup_at) >= first) & (col(Booking.pickup_at) < following)
    pending = (col(Booking.status) == PENDING) & (col(Booking.answer_by) > instant)
    figures = session.execute(
        select(
            func.count(),
            func.count(case((pending, 1))),
            func.count(case((confirmed, 1))),
            func.coalesce(func.sum(case((this_month, Booking.price_paise))), 0),
        )
        .select_from(Booking)
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .where(col(Vehicle.vendor_id) == actor.id)
    ).one()
    cars = session.execute(select(func.count()).where(col(Vehicle.vendor_id) == actor.id)).scalar_one()
    recent = bookings.of_vendor(session, actor, Page(limit=RECENT)).items
    return Dashboard(
        total_cars=cars,
        total_bookings=figures[0],
        pending_bookings=figures[1],
        completed_bookings=figures[2],
        recent_bookings=recent,
        monthly_revenue=int(figures[3]),
    )
