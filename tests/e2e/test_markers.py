"""The running app keeps responding to everybody when Reflex's own markers come in addresses, names and answers."""

import json

import httpx2
import pytest
from playwright.sync_api import expect

from rental_app.infrastructure.db import write
from rental_app.models import User
from rental_app.web.vendor.add_vehicle.state import AddVehicleState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from tests.e2e.conftest import Browse
from tests.support.app import App
from tests.support.browser_steps import cards, toast, visit
from tests.support.shop import Shop, moment, token_of, wire
from tests.support.socket_client import Tab
from tests.support.vendor_requests import book, decide_elsewhere
from tests.support.visits import results_path
from tests.support.within import TAGS

pytestmark = pytest.mark.e2e
TOLD = "is not one of our locations"


def goes_on(app: App) -> None:
    """Check that the server responds, which it would not with a hung event loop."""
    assert httpx2.get(f"{app.url}/ping", timeout=60).status_code == 200


def search_for(place: str) -> str:
    """The address of a search in a place."""
    return results_path(place, wire(moment(3)), wire(moment(5)))


def test_an_address_with_a_marker_is_answered(app: App) -> None:
    for text in TAGS:
        client = Tab(app.url, path=search_for(text))
        assert TOLD in client.heard(until=TOLD), text
        client.close()
        goes_on(app)


def test_a_visitor_reads_the_marker_they_asked_for(browse: Browse, app: App) -> None:
    page = browse()
    visit(page, search_for(TAGS[0]))
    expect(toast(page, TOLD)).to_be_visible()
    expect(page.get_by_role("main").get_by_text(f"{TAGS[0]} {TOLD}").first).to_be_visible()
    visit(page, "/vehicles")
    expect(cards(page).first).to_be_visible()
    goes_on(app)


def test_a_customer_called_by_a_marker_is_told_to_the_vendor(app: App, shop: Shop) -> None:
    write(lambda session: setattr(session.get(User, shop.customer.id), "name", TAGS[0]))
    booking = book(shop)
    client = Tab(app.url, {"token": token_of(shop.vendor)}, "/vendor/manage-bookings")
    client.send(ManageBookingsState, "load")
    client.heard()
    decide_elsewhere(shop, booking, "confirmed")
    client.send(ManageBookingsState, "refresh")
    heard = client.heard(expected=["reflex.Var"])
    assert "\\u200breflex.Var" in heard or "\u200breflex.Var" in heard
    client.close()
    goes_on(app)


def test_a_draft_with_a_marker_or_half_a_character_is_filled_in(app: App, shop: Shop) -> None:
    for text in (*TAGS, "a\ud800b", "a\x00b"):
        client = Tab(app.url, {"token": token_of(shop.vendor)}, "/vendor/add-vehicle")
        for kept in (text, "Still here"):
            client.send(AddVehicleState, "take_draft", kept=json.dumps({"color": kept, "terms": kept}))
        assert "Still here" in client.heard(until="Still here"), text
        client.close()
        goes_on(app)
