"""A vendor with two hundred vehicles, and eighty things to do today."""

from datetime import timedelta

from sqlmodel import Session, col, select

from rental_app.domain import clock
from rental_app.domain.account import LedgerKind
from rental_app.domain.booking_events import EventKind
from rental_app.infrastructure.db import write
from rental_app.models import Booking, BookingEvent, LedgerEntry, User, Vehicle, snapshots
from tests.support.shop import Shop, add_user, add_vehicles

VEHICLES = 200
# How many of each, and how they stand: status, stage, hours from now to pickup and return.
EVENTS = (
    (12, "pending", "booked", 48, 72),
    (20, "confirmed", "booked", 2, 50),
    (15, "confirmed", "out", -40, 4),
    (5, "confirmed", "out", -40, -2),
    (12, "confirmed", "returned", -60, -12),
    (8, "confirmed", "returned", -60, -12),
    (8, "papers", "", 0, 0),
)
OBJECTED_TO = 5


def busy_day(shop: Shop) -> User:
    """Fill the shop; returns the customer of all of it."""
    add_vehicles(shop.vendor, VEHICLES - 1)
    customer = add_user(name="Venkata Lakshmi Narasimha Swamy")
    write(_fill, shop.vendor, customer)
    return customer


def _fill(session: Session, vendor: User, customer: User) -> None:
    cars, booked, instant = _cars(session, vendor), snapshots(session), clock.now()
    place = 0
    for kind, (many, status, stage, begin, end) in enumerate(EVENTS):
        for _ in range(many):
            car = cars[place]
            place += 1
            if status == "papers":
                car.insurance_expiry_date = clock.indian_today(instant) + timedelta(days=place % 20 - 5)
                continue
            booking = Booking(
                vehicle_id=car.id or 0,
                customer_id=customer.id or 0,
                pickup_at=instant + timedelta(hours=begin),
                return_at=instant + timedelta(hours=end, minutes=place),
                price_paise=130_000,
                deposit_paise=100_000,
                lines=[],
                booked=booked[car.id or 0].model_dump(),
                status=status,
                stage=stage,
                answer_by=instant + timedelta(minutes=20 * place),
            )
            session.add(booking)
            session.flush()
            _account(session, booking)
            if kind == OBJECTED_TO:
                objected = {"what": EventKind.OBJECTED.value, "at": instant, "side": "customer", "note": "No"}
                session.add(BookingEvent(booking_id=booking.id or 0, **objected))


def _cars(session: Session, vendor: User) -> list[Vehicle]:
    return list(session.exec(select(Vehicle).where(Vehicle.vendor_id == vendor.id).order_by(col(Vehicle.id))))


def _account(session: Session, booking: Booking) -> None:
    """The rent is charged and paid, the deposit taken, as far as the trip has come."""
    if booking.status == "pending":
        return
    lines = {LedgerKind.RENTAL: booking.price_paise}
    if booking.stage != "booked":
        lines |= {LedgerKind.PAYMENT: booking.price_paise, LedgerKind.DEPOSIT_TAKEN: booking.deposit_paise}
    for kind, paise in lines.items():
        session.add(LedgerEntry(booking_id=booking.id or 0, kind=kind, paise=paise, at=booking.pickup_at))
