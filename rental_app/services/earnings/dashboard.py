"""A vendor's dashboard: what there is to do, and the figures of this month and the eleven before."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sqlalchemy import ColumnElement, Label, and_, case, func, select
from sqlalchemy.orm import Mapped
from sqlmodel import Session, col

from rental_app.domain import account, clock
from rental_app.domain.bookings import BookingStatus
from rental_app.domain.due import DueToday
from rental_app.models import Booking, Columns, User, Vehicle, offers
from rental_app.schemas.bookings import Dashboard, VendorBookingView
from rental_app.schemas.wire import Page
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager, require_staff
from rental_app.services.availability.holds import is_waiting
from rental_app.services.bookings import lists
from rental_app.services.bookings.due import is_due, net_owed, order
from rental_app.services.bookings.rows import (
    BookingRow,
    Stars,
    booking_columns,
    charged,
    counted_at,
    counted_within,
    lines_of,
    received,
    summed,
    vendor_view,
)
from rental_app.services.fleet.maintenance import DueMaintenance, due_maintenance
from rental_app.services.fleet.papers import ExpiringPaper, expiring
from rental_app.services.reviews import customers
from rental_app.services.search.eligibility import bookable, in_fleet

# How many of each list Today shows; its count leads to all of them.
SHOWN = 5
# Until then a vendor is new here.
FIRST_BOOKINGS = 3


@dataclass(frozen=True, slots=True)
class DueList:
    """The first of the bookings about which something is to be done, and how many they are."""

    items: list[VendorBookingView]
    count: int


@dataclass(frozen=True, slots=True)
class FirstStep:
    """What a vendor does in the first days, by its name, and whether it is done."""

    name: str
    is_done: bool


@dataclass(frozen=True, slots=True)
class VendorDay:
    """What there is to do: the lists by what is due, `overdue` of those coming back, what is to be given back and to
    be collected in all (paise); the papers that run out first and the maintenance that is due first, and how many there
    are of each; the first steps of who is new."""

    due: dict[DueToday, DueList]
    overdue: int
    give_back: int
    collect: int
    papers: list[ExpiringPaper]
    papers_count: int
    maintenance: list[DueMaintenance]
    maintenance_count: int
    first_steps: list[FirstStep]


# The lists of Today, in their order; what is overdue stands first among those coming back.
LISTED = (DueToday.ANSWER, DueToday.GOING_OUT, DueToday.COMING_BACK, DueToday.MONEY, DueToday.OBJECTIONS)


def day_of_vendor(session: Session, actor: Actor) -> VendorDay:
    """What there is to do for the vendor now and today. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_staff(actor)
    instant = clock.now()
    stars = customers.of_waiting(session, actor.vendor, instant)
    lists_by_due = {due: _due_list(session, actor, due, instant, stars) for due in LISTED}
    overdue, give_back, collect = _sums(session, actor, instant)
    # Vehicles and their papers are for managers only.
    active = and_(col(Vehicle.vendor_id) == actor.vendor, col(Vehicle.is_active))
    papers = expiring(session, active, instant) if actor.is_manager else []
    maintenance = due_maintenance(session, actor) if actor.is_manager else []
    return VendorDay(
        due=lists_by_due,
        overdue=overdue,
        give_back=give_back,
        collect=collect,
        papers=papers[:SHOWN],
        papers_count=len(papers),
        maintenance=maintenance[:SHOWN],
        maintenance_count=len(maintenance),
        first_steps=_first_steps(session, actor) if actor.is_vendor else [],
    )


def _due_list(session: Session, actor: Actor, due: DueToday, instant: datetime, stars: Stars) -> DueList:
    statement = (
        booking_columns(instant)
        .add_columns(func.count().over().label("whole"))
        .where(col(Vehicle.vendor_id) == actor.vendor, is_due(due, instant))
        .order_by(order(due), col(Booking.id))
        .limit(SHOWN)
    )
    rows = session.execute(statement).all()
    return DueList([vendor_view(BookingRow.of(row), stars) for row in rows], rows[0].whole if rows else 0)


def _sums(session: Session, actor: Actor, instant: datetime) -> tuple[int, int, int]:
    """How many trips are overdue, what the vendor has to give back, and what to collect (paise)."""
    net = net_owed(instant)
    of_money = (
        select(net.label("net"))
        .select_from(Booking)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(col(Vehicle.vendor_id) == actor.vendor, is_due(DueToday.MONEY, instant))
        .subquery()
    )
    back = func.coalesce(func.sum(case((of_money.c.net < 0, -of_money.c.net), else_=0)), 0)
    due = func.coalesce(func.sum(case((of_money.c.net > 0, of_money.c.net), else_=0)), 0)
    overdue = (
        select(func.count())
        .select_from(Booking)
        .join(Vehicle, col(Vehicle.id) == Booking.vehicle_id)
        .where(col(Vehicle.vendor_id) == actor.vendor, is_due(DueToday.OVERDUE, instant))
        .scalar_subquery()
    )
    row = session.execute(select(overdue, back, due)).one()
    return int(row[0]), int(row[1]), int(row[2])


def _first_steps(session: Session, actor: Actor) -> list[FirstStep]:
    """What a vendor does in the first days; none once there are a few bookings, or all is done."""
    vendor = session.get_one(User, actor.vendor)
    own = col(Vehicle.vendor_id) == actor.vendor
    vehicles = select(func.count()).select_from(Vehicle).where(own).scalar_subquery()
    in_order = offers(func.count()).where(own, *bookable(clock.indian_today(clock.now()))).scalar_subquery()
    ever = select(col(Booking.id)).join(Vehicle, col(Vehicle.id) == Booking.vehicle_id).where(own).limit(FIRST_BOOKINGS)
    bookings = select(func.count()).select_from(ever.subquery()).scalar_subquery()
    row = session.execute(select(vehicles, in_order, bookings)).one()
    steps = {
        "vehicle": bool(row[0]),
        "offered": bool(row[1]),
        "phone": vendor.phone_verified,
        "payment": bool(vendor.upi_id),
        "booking": bool(row[2]),
    }
    if row[2] >= FIRST_BOOKINGS or all(steps.values()):
        return []
    return [FirstStep(name, is_done) for name, is_done in steps.items()]


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
    """What there is to do as of an instant; for the vendor only, also the figures, the deposits held (paise) and twelve
    months (oldest first)."""

    instant: datetime
    day: VendorDay
    figures: Dashboard | None
    held: int
    months: list[MonthFigures]


def of_vendor(session: Session, actor: Actor) -> Dashboard:
    """Counts, the latest bookings, and what was charged and received this Indian month. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
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
        .where(col(Vehicle.vendor_id) == actor.vendor)
    ).one()
    cars = session.execute(select(func.count()).where(col(Vehicle.vendor_id) == actor.vendor, in_fleet())).scalar_one()
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
        figures=of_vendor(session, actor) if actor.is_manager else None,
        held=_held(session, actor) if actor.is_manager else 0,
        months=_months(session, actor, instant) if actor.is_manager else [],
    )


def _held(session: Session, actor: Actor) -> int:
    """What the vendor holds of customers' deposits now (paise)."""
    return int(session.execute(lines_of(actor, summed(account.DEPOSIT_SIGNS))).scalar_one())


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
            col(Vehicle.vendor_id) == actor.vendor,
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
