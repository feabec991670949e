"""What the search form, the bar and the addresses of searches make of each other."""

from datetime import datetime, time, timedelta
from urllib.parse import urlencode

from reflex.state import State

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import User
from rental_app.schemas.search import PageSearch
from rental_app.services.bookings import requests
from rental_app.web.parts.presenters.links import search_url, wall_text
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.screens.city.state import CityState
from rental_app.web.screens.compare.state import ComparePageState
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session.base import SessionState
from tests.support.booking_steps import alter
from tests.support.page_states import page_of
from tests.support.shop import Shop, actor, moment, wanted
from tests.support.state_tabs import answers, journey, loaded, told
from tests.support.visits import go, results_url, visit, wall


@journey
async def test_a_search_of_the_default_pickup_does_not_keep_it(shop: Shop, now: list[datetime]) -> None:
    form = await visit(SearchState, "/")
    await answers(form.start())
    await answers(form.choose_return(wall(2)))
    address = results_url(shop.place.name, form.pickup, form.return_at)
    results = await visit(VehiclesState, address, form._get_root_state())
    await answers(form.start())
    await answers(results.load())
    assert form.pickup == wall(0, 10)
    now[0] += timedelta(hours=1)
    await answers(form.start())
    assert form.pickup == wall(0, 11)


@journey
async def test_what_is_wrong_with_a_search_stands_at_its_field(shop: Shop, now: list[datetime]) -> None:
    form = await visit(SearchState, "/")
    await answers(form.start())
    assert "search-return" in await answers(form.submit())
    assert form.errors == {
        "pickupLocation": "",
        "pickupDate": "",
        "returnDate": "Please select Pickup and Return date/time",
    }
    await answers(form.choose_return(wall(2)))
    assert not any(form.errors.values())
    assert "search-location" in await answers(form.submit())
    assert form.errors["pickupLocation"] == "Please select a location"
    await answers(form.choose_place(shop.place.name))
    assert not any(form.errors.values())
    await answers(form.choose_pickup(wall(-2)))
    said = await answers(form.submit())
    assert ("search-pickup" in said, "Pickup is in the past" in said) == (True, True)
    assert form.errors["pickupDate"] == "Pickup is in the past"


@journey
async def test_one_control_says_where_and_when_and_searches_where_it_says(shop: Shop, now: list[datetime]) -> None:
    form = await visit(SearchState, "/")
    session = await form.get_state(SessionState)
    await answers(form.start())
    assert form.dates_line == f"{clock.friendly(moment(0))} – add return"
    await answers(form.look_anywhere())
    assert session.choice == "anywhere"
    await answers(form.choose_place(shop.place.name))
    await answers(form.look_anywhere())
    assert session.choice == shop.place.name, "what was chosen stays"
    await answers(form.choose_pickup(wall(2)))
    await answers(form.choose_return(wall(4)))
    assert form.dates_line == f"{clock.friendly(moment(2))} – {clock.friendly(moment(4))}"
    await answers(form.choose_return(""))
    await answers(form.choose_pickup(""))
    assert form.dates_line == "Add dates"


@journey
async def test_an_impossible_address_is_told_once_and_at_its_field(shop: Shop) -> None:
    page = await visit(VehiclesState, results_url(shop.place.name, wall(5), wall(4)))
    said = await told(page.load())
    form = await page.get_state(SearchState)
    assert ["Return must be after pickup" in text for text in said] == [True, False]
    assert form.errors["returnDate"] == "Return must be after pickup"
    assert (page.results.count_line, page.results.failed) == ("", False)
    go(page._get_root_state(), results_url(shop.place.name, wall(5), wall(6)))
    await answers(page.load())
    assert not any(form.errors.values())
    assert page.results.count_line == "Showing 1 vehicle"


