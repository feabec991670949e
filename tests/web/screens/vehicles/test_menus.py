"""The filters that a desk has as chips: links to a search with one of their choices, or without it."""

from rental_app.schemas.search import FacetCount, Facets, PageSearch
from rental_app.web.parts.presenters.links import read_query, wall_text
from rental_app.web.screens.vehicles.filters_presenter import Menu, filters
from tests.support.shop import moment

COUNTS = Facets.model_construct(
    types=[],
    transmission=[FacetCount(value="Automatic", count=3, least_paise=None)],
    fuel=[],
    location=[],
    model=[],
    seats=[FacetCount(value="4", count=2, least_paise=None)],
    rating=[],
    delivery=[],
    unlimited=[],
)


def menus(query: PageSearch) -> list[Menu]:
    """The menus of a search."""
    return filters(query, COUNTS).menus


def asked(href: str) -> dict[str, str]:
    """The parameters of an address that are not dates."""
    pairs = [pair.split("=") for pair in href.partition("?")[2].split("&") if pair]
    return {name: value for name, value in pairs if not name.endswith("Date")}


def test_a_choice_leads_to_the_search_with_it_and_again_to_the_one_without() -> None:
    gear, price, seats = menus(PageSearch(page=2))
    assert [menu.label for menu in (gear, price, seats)] == ["Gear", "Price a day", "Seats"]
    assert (gear.choices[0].name, gear.choices[0].count) == ("Automatic", "3")
    assert asked(gear.choices[0].href) == {"transmission": "Automatic"}
    assert asked(seats.choices[0].href) == {"seats": "4"}
    chosen = menus(PageSearch(transmission="Automatic"))[0]
    assert (chosen.label, chosen.chosen, chosen.choices[0].chosen) == ("Automatic", True, True)
    assert asked(chosen.choices[0].href) == {}


def test_prices_are_those_of_the_dates_and_never_contradict_the_lowest() -> None:
    dates = {"pickup": wall_text(moment(4, 10)), "return_at": wall_text(moment(6, 10))}
    price = menus(PageSearch(min_price=1500, **dates))[1]
    assert price.label == "Price for the dates"
    assert [choice.name for choice in price.choices] == ["Up to ₹1,000", "Up to ₹2,000", "Up to ₹4,000", "Up to ₹8,000"]
    assert [asked(choice.href).get("min_price") for choice in price.choices] == [None, "1500", "1500", "1500"]
    assert not any(read_query([*asked(choice.href).items()]).faults for choice in price.choices)
