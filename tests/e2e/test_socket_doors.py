"""The id of a tab's connection proves nothing: without the tab's token it can read and do nothing."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from rental_app.infrastructure.db import read, write
from rental_app.models import Vehicle
from rental_app.services.accounts import sessions
from rental_app.web.vendor.manage_vehicles.state import FleetState
from rental_app.web.vendor.profile.state import ProfileState
from tests.support.app import App
from tests.support.shop import Shop, actor, token_of
from tests.support.socket_client import FIRST, ROOT, SESSION, Tab

pytestmark = pytest.mark.e2e
Open = Callable[..., Tab]


@pytest.fixture
def tab(app: App) -> Iterator[Open]:
    """Open connections to the running app."""
    opened: list[Tab] = []

    def start(token: str = "", **options: Any) -> Tab:
        opened.append(Tab(app.url, storage={"token": token} if token else {}, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def call_everything(client: Tab, shop: Shop, *expected: str) -> str:
    """Try what a thief would; return everything that comes back, the expected texts among it."""
    for state, handler in ((ProfileState, "load"), (ProfileState, "edit"), (FleetState, "load")):
        client.send(state, handler)
    client.send(FleetState, "toggle", vehicle_id=shop.vehicle.id, wanted=False)
    client.send_raw(f"{ROOT}.hydrate")
    return client.heard(expected=expected)


def is_on(shop: Shop) -> bool:
    vehicle = read(lambda session: session.get_one(Vehicle, shop.vehicle.id))
    return bool(vehicle.is_active)


def vendor_tab(tab: Open, shop: Shop) -> Tab:
    """Open the vendor's tab, with profile and fleet in its state."""
    client = tab(token_of(shop.vendor), path="/vendor/profile")
    client.send(ProfileState, "load")
    client.send(FleetState, "load")
    heard = client.heard(expected=(shop.vendor.email, shop.vehicle.rc_number))
    assert shop.vendor.email in heard
    assert shop.vehicle.rc_number in heard
    return client


def assert_nothing_of(shop: Shop, heard: str) -> None:
    """Check that nothing only the vendor may see was sent."""
    for secret in (shop.vendor.email, shop.vendor.phone_number, shop.vehicle.rc_number):
        assert secret not in heard


def test_a_gone_tabs_id_is_worth_nothing_without_its_token(tab: Open, shop: Shop) -> None:
    left = vendor_tab(tab, shop)
    left.leave()
    for shows in (True, False):
        thief = tab(path="/vendor/profile", ident=left.ident, shows=shows)
        heard = call_everything(thief, shop)
        assert "new_token" not in heard
        assert_nothing_of(shop, heard)
        thief.close()
    assert is_on(shop)


def test_another_users_token_gives_only_the_others_own(tab: Open, shop: Shop) -> None:
    left = vendor_tab(tab, shop)
    left.leave()
    thief = tab(token_of(shop.customer), path="/vendor/profile", ident=left.ident)
    heard = call_everything(thief, shop, shop.customer.name)
    assert shop.customer.name in heard
    assert_nothing_of(shop, heard)
    assert is_on(shop)


def test_a_revoked_token_opens_nothing(tab: Open, shop: Shop) -> None:
    token = token_of(shop.vendor)
    left = tab(token, path="/vendor/profile")
    left.send(ProfileState, "load")
    assert shop.vendor.email in left.heard(until=shop.vendor.email)
    left.leave()
    write(sessions.sign_out_everywhere, actor(shop.vendor))
    thief = tab(token, path="/vendor/profile", ident=left.ident)
    assert_nothing_of(shop, call_everything(thief, shop))
    assert is_on(shop)


def test_after_logging_out_everywhere_an_open_tab_is_shown_nothing_again(tab: Open, shop: Shop) -> None:
    client = vendor_tab(tab, shop)
    write(sessions.sign_out_everywhere, actor(shop.vendor))
    client.send_raw(FIRST, vars=client.storage)
    heard = client.heard(expected=["is_hydrated"])
    assert "is_hydrated" in heard
    assert_nothing_of(shop, heard)
    assert_nothing_of(shop, call_everything(client, shop))


def test_an_id_in_use_is_given_to_no_second_connection(tab: Open, shop: Shop) -> None:
    first = vendor_tab(tab, shop)
    second = tab(path="/vendor/profile", ident=first.ident)
    heard = call_everything(second, shop, "new_token")
    assert "new_token" in heard
    assert_nothing_of(shop, heard)
    first.send(ProfileState, "load")
    assert "42/_event" in first.heard(until="42/_event")
    assert is_on(shop)


def test_a_login_leaves_nothing_to_whoever_knew_the_id_before(tab: Open, shop: Shop) -> None:
    visitor = tab(path="/")
    visitor.heard()
    visitor.send_raw(
        f"{ROOT}.reflex___state____update_vars_internal_state.update_vars_internal",
        vars={f"{SESSION}.token_rx_state_": token_of(shop.vendor)},
    )
    visitor.send(ProfileState, "load")
    assert shop.vendor.email in visitor.heard(until=shop.vendor.email)
    visitor.leave()
    assert_nothing_of(shop, call_everything(tab(ident=visitor.ident, path="/vendor/profile"), shop))


def test_storage_may_claim_only_so_much(tab: Open) -> None:
    for length in (5_000, 150_000, 900_000):
        claims = tab("x" * length)
        assert "x" * 1000 not in claims.heard()
        assert "locations" in tab().heard(until="locations")


def test_a_connection_without_an_id_of_a_browsers_making_is_refused(tab: Open) -> None:
    for ident in ("", "x", "a_reflex___state____state", "{12345678-1234-4234-8234-123456789012}"):
        heard = tab(ident=ident or "%20").heard(expected=["44/_event"])
        assert "44/_event" in heard, ident
        assert "locations" not in heard, ident


def test_events_no_page_sends_change_nothing_and_are_told_to_load_anew_at_most(tab: Open) -> None:
    client = tab()
    client.heard()
    for name in (f"{SESSION}.setvar", f"{SESSION}._remember", f"{ROOT}.hydrate", f"{ROOT}.set_is_hydrated", "nope", ""):
        client.send_raw(name, var_name="user_name", value="forged", token="x")
    client.socket.send("42/_event," + json.dumps(["event", json.dumps({"name": FIRST})]))
    frames = [frame for frame in client.heard().splitlines() if frame.startswith("42/_event")]
    assert {json.loads(frame.removeprefix("42/_event,"))[0] for frame in frames} == {"state_mismatch"}