@journey
async def test_a_filter_and_the_nearest_hours_go_with_their_search(shop: Shop) -> None:
    root = State(_reflex_internal_init=True)
    page = await visit(VehiclesState, results_url(shop.place.name, wall(5, 3), wall(6, 3)), root)
    await answers(page.load())
    assert page.results.nearest_text
    assert "q=zeppelin" in await answers(page.filter("zeppelin"))
    go(root, f"{results_url(shop.place.name, wall(5, 3), wall(6, 3))}&q=zeppelin")
    await answers(page.load())
    assert (page.text, page.results.cards) == ("zeppelin", [])
    go(root, results_url(shop.place.name, wall(5), wall(6)))
    assert "load_as_told" in await answers(page.load())
    assert "vehicle_filter" in await answers(page.load_as_told(True))
    assert (page.text, page.results.count_line) == ("", "Showing 1 vehicle")
    go(root, results_url(shop.place.name, wall(5, 3), wall(6, 3)))
    await answers(page.load())
    go(root, results_url(shop.place.name, wall(5), wall(4)))
    await answers(page.load())
    assert (page.results.nearest_text, page.results.nearest_url) == ("", "")


@journey
async def test_the_bar_and_the_form_have_one_locality(shop: Shop) -> None:
    root = State(_reflex_internal_init=True)
    page = await visit(VehiclesState, results_url(shop.place.name, wall(5), wall(6)), root)
    session, form = await root.get_state(SessionState), await root.get_state(SearchState)
    await answers(page.load())
    assert session.selected_location == page.results.place == shop.place.name
    assert results_url("Madhapur", wall(5), wall(6)) in await answers(form.choose_place("Madhapur"))
    # The dates that the form shows are those of the list, whatever the place.
    assert results_url("", wall(5), wall(6)) in await answers(form.choose_place(""))
    go(root, results_url("", wall(5), wall(6)))
    await answers(page.load())
    assert (session.choice, page.results.place, form.return_at) == ("anywhere", "", wall(6))
    assert results_url("", wall(5), wall(6)) in await answers(form.choose_place("anywhere"))
    await answers(form.choose_place("Miyapur"))
    await answers(form.choose_place(""))
    await answers(form.start())
    assert session.selected_location == ""
    go(root, "/offers")
    assert "_redirect" not in await answers(form.choose_place("Madhapur"))
    assert session.selected_location == "Madhapur"


@journey
async def test_the_summary_says_what_the_list_does(shop: Shop) -> None:
    page = await visit(VehiclesState, "/vehicles?type=Scooter")
    root, form = page._get_root_state(), await page.get_state(SearchState)
    await answers(form.start())
    await answers(page.load())
    assert page.results.line == "Any dates"
    await answers(form.choose_pickup(wall(5)))
    await answers(form.choose_return(wall(6)))
    assert page.results.line == "Any dates", "the list is still that of all dates"
    said = await answers(page.load())
    assert "_redirect" in said, "dates travel into an address that names none"
    assert results_url("", wall(5), wall(6)).partition("?")[2] in said
    go(root, f"{results_url('', wall(5), wall(6))}&type=Scooter")
    await answers(page.load())
    assert " – " in page.results.line
    assert '"/vehicles"' in await answers(page.show_all_places())
    go(root, "/vehicles")
    assert "_redirect" not in await answers(page.load())
    assert (page.results.line, form.return_at) == ("Any dates", "")


@journey
async def test_a_taken_vehicle_shows_no_price_for_the_dates_that_are_set(shop: Shop) -> None:
    write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=5))
    root = State(_reflex_internal_init=True)
    form = await visit(SearchState, "/testpur/bike-rentals", root)
    await answers((await root.get_state(SessionState)).start())
    tab = await root.get_state(CityState)
    await answers(tab.load())
    assert [(card.taken, card.total) for card in tab.city.cards] == [("", "")]
    await answers(form.choose_pickup(wall_text(moment(5))))
    await answers(form.choose_return(wall_text(moment(6))))
    assert [card.taken for card in tab.city.cards] == ["Taken on your dates"]
    assert "returnDate" in tab.city.cards[0].href
    assert "returnDate" in tab.city.all_url
    await answers(form.choose_return(wall_text(moment(9))))
    await answers(form.choose_pickup(wall_text(moment(7))))
    assert [(card.taken, card.duration) for card in tab.city.cards] == [("", "2 days")]


