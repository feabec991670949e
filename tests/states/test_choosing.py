"""Choosing where and when, in the search form, the bar and the booking form."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest
from reflex.istate.data import RouterData
from reflex.state import State

from rental_app.errors import UnavailableError
from rental_app.models import User
from rental_app.rules import clock
from rental_app.schemas.shop import ShopQuery
from rental_app.services import quotes
from rental_app.states.base import SessionState
from rental_app.states.detail import DetailState
from rental_app.states.search import SearchState
from rental_app.states.vehicles import VehiclesState
from rental_app.views.links import search_url, wall_text
from tests.helpers import Shop, add_vehicle, moment
from tests.services.steps import alter
from tests.states.pages import run
from tests.states.tabs import S, answers, told


def wall(days: int, hour: int = 10) -> str:
    """Return a date and time some days from today in the pickers' format."""
    return wall_text(moment(days, hour))


def results_url(place: str, pickup: str, return_at: str) -> str:
    """The address of a search."""
    return search_url(ShopQuery(location=place, pickup=pickup, return_at=return_at))


def go(root: State, path: str) -> None:
    """Put a tab on a page."""
    root.router = RouterData.from_router_data({"pathname": path, "asPath": path})


async def visit(kind: type[S], path: str, root: State | None = None) -> S:
    """Open a page in a tab and return a state of it."""
    root = root or State(_reflex_internal_init=True)
    go(root, path)
    await answers((await root.get_state(SessionState)).start())
    state: S = await root.get_state(kind)
    return state


@pytest.fixture
def now(monkeypatch: pytest.MonkeyPatch) -> list[datetime]:
    """The clock, as a list that holds the present instant."""
    instant = [moment(1, 9) + timedelta(minutes=30)]
    monkeypatch.setattr(clock, "now", lambda: instant[0])
    return instant


@pytest.mark.parametrize(("screen", "path"), [(SearchState, "/"), (DetailState, "/vehicle-details/{}")])
def test_the_return_moves_along_until_it_is_set(shop: Shop, screen: Any, path: str) -> None:
    async def steps() -> None:
        form = await visit(screen, path.format(shop.vehicle.id))
        await answers(form.choose_pickup(wall(4, 20)))
        assert form.return_at == wall(5, 20)
        await answers(form.choose_pickup(wall(4, 10)))
        assert form.return_at == wall(5, 10)
        await answers(form.choose_pickup(wall(2)))
        assert form.return_at == wall(3)
        await answers(form.choose_return(wall(8)))
        await answers(form.choose_pickup(wall(1)))
        assert form.return_at == wall(8)
        await answers(form.choose_pickup(wall(9)))
        assert form.return_at == wall(10)
        await answers(form.choose_return(""))
        await answers(form.choose_pickup(wall(3)))
        assert form.return_at == wall(4)

    run(steps())


def test_a_return_taken_from_the_search_moves_along_on_the_vehicles_page(shop: Shop) -> None:
    async def steps(own: bool, expected: str) -> None:
        search = await visit(SearchState, "/")
        await answers(search.choose_pickup(wall(4, 20)))
        if own:
            await answers(search.choose_return(wall(5, 20)))
        ends = f"pickupDate={quote(wall(4, 20))}&returnDate={quote(wall(5, 20))}"
        root = search._get_root_state()
        page = await visit(DetailState, f"/vehicle-details/{shop.vehicle.id}?{ends}", root)
        await answers(page.load())
        await answers(page.choose_pickup(wall(4, 10)))
        assert page.return_at == expected

    run(steps(False, wall(5, 10)))
    run(steps(True, wall(5, 20)))


def test_the_dates_of_a_vehicle_outlive_a_look_at_another(shop: Shop) -> None:
    other = f"/vehicle-details/{add_vehicle(shop.vendor).id}"

    async def steps() -> None:
        page = await visit(DetailState, f"/vehicle-details/{shop.vehicle.id}")
        await answers(page.load())
        await answers(page.choose_return(wall(8)))
        await answers(page.choose_pickup(wall(4)))
        go(page._get_root_state(), other)
        await answers(page.load())
        assert (page.pickup, page.return_at) == ("", "")
        go(page._get_root_state(), f"/vehicle-details/{shop.vehicle.id}")
        await answers(page.load())
        assert (page.pickup, page.return_at, page.price is not None) == (wall(4), wall(8), True)

    run(steps())


