"""From search to booking: extras, an offer code, a cheaper return, and free dates in place of taken ones."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.models import User
from tests.e2e.conftest import Browse
from tests.support import booking_steps
from tests.support.booking_steps import booked, bookings_of, vehicle_path
from tests.support.browser_steps import (
    book,
    cards,
    moment_box,
    search,
    settled,
    shown,
    sign_up,
    taken_over,
    toast,
    visit,
)
from tests.support.line import hold_scripts
from tests.support.shop import Shop, add_user, add_vehicle, moment, wanted

pytestmark = pytest.mark.e2e


def test_a_visitor_searches_signs_up_and_books(browse: Browse, shop: Shop) -> None:
    add_vehicle(shop.vendor, daily=390_000, model_id=30)
    page, pickup, return_at = browse(), moment(4), moment(6, 12)
    search(page, shop.place.name, pickup, return_at)
    expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}")).to_be_visible()
    expect(page.get_by_label("Duration")).to_have_text("2 days 2 h")
    expect(cards(page)).to_have_count(2)
    expect(cards(page).first).to_contain_text("₹500 / day")
    expect(cards(page).first).to_contain_text("₹1,500 total")

    page.get_by_label("Filter vehicles").fill("honnda actva")
    expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
    page.get_by_role("link", name="Honda Activa 6G").click()
    expect(page.get_by_role("heading", name="Honda Activa 6G", level=1)).to_be_visible()
    expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))

    book(page)
    address = page.url
    assert "/review?" in address
    # Of its own: under a translation it is gone once more.
    sign_up(page, f"{shop.place.slug}@example.com")
    expect(toast(page, "Your account is ready")).to_be_visible()
    expect(page.get_by_text("3 × Full Day at ₹500")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert page.url == address
    assert bookings_of(shop.vehicle.id) == []

    page.get_by_role("button", name="Request to book - ₹1,500").click()
    page.wait_for_url("**/my-bookings/PH-*")
    visit(page, "/my-bookings")
    booking = page.get_by_role("article").filter(has_text="Honda Activa 6G")
    expect(booking).to_contain_text("pending")
    expect(booking).to_contain_text("₹1,500")
    expect(booking).to_contain_text(clock.friendly(pickup))
    assert bookings_of(shop.vehicle.id) == [(pickup, return_at, "pending")]


@pytest.mark.dates
def test_a_window_chosen_in_the_panel_is_the_one_booked(browse: Browse, shop: Shop) -> None:
    page, pickup = browse(user=shop.customer, timezone_id="Pacific/Auckland"), moment(1, 15)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    page.get_by_role("button", name="Open calendar for Pickup").click()
    panel = page.get_by_role("dialog", name="When do you ride?")
    day = clock.indian(pickup)
    panel.get_by_role("button", name=f"{day:%A, %-d %B %Y}").click()
    panel.get_by_role("button", name="Pickup").click()
    panel.get_by_role("option", name="3 PM").click()
    panel.get_by_role("button", name="Use these dates").click()
    expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))
    expect(moment_box(page, "Return")).to_have_value(shown(pickup + timedelta(days=1)))
    book(page)
    page.wait_for_url("**/my-bookings/PH-*")
    assert bookings_of(shop.vehicle.id) == [(pickup, pickup + timedelta(days=1), "pending")]


# Whether a toast lies over the middle of the bar's last button in any frame from now on.
WATCH_BAR = """() => {
  window.covered = 0;
  const look = () => {
    const button = [...document.querySelectorAll(".booking-bar button")].at(-1);
    if (!button) return;
    const { x, y, width, height } = button.getBoundingClientRect();
    const top = document.elementFromPoint(x + width / 2, y + height / 2);
    window.covered += Boolean(top?.closest("[data-sonner-toast]"));
    requestAnimationFrame(look);
  };
  look();
}"""


def test_extras_a_code_and_a_cheaper_return_are_priced_and_booked(browse: Browse, shop: Shop) -> None:
    page = browse(user=shop.customer)
    visit(page, vehicle_path(shop, moment(4), moment(5, 15)))
    form = page.get_by_role("form", name="Book this vehicle")
    form.get_by_role("button", name="Return by 10 AM and save ₹500").click()
    expect(moment_box(page, "Return")).to_have_value(shown(moment(5)))
    form.get_by_role("checkbox", name="Second helmet").check()
    expect(form.get_by_text("₹700", exact=True).first).to_be_visible()

    code = page.get_by_role("textbox", name="Offer code")
    code.press_sequentially("weeklong")
    code.press("Enter")
    expect(page.get_by_text("The offer WEEKLONG is for rentals of 7 days and more")).to_be_visible()
    code.fill("")
    code.press_sequentially("firstride")
    page.get_by_role("button", name="Apply").click()
    expect(form.get_by_text("Offer FIRSTRIDE")).to_be_visible()
    expect(form.get_by_text("₹2,650")).to_be_visible()
    expect(form.get_by_text("A request: the vendor answers by")).to_be_visible()
    book(page)
    page.wait_for_url("**/my-bookings/PH-*")
    made = booked(shop)
    assert (made.price_paise, made.extras, made.offer) == (65_000, ["helmet"], "FIRSTRIDE")


@pytest.mark.long
def test_what_is_pressed_and_ticked_before_scripts_run_counts(browse: Browse, shop: Shop) -> None:
    page = browse(user=shop.customer, fresh=True)
    let_through = hold_scripts(page)
    page.goto(vehicle_path(shop, moment(4), moment(5, 15)), wait_until="commit")
    form = page.get_by_role("form", name="Book this vehicle")
    form.get_by_role("checkbox", name="Second helmet").check()
    form.get_by_role("button", name="Return by 10 AM and save ₹500").click()
    expect(page.locator("[data-slot]")).to_have_count(1)
    let_through()
    expect(moment_box(page, "Return")).to_have_value(shown(moment(5)))
    expect(form.get_by_role("checkbox", name="Second helmet")).to_be_checked()
    expect(form.get_by_text("₹700", exact=True).first).to_be_visible()


@pytest.mark.long
def test_the_address_that_stands_in_the_field_is_booked(browse: Browse, shop: Shop) -> None:
    booking_steps.alter(User, shop.vendor.id, delivery_supported=True)
    page = browse(user=shop.customer)
    visit(page, vehicle_path(shop, moment(4), moment(5)))
    page.get_by_role("checkbox", name="Deliver to me").check()
    # Asked for at the review, once it is needed.
    expect(page.get_by_label("Address for delivery")).to_have_count(0)
    page.get_by_role("button", name="Book Now").click()
    page.wait_for_url("**/review?*")
    taken_over(page)
    address = page.get_by_label("Address for delivery")
    # The account's own, as a proposal.
    expect(address).to_have_value(re.compile("Test Road"))
    address.fill("")
    address.press_sequentially("12 Lake")
    # The server has received this much.
    settled(page)
    address.press_sequentially(" View Road")
    # Not even React notices this.
    address.evaluate("field => { field.value += ', Flat 7' }")
    address.press("Enter")
    page.wait_for_url("**/my-bookings/PH-*")
    assert booked(shop).address == "12 Lake View Road, Flat 7"


def test_taken_dates_give_way_to_the_nearest_free_ones_on_a_phone(browse: Browse, shop: Shop) -> None:
    booking_steps.book(add_user(), wanted(shop.vehicle, 4))
    page = browse(user=shop.customer, viewport={"width": 360, "height": 740})
    visit(page, vehicle_path(shop, moment(4), moment(5)))
    form = page.get_by_role("form", name="Book this vehicle")
    expect(form.get_by_text("This vehicle is taken on these dates")).to_be_visible()
    # No price of other days stands beside the button.
    expect(form.locator(".booking-bar").get_by_text("Not free on these dates")).to_be_visible()
    expect(form.locator(".booking-bar").get_by_text("/ day")).to_have_count(0)
    refused = toast(page, "This vehicle is taken")
    page.evaluate(WATCH_BAR)
    form.get_by_role("button", name=f"{clock.friendly(moment(5))} to {clock.friendly(moment(6))}").click()
    expect(form.get_by_text("1 × Full Day at ₹500")).to_be_visible()
    # The toast leaves downwards: it takes no press from the bar meanwhile.
    expect(refused).to_have_count(0)
    assert page.evaluate("window.covered") == 0
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(5)))
    # The button stays at the bottom of the screen wherever the page is scrolled to.
    page.get_by_role("contentinfo").scroll_into_view_if_needed()
    expect(page.get_by_role("button", name="Book Now")).to_be_in_viewport()
    book(page)
    page.wait_for_url("**/my-bookings/PH-*")


@pytest.mark.dates
def test_what_is_taken_is_struck_out_of_the_calendar(browse: Browse, shop: Shop) -> None:
    booking_steps.book(add_user(), wanted(shop.vehicle, 6, 3))
    page = browse()
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    page.get_by_role("button", name="Open calendar for Pickup").click()
    panel = page.get_by_role("dialog", name="When do you ride?")
    expect(panel.get_by_role("option").first).to_be_visible()
    taken = panel.get_by_role("button", name=f"{clock.indian(moment(7)):%A, %-d %B %Y}, taken")
    if not taken.is_visible():
        panel.get_by_role("button", name="Next month").click()
    expect(taken).to_have_class(re.compile("dtp-taken"))
