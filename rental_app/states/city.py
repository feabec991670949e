"""A locality's page, and the links to all of them."""

from collections.abc import AsyncIterator
from typing import Any
from urllib.parse import unquote

import reflex as rx

from rental_app.errors import NotFoundError
from rental_app.rules.hours import format_time
from rental_app.rules.money import format_rupees
from rental_app.schemas.cards import Fact
from rental_app.schemas.city import CityView, Link, Terms
from rental_app.services import catalogue, cities
from rental_app.settings import settings
from rental_app.states.base import action, read
from rental_app.states.links import Query, city_url, search_url
from rental_app.states.search import SearchState
from rental_app.states.views import card


class CityState(rx.State):
    """The locality of the page's address; neither found nor missing while it loads."""

    city: CityView | None = None
    missing: bool = False

    @rx.var
    def title(self) -> str:
        """What the page is called in the browser's tab."""
        if self.missing:
            return "Page not found"
        return f"Bike on rent in {self.city.name if self.city else settings().city}"

    @action
    async def load(self) -> AsyncIterator[Any]:
        """Show the locality, and look for vehicles there unless told otherwise."""
        slug = self._asked_for()
        if self.city is None or self.city.slug != slug:
            self.city, self.missing = None, False
            yield
        try:
            self.city = city_view(await read(cities.city, slug))
        except NotFoundError:
            self.city, self.missing = None, True
            return
        (await self.get_state(SearchState)).location = self.city.name

    def _asked_for(self) -> str:
        return unquote(self.router.url.path.strip("/").partition("/")[0])[:100]


class CityLinksState(rx.State):
    """Links to the pages of all localities."""

    links: list[Link] = []

    @action
    async def load(self) -> None:
        """Read the localities once."""
        if not self.links:
            places = await read(catalogue.locations)
            self.links = [Link(text=f"Bike on rent in {place.name}", href=city_url(place.slug)) for place in places]


def city_view(found: cities.City) -> CityView:
    """A locality as its page shows it."""
    return CityView(
        name=found.name,
        slug=found.slug,
        from_price=format_rupees(found.terms.cheapest) if found.terms else "",
        count_line=_count_line(found),
        cards=[card(row, Query(), None) for row in found.rows],
        all_url=search_url(Query(location=found.name)),
        policies=_policies(found.terms) if found.terms else [],
        nearest=[
            Link(text=place.name, href=city_url(place.slug), note=f"{place.km:.0f} km away")
            for place in found.neighbours
        ],
    )


def _count_line(found: cities.City) -> str:
    count = found.terms.count if found.terms else 0
    noun = "vehicle" if count == 1 else "vehicles"
    return f"{count} {noun} to rent" + (f", the {len(found.rows)} cheapest below" if count > len(found.rows) else "")


def _policies(terms: Terms) -> list[Fact]:
    return [
        Fact(label="Handover", value=f"{format_time(terms.opens)} to {format_time(terms.closes)}"),
        Fact(label="Security deposit", value=f"{_span(terms.least_deposit, terms.most_deposit)}"),
        Fact(label="Late return", value=f"{_span(terms.least_late, terms.most_late)} an hour"),
    ]


def _span(least: int, most: int) -> str:
    """An amount, or the bounds it lies between; paise."""
    return format_rupees(least) if least == most else f"{format_rupees(least)} to {format_rupees(most)}"
