"""The sums behind every statement: what each vehicle's accounts add up to in each month."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta

from sqlalchemy import BigInteger, ColumnElement, case, cast, func, or_, select
from sqlmodel import Session, col

from rental_app.domain import account, clock
from rental_app.domain.clock import Window
from rental_app.models import Booking, LedgerEntry, TripReading, User, Vehicle
from rental_app.services.accounts.actor import Actor
from rental_app.services.availability.holds import HANDED_OVER, RETURNED, Handover
from rental_app.services.bookings.rows import (
    charged,
    counted_at,
    counted_within,
    line_vehicle,
    lines_of,
    received,
    sign_of_line,
    summed,
)

BPS = 10_000
THOUSAND = 1_000


@dataclass(frozen=True, slots=True)
class Sums:
    """Totals (paise) of one vehicle in one month, or of many of either; `held` is the change in deposits held."""

    charged: int = 0
    received: int = 0
    commission: int = 0
    held: int = 0
    hired: timedelta = field(default=timedelta())
    listed: timedelta = field(default=timedelta())

    def __add__(self, other: "Sums") -> "Sums":
        """The sum of both."""
        return Sums(
            self.charged + other.charged,
            self.received + other.received,
            self.commission + other.commission,
            self.held + other.held,
            self.hired + other.hired,
            self.listed + other.listed,
        )

    @property
    def utilisation(self) -> int:
        """The time hired in thousandths of the time listed."""
        return round(self.hired / self.listed * THOUSAND) if self.listed else 0


def total(sums: Iterable[Sums]) -> Sums:
    """The sum of all."""
    return sum(sums, Sums())


# By vehicle id and the number of a month; -1 is all the time before.
Cells = dict[tuple[int, int], Sums]


def months_of(first: date, last: date) -> list[Window]:
    """The Indian calendar months from a day to a day (included), the first and last cut to these."""
    begin, end = clock.at(first, time()), clock.at(last + timedelta(days=1), time())
    months = []
    while begin < end:
        following = min(end, clock.month_bounds(begin)[1])
        months.append(Window(begin, following))
        begin = following
    return months


def cells(session: Session, actor: Actor, months: Sequence[Window], instant: datetime) -> Cells:
    """What the accounts of each of the actor's vehicles add up to in each month, and how long it was hired."""
    by_cell = _of_accounts(session, actor, months)
    for key, sums in _of_time(session, actor, months, instant).items():
        by_cell[key] = by_cell.get(key, Sums()) + sums
    return by_cell


def _of_accounts(session: Session, actor: Actor, months: Sequence[Window]) -> Cells:
    at = counted_at()
    ends = [(at < months[0].pickup, -1), *((at < month.return_at, number) for number, month in enumerate(months))]
    rows = (
        lines_of(
            actor,
            line_vehicle().label("vehicle_id"),
            case(*ends).label("month"),
            charged().label("charged"),
            received().label("received"),
            commission().label("commission"),
            summed(account.DEPOSIT_SIGNS).label("held"),
        )
        .join(User, col(Vehicle.vendor_id) == User.id)
        .where(at < months[-1].return_at)
        # By name: PostgreSQL treats the same expression with other parameters as a different one.
        .group_by(line_vehicle(), "month")
    )
    return {
        (row.vehicle_id, row.month): Sums(row.charged, row.received, row.commission, row.held)
        for row in session.execute(rows)
    }


def commissions(session: Session, month: Window, vendor_id: int | None = None) -> dict[int, int]:
    """The platform's share (paise) in a month by vendor, of all vendors or of one, as their statements have it."""
    own = [col(Vehicle.vendor_id) == vendor_id] if vendor_id else []
    rows = (
        select(col(Vehicle.vendor_id), commission())
        .select_from(LedgerEntry)
        .join(Booking, col(LedgerEntry.booking_id) == Booking.id)
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .join(User, col(Vehicle.vendor_id) == User.id)
        .where(*counted_within(month.pickup, month.return_at), *own)
        .group_by(col(Vehicle.vendor_id))
    )
    return {row[0]: int(row[1]) for row in session.execute(rows)}


def commission() -> ColumnElement[int]:
    """The platform's share of each line received, rounded per line, so that sums agree however lines are grouped."""
    # As it was when the booking was made; its vendor's for those of versions that noted none.
    rate = func.coalesce(col(Booking.commission_bps), col(User.commission_bps))
    share = func.abs(col(LedgerEntry.paise)) * rate + BPS // 2
    direction = case((col(LedgerEntry.paise) < 0, -1), else_=1)
    return cast(
        func.coalesce(func.sum(sign_of_line(account.RECEIVED_SIGNS) * direction * (share // BPS)), 0), BigInteger
    )


def _of_time(session: Session, actor: Actor, months: Sequence[Window], instant: datetime) -> Cells:
    listed = select(col(Vehicle.id), col(Vehicle.created_at)).where(col(Vehicle.vendor_id) == actor.id)
    by_cell: Cells = {}
    for vehicle_id, created_at in session.execute(listed):
        for number, part in _shares(months, created_at, instant):
            by_cell[vehicle_id, number] = Sums(listed=part)
    # When each left with a customer, and when it came back: NULL while it is out.
    hired = (
        select(col(Booking.vehicle_id), col(Handover.at), col(TripReading.at))
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .join(Handover, HANDED_OVER)
        .outerjoin(TripReading, RETURNED)
        .where(
            col(Vehicle.vendor_id) == actor.id,
            or_(col(TripReading.at).is_(None), col(TripReading.at) > months[0].pickup),
            col(Handover.at) < months[-1].return_at,
        )
    )
    for vehicle_id, begin, end in session.execute(hired):
        for number, part in _shares(months, begin, end or instant):
            before = by_cell.get((vehicle_id, number), Sums())
            by_cell[vehicle_id, number] = replace(before, hired=before.hired + part)
    return by_cell


def _shares(months: Sequence[Window], begin: datetime, end: datetime) -> list[tuple[int, timedelta]]:
    """How much of [begin, end) falls in each month."""
    parts = [(number, min(end, month.return_at) - max(begin, month.pickup)) for number, month in enumerate(months)]
    return [(number, part) for number, part in parts if part > timedelta()]
