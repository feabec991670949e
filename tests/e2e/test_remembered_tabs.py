"""How long the server remembers tabs, and how many tabs without a token an IP address may have."""

import time
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from playwright.sync_api import expect

from rental_app.infrastructure.db import write
from rental_app.services.accounts import sessions
from rental_app.web.session.sockets import ANONYMOUS_OF_AN_ADDRESS, TOO_MANY_TABS
from rental_app.web.vendor.manage_vehicles.state import FleetState
from tests.e2e.conftest import Browse, Complaints
from tests.support import app as the_app
from tests.support.app import App
from tests.support.browser_steps import fill, search_sent
from tests.support.shop import PASSWORD, Shop, actor, token_of
from tests.support.socket_client import FIRST, Tab
from tests.support.within import until

pytestmark = [pytest.mark.e2e, pytest.mark.long]
REMEMBERED = 2


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[App]:
    """The real app with limits on, which remembers closed tabs for seconds only."""
    others = {"RENTAL_RATE_LIMITS": "on", "REFLEX_REDIS_TOKEN_EXPIRATION": str(REMEMBERED)}
    with the_app.running(tmp_path_factory.mktemp("remembered"), sqlite_template, **others) as started:
        yield started


def refused(tab: Tab) -> bool:
    """Return whether a connection was refused."""
    return "44/_event" in tab.heard(0.5)


def gets_in(app: App) -> bool:
    """Return whether another tab without a token is let in."""
    tab = Tab(app.url, path="/blog")
    is_in = not refused(tab)
    tab.close()
    return is_in


def test_a_state_lives_as_long_as_its_connection_and_not_much_longer(app: App, shop: Shop) -> None:
    storage = {"token": token_of(shop.vendor)}
    tab = Tab(app.url, storage=storage)
    tab.heard()
    tab.send(FleetState, "search", text="activ")
    assert shop.vehicle.rc_number in tab.heard(until=shop.vehicle.rc_number)
    # That long is what is tested.
    time.sleep(2 * REMEMBERED)
    tab.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
    heard = tab.heard(expected=["blocked from booking"])
    assert "blocked from booking" in heard
    assert FIRST not in heard
    tab.leave()
    time.sleep(2 * REMEMBERED)
    back = Tab(app.url, storage=storage, ident=tab.ident)
    assert shop.vehicle.rc_number not in back.heard()
    back.close()


def test_an_address_has_so_many_tabs_without_a_token(app: App, shop: Shop) -> None:
    ended = token_of(shop.customer)
    write(sessions.sign_out_everywhere, actor(shop.customer))
    tabs = [Tab(app.url, path="/blog") for _ in range(ANONYMOUS_OF_AN_ADDRESS)]
    assert not refused(tabs[-1])
    late = [Tab(app.url, path="/blog", storage={"token": token}) for token in ("", "forged", ended)]
    assert all(TOO_MANY_TABS in tab.heard(until=TOO_MANY_TABS) for tab in late)
    # What the refused need goes on without a connection, and leads to one.
    with httpx2.Client(base_url=app.url) as outside:
        assert outside.get("/api/user/vehicles").json()["success"]
        assert outside.get("/vehicles").status_code == 200
        entered = outside.post("/api/user/login", json={"email": shop.vendor.email, "password": PASSWORD}).json()
    newly = Tab(app.url, path="/blog", storage={"token": entered["token"]})
    assert not refused(newly)
    known = Tab(app.url, path="/blog", storage={"token": token_of(shop.customer)})
    assert not refused(known)
    for tab in (*tabs, *late, known, newly):
        tab.close()
    # Once the server has noticed that they are gone.
    until(lambda: gets_in(app))


def test_a_visitor_at_a_full_address_can_search_and_log_in(
    app: App, shop: Shop, browse: Browse, complaints: Complaints
) -> None:
    # One of an earlier test may still be connected.
    tabs = [Tab(app.url, path="/blog") for _ in range(ANONYMOUS_OF_AN_ADDRESS + 1)]
    complaints.expected += ["401"]
    page = browse(fresh=True)
    search_sent(page, shop)
    bar = page.get_by_label("Connection")
    expect(bar).to_contain_text(TOO_MANY_TABS)
    bar.get_by_role("button", name="Login").click()
    dialog = fill(page, {"Email": shop.customer.email, "Password": "not the password"})
    dialog.get_by_role("button", name="Login").click()
    expect(bar).to_contain_text("Email or password is not right")
    fill(page, {"Password": PASSWORD})
    dialog.get_by_role("button", name="Login").click()
    expect(page.get_by_role("button", name="Logout")).to_be_visible()
    expect(bar).not_to_contain_text(TOO_MANY_TABS)
    for tab in tabs:
        tab.close()
