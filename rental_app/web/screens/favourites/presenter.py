"""A user's favourites, with today's price or the one for their dates, and whether they are free."""

from collections.abc import Sequence
from dataclasses import dataclass

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain.pricing import quote
from rental_app.schemas.search import PageSearch
from rental_app.services.pricing.tariffs import tariffs
from rental_app.services.search.listings import vehicles_by_id
from rental_app.services.search.similar import similar
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters.links import rental_of
from rental_app.web.parts.presenters.texts import Gone
from rental_app.web.parts.vehicle_card.presenter import Card, availability, card, with_hosts


class FavouriteCard(BaseModel):
    """A favourite's card, and whether it is available right now or for the chosen dates."""

    id: int
    card: Card
    availability: str
    is_free: bool


@dataclass(frozen=True, slots=True)
class Favourites:
    """What a page of favourites shows; `similar` are vehicles like the first of those that are gone."""

    cards: list[FavouriteCard]
    gone: list[Gone]
    similar: list[Card]


def favourites(session: Session, caller: Caller, ids: Sequence[int], query: PageSearch) -> Favourites:
    """Favourites by their ids, for the dates of a query if it has both."""
    window = rental_of(query)
    vehicles = vehicles_by_id(session, caller, ids, window)
    prices = tariffs(session, vehicles.listed) if window else {}
    cards = []
    for car in vehicles.listed:
        text, is_free = availability(car, vehicles, window)
        total = quote(window, prices[car.id], car.deposit_paise).total if window else None
        shown = card(car, query, total).model_copy(update={"taken": "" if is_free else text})
        cards.append(FavouriteCard(id=car.id, card=shown, availability=text, is_free=is_free))
    shown_cards = with_hosts(session, vehicles.listed, [each.card for each in cards])
    cards = [each.model_copy(update={"card": shown}) for each, shown in zip(cards, shown_cards, strict=True)]
    like = similar(session, caller, vehicles.gone[0].id) if vehicles.gone else []
    gone = [Gone(id=car.id, title=car.title) for car in vehicles.gone]
    return Favourites(cards, gone, with_hosts(session, like, [card(car, query) for car in like]))
