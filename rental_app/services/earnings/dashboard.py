"""A vendor's dashboard: what there is to do, and the figures of this month and the eleven before."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta

from sqlalchemy import ColumnElement, Label, and_, case, func, or_, select
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import BookingStatus, TripStage
from rental_app.domain.cancellation import REFUND_WITHIN
from rental_app.models import Booking, Columns, Snapshot, User, Vehicle
from rental_app.schemas.bookings import Dashboard, VendorBookingView
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_staff, require_vendor
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings import lists
from rental_app.services.bookings.rows import (
    BookingRow,
    booking_columns,
    charged,
    counted_at,
    counted_within,
    deposit_owed,
    lines_of,
    received,
    rent_owed,
    status_at,
    vendor_view,
)
from rental_app.services.fleet.papers import ExpiringPaper, expiring
from rental_app.services.reviews import customers

WEEK = timedelta(days=7)
# As many as a person answers in one go; Manage Bookings has them all.
MOST_REQUESTS = 50


@dataclass(frozen=True, slots=True)
class Movement:
    """An upcoming handover or return, `at` in UTC; `late` when that time has passed. `kind` is pickup or return."""

    kind: str
    at: datetime
    late: bool
    is_out: bool
    reference: str
    vehicle: str
    rc_number: str
    customer: str
    phone: str


@dataclass(frozen=True, slots=True)
class VendorDay:
    """Requests by deadline; what is due by the end of the day, the late ones first, or later in the week that starts
    with it; the vehicles that are out, by return time; the papers that expire soon; and bookings they gave up whose
    customers wait for their money too long, the oldest first."""

    requests: list[VendorBookingView]
    today: list[Movement]
    week: list[Movement]
    out: list[Movement]
    papers: list[ExpiringPaper]
    refunds: list[VendorBookingView]


def day_of_vendor(session: Session, actor: Actor) -> VendorDay:
    """What there is to do for the vendor now, today and this week. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_staff(actor)
    instant = clock.now()
    today = clock.at(clock.indian_today(instant), time())
    tomorrow, end = today + timedelta(days=1), today + WEEK
    movements = _movements(session, actor, instant, end)
    waiting = booking_columns(instant).where(col(Vehicle.vendor_id) == actor.vendor, is_waiting(instant))
    first = waiting.order_by(col(Booking.answer_by), col(Booking.id)).limit(MOST_REQUESTS)
    stars = customers.of_waiting(session, actor.vendor, instant)
    # Vehicles and their papers are for the vendor only.
    active = and_(col(Vehicle.vendor_id) == actor.id, col(Vehicle.is_active))
    return VendorDay(
        requests=[vendor_view(BookingRow.of(row), stars) for row in session.execute(first).all()],
        today=[movement for movement in movements if movement.at < tomorrow],
        week=[movement for movement in movements if tomorrow <= movement.at < end],
        out=[movement for movement in movements if movement.is_out],
        papers=expiring(session, active, instant) if actor.is_vendor else [],
        refunds=_refunds(session, actor, instant),
    )


def _refunds(session: Session, actor: Actor, instant: datetime) -> list[VendorBookingView]:
    """The bookings that the vendor cancelled a while ago and has not paid back in full."""
    status = status_at(instant)
    cancelled = booking_columns(instant).where(
        col(Vehicle.vendor_id) == actor.vendor,
        col(Booking.cancelled_by) == "vendor",
        col(Booking.decided_at) <= instant - REFUND_WITHIN,
        or_(rent_owed(status) < 0, deposit_owed(status) < 0),
    )
    oldest = cancelled.order_by(col(Booking.decided_at)).limit(MOST_REQUESTS)
    return [vendor_view(BookingRow.of(row)) for row in session.execute(oldest).all()]


def _movements(session: Session, actor: Actor, instant: datetime, end: datetime) -> list[Movement]:
    """The movements still to come in trips that begin before `end`, in order.

    A vehicle that nobody picked up is no longer expected once its window is over; one that is out always is.
    """
    ahead = and_(col(Booking.stage) == TripStage.BOOKED, col(Booking.return_at) > instant, col(Booking.pickup_at) < end)
    movements = []
    for trip in session.execute(_trips(actor, or_(ahead, col(Booking.stage) == TripStage.OUT))):
        ends = [("pickup", trip.pickup_at)] if trip.stage == TripStage.BOOKED else []
        movements += [
            Movement(
                kind=kind,
                at=at,
                late=at < instant,
                is_out=trip.stage == TripStage.OUT,
                reference=trip.reference,
                vehicle=Snapshot(**trip.booked).title,
                rc_number=trip.rc_number,
                customer=trip.customer,
                phone=trip.phone,
            )
            for kind, at in [*ends, ("return", trip.return_at)]
        ]
    return sorted(movements, key=lambda movement: (movement.at, movement.reference))


def _trips(actor: Actor, which: ColumnElement[bool]) -> Columns:
    """SELECT of confirmed bookings, as far as their movements show them."""
    return (
        select(
            col(Booking.reference),
            col(Booking.stage),
            col(Booking.pickup_at),
            col(Booking.return_at),
            col(Booking.booked),
            col(Vehicle.rc_number),
            col(User.name).label("customer"),
            col(User.phone_number).label("phone"),
        )
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .join(User, col(Booking.customer_id) == User.id)
        .where(col(Vehicle.vendor_id) == actor.vendor, col(Booking.status) == BookingStatus.CONFIRMED, which)
    )


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
        day=day_of_vendor(session, actor),
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
