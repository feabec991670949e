"""Alternatives to a vehicle that is taken or gone."""

from dataclasses import dataclass, field

from sqlmodel import Session

from rental_app.schemas.search import PageSearch
from rental_app.services.search.listings import SearchResult
from rental_app.services.search.similar import free_near, similar
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters.dated_cards import dated_cards
from rental_app.web.parts.vehicle_card.presenter import Card, card, with_hosts


@dataclass(frozen=True, slots=True)
class Alternatives:
    """Vehicles free on the requested dates, nearest first, and those most like the unavailable one."""

    free: list[Card] = field(default_factory=list)
    similar: list[Card] = field(default_factory=list)


NOTHING = Alternatives()


def alternatives(session: Session, caller: Caller, vehicle_id: int, query: PageSearch) -> Alternatives:
    """Alternatives to a vehicle; without dates, none count as free."""
    like = similar(session, caller, vehicle_id)
    dated = query.pickup and query.return_at
    result = free_near(session, caller, vehicle_id, query) if dated else SearchResult([], 0)
    free = [card(car, query, result.totals[car.id]) for car in result.vehicles]
    return Alternatives(with_hosts(session, result.vehicles, free), dated_cards(session, caller, like, query))
