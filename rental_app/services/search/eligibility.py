"""What can be booked: the one definition that the whole product shares, as SQL conditions."""

from datetime import date

from sqlalchemy import BindParameter, ColumnElement, Date, bindparam
from sqlmodel import col

from rental_app.models import Vehicle
from rental_app.services.accounts.actor import takes_part
from rental_app.services.pricing.tariffs import priced

Day = date | BindParameter[date]
LAST_DAY = bindparam("last_day", type_=Date())


def bookable(last_day: Day) -> list[ColumnElement[bool]]:
    """SQL conditions: a vehicle is offered, and its papers are valid through a day.

    They are for SELECTs that start from `offers` or `listings`.
    """
    return [*is_listed(), *_papers(last_day)]


def is_listed() -> list[ColumnElement[bool]]:
    """SQL conditions: switched on, approved, vendor in good standing, a Full Day price."""
    return [col(Vehicle.is_active).is_(True), *_standing(), *priced()]


def platform_verdict(day: Day) -> list[ColumnElement[bool]]:
    """SQL conditions behind `isAvaliable`: the platform's own verdict on a day."""
    return [*_standing(), *_papers(day)]


def in_fleet() -> ColumnElement[bool]:
    """SQL condition: its vendor has not retired it."""
    return col(Vehicle.retired_at).is_(None)


def _standing() -> list[ColumnElement[bool]]:
    return [col(Vehicle.is_approved).is_(True), in_fleet(), *takes_part()]


def _papers(day: Day) -> list[ColumnElement[bool]]:
    return [col(Vehicle.insurance_expiry_date) >= day, col(Vehicle.pollution_expiry_date) >= day]
