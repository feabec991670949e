"""Papers of vehicles that expire, and the bookings this affects."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from sqlalchemy import ColumnElement, or_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.bookings import TripStage
from rental_app.domain.papers import last_day_of_warning
from rental_app.models import TITLE, Booking, Vehicle, titled
from rental_app.services.bookings.rows import is_open


@dataclass(frozen=True, slots=True)
class ExpiringPaper:
    """A paper that has expired or soon will: its last Indian day, and the open bookings that run past it."""

    vehicle_id: int
    vendor_id: int
    title: str
    rc_number: str
    paper: str
    day: date
    bookings: list[str]


def expiring(session: Session, which: ColumnElement[bool], instant: datetime) -> list[ExpiringPaper]:
    """Papers of some vehicles that have expired or will within 30 days, the earliest first."""
    warned = last_day_of_warning(clock.indian_today(instant))
    insurance, pollution = col(Vehicle.insurance_expiry_date), col(Vehicle.pollution_expiry_date)
    concerned = titled(select(Vehicle, TITLE)).where(which, or_(insurance <= warned, pollution <= warned))
    rows = session.execute(concerned).all()
    booked = _open_bookings(session, [vehicle.id or 0 for vehicle, _ in rows], instant)
    expiring_papers = [
        ExpiringPaper(
            vehicle_id=vehicle.id or 0,
            vendor_id=vehicle.vendor_id,
            title=title,
            rc_number=vehicle.rc_number,
            paper=paper,
            day=day,
            bookings=[reference for reference, last in booked.get(vehicle.id or 0, []) if last > day],
        )
        for vehicle, title in rows
        for paper, day in (("Insurance", vehicle.insurance_expiry_date), ("Pollution", vehicle.pollution_expiry_date))
        if day <= warned
    ]
    return sorted(expiring_papers, key=lambda each: (each.day, each.vehicle_id, each.paper))


def _open_bookings(session: Session, ids: Sequence[int], instant: datetime) -> dict[int, list[tuple[str, date]]]:
    """The references of bookings that are not over, by vehicle, with the Indian day of their return."""
    booked = (
        select(col(Booking.vehicle_id), col(Booking.reference), col(Booking.return_at))
        .where(col(Booking.vehicle_id).in_(ids), or_(is_open(instant), col(Booking.stage) == TripStage.OUT))
        .order_by(col(Booking.pickup_at))
    )
    by_vehicle: dict[int, list[tuple[str, date]]] = {}
    for vehicle_id, reference, return_at in session.execute(booked).all():
        by_vehicle.setdefault(vehicle_id, []).append((reference, clock.indian_today(return_at)))
    return by_vehicle
