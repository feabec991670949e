"""What is owed on bookings, in SQL, for SELECTs of many of them; `rules.account` defines the signs."""

from typing import Any

from sqlalchemy import BigInteger, ColumnElement, case, cast, func, select
from sqlmodel import col

from rental_app.domain import account
from rental_app.models import Booking, Columns, LedgerEntry, Vehicle
from rental_app.models.booking import BOOKED, CANCELLED, OUT, PENDING
from rental_app.services.accounts.actor import Actor


def summed(signs: dict[str, int]) -> ColumnElement[int]:
    """SQL: what `rules.account.total` computes."""
    signed = case(signs, value=col(LedgerEntry.kind), else_=0)
    # PostgreSQL sums big integers as decimals.
    return cast(func.coalesce(func.sum(signed * col(LedgerEntry.paise)), 0), BigInteger)


def _sum_of(signs: dict[str, int]) -> ColumnElement[int]:
    """SQL: `summed` for each row of a SELECT of bookings."""
    return select(summed(signs)).where(col(LedgerEntry.booking_id) == Booking.id).correlate(Booking).scalar_subquery()


def lines_of(actor: Actor, *columns: Any) -> Columns:
    """SELECT of these columns of the lines of a vendor's accounts, with their bookings and vehicles."""
    return (
        select(*columns)
        .select_from(LedgerEntry)
        .join(Booking, col(LedgerEntry.booking_id) == Booking.id)
        .join(Vehicle, col(Booking.vehicle_id) == Vehicle.id)
        .where(col(Vehicle.vendor_id) == actor.id)
    )


def charged() -> ColumnElement[int]:
    """SQL: what some lines charge customers (paise), less what was taken back."""
    return summed(account.CHARGE_SIGNS)


def received() -> ColumnElement[int]:
    """SQL: what a vendor has received according to some lines (paise): rent, and what was kept of deposits."""
    return summed(account.RECEIVED_SIGNS)


def rent_owed(status: ColumnElement[str]) -> ColumnElement[int]:
    """SQL: the rent still owed (paise); for a request, its whole price."""
    return case((status == PENDING, col(Booking.price_paise)), else_=_sum_of(account.RENT_SIGNS))


def deposit_owed(status: ColumnElement[str]) -> ColumnElement[int]:
    """SQL: the deposit still owed (paise)."""
    wanted = (status != CANCELLED) & col(Booking.stage).in_((BOOKED, OUT))
    return case((wanted, col(Booking.deposit_paise)), else_=0) - _sum_of(account.DEPOSIT_SIGNS)