def test_a_price_that_cannot_be_had_is_asked_for_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise UnavailableError("The service is busy right now")

    async def steps() -> None:
        page = await visit(DetailState, f"/vehicle-details/{shop.vehicle.id}")
        await answers(page.load())
        with monkeypatch.context() as broken:
            broken.setattr(quotes, "quote_for", away)
            await answers(page.take_window(wall(4), wall(6)))
        assert (page.refusal, page.unavailable) == ("The service is busy right now", True)
        await answers(page.take_window(wall(6), wall(4)))
        assert (page.refusal != "", page.unavailable) == (True, False)
        await answers(page.take_window(wall(4), wall(6)))
        assert (page.refusal, page.price is not None) == ("", True)

    run(steps())


def test_the_automatic_return_skips_the_vendors_closing_days(shop: Shop) -> None:
    closed = [f"{clock.indian(moment(days)):%A}" for days in (4, 5)]
    alter(User, shop.vendor.id, closing_days=closed)

    async def steps() -> None:
        page = await visit(DetailState, f"/vehicle-details/{shop.vehicle.id}")
        await answers(page.load())
        await answers(page.choose_pickup(wall(3)))
        assert page.return_at == wall(6)
        assert (page.refusal, page.price is not None) == ("", True)
        search = await visit(SearchState, "/", page._get_root_state())
        await answers(search.choose_pickup(wall(3)))
        assert search.return_at == wall(4)
        fresh = await visit(DetailState, f"/vehicle-details/{shop.vehicle.id}", search._get_root_state())
        fresh.car = None
        await answers(fresh.load())
        assert (fresh.pickup, fresh.return_at) == (wall(3), wall(6))

    run(steps())


def test_a_return_that_nobody_has_set_moves_along_after_a_restart(database: str) -> None:
    async def steps() -> None:
        for chosen, followed in ((None, wall(3)), (wall(9), wall(9))):
            form = await visit(SearchState, "/")
            await answers(form.choose_pickup(wall(3)))
            if chosen:
                await answers(form.choose_return(chosen))
            shown, lost = form.pickup, await visit(SearchState, "/")
            lost.kept = form.kept
            await answers(lost.start())
            assert (lost.pickup, lost.return_at) == (shown, form.return_at)
            await answers(lost.choose_pickup(wall(2)))
            assert lost.return_at == followed

    run(steps())


def test_the_pickup_is_the_next_full_hour_until_it_is_set(database: str, now: list[datetime]) -> None:
    async def steps() -> None:
        form = await visit(SearchState, "/")
        await answers(form.start())
        assert form.pickup == wall(0, 10)
        await answers(form.choose_return(wall(1, 10)))
        now[0] += timedelta(hours=1)
        await answers(form.renew())
        assert (form.pickup, form.return_at) == (wall(0, 11), wall(1, 11))
        now[0] += timedelta(hours=1)
        assert "in the past" not in await answers(form.submit())
        assert form.pickup == wall(0, 12)
        await answers(form.choose_pickup(wall(0, 13)))
        now[0] += timedelta(hours=1)
        await answers(form.start())
        await answers(form.renew())
        assert form.pickup == wall(0, 13)
        await answers(form.choose_pickup(""))
        await answers(form.renew())
        assert form.pickup == ""
        await answers(form.start())
        assert form.pickup == wall(0, 13)

    run(steps())


@pytest.mark.parametrize(("day", "stays"), [(5, True), (1, False)])
@pytest.mark.parametrize("way", ["kept", "handed over", "submitted"])
def test_a_chosen_return_does_not_set_the_pickup_through_a_restart(
    database: str, now: list[datetime], way: str, day: int, stays: bool
) -> None:
    async def steps() -> None:
        form = await visit(SearchState, "/")
        await answers(form.start())
        await answers(form.choose_return(wall(day)))
        shown = {"pickupDate": form.chosen_pickup, "returnDate": form.return_at}
        now[0] += timedelta(hours=2)
        lost = await visit(SearchState, "/")
        lost.kept = form.kept if way == "kept" else ""
        await answers(lost.start())
        if way == "handed over":
            await answers(lost.take_over(shown))
        if way == "submitted":
            assert "in the past" not in await answers(lost.submit(*shown.values()))
        assert (lost.pickup, lost.return_at) == (wall(0, 12), wall(day) if stays else wall(1, 12))
        now[0] += timedelta(hours=1)
        await answers(lost.renew())
        assert lost.pickup == wall(0, 13)

    run(steps())


