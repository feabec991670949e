"""What vendors ask: active plans and price rules of vehicles, which every price is made from."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, Row, Select, bindparam, or_, select
from sqlmodel import Session, col

from rental_app.models import Listing, PriceRule, VehiclePrice
from rental_app.rules import pricing
from rental_app.rules.pricing import FULL_DAY, Plan, Tariff
from rental_app.services.finding import priced


def tariffs(session: Session, cars: Sequence[Listing]) -> dict[int, Tariff]:
    """The tariffs of vehicles that can be booked, by their ids, in two statements; a page of a list at most."""
    plans, rules = _other_plans(session, cars), _rules(session, cars)
    return {
        car.id: Tariff(
            (Plan(FULL_DAY, car.daily_paise, car.kms_limit), *plans.get(car.id, ())),
            tuple(rule_of(rule) for rule in rules if _concerns(rule, car)),
        )
        for car in cars
    }


def in_order(statement: Select[PriceRule]) -> Select[PriceRule]:
    """Rules, those that count first in front: dates before weekdays, one vehicle's before all's, then the newest."""
    rule = PriceRule
    return statement.order_by(col(rule.weekday).is_not(None), col(rule.vehicle_id).is_(None), col(rule.id).desc())


_CARS: BindParameter[list[int]] = bindparam("cars", expanding=True)
_VENDORS: BindParameter[list[int]] = bindparam("vendors", expanding=True)
_OTHER_PLANS = select(
    col(VehiclePrice.vehicle_id),
    col(VehiclePrice.price_name),
    col(VehiclePrice.price_paise),
    col(VehiclePrice.kms_limit),
).where(col(VehiclePrice.vehicle_id).in_(_CARS), col(VehiclePrice.price_name) != FULL_DAY, *priced())
_RULES = in_order(
    select(PriceRule).where(
        col(PriceRule.vendor_id).in_(_VENDORS),
        or_(col(PriceRule.vehicle_id).is_(None), col(PriceRule.vehicle_id).in_(_CARS)),
    )
)


def _other_plans(session: Session, cars: Sequence[Listing]) -> dict[int, list[Plan]]:
    """The active plans besides Full Day, which listings bring along."""
    plans: dict[int, list[Plan]] = {}
    for row in session.connection().execute(_OTHER_PLANS, {"cars": [car.id for car in cars]}):
        plans.setdefault(row.vehicle_id, []).append(Plan(row.price_name, row.price_paise, row.kms_limit))
    return plans


def _rules(session: Session, cars: Sequence[Listing]) -> Sequence[Row[Any]]:
    bound = {"cars": [car.id for car in cars], "vendors": sorted({car.vendor_id for car in cars})}
    # Past the ORM, which would take up every row once more.
    return session.connection().execute(_RULES, bound).all()


def _concerns(rule: Row[Any], car: Listing) -> bool:
    return rule.vehicle_id == car.id or (rule.vehicle_id is None and rule.vendor_id == car.vendor_id)


def rule_of(rule: Row[Any] | PriceRule) -> pricing.PriceRule:
    """A row as prices are made from it."""
    return pricing.PriceRule(rule.percent, rule.weekday, rule.first_day, rule.last_day)
