"""Searching, behind the pages: the form, the results and the home page."""

from typing import Any

import pytest

from rental_app.schemas.search import MOST_PAGES
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.screens.home.state import HomeState
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.screens.vehicles.state import VehiclesState
from tests.support.failures import away
from tests.support.page_states import page_of
from tests.support.shop import Shop, add_vehicles, moment
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.visits import go


@pytest.mark.parametrize(
    ("state", "path", "service"),
    [
        (VehiclesState, "/vehicles", "rental_app.web.screens.vehicles.presenter.results"),
        (DetailState, "/vehicle-details/{}", "rental_app.services.search.listings.get_listing"),
        (HomeState, "/", "rental_app.web.screens.home.presenter.featured"),
    ],
)
@journey
async def test_what_cannot_be_loaded_is_said_and_can_be_tried_again(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, state: type[Any], path: str, service: str
) -> None:
    page = await page_of(None, state, path.format(shop.vehicle.id))
    with monkeypatch.context() as broken:
        broken.setattr(service, away)
        assert "The service is busy" in await answers(page.load())
    assert getattr(page, "results", page).problem == "The service is busy"
    await answers(page.load())
    assert getattr(page, "results", page).problem == ""


@journey
async def test_only_a_search_that_can_be_had_is_counted(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await page_of(None, VehiclesState, "/vehicles")
    monkeypatch.setattr("rental_app.web.screens.vehicles.presenter.results", away)
    await answers(page.load())
    assert (page.results.failed, page.results.count_line) == (True, "")
    # A retry is read from the address.
    assert "/vehicles?q=activa" in await answers(page.filter("activa"))
    assert (page.results.failed, page.text) == (True, "activa")


@journey
async def test_results_the_filter_and_the_nearest_hours(shop: Shop) -> None:
    found = await results(shop, 10)
    await answers(found.load())
    assert [(card.total, card.duration) for card in found.results.cards] == [("₹500", "1 day")]
    await answers(found.filter("actvia"))
    assert (found.results.total, found.results.count_line) == (1, "Showing 1 vehicle")
    await answers(found.filter("zeppelin"))
    assert (found.results.cards, found.results.total, found.loading) == ([], 0, False)
    closed = await results(shop, 3)
    assert "No cars available" in await answers(closed.load())
    assert closed.results.nearest_text.startswith("1 vehicle is free")


async def results(shop: Shop, hour: int) -> VehiclesState:
    """Open the results of a search in the shop's locality that starts at an hour."""
    ends = [wall_text(moment(days, hour)) for days in (4, 5)]
    query = {"pickupLocation": shop.place.name, "pickupDate": ends[0], "returnDate": ends[1]}
    text = "&".join(f"{name}={value}" for name, value in query.items())
    return await page_of(None, VehiclesState, f"/vehicles?{text}")


@journey
async def test_show_more_goes_on_to_the_last_vehicle(shop: Shop) -> None:
    add_vehicles(shop.vendor, 60)
    found = await loaded(page_of(None, VehiclesState, f"/vehicles?pickupLocation={shop.place.name}"))
    for shown in (24, 48, 61, 61):
        assert (len(found.results.cards), found.results.total) == (shown, 61)
        await answers(found.show_more())
    assert len({card.id for card in found.results.cards}) == 61


@journey
async def test_the_last_page_that_can_be_asked_for_stays(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rental_app.schemas.search.RESULTS", 1)
    add_vehicles(shop.vendor, 45)
    path = f"/vehicles?pickupLocation={shop.place.name}&page={MOST_PAGES - 1}"
    found = await loaded(page_of(None, VehiclesState, path))
    for shown in (MOST_PAGES - 1, MOST_PAGES, MOST_PAGES):
        assert (len(found.results.cards), found.results.total, found.results.problem) == (shown, 46, "")
        await answers(found.show_more())


@journey
async def test_the_sheet_narrows_the_search_it_stands_on(shop: Shop) -> None:
    found = await loaded(
        page_of(None, VehiclesState, f"/vehicles?type=Scooter&pickupLocation={shop.place.name}&page=2")
    )
    await answers(found.narrow({"min_price": "900", "max_price": "500", "delivery": ""}))
    assert found.faults["max_price"] == "The highest price must not be below the lowest"
    went = await answers(found.narrow({"min_price": "", "max_price": "500", "delivery": True, "seats": "2"}))
    assert "type=Scooter&seats=2&max_price=500&delivery=1" in went
    assert "page" not in went
    assert set(found.faults.values()) == {""}


@journey
async def test_what_is_shown_stands_in_the_address(shop: Shop) -> None:
    found = await loaded(page_of(None, VehiclesState, "/vehicles?type=Scooter&type=Car"))
    assert "q=activa&type=Scooter&type=Car" in await answers(found.filter("activa "))
    assert [chip.text for chip in found.results.filters.chips] == ["“activa”"]
    assert found.results.filters.chips[0].href == "/vehicles?type=Scooter&type=Car"
    assert [kind.name for kind in found.results.filters.kinds if kind.chosen] == ["Scooter", "Car"]
    assert "sort=newest" in await answers(found.sort_by("newest"))
    assert "sort" not in await answers(found.sort_by("sideways"))


@journey
async def test_an_old_address_does_not_undo_what_was_typed(shop: Shop) -> None:
    page = await loaded(page_of(None, VehiclesState, "/vehicles"))
    await answers(page.filter("activa"))
    # The line was cut: when it comes back, the page is loaded anew, with the address before the filter.
    asked = await answers(page.load())
    assert ("load_as_told" in asked, "_set_value" in asked, page.text) == (True, False, "activa")
    go(page._get_root_state(), "/vehicles?q=activa")
    assert "_set_value" not in await answers(page.load_as_told(True))
    assert (page.text, page._query.text) == ("activa", "activa")
    # A link to the list without the filter leads there.
    go(page._get_root_state(), "/vehicles")
    await answers(page.load())
    assert "_set_value" in await answers(page.load_as_told(True))
    assert (page.text, page._query.text) == ("", "")


@journey
async def test_what_an_address_says_wrongly_is_told(shop: Shop) -> None:
    found = await page_of(None, VehiclesState, "/vehicles?seats=many&max_price=5&min_price=9")
    told = await answers(found.load())
    assert found.results.note
    assert found.results.note in told
    assert found.results.cards == []


@journey
async def test_the_home_page_features_three(database: str) -> None:
    home = await loaded(tab_of(None, HomeState))
    assert len(home.shown.featured) == 3
