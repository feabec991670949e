"""A locality's page."""

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain.hours import OpeningHours
from rental_app.domain.money import counted, format_rupees
from rental_app.infrastructure.settings import settings
from rental_app.schemas.search import ANY, PageSearch
from rental_app.services.search import localities
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters import heads, words
from rental_app.web.parts.presenters.dated_cards import dated_cards
from rental_app.web.parts.presenters.links import city_url, search_url
from rental_app.web.parts.presenters.texts import Fact, Link
from rental_app.web.parts.presenters.words import FaqView
from rental_app.web.parts.vehicle_card.presenter import Card, card


class CityView(BaseModel):
    """What the page of a locality shows; `from_price` and `policies` are blank where there are no vehicles."""

    name: str
    slug: str
    from_price: str
    count: int
    count_line: str
    cards: list[Card]
    all_url: str
    policies: list[Fact]
    nearest: list[Link]
    rules: list[str]
    questions: list[FaqView]


def city(session: Session, caller: Caller, slug: str, query: PageSearch = ANY) -> CityView:
    """The page of a locality, for the dates of a query if it has both; raises NotFoundError for an unknown slug."""
    area = localities.city(session, caller, slug)
    links = {"all_url": search_url(query.at(area.name)), "cards": dated_cards(session, caller, area.vehicles, query)}
    return city_view(session, area).model_copy(update=links)


def city_view(session: Session, area: localities.City) -> CityView:
    """A locality as its page shows it where no dates are known."""
    count = area.terms.count if area.terms else 0
    below = f", {len(area.vehicles)} of them below" if count > len(area.vehicles) else ""
    return CityView(
        name=area.name,
        slug=area.slug,
        from_price=format_rupees(area.terms.cheapest) if area.terms else "",
        count=count,
        count_line=f"{counted(count, 'vehicle')} to rent{below}",
        cards=[card(car) for car in area.vehicles],
        all_url=search_url(PageSearch(location=area.name)),
        policies=[
            Fact(label="Handover", value=OpeningHours(area.terms.opens, area.terms.closes).text),
            Fact(label="Security deposit", value=f"{_span(area.terms.least_deposit, area.terms.most_deposit)}"),
            Fact(label="Late return", value=f"{_span(area.terms.least_late, area.terms.most_late)} an hour"),
        ]
        if area.terms
        else [],
        nearest=[
            Link(text=place.name, href=city_url(place.slug), note=f"{place.km:.0f} km away")
            for place in area.neighbours
        ],
        rules=words.lines(session, "house_rules"),
        questions=words.questions(session, local=True),
    )


def _span(least: int, most: int) -> str:
    """An amount, or the bounds it lies between; paise."""
    return format_rupees(least) if least == most else f"{format_rupees(least)} to {format_rupees(most)}"


def head(place: CityView) -> heads.Head:
    """A locality's page."""
    count = f"{counted(place.count, 'vehicle')} to rent"
    here = f"{count} from {place.from_price} a day" if place.cards else "where to find the nearest vehicles"
    return heads.Head(
        heads.named(heads.of_place(place.name)),
        f"Scooters, bikes and cars by the day in {place.name}, {settings().city}: {here}, with terms and hours.",
    )


def head_in_tab(place: CityView | None, missing: bool, problem: str) -> heads.Head:
    """A locality's page in a tab, where the locality has to be loaded first; `problem` says why it could not be."""
    if missing:
        return heads.missing()
    return head(place) if place else heads.of_any("/[city_slug]/bike-rentals", problem)