@journey
async def test_a_return_that_somebody_set_is_not_lost_by_moving_the_pickup(shop: Shop) -> None:
    form = await visit(SearchState, "/")
    await answers(form.start())
    await answers(form.choose_pickup(wall(3)))
    assert (form.return_at, form.moved) == (wall(4), ""), "nobody set it: it follows"
    await answers(form.choose_return(wall(6)))
    await answers(form.choose_pickup(wall(5)))
    assert (form.return_at, form.moved) == (wall(6), "")
    await answers(form.choose_pickup(wall(7)))
    assert form.return_at == wall(8), "the specification's 24 hours"
    assert form.moved.startswith("The return moved to ")
    await answers(form.choose_pickup(wall(4)))
    assert (form.return_at, form.moved) == (wall(6), ""), "it fits again"


@journey
async def test_a_date_without_a_time_is_the_vendors_opening_time(shop: Shop) -> None:
    alter(User, shop.vendor.id, open_time=time(7, 30))
    dates = {name: wall_text(moment(days))[:10] for name, days in {"pickupDate": 4, "returnDate": 6}.items()}
    page = await loaded(
        page_of(None, VehiclesState, f"/vehicles?{urlencode({'pickupLocation': shop.place.name} | dates)}")
    )
    assert [(card.total, card.duration) for card in page.results.cards] == [("₹1,000", "2 days")]
    assert page.results.cards[0].href.endswith(urlencode(dates))
    form = await page.get_state(SearchState)
    assert (form.pickup, form.return_at) == (wall_text(moment(4, 9)), wall_text(moment(6, 9)))
    detail = await loaded(page_of(None, DetailState, page.results.cards[0].href))
    assert (detail.pickup, detail.return_at) == (wall_text(moment(4, 7, 30)), wall_text(moment(6, 7, 30)))
    assert (detail.price is not None, detail.refusal) == (True, "")
    comparison = await loaded(page_of(None, ComparePageState, f"/compare?ids={shop.vehicle.id}&{urlencode(dates)}"))
    assert "9 AM to" in comparison.compared.window


@journey
async def test_a_date_that_cannot_be_read_is_no_other_search(shop: Shop) -> None:
    page = await page_of(None, VehiclesState, f"/vehicles?pickupDate=garbage&returnDate={wall_text(moment(5))}")
    assert "search-pickup" in await answers(page.load())
    assert (page.results.cards, page.results.problem != "", page.results.failed) == ([], True, False)
    errors = (await page.get_state(SearchState)).errors
    assert (errors["pickupDate"], errors["returnDate"]) == ("This is not a date and time", "")
    page = await loaded(page_of(None, VehiclesState, "/vehicles?pickupDate=foo&returnDate=bar&pickupLocation=Testpur"))
    errors = (await page.get_state(SearchState)).errors
    assert set(errors.values()) == {"", "This is not a date and time"}
    assert page.results.problem == "Pickup: This is not a date and time; Return: This is not a date and time"


@journey
async def test_a_price_filter_stays_with_its_dates(shop: Shop) -> None:
    ends = [wall_text(moment(days)) for days in (4, 5, 8)]
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


@journey
async def test_what_is_wrong_with_a_search_is_not_told_on_the_next_page(database: str) -> None:
    page = await page_of(None, SearchState, "/")
    await answers(page.start())
    assert "Please select Pickup and Return date/time" in await answers(page.submit())
    assert any(page.errors.values())
    await answers(page.start())
    assert not any(page.errors.values())
