"""What a vendor earns by month or by vehicle: the sums of its accounts, and the table made of them."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from sqlalchemy import BigInteger, ColumnElement, case, cast, func, or_, select
from sqlmodel import Session, col

from rental_app.domain import account, clock
from rental_app.domain.clock import Window
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.models import TITLE, Booking, IssuedDocument, LedgerEntry, TripReading, User, Vehicle, titled
from rental_app.schemas.earnings import By, EarningsAnswer, EarningsRequest, EarningsRow, Figures, TaxFigures
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_manager, require_vendor
from rental_app.services.availability.holds import HANDED_OVER, RETURNED, Handover
from rental_app.services.bookings import invoices
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
from rental_app.services.files.csv import Cell, csv_file

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
    columns = (col(Vehicle.id), col(Vehicle.created_at), col(Vehicle.retired_at))
    listed = select(*columns).where(col(Vehicle.vendor_id) == actor.vendor)
    by_cell: Cells = {}
    for vehicle_id, created_at, retired_at in session.execute(listed):
        for number, part in _shares(months, created_at, retired_at or instant):
            by_cell[vehicle_id, number] = Sums(listed=part)
    # When each left with a customer, and when it came back: NULL while it is out.
    hired = (
        select(col(Booking.vehicle_id), col(Handover.at), col(TripReading.at))
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .join(Handover, HANDED_OVER)
        .outerjoin(TripReading, RETURNED)
        .where(
            col(Vehicle.vendor_id) == actor.vendor,
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


MOST_MONTHS = 37
# Less than eleven months have, and more than ten have.
ELEVEN_MONTHS = timedelta(days=330)
HEAD = ("Charged", "Received", "Commission", "Net", "Deposits held", "Utilisation %")


class VehicleEarnings(NamedTuple):
    """A vehicle, by the names its vendor uses."""

    id: int
    title: str
    rc_number: str


def of_vendor(session: Session, actor: Actor, request: EarningsRequest) -> EarningsAnswer:
    """The actor's earnings; raises ForbiddenError and InvalidInputError (days reversed, too many)."""
    throttle.count("list", actor)
    require_manager(actor)
    return _earnings(session, actor, request)


def as_csv(session: Session, actor: Actor, request: EarningsRequest) -> bytes:
    """The actor's earnings as a table for a spreadsheet, with the totals below; for the vendor alone."""
    throttle.count("list", actor)
    require_vendor(actor)
    answer = _earnings(session, actor, request)
    rows = [[row.label, *_cells(row)] for row in answer.rows]
    return csv_file([request.by.capitalize(), *HEAD], [*rows, ["Total", *_cells(answer.total)]])


def _earnings(session: Session, actor: Actor, request: EarningsRequest) -> EarningsAnswer:
    throttle.check_rows(actor)
    instant = clock.now()
    last: date = request.last_day or clock.indian_today(instant)
    first = request.first_day or first_of_twelve_months(last)
    if first > last or len(months_of(first, last)) > MOST_MONTHS:
        message = "Choose a last day from the first to three years later"
        raise InvalidInputError(message, fields={"to": message})
    months = months_of(max(first, joined(session, actor)), last)
    answer = statement(session, actor, months, request.by, instant)
    if months:
        sums = invoices.sums_within(session, actor.vendor, months[0].pickup, months[-1].return_at)
        answer.tax = TaxFigures.model_validate(sums)
    throttle.count_rows(actor, len(answer.rows))
    return answer


# A paper of the list is read from its snapshot: some tenths of a millisecond.
PAPER_ROWS = 2
PAPER_HEAD = ("Date", "Number", "Kind", "Booking")
TAX_HEAD = ("Taxable value", "CGST", "SGST", "IGST", "Not taxed", "Total")


