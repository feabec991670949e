"""The dates of a search: as an address gives them, and what its filters have to do with them."""

from datetime import time
from urllib.parse import urlencode

from rental_app.models import User
from rental_app.schemas.search import PageSearch
from rental_app.web.parts.presenters.links import search_url, wall_text
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.screens.compare.state import ComparePageState
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session.base import SessionState
from tests.support.booking_steps import alter
from tests.support.page_states import page_of, run
from tests.support.shop import Shop, moment
from tests.support.state_tabs import answers
from tests.support.visits import go


def test_a_date_without_a_time_is_the_vendors_opening_time(shop: Shop) -> None:
    alter(User, shop.vendor.id, open_time=time(7, 30))
    dates = {name: wall_text(moment(days))[:10] for name, days in {"pickupDate": 4, "returnDate": 6}.items()}

    async def steps() -> None:
        page = await page_of(None, VehiclesState, f"/vehicles?{urlencode({'pickupLocation': shop.place.name} | dates)}")
        await answers(page.load())
        assert [(card.total, card.duration) for card in page.results.cards] == [("₹1,000", "2 days")]
        assert page.results.cards[0].href.endswith(urlencode(dates))
        form = await page.get_state(SearchState)
        assert (form.pickup, form.return_at) == (wall_text(moment(4, 9)), wall_text(moment(6, 9)))
        detail = await page_of(None, DetailState, page.results.cards[0].href)
        await answers(detail.load())
        assert (detail.pickup, detail.return_at) == (wall_text(moment(4, 7, 30)), wall_text(moment(6, 7, 30)))
        assert (detail.price is not None, detail.refusal) == (True, "")
        comparison = await page_of(None, ComparePageState, f"/compare?ids={shop.vehicle.id}&{urlencode(dates)}")
        await answers(comparison.load())
        assert comparison.found
        assert "9:00 AM to" in comparison.found.window

    run(steps())


def test_a_date_that_cannot_be_read_is_no_other_search(shop: Shop) -> None:
    async def steps() -> None:
        page = await page_of(None, VehiclesState, f"/vehicles?pickupDate=garbage&returnDate={wall_text(moment(5))}")
        assert "search-pickup" in await answers(page.load())
        assert (page.results.cards, page.results.problem != "", page.results.failed) == ([], True, False)
        errors = (await page.get_state(SearchState)).errors
        assert (errors["pickupDate"], errors["returnDate"]) == ("This is not a date and time", "")
        page = await page_of(None, VehiclesState, "/vehicles?pickupDate=foo&returnDate=bar&pickupLocation=Testpur")
        await answers(page.load())
        errors = (await page.get_state(SearchState)).errors
        assert set(errors.values()) == {"", "This is not a date and time"}
        assert page.results.problem == "Pickup: This is not a date and time; Return: This is not a date and time"

    run(steps())


def test_a_price_filter_stays_with_its_dates(shop: Shop) -> None:
    ends = [wall_text(moment(days)) for days in (4, 5, 8)]

    async def steps() -> None:
        found = await page_of(None, VehiclesState, f"/vehicles?pickupLocation={shop.place.name}&seats=2&max_price=600")
        form, session = await found.get_state(SearchState), await found.get_state(SessionState)
        await answers(session.start())
        await answers(found.load())
        assert "seats=2&max_price=600" in await answers((await found.get_state(SearchState)).choose_place("Madhapur"))
        await answers(form.choose_pickup(ends[0]))
        went = await answers(form.submit())
        assert ("seats=2" in went, "max_price" in went) == (True, False)
        dated = PageSearch(location=shop.place.name, pickup=ends[0], return_at=ends[1], max_price=600)
        go(found._get_root_state(), search_url(dated))
        await answers(found.load())
        assert "max_price=600" in await answers(form.submit())
        await answers(form.choose_return(ends[2]))
        assert "max_price" not in await answers(form.submit())

    run(steps())


def test_what_is_wrong_with_a_search_is_not_told_on_the_next_page(database: str) -> None:
    async def steps() -> None:
        page = await page_of(None, SearchState, "/")
        await answers(page.start())
        assert "Please select Pickup and Return date/time" in await answers(page.submit())
        assert any(page.errors.values())
        await answers(page.start())
        assert not any(page.errors.values())

    run(steps())
