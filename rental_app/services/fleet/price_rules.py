"""Price rules: how much more or less a vendor charges on certain days, and what a new one would cost a customer."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.acts import Act, changes
from rental_app.domain.clock import WEEKDAYS
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.domain.hours import resolve
from rental_app.domain.pricing import quote
from rental_app.models import PriceRule, Vehicle
from rental_app.schemas.prices import Preview, PreviewRequest, PriceRuleIn, PriceRuleView
from rental_app.schemas.quotes import QuoteLine
from rental_app.schemas.wire import read_window
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, lock_business, require_manager, require_own
from rental_app.services.fleet.own_vehicles import own_listing
from rental_app.services.fleet.prices import not_priced
from rental_app.services.pricing.tariffs import precedence, rule_of, tariffs, weekdays_of
from rental_app.services.search.eligibility import in_fleet

MOST = 100
ADDED, CHANGED = "Price rule added", "Price rule changed"


def of_vendor(session: Session, actor: Actor) -> list[PriceRuleView]:
    """The actor's rules in order of precedence, highest first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_manager(actor)
    # Those of a retired vehicle act on nothing; they are back with it.
    acting = or_(col(PriceRule.vehicle_id).is_(None), in_fleet())
    rules = select(PriceRule).outerjoin(Vehicle).where(col(PriceRule.vendor_id) == actor.vendor, acting)
    return [_view(rule) for rule in sorted(session.scalars(rules), key=precedence)]


def add(session: Session, actor: Actor, request: PriceRuleIn) -> PriceRuleView:
    """Create a rule; existing bookings keep their prices.

    Raises ForbiddenError (not a vendor), InvalidInputError, NotFoundError (no such vehicle of theirs) and ConflictError
    (a hundred rules).
    """
    throttle.count("change", actor)
    require_manager(actor)
    require_sense(request)
    lock_business(session, actor)
    count = select(func.count()).select_from(PriceRule).where(col(PriceRule.vendor_id) == actor.vendor)
    if session.execute(count).scalar_one() >= MOST:
        raise ConflictError(f"You have {MOST} price rules, which is the limit: remove one first", code="too_many_rules")
    if request.vehicle:
        require_own(session, actor, request.vehicle)
    rule = rule_row(actor, request)
    session.add(rule)
    session.flush()
    audit.record(session, actor, Act.RULE_ADDED, ("price_rule", rule.id or 0), after=_terms(rule))
    return _view(rule)


def change(session: Session, actor: Actor, rule_id: int, request: PriceRuleIn) -> PriceRuleView:
    """Replace one of the actor's rules with another; raises as `add` and `remove` do."""
    throttle.count("change", actor)
    require_manager(actor)
    require_sense(request)
    if request.vehicle:
        require_own(session, actor, request.vehicle)
    own = select(PriceRule).where(col(PriceRule.id) == rule_id, col(PriceRule.vendor_id) == actor.vendor)
    rule = session.scalars(own.with_for_update()).first()
    if rule is None:
        raise unknown_rule()
    earlier = _terms(rule)
    rule.sqlmodel_update(rule_row(actor, request).model_dump(exclude={"id"}))
    session.flush()
    before, after = changes(earlier, _terms(rule))
    audit.record(session, actor, Act.RULE_CHANGED, ("price_rule", rule_id), before=before, after=after)
    return _view(rule)


def remove(session: Session, actor: Actor, rule_id: int) -> str:
    """Remove one of the actor's rules; returns a message for them. Raises ForbiddenError and NotFoundError."""
    throttle.count("change", actor)
    require_manager(actor)
    own = delete(PriceRule).where(col(PriceRule.id) == rule_id, col(PriceRule.vendor_id) == actor.vendor)
    done: Any = session.execute(own)
    if not done.rowcount:
        raise unknown_rule()
    audit.record(session, actor, Act.RULE_REMOVED, ("price_rule", rule_id))
    return "Price rule removed"


def _terms(rule: PriceRule) -> dict[str, Any]:
    return rule.model_dump(mode="json", exclude={"id", "vendor_id"})


