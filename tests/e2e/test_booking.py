"""From search to booking, and what keeps two people from booking the same vehicle."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from tests.e2e.conftest import Browse
from tests.support.booking_steps import ask, bookings_of, vehicle_path
from tests.support.browser_steps import (
    book,
    cards,
    follow,
    log_in,
    moment_box,
    search,
    settled,
    shown,
    sign_up,
    toast,
    token,
    type_moment,
    visit,
)
from tests.support.shop import Shop, add_user, add_vehicle, moment

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
    sign_up(page, "visitor@example.com")
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
    expect(booking).to_contain_text(clock.brief(pickup))
    assert bookings_of(shop.vehicle.id) == [(pickup, return_at, "pending")]


def test_of_two_quick_presses_one_is_sent(browse: Browse, shop: Shop) -> None:
    page = browse(shop.customer)
    visit(page, vehicle_path(shop, moment(4), moment(6)))
    expect(page.get_by_text("Total", exact=True)).to_be_visible()
    page.get_by_role("button", name="Book Now").click()
    page.get_by_role("button", name="Request to book").dblclick()
    expect(toast(page, "Booking requested")).to_be_visible()
    page.wait_for_url("**/my-bookings/PH-*")
    settled(page)
    expect(toast(page, "just booked")).to_have_count(0)


def test_the_pincode_fills_city_state_and_district(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="click here").click()
    dialog.get_by_label("Pincode").fill("500032")
    for label, text in (("City", "Hyderabad|Rangareddy|K.V.Rangareddy"), ("State", "Telangana"), ("District", ".+")):
        expect(dialog.get_by_label(label)).to_have_value(re.compile(text, re.IGNORECASE))
    expect(dialog.get_by_label("State")).not_to_be_editable()
    expect(dialog.get_by_label("District")).not_to_be_editable()
    dialog.get_by_label("Pincode").fill("999999")
    expect(toast(page, "Failed to fetch location")).to_be_visible()
    for label in ("City", "State", "District"):
        expect(dialog.get_by_label(label)).to_have_value("")


def test_a_second_customer_is_refused_the_same_window_and_gets_the_next(browse: Browse, shop: Shop) -> None:
    first, second = browse(user=shop.customer), browse(user=add_user())
    for page in (first, second):
        visit(page, vehicle_path(shop, moment(4), moment(5)))
        expect(page.get_by_text("Total", exact=True)).to_be_visible()
        page.get_by_role("button", name="Book Now").click()
        expect(page.get_by_role("button", name="Request to book")).to_be_visible()
    first.get_by_role("button", name="Request to book").click()
    first.wait_for_url("**/my-bookings/PH-*")

    second.get_by_role("button", name="Request to book").click()
    expect(toast(second, "This vehicle was just booked for these dates")).to_be_visible()
    second.get_by_role("link", name="Choose other dates").click()
    expect(second.get_by_role("button", name="Book Now")).to_be_visible()
    type_moment(second, "Pickup", moment(5))
    type_moment(second, "Return", moment(6))
    book(second)
    second.wait_for_url("**/my-bookings/PH-*")
    assert bookings_of(shop.vehicle.id) == [
        (moment(4), moment(5), "pending"),
        (moment(5), moment(6), "pending"),
    ]


def test_a_price_changed_between_page_and_click_is_shown_before_it_is_booked(browse: Browse, shop: Shop) -> None:
    page = browse(user=shop.customer)
    visit(page, vehicle_path(shop, moment(4), moment(5)))
    page.get_by_role("button", name="Book Now").click()
    form, send = page.get_by_role("form", name="Your request"), page.get_by_role("button", name="Request to book")
    expect(form.get_by_text("1 × Full Day at ₹500")).to_be_visible()
    # The price rendered by the server is requested once more when the page takes over.
    settled(page)
    ask(shop.vehicle, 5_000_000)
    send.click()
    sentence = "The price has changed from ₹500 to ₹50,000. Please check it and press again"
    expect(toast(page, sentence)).to_be_visible()
    expect(form.get_by_role("status").filter(has_text=sentence)).to_be_visible()
    expect(form.get_by_text("1 × Full Day at ₹50,000")).to_be_visible()
    assert bookings_of(shop.vehicle.id) == []

    send.click()
    page.wait_for_url("**/my-bookings/PH-*")
    expect(page.get_by_role("main")).to_contain_text("₹50,000")
    assert bookings_of(shop.vehicle.id) == [(moment(4), moment(5), "pending")]


@pytest.mark.parametrize("zone", ["America/Los_Angeles", "Pacific/Auckland"])
def test_the_browsers_time_zone_does_not_matter(browse: Browse, shop: Shop, zone: str) -> None:
    page, pickup, return_at = browse(timezone_id=zone), moment(4, 9), moment(5, 20)
    search(page, shop.place.name, pickup, return_at)
    follow(page, cards(page).first)
    expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))
    log_in(page, shop.customer.email)
    page.wait_for_url("**/")
    visit(page, vehicle_path(shop, pickup, return_at))
    book(page)
    page.wait_for_url("**/my-bookings/PH-*")
    expect(page.get_by_text(clock.friendly(pickup)).first).to_be_visible()
    expect(page.get_by_text(clock.friendly(return_at)).first).to_be_visible()
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


def test_login_from_the_navigation_goes_home(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/vehicles")
    log_in(page, shop.customer.email)
    expect(toast(page, "You are logged in")).to_be_visible()
    page.wait_for_url(re.compile(r"//[^/]+/$"))
    assert token(page)
