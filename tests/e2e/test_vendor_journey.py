"""A vendor's first days, from the sign-up to the first confirmed booking."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Browse
from tests.support import browser_listing
from tests.support.browser_steps import NEWCOMER, fill, request, search, toast, visit
from tests.support.shop import Shop, moment

pytestmark = pytest.mark.e2e
ONE_BEAT = 30_000


def become_vendor(page: Page, email: str) -> None:
    """Sign up with 'Register as Vendor'."""
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    page.get_by_role("dialog").get_by_role("button", name="click here").click()
    dialog = fill(page, NEWCOMER | {"Name": "Nila Vendor", "Email": email})
    expect(dialog.get_by_label("City")).not_to_have_value("")
    dialog.get_by_label("Register as Vendor").check()
    dialog.get_by_role("button", name="Create Account").click()
    page.get_by_role("link", name="Dashboard").click()
    expect(page.get_by_text("Welcome, Nila Vendor")).to_be_visible()


def choose_service_location(page: Page, place: str) -> None:
    """Fill the part of the profile that listing asks for."""
    page.get_by_role("link", name="Profile").click()
    page.get_by_role("button", name="Edit").click()
    page.get_by_label("Service location").select_option(place)
    page.get_by_role("button", name="Save").click()
    expect(toast(page, "Profile updated successfully")).to_be_visible()


def list_vehicle(page: Page, rc_number: str) -> None:
    """List a scooter with ten files at ₹450 a day."""
    page.get_by_role("link", name="Add Vehicle").click()
    page.get_by_role("link", name="Show all on one page").click()
    browser_listing.fill(page, **{"RC Number": rc_number})
    browser_listing.add_files(page)
    browser_listing.submit(page)
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()


def set_daily_price(page: Page, rupees: str) -> None:
    """Change the Full Day price in the edit dialog."""
    page.get_by_role("link", name="Manage Vehicles").click()
    page.get_by_role("button", name=re.compile("^Edit")).click()
    dialog = page.get_by_role("dialog", name="Edit Vehicle")
    dialog.get_by_label("Full Day: price in ₹").fill(rupees)
    dialog.get_by_role("button", name="Update Vehicle").click()
    expect(toast(page, "Vehicle updated successfully!")).to_be_visible()


def confirm_the_request(page: Page) -> None:
    """Confirm the only pending booking."""
    page.get_by_role("link", name="Manage Bookings").click()
    page.get_by_role("combobox", name=re.compile("^Status of ")).click()
    page.get_by_role("option", name="Confirmed").click()
    page.get_by_role("button", name="Confirm booking").click()
    expect(toast(page, "Booking confirmed")).to_be_visible()


def test_from_sign_up_to_the_first_confirmed_booking(browse: Browse, shop: Shop) -> None:
    vendor, customer = browse(), browse(shop.customer)
    # An email nobody else has.
    become_vendor(vendor, f"nila-{shop.vendor.id}@example.com")
    choose_service_location(vendor, shop.place.name)
    list_vehicle(vendor, f"TS09EC{7000 + (shop.vendor.id or 0) % 1000}")
    in_the_shop = f"/vehicles?pickupLocation={shop.place.name.replace(' ', '%20')}"
    visit(customer, in_the_shop)
    expect(customer.get_by_text("₹450", exact=True)).to_be_visible()

    set_daily_price(vendor, "625")
    switch = vendor.get_by_role("switch")
    switch.click()
    expect(toast(vendor, "Vehicle is now blocked from booking")).to_be_visible()
    visit(customer, in_the_shop)
    expect(customer.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
    switch.click()
    expect(toast(vendor, "Vehicle is now on the platform")).to_be_visible()

    search(customer, shop.place.name, moment(4), moment(5))
    customer.get_by_role("link", name=re.compile("₹625")).click()
    expect(customer.get_by_text("Total", exact=True)).to_be_visible()
    request(customer)
    customer.wait_for_url("**/my-bookings/PH-*")
    expect(customer.get_by_text("pending", exact=True)).to_be_visible()

    confirm_the_request(vendor)
    badge = customer.get_by_text("confirmed", exact=True)
    expect(badge).to_be_visible(timeout=ONE_BEAT)
    expect(badge).to_have_class(re.compile("green"))
