"""The server is restarted while tabs are open: they go on with the same user and with what was chosen in them."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from urllib.parse import urlencode

import pytest
from playwright.sync_api import Page, expect

from rental_app.db import read
from rental_app.models import Vehicle
from tests.e2e import app as the_app
from tests.e2e.app import App
from tests.e2e.conftest import Browse, Complaints
from tests.e2e.steps import moment_box, ready, settled, shown, toast, type_moment, visit
from tests.e2e.test_booking import bookings_of
from tests.helpers import Shop, moment, wire

pytestmark = pytest.mark.e2e
BACK = "Connected again"


@pytest.fixture
def serving() -> Iterator[ExitStack]:
    """What ends the server that runs at the moment."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory, serving: ExitStack) -> App:
    """A server of this test's own, on a data folder that outlives it."""
    return serving.enter_context(the_app.running(tmp_path_factory.mktemp("restarted")))


@pytest.fixture
def restart(app: App, serving: ExitStack, complaints: Complaints) -> Callable[[Page], None]:
    """Ends the server and starts it at the same address; returns when a page has connected to the new one."""
    complaints.expected += ["ERR_", "WebSocket connection"]

    def anew(page: Page) -> None:
        serving.close()
        expect(page.get_by_role("status", name="Connection")).to_contain_text("You are offline")
        serving.enter_context(the_app.running(app.folder, PORT=app.url.rpartition(":")[2]))
        expect(page.get_by_role("status", name="Connection")).to_have_text(BACK)

    return anew


def test_dates_stay_chosen_and_are_booked(browse: Browse, restart: Callable[[Page], None], shop: Shop) -> None:
    page, pickup, return_at = browse(shop.customer), moment(4), moment(6, 12)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    settled(page)
    type_moment(page, "Pickup", pickup)
    type_moment(page, "Return", return_at)
    total = page.get_by_text("3 × Full Day at ₹500")
    expect(total).to_be_visible()
    restart(page)
    expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))
    expect(moment_box(page, "Return")).to_have_value(shown(return_at))
    expect(total).to_be_visible()
    page.get_by_role("button", name="Book Now").click()
    page.wait_for_url("**/my-bookings")
    assert bookings_of(shop.vehicle.id) == [(pickup, return_at, "pending")]


def test_dates_outlive_a_restart_and_a_reload(browse: Browse, restart: Callable[[Page], None], shop: Shop) -> None:
    page, pickup, return_at = browse(shop.customer), moment(4), moment(6, 12)
    asked = urlencode({"pickupDate": wire(moment(3)), "returnDate": wire(moment(5))})
    visit(page, f"/vehicle-details/{shop.vehicle.id}?{asked}")
    settled(page)
    type_moment(page, "Pickup", pickup)
    type_moment(page, "Return", return_at)
    total = page.get_by_text("3 × Full Day at ₹500")
    expect(total).to_be_visible()
    restart(page)
    page.reload()
    ready(page)
    expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))
    expect(moment_box(page, "Return")).to_have_value(shown(return_at))
    expect(total).to_be_visible()
    # Another address brings its own dates.
    others = urlencode({"pickupDate": wire(moment(7)), "returnDate": wire(moment(9))})
    visit(page, f"/vehicle-details/{shop.vehicle.id}?{others}")
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(7)))


def test_a_search_stays_chosen(browse: Browse, restart: Callable[[Page], None], shop: Shop) -> None:
    page, pickup, return_at = browse(), moment(4), moment(6, 12)
    visit(page, "/")
    settled(page)
    page.get_by_label("Pickup location").select_option(shop.place.name)
    type_moment(page, "Pickup", pickup)
    type_moment(page, "Return", return_at)
    expect(page.get_by_label("Duration")).to_have_text("2 days 2 h")
    restart(page)
    expect(page.get_by_label("Duration")).to_have_text("2 days 2 h")
    expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))
    page.reload()
    ready(page)
    expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))
    expect(moment_box(page, "Return")).to_have_value(shown(return_at))
    page.get_by_role("button", name="Search").click()
    expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}")).to_be_visible()
    expect(page.get_by_text("Showing 1 ")).to_be_visible()


def test_a_vendor_goes_on(browse: Browse, restart: Callable[[Page], None], shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor/manage-vehicles")
    switch = page.get_by_role("switch").first
    expect(switch).to_be_checked()
    restart(page)
    switch.click()
    expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()
    assert not read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).is_active


def test_a_form_being_filled_in_stays_open(browse: Browse, restart: Callable[[Page], None], shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor/profile")
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Profile")
    form.get_by_label("Landmark").fill("By the lake")
    form.get_by_text("Sunday").click()
    restart(page)
    expect(form.get_by_label("Landmark")).to_have_value("By the lake")
    expect(form.get_by_label("Sunday")).to_be_checked()
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Profile updated successfully")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text("By the lake")
