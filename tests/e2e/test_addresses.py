"""Pages opened by their address, the browser's history, and addresses that lead nowhere."""

import re
from datetime import time

import pytest
from playwright.sync_api import expect

from rental_app.infrastructure.db import write
from rental_app.models import User
from rental_app.schemas.reviews import ReviewRequest
from rental_app.services.reviews import writing
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.support.booking_steps import alter
from tests.support.browser_steps import cards, moment_box, ready, search, shown, toast, visit
from tests.support.shop import Shop, actor, add_place, add_user, add_vehicle, moment, wire
from tests.support.trips import confirmed
from tests.support.vendor_trips import returned
from tests.support.visits import results_path

pytestmark = pytest.mark.e2e
LOST = "There is nothing at this address"


def test_a_search_opened_by_its_address(browse: Browse, shop: Shop) -> None:
    page = browse()
    # The same instants, also in another zone's time.
    for zoned in (wire, lambda instant: f"{instant:%Y-%m-%dT%H:%M:%S.000Z}"):
        visit(page, results_path(shop.place.name, zoned(moment(4)), zoned(moment(5))))
        expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
        expect(page.get_by_label("Pickup location")).to_have_value(shop.place.name)
        expect(moment_box(page, "Pickup")).to_have_value(shown(moment(4)))
        expect(moment_box(page, "Return")).to_have_value(shown(moment(5)))
        page.evaluate("sessionStorage.clear()")


def test_a_vehicle_opened_by_its_address(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    expect(page.get_by_role("heading", name="Honda Activa 6G", level=1)).to_be_visible()
    for heading in ("Renting Info", "Vehicle Features", "Pickup Location"):
        expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.get_by_text("Choose pickup and return to see the price.")).to_be_visible()
    page.get_by_role("link", name="Back to all vehicles").click()
    page.wait_for_url("**/vehicles")
    expect(page.get_by_role("heading", name="All vehicles")).to_be_visible()


def test_a_vehicle_found_again_for_other_dates_takes_them(browse: Browse, shop: Shop) -> None:
    page = browse()
    for pickup, return_at in ((moment(4), moment(5)), (moment(7), moment(9))):
        search(page, shop.place.name, pickup, return_at)
        cards(page).first.click()
        expect(moment_box(page, "Pickup")).to_have_value(shown(pickup))
        expect(moment_box(page, "Return")).to_have_value(shown(return_at))


def test_back_and_forward_keep_the_search(browse: Browse, shop: Shop) -> None:
    add_vehicle(shop.vendor, model_id=3)
    page = browse()
    search(page, shop.place.name, moment(4), moment(5))
    expect(cards(page)).to_have_count(2)
    cards(page).filter(has_text="Activa").get_by_role("link").click()
    expect(page.get_by_role("heading", name="Honda Activa 6G", level=1)).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Showing 2 vehicles", exact=True)).to_be_visible()
    expect(moment_box(page, "Return")).to_have_value(shown(moment(5)))
    page.go_forward()
    expect(page.get_by_role("heading", name="Honda Activa 6G", level=1)).to_be_visible()
    expect(page.get_by_text("1 × Full Day at ₹500")).to_be_visible()
    page.go_back()
    expect(page.get_by_text("Showing 2 vehicles", exact=True)).to_be_visible()
    page.go_back()
    expect(page.get_by_role("heading", name="Featured vehicles")).to_be_visible()
    expect(page.get_by_label("Pickup location")).to_have_value(shop.place.name)
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(4)))


def test_a_nonsensical_query_breaks_nothing_and_leaves_the_vehicle_bookable(browse: Browse) -> None:
    page = browse()
    for query in (
        "pickupLocation=%00%ff<script>&pickupDate=yesterday&returnDate=-1",
        "pickupLocation=Atlantis&pickupDate=2026-13-45T99:99&returnDate=2026-02-30",
        "pickupDate=&returnDate=&pickupLocation=",
        "pickupLocation[]=a&pickupLocation=b&pickupDate=%F0%9F%9B%B5",
        "x=" + "y" * 3000,
    ):
        visit(page, f"/vehicles?{query}")
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        expect(page.get_by_text("Looking for vehicles")).to_have_count(0)
    visit(page, "/vehicle-details/1?pickupDate=<b>now&returnDate=2026-13-45&returnDate=%00")
    expect(page.get_by_role("button", name="Book Now")).to_be_enabled()


def test_an_impossible_search_says_why(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, results_path(shop.place.name, wire(moment(-3)), wire(moment(-2))))
    expect(toast(page, "Pickup is in the past")).to_be_visible()
    expect(page.get_by_role("heading", name="This search is not possible")).to_be_visible()
    visit(page, results_path("Atlantis", wire(moment(3)), wire(moment(4))))
    expect(page.get_by_role("main").get_by_text("Atlantis is not one of our locations")).to_be_visible()


