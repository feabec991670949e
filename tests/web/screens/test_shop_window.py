"""The locality page, the links to all localities, and the offers, as a tab sees them."""

import asyncio
from datetime import date, timedelta

import pytest
from reflex.istate.data import ReflexURL, RouterData
from reflex.state import State
from sqlalchemy import delete, update
from sqlmodel import col

from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import AssetType, Location, Offer
from rental_app.services.pricing.promotions import OfferView
from rental_app.web.screens.city.state import CityState
from rental_app.web.screens.home import presenter
from rental_app.web.screens.home.state import CityLinksState
from rental_app.web.screens.offers.presenter import offer_card
from rental_app.web.screens.offers.state import OffersState
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session.base import SessionState
from tests.support.failures import away
from tests.support.page_states import page_of
from tests.support.shop import VISITOR, Shop, put
from tests.support.state_tabs import answers, journey, loaded

DAY = date(2026, 11, 20)


async def city_at(path: str, root: State | None = None) -> CityState:
    """Open an address in a tab and return its state."""
    root = root or State(_reflex_internal_init=True)
    root.router = RouterData(url=ReflexURL(f"http://localhost:3000{path}"))
    await answers((await root.get_state(SessionState)).start())
    tab: CityState = await root.get_state(CityState)
    assert "error" not in await answers(tab.load())
    return tab


@pytest.mark.parametrize("path", ["/testpur/bike-rentals", "/testpur/bike-rentals/?utm=x", "/test%70ur/bike-rentals"])
@journey
async def test_a_locality_fills_its_page_and_the_search_form(shop: Shop, path: str) -> None:
    tab = await city_at(path)
    assert not tab.missing
    assert (tab.city.name, tab.city.from_price, tab.city.count_line) == ("Testpur", "₹500", "1 vehicle to rent")
    assert [card.href for card in tab.city.cards] == [f"/vehicle-details/{shop.vehicle.id}"]
    assert tab.city.all_url == "/vehicles?pickupLocation=Testpur"
    assert {fact.label: fact.value for fact in tab.city.policies} == {
        "Handover": "9 AM to 8 PM",
        "Security deposit": "₹2,000",
        "Late return": "₹50 an hour",
    }
    assert tab.title == f"Bike on rent in Testpur | {settings().product_name}"
    assert "1 vehicle to rent from ₹500 a day" in tab.description
    assert (await tab.get_state(SessionState)).selected_location == "Testpur"


@journey
async def test_an_unknown_locality_is_missing_and_leaves_the_search_alone(shop: Shop) -> None:
    root = State(_reflex_internal_init=True)
    await city_at("/testpur/bike-rentals", root)
    tab = await city_at("/nowhere/bike-rentals", root)
    assert (tab.city, tab.missing, tab.title) == (None, True, f"Page not found | {settings().product_name}")
    assert (await tab.get_state(SessionState)).selected_location == "Testpur"
    tab = await city_at("/testpur/bike-rentals", root)
    assert tab.city
    assert not tab.missing


@journey
async def test_a_locality_that_cannot_be_had_says_so_until_it_can(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tab: CityState = await State(_reflex_internal_init=True).get_state(CityState)
    tab._get_root_state().router = RouterData(url=ReflexURL("http://localhost:3000/testpur/bike-rentals"))
    with monkeypatch.context() as broken:
        broken.setattr("rental_app.web.screens.city.presenter.city", away)
        assert "The service is busy" in await answers(tab.load())
    assert (tab.city, tab.missing, tab.problem) == (None, False, "The service is busy")
    assert tab.title == f"Bike on rent in {settings().city} | {settings().product_name}"
    assert tab.description.startswith("Scooters, bikes and cars by the day in one locality")
    await answers(tab.load())
    assert tab.title == f"Bike on rent in Testpur | {settings().product_name}"
    assert tab.city
    assert tab.problem == ""


@journey
async def test_an_empty_locality_says_where_to_look(database: str) -> None:
    put(Location(name="Nearpur", slug="nearpur", latitude=17.441, longitude=78.349))
    city = (await city_at("/nearpur/bike-rentals")).city
    assert (city.cards, city.policies, city.from_price) == ([], [], "")
    assert (city.nearest[0].text, city.nearest[0].href) == ("Gachibowli", "/gachibowli/bike-rentals")
    assert city.nearest[1].note == "3 km away"


@journey
async def test_there_is_a_link_for_each_locality(database: str) -> None:
    tab = await State(_reflex_internal_init=True).get_state(CityLinksState)
    await answers(tab.load())
    links = {link.text: link.href for link in tab.links.shown + tab.links.folded}
    assert len(links) == 12
    assert links["Bike on rent in HITEC City"] == "/hitec-city/bike-rentals"


@pytest.mark.parametrize(("shown", "line"), [(8, "4 more localities"), (11, "1 more locality")])
def test_the_localities_folded_away_are_counted(
    database: str, monkeypatch: pytest.MonkeyPatch, shown: int, line: str
) -> None:
    monkeypatch.setattr(presenter, "SHOWN", shown)
    assert read(presenter.city_links, VISITOR).fold_line == line


@journey
async def test_a_type_that_was_renamed_leads_nowhere_by_its_old_name(shop: Shop) -> None:
    write(lambda session: session.execute(update(AssetType).where(col(AssetType.name) == "Car").values(name="Cab")))
    counts = read(presenter.home_view, VISITOR).counts
    assert [name for name, count in counts.items() if count] == ["Scooter", "Motorcycle", "Electric"]
    page = await loaded(page_of(None, VehiclesState, "/vehicles"))
    assert [kind.name for kind in page.results.filters.kinds] == ["Scooter", "Motorcycle", "Electric", "Cab"]


def test_the_offers_page_shows_what_is_in_force(database: str) -> None:
    async def look() -> list[str]:
        tab = await State(_reflex_internal_init=True).get_state(OffersState)
        await answers(tab.load())
        assert not tab.loading
        assert not tab.failed
        return [card.code for card in tab.cards]

    assert asyncio.run(look()) == ["EARLYBIRDS", "WEEKLONG", "FIRSTRIDE"]
    write(lambda session: session.execute(delete(Offer)))
    assert asyncio.run(look()) == []


@pytest.mark.parametrize(
    ("left", "said"), [(0, "Last day"), (1, "Ends tomorrow"), (2, "2 days left"), (6, "6 days left"), (7, "")]
)
def test_an_offer_says_when_it_ends(left: int, said: str) -> None:
    view = OfferView(
        code="ABC",
        title="T",
        terms="",
        starts_on=DAY,
        ends_on=DAY + timedelta(days=left),
        minimum_days=2,
        percent=10,
        cap_paise=20_000,
        off_paise=0,
        uses=100,
        uses_each=1,
    )
    card = offer_card(view, DAY)
    assert (card.last_days, card.minimum, card.benefit) == (said, "From 2 days", "10% off, up to ₹200")
    assert card.limits == "The first 100 bookings · Once per customer"
    assert card.until.startswith("Until ")
    assert offer_card(view.model_copy(update={"minimum_days": 1}), DAY).minimum == "Any rental"
    assert offer_card(view.model_copy(update={"uses": 1}), DAY).limits == "The first booking · Once per customer"
