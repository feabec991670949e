"""A raw connection may do no more than a page: what exceeds a limit is refused."""

from collections.abc import Iterator

import pytest

from rental_app.states.detail import DetailState
from rental_app.states.login import LoginState
from rental_app.states.vehicles import VehiclesState
from tests.e2e import app as the_app
from tests.e2e.app import App
from tests.e2e.socket_client import Tab
from tests.helpers import Shop, count, moment, token_of, wire

pytestmark = pytest.mark.e2e
REFUSED = "Too many attempts"


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The real app with the limits it has outside tests, and nothing counted yet."""
    with the_app.running(tmp_path_factory.mktemp("limits"), RENTAL_RATE_LIMITS="on") as started:
        yield started


def wall(days: int) -> str:
    return f"{moment(days):%Y-%m-%d}T10:00"


def test_floods_of_events_are_stopped(app: App, shop: Shop) -> None:
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(6))}".replace("+", "%2B")
    quotes = Tab(app.url, path=f"/vehicle-details/{shop.vehicle.id}?{window}")
    assert "Honda Activa 6G" in quotes.heard()
    for number in range(700):
        quotes.send(DetailState, "choose_return", return_at=wall(6 + number % 20))
    heard = quotes.heard(until=REFUSED)
    assert REFUSED in heard
    assert 0 < heard.count('"price_rx_state_":{') < 700

    pincodes = Tab(app.url)
    # Of the events before a connection has sent its storage, only a few are queued; the others are dropped.
    pincodes.heard()
    for number in range(400):
        pincodes.send(LoginState, "look_up_pincode", pincode=f"{500001 + number % 90}")
    assert REFUSED in pincodes.heard(until=REFUSED)

    results = Tab(app.url, path=f"/vehicles?pickupLocation={shop.place.name}&{window}")
    results.heard()
    for number in range(700):
        results.send(VehiclesState, "filter", text=f"activa{number % 2}")
    assert REFUSED in results.heard(until=REFUSED)

    before = count("booking")
    path = f"/vehicle-details/{shop.vehicle.id}?{window}"
    booker = Tab(app.url, storage={"token": token_of(shop.customer)}, path=path)
    booker.heard()
    for _ in range(80):
        booker.send(DetailState, "book", total=1, deposit=1)
    assert REFUSED in booker.heard(until=REFUSED)
    assert count("booking") - before <= 1
    for tab in (quotes, pincodes, results, booker):
        tab.close()