def test_the_chosen_location_is_remembered(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("combobox", name="Location", exact=True).select_option(shop.place.name)
    page.wait_for_function("name => localStorage.getItem('selectedLocation') === name", arg=shop.place.name)
    other = page.context.new_page()
    visit(other, "/vehicles")
    expect(other.get_by_role("combobox", name="Location", exact=True)).to_have_value(shop.place.name)
    expect(other.get_by_role("heading", name=f"Vehicles in {shop.place.name}")).to_be_visible()
    expect(cards(other)).to_have_count(1)
    visit(other, "/")
    expect(other.get_by_label("Pickup location")).to_have_value(shop.place.name)


def test_hours_nobody_serves_offer_the_nearest(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, results_path(shop.place.name, wire(moment(4, 3)), wire(moment(5, 3))))
    expect(toast(page, "No cars available")).to_be_visible()
    expect(page.get_by_role("heading", name="No cars available")).to_be_visible()
    expect(page.get_by_text("1 vehicle is free at the nearest opening hours")).to_be_visible()
    page.get_by_role("link", name="Use these hours").click()
    expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(4, 9)))


def test_a_search_without_any_hit_leads_to_all_vehicles(browse: Browse, shop: Shop) -> None:
    add_user("Vendor", location_id=shop.place.id, open_time=time(5), close_time=time(6))
    page = browse()
    visit(page, results_path(shop.place.name, wire(moment(4, 22)), wire(moment(8, 22))))
    expect(page.get_by_role("heading", name="No cars available")).to_be_visible()
    page.get_by_role("button", name="See all vehicles").click()
    expect(page.get_by_role("heading", name="All vehicles")).to_be_visible()
    expect(page.get_by_text(re.compile(r"Showing \d+ of \d+ vehicles"))).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    expect(cards(page).nth(40)).to_be_visible()


def test_a_filter_that_fits_nothing_can_be_cleared(browse: Browse) -> None:
    page = browse()
    visit(page, "/vehicles")
    page.get_by_label("Filter vehicles").fill("zeppelin")
    expect(page.get_by_role("heading", name="No vehicle matches that filter")).to_be_visible()
    page.get_by_role("button", name="Clear the filter").click()
    expect(page.get_by_label("Filter vehicles")).to_have_value("")
    expect(cards(page).first).to_be_visible()


def test_an_unknown_vehicle(browse: Browse, complaints: Complaints) -> None:
    complaints.expected.append("status of 404")
    page = browse()
    for path in ("9999999", "abc", "99999999999999999999"):
        visit(page, f"/vehicle-details/{path}")
        expect(page.get_by_role("heading", name="This vehicle is not listed")).to_be_visible()
        expect(page.get_by_role("main").get_by_role("link", name="See all vehicles")).to_be_visible()


def test_a_vendor_stays_in_the_vendors_frame_at_an_unknown_address(
    browse: Browse, complaints: Complaints, shop: Shop
) -> None:
    complaints.expected.append("status of 404")
    page = browse(shop.vendor)
    answer = page.goto("/vendor/nowhere")
    assert answer
    html = answer.text()
    assert ('aria-label="Vendor"' in html, 'aria-label="Main"' in html) == (True, False), "from the first byte"
    expect(page.get_by_role("navigation", name="Vendor")).to_be_visible()
    expect(page.get_by_role("heading", name=LOST)).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_have_count(0)
    page.get_by_role("link", name="Go to the dashboard").click()
    page.wait_for_url("**/vendor")


def test_words_without_a_space_stay_on_the_page(browse: Browse) -> None:
    place = add_place("Testpur of long words")
    vendor = add_user("Vendor", location_id=place.id, address="A" * 200, name="N" * 150, notes="T" * 400)
    vehicle = add_vehicle(vendor, terms="V" * 400)
    page = browse()
    visit(page, f"/vehicle-details/{vehicle.id}")
    expect(page.get_by_role("heading", name="Pickup Location")).to_be_visible()
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth") == size["width"]


def test_names_without_a_space_stay_on_a_vendors_phone(browse: Browse, shop: Shop) -> None:
    over, trip = returned(shop), confirmed(shop, days=9)
    for user in (shop.vendor, shop.customer):
        alter(User, user.id, name="N" * 100)
        write(writing.write, actor(user), over.reference, ReviewRequest(stars=5))
    page = browse(shop.vendor, viewport=PHONE)
    there = {"/vendor/calendar": "Booked: N", f"/vendor/bookings/{trip.reference}": "1 vendor review"}
    for path, said in there.items():
        visit(page, path)
        page.get_by_text(said).last.scroll_into_view_if_needed()
        page.evaluate("document.querySelectorAll('details').forEach((fold) => (fold.open = true))")
        assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"], path


def test_an_unknown_address(browse: Browse, complaints: Complaints) -> None:
    complaints.expected.append("status of 404")
    page = browse()
    for path in ("/nowhere", "/vendor/nowhere", "/vehicles/1/2/3"):
        answer = page.goto(path)
        assert answer
        assert answer.status == 404
        ready(page)
        expect(page.get_by_role("heading", name=LOST)).to_be_visible()
        page.get_by_role("link", name="Go to the home page").click()
        expect(page.get_by_role("heading", name="Featured vehicles")).to_be_visible()
