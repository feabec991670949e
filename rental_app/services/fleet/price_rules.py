"""How much more or less a vendor charges on certain days."""

from typing import Any

from sqlalchemy import delete, func, select
from sqlmodel import Session, col

from rental_app.domain.acts import Act, changes
from rental_app.domain.clock import WEEKDAYS
from rental_app.domain.errors import ConflictError, InvalidInputError, NotFoundError
from rental_app.models import PriceRule
from rental_app.schemas.price_rules import PriceRuleIn, PriceRuleView
from rental_app.services import audit, throttle
from rental_app.services.accounts.actor import Actor, lock_account, require_own, require_vendor
from rental_app.services.pricing.tariffs import precedence

MOST = 100
ADDED, CHANGED = "Price rule added", "Price rule changed"


def of_vendor(session: Session, actor: Actor) -> list[PriceRuleView]:
    """The actor's rules in order of precedence, highest first. Raises ForbiddenError."""
    throttle.count("list", actor)
    require_vendor(actor)
    mine = select(PriceRule).where(col(PriceRule.vendor_id) == actor.id)
    return [_view(rule) for rule in sorted(session.scalars(mine), key=precedence)]


def add(session: Session, actor: Actor, wish: PriceRuleIn) -> PriceRuleView:
    """Create a rule; existing bookings keep their prices.

    Raises ForbiddenError (not a vendor), InvalidInputError, NotFoundError (no such vehicle of theirs) and ConflictError
    (a hundred rules).
    """
    throttle.count("change", actor)
    require_vendor(actor)
    require_sense(wish)
    _require_room(session, actor)
    if wish.vehicle:
        require_own(session, actor, wish.vehicle)
    rule = rule_row(actor, wish)
    session.add(rule)
    session.flush()
    audit.record(session, actor, Act.RULE_ADDED, ("price_rule", rule.id or 0), after=_terms(rule))
    return _view(rule)


def change(session: Session, actor: Actor, rule_id: int, wish: PriceRuleIn) -> PriceRuleView:
    """Replace one of the actor's rules with another; raises as `add` and `remove` do."""
    throttle.count("change", actor)
    require_vendor(actor)
    require_sense(wish)
    if wish.vehicle:
        require_own(session, actor, wish.vehicle)
    mine = select(PriceRule).where(col(PriceRule.id) == rule_id, col(PriceRule.vendor_id) == actor.id)
    rule = session.scalars(mine.with_for_update()).first()
    if rule is None:
        raise unknown_rule()
    earlier = _terms(rule)
    rule.sqlmodel_update(rule_row(actor, wish).model_dump(exclude={"id"}))
    session.flush()
    before, after = changes(earlier, _terms(rule))
    audit.record(session, actor, Act.RULE_CHANGED, ("price_rule", rule_id), before=before, after=after)
    return _view(rule)


def remove(session: Session, actor: Actor, rule_id: int) -> str:
    """Remove one of the actor's rules; returns a message for them. Raises ForbiddenError and NotFoundError."""
    throttle.count("change", actor)
    require_vendor(actor)
    mine = delete(PriceRule).where(col(PriceRule.id) == rule_id, col(PriceRule.vendor_id) == actor.id)
    done: Any = session.execute(mine)
    if not done.rowcount:
        raise unknown_rule()
    audit.record(session, actor, Act.RULE_REMOVED, ("price_rule", rule_id))
    return "Price rule removed"


def _terms(rule: PriceRule) -> dict[str, Any]:
    return rule.model_dump(mode="json", exclude={"id", "vendor_id"})


def rule_row(actor: Actor, wish: PriceRuleIn) -> PriceRule:
    """The row of a rule that is not stored yet."""
    return PriceRule(
        vendor_id=actor.id,
        vehicle_id=wish.vehicle,
        weekday=WEEKDAYS.index(wish.weekday) if wish.weekday else None,
        **wish.model_dump(include={"first_day", "last_day", "percent"}),
    )


def unknown_rule() -> NotFoundError:
    """The error for a rule that does not exist, or is somebody else's."""
    return NotFoundError("There is no such price rule", code="unknown_rule")


def require_sense(wish: PriceRuleIn) -> None:
    """Raise InvalidInputError unless a rule is for a weekday or for ordered dates, and changes something."""
    dates = (wish.first_day, wish.last_day)
    problems = {}
    if wish.weekday and any(dates):
        problems["weekday"] = "Choose a weekday or dates, not both"
    elif not wish.weekday and not all(dates):
        problems["to" if wish.first_day else "from"] = "Choose a weekday, or both the first and the last day"
    elif wish.first_day and wish.last_day and wish.last_day < wish.first_day:
        problems["to"] = "The last day comes before the first"
    if not wish.percent:
        problems["percent"] = "Enter a percentage other than 0"
    if problems:
        raise InvalidInputError("; ".join(problems.values()), fields=problems)


def _require_room(session: Session, actor: Actor) -> None:
    lock_account(session, actor)
    mine = select(func.count()).select_from(PriceRule).where(col(PriceRule.vendor_id) == actor.id)
    if session.execute(mine).scalar_one() >= MOST:
        raise ConflictError(f"You have {MOST} price rules, which is the limit: remove one first", code="too_many_rules")


def _view(rule: PriceRule) -> PriceRuleView:
    weekday = None if rule.weekday is None else WEEKDAYS[rule.weekday]
    return PriceRuleView.model_validate(
        {
            "id": rule.id,
            "vehicle": rule.vehicle_id,
            "weekday": weekday,
            "from": rule.first_day,
            "to": rule.last_day,
            "percent": rule.percent,
        }
    )
