"""Typed text stays, key by key, in every input that reports to the server while somebody types."""

from datetime import datetime

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.schemas.validation import LABELS
from tests.e2e.conftest import Browse
from tests.support.booking_steps import bookings_of, vehicle_path
from tests.support.browser_steps import moment_box, settled, shown, visit
from tests.support.line import hold_scripts
from tests.support.shop import Shop, moment

pytestmark = pytest.mark.e2e
# Milliseconds per key: a barcode scanner, a fast typist, a slow one.
DELAYS = (15, 60, 200)


def results_filter(page: Page, _shop: Shop) -> Locator:
    """The filter on the vehicles page."""
    visit(page, "/vehicles")
    return page.get_by_label("Filter vehicles")


def fleet_search(page: Page, _shop: Shop) -> Locator:
    """The search box of Manage Vehicles."""
    visit(page, "/vendor/manage-vehicles")
    return page.get_by_label("Search vehicles")


def prices_search(page: Page, _shop: Shop) -> Locator:
    """The search box of the prices page."""
    visit(page, "/vendor/prices")
    return page.get_by_label("Search vehicles")


def city(page: Page, _shop: Shop) -> Locator:
    """The city field of the sign-up, which the pincode fills."""
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="click here").click()
    dialog.get_by_label("Pincode").press_sequentially("500032", delay=DELAYS[0])
    expect(dialog.get_by_label("City")).to_have_value("Hyderabad")
    return dialog.get_by_label("City")


def search_pickup(page: Page, _shop: Shop) -> Locator:
    """The pickup field of the search."""
    visit(page, "/")
    return moment_box(page, "Pickup")


def booking_return(page: Page, shop: Shop) -> Locator:
    """The return field of a booking."""
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    return moment_box(page, "Return")


def copied_prices(page: Page, _shop: Shop) -> Locator:
    """The select of the vehicle whose prices are copied to a new one."""
    visit(page, "/vendor/add-vehicle#prices")
    return page.get_by_role("combobox", name="Copy Prices From")


def vendor_terms(page: Page, _shop: Shop) -> Locator:
    """The terms field of a vendor's profile."""
    visit(page, "/vendor/profile")
    page.get_by_role("button", name="Edit").click()
    return page.get_by_label(LABELS["notes"], exact=True)


MOMENT = shown(moment(6))


VISITORS = {results_filter: "activa", city: "Secunderabad", search_pickup: MOMENT, booking_return: MOMENT}
VENDORS = {
    fleet_search: "activa",
    prices_search: "activa",
    copied_prices: "activa",
    vendor_terms: "No smoking",
}


@pytest.mark.long
@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("who", ["visitor", "vendor"])
def test_what_is_typed_stays(browse: Browse, shop: Shop, who: str, delay: int) -> None:
    page = browse(user=shop.vendor if who == "vendor" else None)
    for find, text in (VENDORS if who == "vendor" else VISITORS).items():
        box = find(page, shop)
        # Until the page takes over, the native picker is there, and it stays while it has the focus.
        expect(box).not_to_have_attribute("type", "datetime-local")
        box.fill("")
        settled(page)
        box.click()
        page.keyboard.type(text, delay=delay)
        settled(page)
        expect(box).to_have_value(text)


def type_quickly(page: Page, label: str, instant: datetime) -> None:
    """Type a date and time and leave the field, whatever has been loaded."""
    moment_box(page, label).fill(shown(instant))
    moment_box(page, label).press("Tab")


def test_a_search_is_for_what_was_typed_before_it_could_be_read(browse: Browse, shop: Shop) -> None:
    page = browse(fresh=True)
    # The script that parses a typed date, on a slow connection.
    let_go = hold_scripts(page, "calendar")
    visit(page, "/")
    page.get_by_label("Pickup location").select_option(shop.place.name)
    type_quickly(page, "Pickup", moment(4))
    type_quickly(page, "Return", moment(6))
    page.get_by_role("button", name="Search").click()
    settled(page)
    expect(page.get_by_text("Please select")).to_have_count(0)
    let_go()
    expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}")).to_be_visible()
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(4)))
    expect(moment_box(page, "Return")).to_have_value(shown(moment(6)))


@pytest.mark.long
def test_what_was_typed_is_booked_and_not_what_was_there_before(browse: Browse, shop: Shop) -> None:
    page = browse(shop.customer, fresh=True)
    let_go = hold_scripts(page, "calendar")
    visit(page, vehicle_path(shop, moment(4), moment(5)))
    expect(page.get_by_text("1 × Full Day at ₹500")).to_be_visible()
    type_quickly(page, "Return", moment(7))
    page.get_by_role("button", name="Book Now").click()
    settled(page)
    assert bookings_of(shop.vehicle.id) == []
    let_go()
    # The price shown was not the price of what was typed: the review shows that.
    expect(page.get_by_text("3 × Full Day at ₹500")).to_be_visible()
    page.get_by_role("button", name="Request to book - ₹1,500").click()
    page.wait_for_url("**/my-bookings/PH-*")
    assert bookings_of(shop.vehicle.id) == [(moment(4), moment(7), "pending")]
