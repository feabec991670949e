"""What a customer would pay under a price rule that is not in force yet."""

from collections.abc import Sequence
from dataclasses import replace

from sqlalchemy import select
from sqlmodel import Session, col

from rental_app.domain import clock
from rental_app.domain.hours import resolve
from rental_app.domain.pricing import quote
from rental_app.models import OwnListing, PriceRule
from rental_app.schemas.price_rules import Preview, PreviewRequest
from rental_app.schemas.quotes import QuoteLine
from rental_app.schemas.wire import read_window
from rental_app.services import throttle
from rental_app.services.accounts.actor import Actor, require_vendor
from rental_app.services.fleet import price_rules
from rental_app.services.fleet.own_vehicles import own_listing
from rental_app.services.fleet.prices import not_priced
from rental_app.services.pricing.tariffs import precedence, rule_of, tariffs


def preview(session: Session, actor: Actor, wish: PreviewRequest) -> Preview:
    """What one of the actor's vehicles would cost over a window; nothing is stored.

    Raises ForbiddenError, InvalidInputError (the rule or the window), NotFoundError (no such vehicle or rule of theirs)
    and ConflictError (a vehicle without an active Full Day price).
    """
    throttle.count("quote", actor)
    require_vendor(actor)
    price_rules.require_sense(wish)
    car = _car(session, actor, wish.car)
    window = resolve(*read_window(wish.pickup, wish.return_at), car.hours)
    # As if it were booked at pickup time: a vendor may look further ahead than customers can book.
    clock.check_window(window, window.pickup)
    tariff = tariffs(session, [car])[car.id]
    rules = tuple(rule_of(rule) for rule in _rules(session, actor, wish) if rule.vehicle_id in (None, car.id))
    priced = quote(window, replace(tariff, rules=rules), car.deposit_paise)
    return Preview(
        pickup=window.pickup,
        return_at=window.return_at,
        lines=[QuoteLine(**line._asdict()) for line in priced.lines],
        total=priced.total,
        before=quote(window, tariff, car.deposit_paise).total,
    )


def _car(session: Session, actor: Actor, vehicle_id: int) -> OwnListing:
    car = own_listing(session, actor, vehicle_id)
    if not car.is_priced:
        raise not_priced()
    return car


def _rules(session: Session, actor: Actor, wish: PreviewRequest) -> Sequence[PriceRule]:
    """The actor's rules with the one to preview, in order of precedence, highest first."""
    rules = session.scalars(select(PriceRule).where(col(PriceRule.vendor_id) == actor.id)).all()
    others = [rule for rule in rules if rule.id != wish.rule]
    if wish.rule and len(others) == len(rules):
        raise price_rules.unknown_rule()
    made = price_rules.rule_row(actor, wish)
    made.id = wish.rule or max((rule.id or 0 for rule in rules), default=0) + 1
    return sorted([*others, made], key=precedence)
