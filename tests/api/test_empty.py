"""A newly opened shop works: with an empty database (RENTAL_DEMO_DATA=off), and with the catalogue alone."""

from functools import partial
from pathlib import Path
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient
from reflex.state import State

from rental_app.seed import seed_if_empty
from rental_app.web.pages import PAGES
from rental_app.web.screens.home.state import HomeState
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session.base import SessionState
from tests.conftest import fill
from tests.support.page_states import page_of, run
from tests.support.rest_calls import OURS, SPECIFIED, call
from tests.support.rest_helpers import bearer, ok, window
from tests.support.routes import PERSONAL, PUBLIC, SAMPLES, VENDORS
from tests.support.shop import add_user
from tests.support.site import page, words
from tests.support.state_tabs import answers

CITY = "/[city_slug]/bike-rentals"
ONE_OF_MANY = {
    SAMPLES[path]
    for path in (
        "/vehicle-details/[vehicle_id]",
        "/vehicle-details/[vehicle_id]/review",
        "/vendors/[vendor_slug]",
        CITY,
    )
}
SEARCHES = ("", "?view=map", "?sort=price&q=honda", "?pickupLocation=anywhere&view=map")


@pytest.fixture
def nothing_url(tmp_path: Path) -> str:
    fill(url := f"sqlite:///{tmp_path / 'nothing.db'}", tmp_path, lambda: True)
    return url


@pytest.fixture
def catalogue_url(tmp_path: Path) -> str:
    fill(url := f"sqlite:///{tmp_path / 'catalogue.db'}", tmp_path, partial(seed_if_empty, people=False))
    return url


@pytest.fixture(params=["nothing", "catalogue"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.mark.usefixtures("built_pages")
def test_every_page_answers(client: TestClient, kind: str) -> None:
    known = {SAMPLES[CITY]} if kind == "catalogue" else set()
    for path in (*PUBLIC, *VENDORS, *PERSONAL):
        page(client, path, 404 if path in ONE_OF_MANY - known else 200)
    home = words(page(client, "/"))
    assert "No vehicles yet" in home
    assert "Popular models" not in home
    assert "No offers are running right now" in words(page(client, "/offers"))
    for query in SEARCHES:
        page(client, f"/vehicles{query}")
    for dates, title in (({}, "No vehicles found"), (window(), "No cars available")):
        shown = words(page(client, f"/vehicles?{urlencode(dates)}"))
        assert f"{title} No vendor has listed a vehicle yet." in shown
        for untrue in ("other dates", "fewer words", "See all vehicles"):
            assert untrue not in shown
    for path in ("/vehicle-details/1", "/vendors/nobody-1"):
        missing = page(client, path, 404)
        assert "others" not in words(missing)
        # Nor where search engines read it.
        assert "many others" not in missing


@pytest.mark.long
def test_every_call_answers(client: TestClient) -> None:
    for headers in ({}, bearer(add_user()), bearer(add_user("Vendor"))):
        for method, path in SPECIFIED | OURS:
            answer = call(client, method, path, headers=headers)
            assert answer.status_code < 500, (method, path, answer.text)
    for query in ("", "?limit=5", "?facets=1&sort=-price&limit=5", "?q=honda"):
        assert ok(client.get(f"/api/user/vehicles{query}"))["vehicles"] == []
    for search in (window(), window() | {"facets": True, "sort": "rating", "q": "honda"}):
        assert ok(client.post("/api/bookings/check-availability", json=search))["availableCars"] == []


@pytest.mark.parametrize("role", ["", "Customer", "Vendor"])
def test_the_first_events_of_every_page_answer(database: str, role: str) -> None:
    user = add_user(role) if role else None

    async def steps() -> None:
        for built in PAGES:
            session = await page_of(user, SessionState, built.route)
            await answers(session.start())
            for event in built.on_load:
                state = await session.get_state(State.get_class_substate(event.state_full_name))
                await answers(event.fn(state))

    run(steps())


def test_lists_stop_loading(database: str) -> None:
    async def steps() -> None:
        home = await page_of(None, HomeState, "/")
        await answers(home.load())
        assert (home.shown.featured, home.shown.models, home.problem, home.loading) == ([], [], "", False)
        for query in SEARCHES:
            found = await page_of(None, VehiclesState, f"/vehicles{query}")
            await answers(found.load())
            shown = found.results
            assert (shown.cards, shown.total, shown.problem, found.loading) == ([], 0, "", False)

    run(steps())
