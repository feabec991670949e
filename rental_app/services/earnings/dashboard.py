"""A vendor's figures."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, Label, case, func, select
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus
from rental_app.models import Booking, Columns, Vehicle
from rental_app.schemas.bookings import Dashboard
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_vendor
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings import lists
from rental_app.services.bookings.rows import charged, counted_at, counted_within, lines_of, received
from rental_app.services.earnings import today
from rental_app.services.earnings.today import VendorDay

RECENT = 5
MONTHS = 12


@dataclass(frozen=True, slots=True)
class MonthFigures:
    """What was charged in an Indian calendar month (paise), and the confirmed bookings with pickup in it."""

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
    """Counts, the latest bookings, and what was charged and received this Indian month. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    instant = clock.now()
    first, following = clock.month_bounds(instant)
    confirmed = col(Booking.status) == BookingStatus.CONFIRMED
    figures = session.execute(
        select(
            func.count(),
            func.count(case((is_waiting(instant), 1))),
            func.count(case((confirmed, 1))),
        )
        .select_from(Booking)
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .where(col(Vehicle.vendor_id) == actor.id)
    ).one()
    cars = session.execute(select(func.count()).where(col(Vehicle.vendor_id) == actor.id)).scalar_one()
    own = lines_of(actor, charged(), received()).where(*counted_within(first, following))
    row = session.execute(own).one()
    revenue, income = int(row[0]), int(row[1])
    recent = lists.of_vendor(session, actor, Page(limit=RECENT)).items
    return Dashboard(
        total_cars=cars,
        total_bookings=figures[0],
        pending_bookings=figures[1],
        completed_bookings=figures[2],
        recent_bookings=recent,
        monthly_revenue=revenue,
        monthly_received=income,
    )


def overview(session: Session, actor: Actor) -> Overview:
    """What the dashboard shows. Raises ForbiddenError."""
    # Rate limits are counted by the parts.
    instant = clock.now()
    return Overview(
        instant=instant,
        day=today.of_vendor(session, actor),
        figures=of_vendor(session, actor) if actor.is_vendor else None,
        months=_months(session, actor, instant) if actor.is_vendor else [],
    )


def _months(session: Session, actor: Actor, instant: datetime) -> list[MonthFigures]:
    """What was charged by the month of the line, and confirmed bookings by that of their pickup: this Indian month and
    the eleven before, oldest first."""
    bounds = [clock.month_bounds(instant)]
    while len(bounds) < MONTHS:
        bounds.insert(0, clock.month_bounds(bounds[0][0] - timedelta(days=1)))
    begin, end = bounds[0][0], bounds[-1][1]
    lines = lines_of(actor, _position(counted_at(), bounds), charged()).where(*counted_within(begin, end))
    revenue = _by_position(session, lines)
    picked_up = (
        select(_position(col(Booking.pickup_at), bounds), func.count())
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .where(
            col(Vehicle.vendor_id) == actor.id,
            col(Booking.status) == BookingStatus.CONFIRMED,
            col(Booking.pickup_at) >= begin,
            col(Booking.pickup_at) < end,
        )
    )
    counts = _by_position(session, picked_up)
    return [
        MonthFigures(clock.indian_today(first), revenue=revenue.get(index, 0), bookings=counts.get(index, 0))
        for index, (first, _) in enumerate(bounds)
    ]


def _position(at: ColumnElement[datetime] | Mapped[datetime], bounds: list[tuple[datetime, datetime]]) -> Label[int]:
    """SQL: which of the months an instant is in."""
    return case(*[(at < end, index) for index, (_, end) in enumerate(bounds)]).label("position")


def _by_position(session: Session, statement: Columns) -> dict[int, int]:
    # By name: PostgreSQL treats the same expression with other parameters as a different one.
    return {row[0]: int(row[1]) for row in session.execute(statement.group_by("position"))}
