"""Finding vehicles: the one definition of bookable that the whole product shares, and statements that give ids.

Statements are made once and bound to values: SQLAlchemy takes longer to make one than the database to answer it.
"""

from collections.abc import Callable
from datetime import date
from functools import cache
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Date, bindparam, func, select
from sqlmodel import Session, col

from rental_app.models import Location, User, Vehicle, VehiclePrice
from rental_app.models.listing import Columns, offers
from rental_app.schemas.shop import AvailabilityRequest
from rental_app.schemas.wire import Page
from rental_app.services.paging import Slice

Day = date | BindParameter[date]
LAST_DAY = bindparam("last_day", type_=Date())
# What a query may ask of a vehicle, whatever its dates: one condition a field, which holds where the field is given.
FILTERS: dict[str, ColumnElement[bool]] = {
    "location": col(Vehicle.location_id)
    == select(col(Location.id)).where(col(Location.name) == bindparam("location")).scalar_subquery(),
}
# What is asked of a SELECT of ids: all in one order or the other, some of either, or how many there are.
PARTS: dict[str, Callable[[Columns], Columns]] = {
    "by id": lambda ids: ids.order_by(col(Vehicle.id)),
    "by price": lambda ids: ids.order_by(col(VehiclePrice.price_paise), col(Vehicle.id)),
    "page": lambda ids: PARTS["by id"](ids.where(col(Vehicle.id) > bindparam("cursor"))).limit(bindparam("limit")),
    "cheapest": lambda ids: PARTS["by price"](ids).limit(bindparam("limit")),
    "count": lambda ids: ids.with_only_columns(func.count()),
}
Prepared = Callable[[str], Columns]


def bookable(last_day: Day) -> list[ColumnElement[bool]]:
    """SQL conditions: switched on, approved, papers valid up to a day, vendor in good standing, a Full Day price.

    They are for SELECTs that start from `offers` or `listings`.
    """
    return [col(Vehicle.is_active).is_(True), *platform_verdict(last_day), *priced()]


def priced() -> list[ColumnElement[bool]]:
    """SQL conditions: a Full Day price that is switched on and above zero."""
    return [col(VehiclePrice.status) == "Active", col(VehiclePrice.price_paise) > 0]


def platform_verdict(day: Day) -> list[ColumnElement[bool]]:
    """SQL conditions behind `isAvaliable`: the platform's own verdict on a day."""
    return [
        col(Vehicle.is_approved).is_(True),
        col(Vehicle.insurance_expiry_date) >= day,
        col(Vehicle.pollution_expiry_date) >= day,
        col(User.status) == "active",
        col(User.is_deleted).is_(False),
    ]


def given(request: AvailabilityRequest) -> dict[str, Any]:
    """The filters for which a query has a value, and the value."""
    return {name: value for name in FILTERS if (value := getattr(request, name))}


def ids_where(*conditions: ColumnElement[bool], filters: tuple[str, ...] = ()) -> Columns:
    """SELECT of the ids of vehicles that can be booked up to LAST_DAY, fit the filters and meet conditions."""
    return offers(col(Vehicle.id)).where(*bookable(LAST_DAY), *(FILTERS[name] for name in filters), *conditions)


@cache
def prepared(filters: tuple[str, ...], part: str) -> Columns:
    """One of PARTS of all vehicles that can be booked and fit the filters."""
    return PARTS[part](ids_where(filters=filters))


def ids_of(session: Session, statement: Columns, bound: dict[str, Any]) -> list[int]:
    """The ids, or the one number, that a statement gives."""
    # Past the ORM, which would take up every row once more.
    return [row[0] for row in session.connection().execute(statement, bound)]


def part_of(session: Session, statements: Prepared, bound: dict[str, Any], page: Page) -> Slice[int]:
    """Ids in order, all of them or one page of them; `statements` has one for each of PARTS."""
    if page.limit is None:
        return Slice(ids_of(session, statements("by id"), bound))
    total = ids_of(session, statements("count"), bound)[0]
    ids = ids_of(session, statements("page"), bound | {"cursor": page.cursor, "limit": page.limit + 1})
    return Slice(ids[: page.limit], total, ids[page.limit - 1] if len(ids) > page.limit else None)
