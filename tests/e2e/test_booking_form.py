"""The booking form: extras, an offer code, a cheaper return, and free dates in place of taken ones."""

import re

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.models import User
from tests.e2e.conftest import Browse
from tests.support import booking_steps
from tests.support.booking_steps import booked, vehicle_path
from tests.support.browser_steps import book, moment_box, settled, shown, taken_over, toast, visit
from tests.support.line import Answers, hold_scripts
from tests.support.shop import Shop, add_user, moment, wanted

pytestmark = pytest.mark.e2e
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
# React marks the elements it listens to.
HEARS = "Object.keys(document.querySelector('[data-slot]') ?? {}).some(key => key.startsWith('__reactProps'))"


def test_extras_a_code_and_a_cheaper_return_are_priced_and_booked(browse: Browse, shop: Shop) -> None:
    page = browse(user=shop.customer)
    visit(page, vehicle_path(shop, moment(4), moment(5, 15)))
    form = page.get_by_role("form", name="Book this vehicle")
    form.get_by_role("button", name="Return by 10:00 AM and save ₹500").click()
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


@pytest.mark.parametrize("waits_for", ["answers", "scripts"])
def test_what_is_pressed_and_ticked_before_the_page_answers_counts(browse: Browse, shop: Shop, waits_for: str) -> None:
    page = browse(user=shop.customer, fresh=True)
    let_through = hold_scripts(page) if waits_for == "scripts" else Answers(page, held=True).let_through
    page.goto(vehicle_path(shop, moment(4), moment(5, 15)), wait_until="commit")
    if waits_for == "answers":
        page.wait_for_function(HEARS)
    form = page.get_by_role("form", name="Book this vehicle")
    form.get_by_role("checkbox", name="Second helmet").check()
    form.get_by_role("button", name="Return by 10:00 AM and save ₹500").click()
    expect(page.locator("[data-slot]")).to_have_count(1)
    let_through()
    expect(moment_box(page, "Return")).to_have_value(shown(moment(5)))
    expect(form.get_by_role("checkbox", name="Second helmet")).to_be_checked()
    expect(form.get_by_text("₹700", exact=True).first).to_be_visible()


def test_a_code_applied_before_scripts_run_keeps_the_dates(browse: Browse, shop: Shop) -> None:
    page = browse(java_script_enabled=False)
    page.goto(vehicle_path(shop, moment(4), moment(5)))
    page.get_by_role("textbox", name="Offer code").fill("firstride")
    page.get_by_role("button", name="Apply").click()
    page.wait_for_url("**offer=firstride**")
    other = browse(user=shop.customer)
    visit(other, page.url)
    expect(moment_box(other, "Return")).to_have_value(shown(moment(5)))
    expect(other.get_by_text("Offer FIRSTRIDE")).to_be_visible()


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
