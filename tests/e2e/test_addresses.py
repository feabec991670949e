"""Pages opened by their address, the browser's history, addresses that lead nowhere, and what goes with its address."""

import re
from datetime import time

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import Browse, Complaints
from tests.support.browser_my_booking import path
from tests.support.browser_steps import cards, moment_box, ready, search, shown, toast, type_moment, visit
from tests.support.line import Answers
from tests.support.shop import Shop, add_user, add_vehicle, moment, wire
from tests.support.trips import confirmed
from tests.support.visits import results_path

pytestmark = pytest.mark.e2e
LOST = "There is nothing at this address"


@pytest.mark.long
def test_a_search_opened_by_its_address_and_the_ways_on_where_it_finds_nothing(browse: Browse, shop: Shop) -> None:
    page = browse()
    # The same instants, also in another zone's time.
    for zoned in (wire, lambda instant: f"{instant:%Y-%m-%dT%H:%M:%S.000Z}"):
        visit(page, results_path(shop.place.name, zoned(moment(4)), zoned(moment(5))))
        expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
        expect(page.get_by_label("Pickup location")).to_have_value(shop.place.name)
        expect(moment_box(page, "Pickup")).to_have_value(shown(moment(4)))
        expect(moment_box(page, "Return")).to_have_value(shown(moment(5)))
        page.evaluate("sessionStorage.clear()")
    visit(page, results_path(shop.place.name, wire(moment(4, 3)), wire(moment(5, 3))))
    expect(toast(page, "No cars available")).to_be_visible()
    expect(page.get_by_text("1 vehicle is free at the nearest opening hours")).to_be_visible()
    page.get_by_role("link", name="Use these hours").click()
    expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(4, 9)))
    add_user("Vendor", location_id=shop.place.id, open_time=time(5), close_time=time(6))
    visit(page, results_path(shop.place.name, wire(moment(4, 22)), wire(moment(8, 22))))
    expect(page.get_by_role("heading", name="No cars available")).to_be_visible()
    page.get_by_role("button", name="See all vehicles").click()
    expect(page.get_by_role("heading", name="All vehicles")).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    expect(cards(page).nth(40)).to_be_visible()


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
    # A vehicle that is found again for other dates takes them.
    search(page, shop.place.name, moment(7), moment(9))
    cards(page).filter(has_text="Activa").get_by_role("link").click()
    expect(moment_box(page, "Pickup")).to_have_value(shown(moment(7)))
    expect(moment_box(page, "Return")).to_have_value(shown(moment(9)))


def test_an_unknown_address_leads_back_and_a_vendor_stays_in_the_vendors_frame(
    browse: Browse, complaints: Complaints, shop: Shop
) -> None:
    complaints.expected.append("status of 404")
    page = browse()
    for unknown in ("/nowhere", "/vendor/nowhere", "/vehicles/1/2/3"):
        answer = page.goto(unknown)
        assert answer
        assert answer.status == 404
        ready(page)
        expect(page.get_by_role("heading", name=LOST)).to_be_visible()
        page.get_by_role("link", name="Go to the home page").click()
        expect(page.get_by_role("heading", name="Featured vehicles")).to_be_visible()
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


@pytest.mark.long
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


@pytest.mark.parametrize("side", ["customer", pytest.param("vendor", marks=pytest.mark.long)])
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
