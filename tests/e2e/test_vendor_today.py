"""Today in a browser: a shop of two hundred on a phone, requests that come in, and answers that act at the press."""

import re

import pytest
from playwright.sync_api import expect

from tests.e2e.conftest import PHONE, Browse
from tests.support.booking_steps import book, status_of
from tests.support.browser_steps import toast, visit
from tests.support.busy_day import busy_day
from tests.support.shop import Shop, add_user, add_vehicle, wanted

pytestmark = pytest.mark.e2e
MOST_PIXELS = 3000
# A new request is shown within this time, and a moment for a busy machine.
SOON_MS = 3_000 + 2_000


def test_a_busy_day_of_two_hundred_vehicles_fits_a_phone(browse: Browse, shop: Shop) -> None:
    busy_day(shop)
    page = browse(shop.vendor, viewport=PHONE)
    visit(page, "/vendor")
    expect(page.get_by_role("list", name="Requests").get_by_role("listitem")).to_have_count(5)
    for name, count in {"Answer now": 12, "Going out": 20, "Coming back": 20, "Objections": 8, "Documents": 8}.items():
        part = page.get_by_role("region", name=name)
        expect(part.get_by_role("heading")).to_have_text(f"{name} {count}")
        expect(part.get_by_role("link", name="See all")).to_be_visible()
    expect(page.get_by_role("region", name="Coming back").get_by_role("link", name="5 overdue")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight") <= MOST_PIXELS
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_six_requests_are_six_presses(browse: Browse, shop: Shop) -> None:
    cars = [add_vehicle(shop.vendor) for _ in range(6)]
    made = [book(add_user(), wanted(car, days=20 + day)).id for day, car in enumerate(cars)]
    page = browse(shop.vendor, viewport=PHONE)
    visit(page, "/vendor")
    for car in cars:
        page.get_by_role("group", name=car.rc_number).get_by_role("button", name="Accept").click()
    expect(page.get_by_role("button", name="Accept")).to_have_count(0)
    assert [status_of(booking) for booking in made] == ["confirmed"] * 6


def test_a_double_press_answers_one_request(browse: Browse, shop: Shop) -> None:
    first = book(shop.customer, wanted(shop.vehicle))
    second = book(shop.customer, wanted(add_vehicle(shop.vendor), days=9))
    page = browse(shop.vendor, viewport=PHONE)
    visit(page, "/vendor")
    page.get_by_role("button", name="Accept").first.dblclick()
    expect(page.get_by_role("list", name="Requests").get_by_text(re.compile("accepted$"))).to_be_visible()
    expect(toast(page, "accepted")).to_have_count(1)
    assert [status_of(first.id), status_of(second.id)] == ["confirmed", "pending"]


def test_a_new_request_is_shown_and_counted_in_the_title_while_the_page_is_open(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor")
    expect(page.get_by_text("Nothing to do right now")).to_be_visible()
    sound = page.get_by_role("button", name="Sound for new requests")
    expect(sound).to_have_attribute("aria-pressed", "true")
    sound.click()
    book(shop.customer, wanted(shop.vehicle))
    expect(page.get_by_role("button", name="Accept")).to_be_visible(timeout=SOON_MS)
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.get_by_role("status").filter(has_text="New request: Honda Activa 6G")).to_be_attached()
    page.reload()
    expect(sound).to_have_attribute("aria-pressed", "false")
    page.get_by_role("link", name="Calendar").first.click()
    expect(page).to_have_title(re.compile("^Calendar"))
