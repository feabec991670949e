"""The vendor's table of vehicles."""

from collections.abc import Sequence
from datetime import date, datetime

from pydantic import BaseModel

from rental_app.domain import clock
from rental_app.domain.money import counted, format_rupees, grouped, to_rupees
from rental_app.domain.papers import expiry_note
from rental_app.models import OwnListing
from rental_app.schemas.fleet import ChangedPrice
from rental_app.services.fleet import table
from rental_app.services.fleet.papers import ExpiringPaper
from rental_app.services.fleet.table import PAGE_SIZE, FleetCounts, VehicleNow

# Why a vehicle that nobody can book any more may still have bookings ahead.
_OFF = (table.OFF, table.UNAPPROVED, table.REFUSED, table.EXPIRED, table.BLOCKED)
REFUSED = "We have not listed it: {why}. Fix this under Edit or Files: saving sends it to us again."
UNPRICED = "Customers cannot see it: it has no active Full Day price"


class FleetLine(BaseModel):
    """A row as it is shown."""

    id: int
    title: str
    image: str
    details: str
    category: str
    rc_number: str
    location: str
    is_available: bool
    is_active: bool
    is_retired: bool
    now: str
    is_late: bool
    following: str
    is_off_ahead: bool
    price: str
    day_price: str
    earned: str
    notes: list[str]


class Chip(BaseModel):
    """A filter, and how many vehicles it shows."""

    value: str
    label: str
    count: int


def chips(counts: FleetCounts, shown: str) -> list[Chip]:
    """The filters of the table; those for what is put aside only while there is some, or they are chosen."""
    named = {
        "all": ("All", counts.all),
        "free": ("Free", counts.free),
        "out": ("Out", counts.out),
        "needs": ("Needs you", counts.needs),
        "inactive": ("Switched off", counts.inactive),
        "retired": ("Retired", counts.retired),
    }
    return [
        Chip(value=value, label=label, count=count)
        for value, (label, count) in named.items()
        if count or value in ("all", "free", "out", "needs", shown)
    ]


_NOW = {
    table.OFF: "Off",
    table.UNAPPROVED: "Waiting for approval",
    table.REFUSED: "Refused",
    table.EXPIRED: "Documents expired",
    table.RENTED: "On rent until {until}",
    table.BLOCKED: "Blocked until {until}",
    table.BOOKED_AHEAD: "Booked from {until}",
    table.FREE: "Free",
}


def count_line(page: int, pages: int, shown: int, total: int) -> str:
    """Which vehicles are shown, of how many."""
    whole = counted(total, "vehicle")
    if pages == 1:
        return whole
    first = (page - 1) * PAGE_SIZE + 1
    return f"{grouped(first)} to {grouped(first + shown - 1)} of {whole}"


def fleet_line(car: OwnListing, standing: VehicleNow, papers: Sequence[ExpiringPaper], instant: datetime) -> FleetLine:
    """A vehicle as its row shows it at an instant; `papers` are the expiring ones on the page."""
    today = clock.indian_today(instant)
    return FleetLine(
        id=car.id,
        title=car.title,
        image=car.picture.card,
        details=f"{counted(car.seating_capacity, 'seat')} · {car.transmission_type}",
        category=car.body_type,
        rc_number=car.rc_number,
        location=car.service_location,
        is_available=car.is_available,
        is_active=car.is_active,
        is_retired=car.retired_at is not None,
        now=f"Retired {clock.friendly_day(clock.indian_today(car.retired_at))}"
        if car.retired_at
        else _now(standing, instant),
        is_late=_is_late(standing, instant),
        # Unless the status already says it.
        following=f"Next pickup {clock.friendly(standing.following)}"
        if standing.following and standing.kind != table.BOOKED_AHEAD
        else "",
        is_off_ahead=bool(standing.following) and standing.kind in _OFF,
        price=f"{format_rupees(car.daily_paise)} a day" if car.daily_paise else "",
        day_price=rupees_text(car.daily_paise),
        earned=f"{format_rupees(standing.earned_paise)} this month" if standing.earned_paise else "",
        notes=[
            *([REFUSED.format(why=car.refusal.rstrip(". "))] if car.refusal else []),
            *([] if car.is_priced or car.retired_at else [UNPRICED]),
            *(_paper_note(paper, today) for paper in papers if paper.vehicle_id == car.id and not car.retired_at),
        ],
    )


def rupees_text(paise: int) -> str:
    """A price as a field holds it; blank for none."""
    return str(to_rupees(paise)) if paise else ""


def _paper_note(paper: ExpiringPaper, today: date) -> str:
    """A paper that expires, and the bookings that run past it."""
    note = expiry_note(paper.paper, paper.day, today)
    return f"{note}. Bookings after that: {', '.join(paper.bookings)}" if paper.bookings else note


def _is_late(standing: VehicleNow, instant: datetime) -> bool:
    return standing.kind == table.RENTED and standing.until is not None and standing.until < instant


def _now(standing: VehicleNow, instant: datetime) -> str:
    if standing.until and _is_late(standing, instant):
        return f"Late: due back {clock.friendly(standing.until)}"
    return _NOW[standing.kind].format(until=clock.friendly(standing.until) if standing.until else "")


class PriceChange(BaseModel):
    """A price before and after, as the list in the dialog shows it."""

    vehicle: str
    plan: str
    before: str
    after: str


def price_change(change: ChangedPrice) -> PriceChange:
    """A price before and after a change of many."""
    return PriceChange(
        vehicle=f"{change.title}, {change.rc_number}",
        plan=change.price_name,
        before=format_rupees(change.before),
        after=format_rupees(change.after),
    )
