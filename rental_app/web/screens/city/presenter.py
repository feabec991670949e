"""A locality's page, and the links to all of them."""

from pydantic import BaseModel
from sqlmodel import Session

from rental_app.domain.hours import OpeningHours
from rental_app.domain.money import counted, format_rupees
from rental_app.schemas.shop import ShopQuery
from rental_app.services import catalogue
from rental_app.services.search import localities
from rental_app.services.throttle import Caller
from rental_app.web.parts.presenters.links import city_url, search_url
from rental_app.web.parts.presenters.texts import Fact, Link
from rental_app.web.parts.vehicle_card.presenter import Card, card

# As many as fit into a third of a phone's screen.
SHOWN = 8


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


class CityLinks(BaseModel):
    """Links to localities' pages: those that a phone shows, and those that it folds away."""

    shown: list[Link] = []
    folded: list[Link] = []
    fold_line: str = ""


def title(name: str) -> str:
    """The title of the page of a locality, or of the city."""
    return f"Bike on rent in {name}"


def city(session: Session, caller: Caller, slug: str) -> CityView:
    """The page of a locality; raises NotFoundError for an unknown slug."""
    return city_view(localities.city(session, caller, slug))


def city_links(session: Session, caller: Caller) -> CityLinks:
    """A link to the page of each locality."""
    places = catalogue.locations(session, caller)
    links = [Link(text=title(place.name), href=city_url(place.slug)) for place in places]
    shown, folded = links[:SHOWN], links[SHOWN:]
    return CityLinks(shown=shown, folded=folded, fold_line=counted(len(folded), "more locality", "more localities"))


def city_view(found: localities.City) -> CityView:
    """A locality as its page shows it."""
    return CityView(
        name=found.name,
        slug=found.slug,
        from_price=format_rupees(found.terms.cheapest) if found.terms else "",
        count=found.terms.count if found.terms else 0,
        count_line=_count_line(found),
        cards=[card(car) for car in found.vehicles],
        all_url=search_url(ShopQuery(location=found.name)),
        policies=_policies(found.terms) if found.terms else [],
        nearest=[
            Link(text=place.name, href=city_url(place.slug), note=f"{place.km:.0f} km away")
            for place in found.neighbours
        ],
    )


def _count_line(found: localities.City) -> str:
    count = found.terms.count if found.terms else 0
    below = f", {len(found.vehicles)} of them below" if count > len(found.vehicles) else ""
    return f"{counted(count, 'vehicle')} to rent{below}"


def _policies(terms: localities.LocalTerms) -> list[Fact]:
    return [
        Fact(label="Handover", value=OpeningHours(terms.opens, terms.closes).text),
        Fact(label="Security deposit", value=f"{_span(terms.least_deposit, terms.most_deposit)}"),
        Fact(label="Late return", value=f"{_span(terms.least_late, terms.most_late)} an hour"),
    ]


def _span(least: int, most: int) -> str:
    """An amount, or the bounds it lies between; paise."""
    return format_rupees(least) if least == most else f"{format_rupees(least)} to {format_rupees(most)}"
