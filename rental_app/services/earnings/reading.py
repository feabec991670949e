"""A vendor's earnings by month or by vehicle."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.clock import Window
from rental_app.domain.errors import InvalidInputError
from rental_app.domain.money import PAISE_PER_RUPEE
from rental_app.models import TITLE, User, Vehicle, titled
from rental_app.schemas.earnings import By, EarningsAnswer, EarningsRequest, EarningsRow, Figures
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_vendor
from rental_app.services.earnings.sums import Cells, Sums, cells, months_of, total
from rental_app.services.files.csv import Cell, csv_file

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
    require_vendor(actor)
    throttle.check_rows(actor)
    instant = clock.now()
    last: date = request.last_day or clock.indian_today(instant)
    first = request.first_day or first_of_twelve_months(last)
    if first > last or len(months_of(first, last)) > MOST_MONTHS:
        message = "Choose a last day from the first to three years later"
        raise InvalidInputError(message, fields={"to": message})
    months = months_of(max(first, joined(session, actor)), last)
    answer = statement(session, actor, months, request.by, instant)
    throttle.count_rows(actor, len(answer.rows))
    return answer


def as_csv(session: Session, actor: Actor, request: EarningsRequest) -> bytes:
    """The actor's earnings as a table for a spreadsheet, with the totals below."""
    answer = of_vendor(session, actor, request)
    rows = [[row.label, *_cells(row)] for row in answer.rows]
    return csv_file([request.by.capitalize(), *HEAD], [*rows, ["Total", *_cells(answer.total)]])


def statement(session: Session, actor: Actor, months: Sequence[Window], by: By, instant: datetime) -> EarningsAnswer:
    """The earnings of some months; the caller has checked the actor's right to them."""
    by_cell = cells(session, actor, months, instant) if months else {}
    keyed = _by_month(by_cell, months) if by == "month" else _by_vehicle(by_cell, vehicles(session, actor))
    everything = total(sums for (_, month), sums in by_cell.items() if month >= 0)
    held = total(by_cell.values()).held
    return EarningsAnswer(rows=keyed, total=Figures.model_validate(_figures(everything, held)))


def joined(session: Session, actor: Actor) -> date:
    """The first day of the month the actor joined in; nothing was earned before."""
    return clock.indian_today(session.get_one(User, actor.id).created_at).replace(day=1)


def first_of_twelve_months(last: date) -> date:
    """The first day of the twelve calendar months that end with the month of a day."""
    return (last.replace(day=1) - ELEVEN_MONTHS).replace(day=1)


def vehicles(session: Session, actor: Actor) -> list[VehicleEarnings]:
    """All vehicles the actor ever listed, by name."""
    own = (
        titled(select(col(Vehicle.id), TITLE, col(Vehicle.rc_number)))
        .where(col(Vehicle.vendor_id) == actor.id)
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
