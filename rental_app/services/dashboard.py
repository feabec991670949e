"""A vendor's figures."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import case, func, select
from sqlmodel import Session, col

from rental_app.models import Booking, LedgerEntry, Vehicle
from rental_app.models.booking import CONFIRMED
from rental_app.rules import clock
from rental_app.schemas.bookings import Dashboard
from rental_app.schemas.wire import Page
from rental_app.services import bookings, throttle, vendor_day
from rental_app.services.accounts import Actor, require_vendor
from rental_app.services.balances import lines_of, received
from rental_app.services.holds import is_waiting
from rental_app.services.vendor_day import VendorDay

RECENT = 5
MONTHS = 12


@dataclass(frozen=True, slots=True)
class MonthFigures:
    """The confirmed bookings with pickup in an Indian calendar month, and their revenue (paise)."""

    first_day: date
    revenue: int
    bookings: int


@dataclass(frozen=True, slots=True)
class Overview:
    """What there is to do as of an instant; for the vendor only, also the figures and twelve months (oldest first)."""

    instant: datetime
    day: VendorDay
    figures: Dashboard | None
    months: list[MonthFigures]


def of_vendor(session: Session, actor: Actor) -> Dashboard:
    """Counts, the latest bookings and this Indian calendar month's confirmed revenue (paise). Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    instant = clock.now()
    first, following = clock.month_bounds(instant)
    confirmed = col(Booking.status) == CONFIRMED
    this_month = confirmed & (col(Booking.pickup_at) >= first) & (col(Booking.pickup_at) < following)
    figures = session.execute(
        select(
            func.count(),
            func.count(case((is_waiting(instant), 1))),
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
        monthly_received=_received(session, actor, first, following),
    )


def _received(session: Session, actor: Actor, begin: datetime, end: datetime) -> int:
    """What the vendor has received between two instants (paise), no matter when the trips are."""
    own = lines_of(actor, received()).where(col(LedgerEntry.at) >= begin, col(LedgerEntry.at) < end)
    return int(session.execute(own).scalar_one())


def overview(session: Session, actor: Actor) -> Overview:
    """What the dashboard shows. Raises ForbiddenError."""
    # Rate limits are counted by the parts.
    instant = clock.now()
    return Overview(
        instant=instant,
        day=vendor_day.of_vendor(session, actor),
        figures=of_vendor(session, actor) if actor.is_vendor else None,
        months=_months(session, actor, instant) if actor.is_vendor else [],
    )


def _months(session: Session, actor: Actor, instant: datetime) -> list[MonthFigures]:
    """Confirmed bookings by the Indian month of their pickup: this month and the eleven before, oldest first."""
    bounds = [clock.month_bounds(instant)]
    while len(bounds) < MONTHS:
        bounds.insert(0, clock.month_bounds(bounds[0][0] - timedelta(days=1)))
    position = case(*[(col(Booking.pickup_at) < end, index) for index, (_, end) in enumerate(bounds)])
    rows = session.execute(
        select(position.label("position"), func.count(), func.sum(col(Booking.price_paise)))
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .where(
            col(Vehicle.vendor_id) == actor.id,
            col(Booking.status) == CONFIRMED,
            col(Booking.pickup_at) >= bounds[0][0],
            col(Booking.pickup_at) < bounds[-1][1],
        )
        # By name: PostgreSQL treats the same expression with other parameters as a different one.
        .group_by("position")
    ).all()
    found = {row[0]: (row[1], int(row[2])) for row in rows}
    return [
        MonthFigures(first_day=clock.indian_today(first), bookings=count, revenue=revenue)
        for index, (first, _) in enumerate(bounds)
        for count, revenue in [found.get(index, (0, 0))]
    ]
