"""A page shows what belongs to its address: the previous content is gone before the server has responded."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Browse, Complaints
from tests.support.browser_my_booking import path
from tests.support.browser_steps import cards, search, type_moment, visit
from tests.support.line import Answers
from tests.support.shop import Shop, add_vehicle, moment, put
from tests.support.trips import confirmed

pytestmark = pytest.mark.e2e


def test_vehicles_found_for_other_dates_go_with_their_address(browse: Browse, shop: Shop) -> None:
    page = browse()
    answers = Answers(page)
    search(page, shop.place.name, moment(4), moment(5))
    found = cards(page).first.get_by_role("link")
    expect(found).to_have_attribute("href", re.compile(f"{moment(5):%Y-%m-%d}"))
    type_moment(page, "Return", moment(6))
    page.get_by_role("button", name="Search").click()
    expect(found).to_have_attribute("href", re.compile(f"{moment(6):%Y-%m-%d}"))
    answers.held = True
    page.go_back()
    expect(page.get_by_role("status").filter(has_text="Looking for vehicles")).to_be_visible()
    expect(cards(page)).to_have_count(0)
    answers.let_through()
    expect(found).to_have_attribute("href", re.compile(f"{moment(5):%Y-%m-%d}"))


def test_a_vehicle_goes_with_its_address(browse: Browse, shop: Shop, complaints: Complaints) -> None:
    add_vehicle(shop.vendor, model_id=3)
    complaints.expected.append("status of 404")
    page = browse()
    answers = Answers(page)
    shop.vehicle.is_active = False
    put(shop.vehicle)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    page.get_by_role("listitem").get_by_role("link").first.click()
    expect(page.get_by_role("button", name="Book Now")).to_be_visible()
    answers.held = True
    page.go_back()
    expect(page.get_by_text("Loading the vehicle")).to_be_attached()
    expect(page.get_by_role("button", name="Book Now")).to_have_count(0)
    answers.let_through()
    expect(page.get_by_role("heading", name="This vehicle is not listed")).to_be_visible()


def test_a_locality_goes_with_its_address(browse: Browse, shop: Shop) -> None:
    page = browse()
    answers = Answers(page)
    visit(page, f"/{shop.place.slug}/bike-rentals")
    page.locator("section").filter(has_text="Close by").get_by_role("link").first.click()
    title = page.get_by_role("heading", name=re.compile("^Bike on rent in"), level=1)
    expect(title).not_to_have_text(f"Bike on rent in {shop.place.name}")
    answers.held = True
    page.go_back()
    expect(title).to_have_count(0)
    expect(cards(page)).to_have_count(0)
    answers.let_through()
    expect(title).to_have_text(f"Bike on rent in {shop.place.name}")
    expect(cards(page)).to_have_count(1)


@pytest.mark.parametrize("side", ["customer", "vendor"])
def test_a_booking_goes_with_its_address(browse: Browse, shop: Shop, side: str) -> None:
    first, second = confirmed(shop, days=8), confirmed(shop, days=12)
    page = browse(getattr(shop, side))
    answers = Answers(page)
    address, everything = {
        "customer": (path, "All my bookings"),
        "vendor": ("/vendor/bookings/{}".format, "Manage Bookings"),
    }[side]
    visit(page, address(first.reference))
    page.get_by_role("link", name=everything).click()
    page.locator(f"a[href='{address(second.reference)}']").first.click()
    expect(page.get_by_text(second.reference)).to_be_visible()
    answers.held = True
    page.evaluate("history.go(-2)")
    page.wait_for_url(f"**{address(first.reference)}")
    expect(page.get_by_text(second.reference)).to_have_count(0)
    answers.let_through()
    expect(page.get_by_text(first.reference)).to_be_visible()


def test_a_filters_late_answer_leaves_the_address_of_the_next_search_alone(browse: Browse, shop: Shop) -> None:
    page = browse(fresh=True)
    answers = Answers(page)
    visit(page, f"/vehicles?pickupLocation={shop.place.name}")
    answers.held = True
    page.get_by_label("Filter vehicles").press_sequentially("activa", delay=20)
    answers.await_one()
    page.get_by_role("list", name="Type of vehicle").get_by_role("link", name="Scooter").click()
    page.wait_for_url("**type=Scooter")
    answers.let_through()
    expect(cards(page)).to_have_count(1)
    expect(page.get_by_label("Filter vehicles")).to_have_value("")
    expect(page).to_have_url(re.compile("type=Scooter$"))


def test_the_address_follows_the_filter_however_it_was_written(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, f"/vehicles?utm_source=x&pickupLocation={shop.place.name}")
    box = page.get_by_label("Filter vehicles")
    for typed, told in (("a", "a"), ("ctiva", "activa")):
        box.press_sequentially(typed)
        page.wait_for_url(re.compile(f"q={told}$"))