def rule_row(actor: Actor, request: PriceRuleIn) -> PriceRule:
    """The row of a rule that is not stored yet."""
    weekdays = [WEEKDAYS.index(day) for day in request.chosen_weekdays]
    return PriceRule(
        vendor_id=actor.vendor,
        vehicle_id=request.vehicle,
        weekday=weekdays[0] if weekdays else None,
        weekdays=sum(1 << day for day in weekdays) if len(weekdays) > 1 else None,
        **request.model_dump(include={"first_day", "last_day", "percent"}),
    )


def unknown_rule() -> NotFoundError:
    """The error for a rule that does not exist, or is somebody else's."""
    return NotFoundError("There is no such price rule", code="unknown_rule")


def require_sense(request: PriceRuleIn) -> None:
    """Raise InvalidInputError unless a rule is for weekdays or for ordered dates, and changes something."""
    dates = (request.first_day, request.last_day)
    problems = {}
    if request.weekday and request.weekday not in request.chosen_weekdays:
        problems["weekday"] = "Choose this weekday among the weekdays too, or leave it out"
    elif request.chosen_weekdays and any(dates):
        problems["weekdays" if request.weekdays else "weekday"] = "Choose weekdays or dates, not both"
    elif not request.chosen_weekdays and not all(dates):
        problems["to" if request.first_day else "from"] = "Choose weekdays, or both the first and the last day"
    elif request.first_day and request.last_day and request.last_day < request.first_day:
        problems["to"] = "The last day comes before the first"
    if not request.percent:
        problems["percent"] = "Enter a percentage other than 0"
    if problems:
        raise InvalidInputError("; ".join(problems.values()), fields=problems)


def _view(rule: PriceRule) -> PriceRuleView:
    weekdays = [WEEKDAYS[day] for day in weekdays_of(rule)]
    return PriceRuleView.model_validate(
        {
            "id": rule.id,
            "vehicle": rule.vehicle_id,
            "weekday": weekdays[0] if weekdays else None,
            "weekdays": weekdays,
            "from": rule.first_day,
            "to": rule.last_day,
            "percent": rule.percent,
        }
    )


def preview(session: Session, actor: Actor, request: PreviewRequest) -> Preview:
    """What one of the actor's vehicles would cost over a window; nothing is stored.

    Raises ForbiddenError, InvalidInputError (the rule or the window), NotFoundError (no such vehicle or rule of theirs)
    and ConflictError (a vehicle without an active Full Day price).
    """
    throttle.count("quote", actor)
    require_manager(actor)
    require_sense(request)
    car = own_listing(session, actor, request.car)
    if not car.is_priced:
        raise not_priced()
    window = resolve(*read_window(request.pickup, request.return_at), car.hours)
    # As if it were booked at pickup time: a vendor may look further ahead than customers can book.
    clock.check_window(window, window.pickup)
    tariff = tariffs(session, [car])[car.id]
    rules = tuple(rule_of(rule) for rule in _rules(session, actor, request) if rule.vehicle_id in (None, car.id))
    priced = quote(window, replace(tariff, rules=rules), car.deposit_paise)
    return Preview(
        pickup=window.pickup,
        return_at=window.return_at,
        lines=[QuoteLine(**line._asdict()) for line in priced.lines],
        total=priced.total,
        before=quote(window, tariff, car.deposit_paise).total,
    )


def _rules(session: Session, actor: Actor, request: PreviewRequest) -> Sequence[PriceRule]:
    """The actor's rules with the one to preview, in order of precedence, highest first."""
    rules = session.scalars(select(PriceRule).where(col(PriceRule.vendor_id) == actor.vendor)).all()
    others = [rule for rule in rules if rule.id != request.rule]
    if request.rule and len(others) == len(rules):
        raise unknown_rule()
    made = rule_row(actor, request)
    made.id = request.rule or max((rule.id or 0 for rule in rules), default=0) + 1
    return sorted([*others, made], key=precedence)
