"""A phone at 200 %: half its width, long names, no pictures, no reviews and very many; no page scrolls sideways."""

import pytest
from playwright.sync_api import Page, expect

from rental_app.models import User, Vehicle
from tests.e2e.conftest import Browse
from tests.support.booking_steps import alter
from tests.support.browser_steps import settled, taken_over, visit
from tests.support.shop import Shop, add_vehicle, moment, wire
from tests.support.trips import confirmed

pytestmark = pytest.mark.e2e
NAME = ("వెంకటరమణశ్రీనివాసులు" * 4)[:60]
# Half of 390 and of 360 px.
WIDTHS = (195, 180)
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# What a person reads is inside the window, other than what is scrolled through by design.
BESIDE = """
[...document.querySelectorAll('main h1, main h2, main h3, main button, main input')].filter((each) => {
  const { left, right, width } = each.getBoundingClientRect();
  const swiped = each.closest('[tabindex="0"], .sr-only, [role=region]');
  return width && !swiped && each.checkVisibility() && (left < 0 || right > innerWidth + 1);
}).map((each) => each.outerHTML.slice(0, 120))
"""


def faults(page: Page) -> list[object]:
    """What does not fit at the widths of a page."""
    found: list[object] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 422})
        settled(page)
        if (over := page.evaluate(SIDEWAYS)) > 0:
            found.append(f"{over} px too wide at {width}")
        found += page.evaluate(BESIDE)
    return found


@pytest.fixture
def strained(shop: Shop) -> Shop:
    """The shop with a long name, a vehicle without pictures and reviews, and one with 10,000 reviews."""
    alter(User, shop.vendor.id, name=NAME)
    alter(Vehicle, shop.vehicle.id, stars_total=0, reviews=0)
    many = add_vehicle(shop.vendor)
    alter(Vehicle, many.id, stars_total=43_000, reviews=10_000)
    return Shop(shop.vendor, shop.customer, many, shop.place)


def test_a_zoomed_phone_reads_every_page_of_the_journey(browse: Browse, strained: Shop, shop: Shop) -> None:
    trip = confirmed(shop)
    window = f"pickupDate={wire(moment(14))}&returnDate={wire(moment(16))}".replace("+", "%2B")
    paths = [
        "/",
        f"/vehicles?pickupLocation={shop.place.name}",
        f"/vehicles?view=map&{window}",
        f"/vehicle-details/{shop.vehicle.id}?{window}",
        f"/vehicle-details/{strained.vehicle.id}?{window}",
        f"/vehicle-details/{shop.vehicle.id}/review?{window}",
        f"/my-bookings/{trip.reference}",
        "/my-bookings",
        "/account",
    ]
    page, found = browse(shop.customer, viewport={"width": 195, "height": 422}), {}
    for path in paths:
        visit(page, path)
        taken_over(page)
        expect(page.get_by_role("main").get_by_role("heading").first).to_be_attached()
        found[path] = faults(page)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_a_vehicle_without_pictures_and_reviews_says_so_and_one_with_many_counts_them(
    browse: Browse, strained: Shop, shop: Shop
) -> None:
    page = browse()
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    drawing = page.get_by_role("main").get_by_role("img").first
    assert drawing.evaluate("image => image.complete && image.naturalWidth > 0")
    expect(page.get_by_role("link", name="from 0 reviews")).to_have_count(0)
    visit(page, f"/vehicle-details/{strained.vehicle.id}")
    expect(page.get_by_text("4.3 of 5 from 10,000 reviews").first).to_be_visible()
