"""What vendors charge: active plans and price rules of vehicles, from which every price is computed."""

from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import BindParameter, ColumnElement, bindparam, or_, select
from sqlmodel import Session, col

from rental_app.domain import pricing
from rental_app.domain.pricing import FULL_DAY, NO_SUCH_PLAN, PLAN_NAMES, Numbers, Plan, Tariff, Tariffs
from rental_app.infrastructure.constants import with_constants
from rental_app.models import Columns, Listing, PriceRule, VehiclePrice


class RuleRow(NamedTuple):
    """A price rule as it is stored, for one vehicle or, without one, for all of its vendor's."""

    id: int
    vendor_id: int
    vehicle_id: int | None
    weekday: int | None
    weekdays: int | None
    first_day: date | None
    last_day: date | None
    percent: int


def priced() -> list[ColumnElement[bool]]:
    """SQL conditions: a Full Day price that is switched on and above zero."""
    return [col(VehiclePrice.status) == "Active", col(VehiclePrice.price_paise) > 0]


def tariffs(session: Session, cars: Sequence[Listing]) -> dict[int, Tariff]:
    """The tariffs of vehicles that can be booked, by id, in two SQL statements; for a page of a list at most."""
    bound = {"cars": [car.id for car in cars], "vendors": sorted({car.vendor_id for car in cars})}
    # Bypassing the ORM, which would process every row once more.
    rules = sorted(map(RuleRow._make, session.connection().execute(_RULES, bound)), key=precedence)
    # Full Day is in the listings already.
    plans: dict[int, list[Plan]] = {}
    for row in session.connection().execute(_OTHER_PLANS, {"cars": [car.id for car in cars]}):
        plans.setdefault(row.vehicle_id, []).append(Plan(row.price_name, row.price_paise, row.kms_limit))
    return {
        car.id: Tariff(
            (Plan(FULL_DAY, car.daily_paise, car.kms_limit), *plans.get(car.id, ())),
            tuple(rule_of(rule) for rule in rules if _concerns(rule, car)),
        )
        for car in cars
    }


def of_all(session: Session, ids: Numbers, vendors: Numbers) -> tuple[Tariffs, NDArray[np.bool_]]:
    """The tariffs of vehicles given by ids, each with its vendor; and which of them have no plan with a kms limit."""
    # Bypassing the ORM, which would process every row once more.
    rows = session.connection().execute(_PLANS).all()
    names = {name: number for number, name in enumerate(PLAN_NAMES)}
    numbers = np.array([(row[0], names[row[1]], row[2], row[3]) for row in rows], dtype=np.int64).reshape(-1, 4)
    of, plan, price, kms = numbers[np.isin(numbers[:, 0], ids)].T
    at = np.searchsorted(ids, of)
    table = np.full((len(PLAN_NAMES), len(ids)), NO_SUCH_PLAN, dtype=np.int64)
    table[plan, at] = price
    unlimited = np.ones(len(ids), dtype=bool)
    unlimited[at[kms > 0]] = False
    pairs = []
    for rule in sorted(map(RuleRow._make, session.connection().execute(_ALL_RULES)), key=precedence):
        theirs = ids == rule.vehicle_id if rule.vehicle_id else vendors == rule.vendor_id
        pairs.append((rule_of(rule), np.flatnonzero(theirs)))
    rules = [(rule, places) for rule, places in pairs if len(places)]
    return Tariffs(dict(zip(PLAN_NAMES, table, strict=True)), rules), unlimited


def precedence(rule: RuleRow | PriceRule) -> tuple[bool, bool, int]:
    """What rules are sorted by: dates before weekdays, one vehicle's before those of all, then the newest."""
    return rule.weekday is not None, rule.vehicle_id is None, -(rule.id or 0)


_CARS: BindParameter[list[int]] = bindparam("cars", expanding=True)
_VENDORS: BindParameter[list[int]] = bindparam("vendors", expanding=True)
_PLANS = select(
    col(VehiclePrice.vehicle_id),
    col(VehiclePrice.price_name),
    col(VehiclePrice.price_paise),
    col(VehiclePrice.kms_limit),
).where(*priced(), col(VehiclePrice.price_name).in_(PLAN_NAMES))
_OTHER_PLANS = with_constants(
    _PLANS.where(col(VehiclePrice.vehicle_id).in_(_CARS), col(VehiclePrice.price_name) != FULL_DAY)
)
_ALL_RULES: Columns = select(*(col(getattr(PriceRule, name)) for name in RuleRow._fields))
_RULES = _ALL_RULES.where(
    col(PriceRule.vendor_id).in_(_VENDORS),
    or_(col(PriceRule.vehicle_id).is_(None), col(PriceRule.vehicle_id).in_(_CARS)),
)


def _concerns(rule: RuleRow, car: Listing) -> bool:
    return rule.vehicle_id == car.id or (rule.vehicle_id is None and rule.vendor_id == car.vendor_id)


def weekdays_of(rule: RuleRow | PriceRule) -> tuple[int, ...]:
    """The weekdays of a rule, 0 for Monday; none of one for dates."""
    several = tuple(day for day in range(7) if (rule.weekdays or 0) & 1 << day)
    # The version before changes the first one alone.
    if several and several[0] == rule.weekday:
        return several
    return () if rule.weekday is None else (rule.weekday,)


def rule_of(rule: RuleRow | PriceRule) -> pricing.DayRule:
    """A row in the form that pricing uses."""
    return pricing.DayRule(rule.percent, weekdays_of(rule), rule.first_day, rule.last_day)
