"""Choosing dates, in the search form and the booking form."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote

import pytest

from rental_app.domain import clock
from rental_app.models import User
from rental_app.services.pricing import quotes
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.screens.vehicle_details.state import DetailState
from tests.support.booking_steps import alter
from tests.support.failures import away
from tests.support.page_states import run
from tests.support.shop import Shop, add_vehicle, moment
from tests.support.state_tabs import answers, journey, loaded
from tests.support.visits import go, visit, wall


@pytest.mark.parametrize(("screen", "path"), [(SearchState, "/"), (DetailState, "/vehicle-details/{}")])
@journey
async def test_the_return_moves_along_until_it_is_set(shop: Shop, screen: Any, path: str) -> None:
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


def test_a_return_taken_from_the_search_moves_along_on_the_vehicles_page(shop: Shop) -> None:
    async def steps(own: bool, expected: str) -> None:
        search = await visit(SearchState, "/")
        await answers(search.choose_pickup(wall(4, 20)))
        if own:
            await answers(search.choose_return(wall(5, 20)))
        ends = f"pickupDate={quote(wall(4, 20))}&returnDate={quote(wall(5, 20))}"
        root = search._get_root_state()
        page = await loaded(visit(DetailState, f"/vehicle-details/{shop.vehicle.id}?{ends}", root))
        await answers(page.choose_pickup(wall(4, 10)))
        assert page.return_at == expected

    run(steps(False, wall(5, 10)))
    run(steps(True, wall(5, 20)))


@journey
async def test_the_dates_of_a_vehicle_outlive_a_look_at_another(shop: Shop) -> None:
    other = f"/vehicle-details/{add_vehicle(shop.vendor).id}"
    page = await loaded(visit(DetailState, f"/vehicle-details/{shop.vehicle.id}"))
    await answers(page.choose_return(wall(8)))
    await answers(page.choose_pickup(wall(4)))
    go(page._get_root_state(), other)
    await answers(page.load())
    assert (page.pickup, page.return_at) == ("", "")
    go(page._get_root_state(), f"/vehicle-details/{shop.vehicle.id}")
    await answers(page.load())
    assert (page.pickup, page.return_at, page.price is not None) == (wall(4), wall(8), True)


@journey
async def test_a_price_that_cannot_be_had_is_asked_for_again(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    page = await loaded(visit(DetailState, f"/vehicle-details/{shop.vehicle.id}"))
    with monkeypatch.context() as broken:
        broken.setattr(quotes, "quote_for", away)
        await answers(page.take_window(wall(4), wall(6)))
    assert (page.refusal, page.unavailable) == ("The service is busy", True)
    await answers(page.take_window(wall(6), wall(4)))
    assert (page.refusal != "", page.unavailable) == (True, False)
    await answers(page.take_window(wall(4), wall(6)))
    assert (page.refusal, page.price is not None) == ("", True)


@journey
async def test_the_automatic_return_skips_the_vendors_closing_days(shop: Shop) -> None:
    closed = [f"{clock.indian(moment(days)):%A}" for days in (4, 5)]
    alter(User, shop.vendor.id, closing_days=closed)
    page = await loaded(visit(DetailState, f"/vehicle-details/{shop.vehicle.id}"))
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


@journey
async def test_a_return_that_nobody_has_set_moves_along_after_a_restart(database: str) -> None:
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


@journey
async def test_the_pickup_is_the_next_full_hour_until_it_is_set(database: str, now: list[datetime]) -> None:
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


@pytest.mark.parametrize(("day", "stays"), [(5, True), (1, False)])
@pytest.mark.parametrize("way", ["kept", "handed over", "submitted"])
@journey
async def test_a_chosen_return_does_not_set_the_pickup_through_a_restart(
    database: str, now: list[datetime], way: str, day: int, stays: bool
) -> None:
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


def test_a_default_pickup_that_a_vehicles_page_has_from_the_search_is_not_set_there(
    shop: Shop, now: list[datetime]
) -> None:
    async def steps(pickup: str, expected: str) -> None:
        search = await visit(SearchState, "/")
        await answers(search.start())
        await answers(search.choose_return(wall(5)))
        if pickup:
            await answers(search.choose_pickup(pickup))
        page = await loaded(visit(DetailState, f"/vehicle-details/{shop.vehicle.id}", search._get_root_state()))
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