def test_a_default_pickup_that_a_vehicles_page_has_from_the_search_is_not_set_there(
    shop: Shop, now: list[datetime]
) -> None:
    async def steps(pickup: str, expected: str) -> None:
        search = await visit(SearchState, "/")
        await answers(search.start())
        await answers(search.choose_return(wall(5)))
        if pickup:
            await answers(search.choose_pickup(pickup))
        page = await visit(DetailState, f"/vehicle-details/{shop.vehicle.id}", search._get_root_state())
        await answers(page.load())
        await answers(page.choose_return(wall(6)))
        assert (page.pickup, page.chosen_pickup) == (search.pickup, pickup)
        now[0] += timedelta(hours=2)
        again = await visit(SearchState, "/")
        again.kept = search.kept
        await answers(again.start())
        lost = await visit(DetailState, f"/vehicle-details/{shop.vehicle.id}", again._get_root_state())
        lost.kept = page.kept
        await answers(lost.load())
        assert (lost.pickup, lost.return_at, lost.price is not None) == (expected, wall(6), True)

    run(steps("", wall(0, 12)))
    run(steps(wall(3), wall(3)))


def test_a_search_of_the_default_pickup_does_not_keep_it(shop: Shop, now: list[datetime]) -> None:
    async def steps() -> None:
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

    run(steps())


def test_what_is_wrong_with_a_search_stands_at_its_field(shop: Shop, now: list[datetime]) -> None:
    async def steps() -> None:
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
        await answers((await form.get_state(VehiclesState)).choose_place(shop.place.name))
        assert not any(form.errors.values())
        await answers(form.choose_pickup(wall(-2)))
        said = await answers(form.submit())
        assert ("search-pickup" in said, "Pickup is in the past" in said) == (True, True)
        assert form.errors["pickupDate"] == "Pickup is in the past"

    run(steps())


def test_an_impossible_address_is_told_once_and_at_its_field(shop: Shop) -> None:
    async def steps() -> None:
        page = await visit(VehiclesState, results_url(shop.place.name, wall(5), wall(4)))
        said = await told(page.load())
        form = await page.get_state(SearchState)
        assert ["Return must be after pickup" in text for text in said] == [True, False]
        assert form.errors["returnDate"] == "Return must be after pickup"
        assert (page.count_line, page.failed) == ("", False)
        go(page._get_root_state(), results_url(shop.place.name, wall(5), wall(6)))
        await answers(page.load())
        assert not any(form.errors.values())
        assert page.count_line == "Showing 1 vehicle"

    run(steps())


def test_a_filter_and_the_nearest_hours_go_with_their_search(shop: Shop) -> None:
    async def steps() -> None:
        root = State(_reflex_internal_init=True)
        page = await visit(VehiclesState, results_url(shop.place.name, wall(5, 3), wall(6, 3)), root)
        await answers(page.load())
        assert page.nearest_text
        assert "q=zeppelin" in await answers(page.filter("zeppelin"))
        go(root, f"{results_url(shop.place.name, wall(5, 3), wall(6, 3))}&q=zeppelin")
        await answers(page.load())
        assert (page.text, page.cards) == ("zeppelin", [])
        go(root, results_url(shop.place.name, wall(5), wall(6)))
        assert "vehicle_filter" in await answers(page.load())
        assert (page.text, page.count_line) == ("", "Showing 1 vehicle")
        go(root, results_url(shop.place.name, wall(5, 3), wall(6, 3)))
        await answers(page.load())
        go(root, results_url(shop.place.name, wall(5), wall(4)))
        await answers(page.load())
        assert (page.nearest_text, page.nearest_url) == ("", "")

    run(steps())


def test_the_bar_and_the_form_have_one_locality(shop: Shop) -> None:
    async def steps() -> None:
        root = State(_reflex_internal_init=True)
        page = await visit(VehiclesState, results_url(shop.place.name, wall(5), wall(6)), root)
        session, form = await root.get_state(SessionState), await root.get_state(SearchState)
        await answers(page.load())
        assert session.selected_location == page.place == shop.place.name
        assert results_url("Madhapur", wall(5), wall(6)) in await answers(page.choose_place("Madhapur"))
        # Blank is not "anywhere": it leaves the search, and its dates stay in the form.
        assert '"/vehicles"' in await answers(page.choose_place(""))
        go(root, "/vehicles")
        await answers(page.load())
        assert (session.choice, page.place, form.return_at) == ("", "", wall(6))
        assert results_url("", wall(5), wall(6)) in await answers(page.choose_place("anywhere"))
        await answers(page.choose_place("Miyapur"))
        await answers(page.choose_place(""))
        await answers(form.start())
        assert session.selected_location == ""
        go(root, "/offers")
        assert "_redirect" not in await answers(page.choose_place("Madhapur"))
        assert session.selected_location == "Madhapur"

    run(steps())
