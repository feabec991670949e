"""Cards of vehicles that were not searched by dates, in a tab where dates are set."""

from collections.abc import Sequence

from sqlmodel import Session

from rental_app.domain.pricing import quote
from rental_app.models import Listing
from rental_app.schemas.search import PageSearch
from rental_app.services.pricing.tariffs import tariffs
from rental_app.services.search.listings import vehicles_by_id
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters.links import rental_of
from rental_app.web.parts.vehicle_card.presenter import Card, availability, card, with_hosts


def dated_cards(session: Session, caller: Caller, cars: Sequence[Listing], query: PageSearch) -> list[Card]:
    """Cards with the total for a query's dates, or why the vehicle is not free then; plain ones without dates."""
    window = rental_of(query)
    if window is None or not cars:
        return with_hosts(session, cars, [card(car) for car in cars])
    vehicles = vehicles_by_id(session, caller, [car.id for car in cars], window)
    prices = tariffs(session, vehicles.listed)
    cards = []
    for car in vehicles.listed:
        text, is_free = availability(car, vehicles, window)
        shown = card(car, query, quote(window, prices[car.id], car.deposit_paise).total)
        cards.append(shown if is_free else shown.model_copy(update={"taken": text}))
    return with_hosts(session, vehicles.listed, cards)