def invoices_as_csv(session: Session, actor: Actor, request: EarningsRequest) -> bytes:
    """The actor's tax invoices, credit and debit notes as a table for a spreadsheet, with the totals below; for the
    vendor alone.

    Raises what `of_vendor` does.
    """
    throttle.count("list", actor)
    require_vendor(actor)
    tax = _earnings(session, actor, request).tax
    throttle.count_rows(actor, PAPER_ROWS * tax.count)
    last = request.last_day or clock.indian_today(clock.now())
    first = request.first_day or first_of_twelve_months(last)
    begin, end = clock.at(first, time()), clock.at(last + timedelta(days=1), time())
    rows: list[list[Cell]] = [
        [f"{clock.indian_today(one.at)}", one.number, one.kind, one.booking, *_tax_cells(one)]
        for one in invoices.issued_within(session, actor.vendor, begin, end)
    ]
    return csv_file([*PAPER_HEAD, *TAX_HEAD], [*rows, ["Total", "", "", "", *_tax_cells(tax)]])


def _tax_cells(amounts: IssuedDocument | TaxFigures) -> list[Cell]:
    return [getattr(amounts, name) / PAISE_PER_RUPEE for name in invoices.AMOUNTS]


def statement(session: Session, actor: Actor, months: Sequence[Window], by: By, instant: datetime) -> EarningsAnswer:
    """The earnings of some months; the caller has checked the actor's right to them."""
    by_cell = cells(session, actor, months, instant) if months else {}
    keyed = _by_month(by_cell, months) if by == "month" else _by_vehicle(by_cell, vehicles(session, actor))
    everything = total(sums for (_, month), sums in by_cell.items() if month >= 0)
    held = total(by_cell.values()).held
    return EarningsAnswer(rows=keyed, total=Figures.model_validate(_figures(everything, held)))


def joined(session: Session, actor: Actor) -> date:
    """The first day of the month the actor joined in; nothing was earned before."""
    return clock.indian_today(session.get_one(User, actor.vendor).created_at).replace(day=1)


def first_of_twelve_months(last: date) -> date:
    """The first day of the twelve calendar months that end with the month of a day."""
    return (last.replace(day=1) - ELEVEN_MONTHS).replace(day=1)


def vehicles(session: Session, actor: Actor) -> list[VehicleEarnings]:
    """All vehicles the actor ever listed, by name."""
    own = (
        titled(select(col(Vehicle.id), TITLE, col(Vehicle.rc_number)))
        .where(col(Vehicle.vendor_id) == actor.vendor)
        .order_by(TITLE, col(Vehicle.rc_number))
    )
    return [VehicleEarnings(*row) for row in session.execute(own)]


def _by_month(by_cell: Cells, months: Sequence[Window]) -> list[EarningsRow]:
    rows = []
    for number, month in enumerate(months):
        sums = total(part for (_, at), part in by_cell.items() if at == number)
        held = sum(part.held for (_, at), part in by_cell.items() if at <= number)
        day = clock.indian_today(month.pickup)
        rows.append(_row(f"{day:%Y-%m}", f"{day:%B %Y}", sums, held))
    return rows


def _by_vehicle(by_cell: Cells, named: Sequence[VehicleEarnings]) -> list[EarningsRow]:
    parts: dict[int, dict[int, Sums]] = defaultdict(dict)
    for (vehicle_id, month), part in by_cell.items():
        parts[vehicle_id][month] = part
    rows = []
    for vehicle in named:
        sums = total(part for month, part in parts[vehicle.id].items() if month >= 0)
        held = total(parts[vehicle.id].values()).held
        rows.append(_row(str(vehicle.id), f"{vehicle.title}, {vehicle.rc_number}", sums, held))
    return rows


def _row(key: str, label: str, sums: Sums, held: int) -> EarningsRow:
    return EarningsRow.model_validate({"key": key, "label": label, **_figures(sums, held)})


def _figures(sums: Sums, held: int) -> dict[str, int]:
    return {
        "charged": sums.charged,
        "received": sums.received,
        "commission": sums.commission,
        "net": sums.received - sums.commission,
        "deposits_held": held,
        "utilisation": sums.utilisation,
    }


def _cells(row: Figures) -> list[Cell]:
    money = (row.charged, row.received, row.commission, row.net, row.deposits_held)
    return [*(paise / PAISE_PER_RUPEE for paise in money), row.utilisation / 10]
