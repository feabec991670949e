"""A phone at 200 %: half its width, long names, no pictures, no reviews and very many; no page scrolls sideways."""

from dataclasses import replace
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from rental_app.models import Booking, User, Vehicle
from tests.e2e.conftest import Browse, Complaints
from tests.support.booking_steps import alter, book
from tests.support.browser_steps import settled, visit
from tests.support.console import operator
from tests.support.shop import Shop, add_vehicle, moment, wanted, wire
from tests.support.trips import confirmed

pytestmark = [pytest.mark.e2e, pytest.mark.long]
NAME = ("వెంకటరమణశ్రీనివాసులు" * 4)[:60]
# Half of 390 and of 360 px.
WIDTHS = (195, 180)
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
# Times are short in the morning, in the first days of a month and in this year: here all are as long as any.
LONG_TIMES = r"""
const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const days = /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d{1,2} [A-Z][a-z]{2}\b(?: \d{4})?/g;
for (let text = texts.nextNode(); text; text = texts.nextNode()) {
  if (text.parentElement.closest('script, style')) continue;
  const long = text.data.replace(days, 'Wed 28 May 2028').replace(/\b\d{1,2}(:\d\d)? [AP]M\b/g, '10:00 AM');
  if (long !== text.data) text.data = long;
}
"""
# What a person reads is inside the window, other than what is scrolled through by design, and not one letter a line.
# Telugu letters are taller than Latin ones: a line that hides what overflows needs room for them.
CUT = r"""
[...document.querySelectorAll("body *")].filter((each) => {
  const own = [...each.childNodes].some(({ data }) => /\p{Script=Telugu}/u.test(data));
  const { overflowY, lineHeight, fontSize } = getComputedStyle(each);
  const isHidden = each.closest(".sr-only") || !each.checkVisibility();
  return own && !isHidden && overflowY !== "visible" && parseFloat(lineHeight) < 1.4 * parseFloat(fontSize);
}).map((each) => each.outerHTML.slice(0, 200))
"""
BESIDE = """
const read = document.querySelectorAll('main :is(h1, h2, h3, p, a, button, input, td), header :is(a, button)');
[...read].filter((each) => {
  const { left, right, width, height } = each.getBoundingClientRect();
  const squeezed = width < 24 && height > 72 && each.textContent.trim();
  const swiped = each.closest('[tabindex="0"], .sr-only, thead, [aria-label="Parts of this page"], [role=region]');
  return width && !swiped && each.checkVisibility() && (left < 0 || right > innerWidth + 1 || squeezed);
}).map((each) => each.outerHTML.slice(0, 120))
"""


def faults(page: Page, path: str) -> list[object]:
    """What does not fit at the widths of a page, at any hour and in any year."""
    visit(page, path)
    expect(page.get_by_role("main").get_by_role("heading").first).to_be_attached()
    found: list[object] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 422})
        settled(page)
        page.evaluate(LONG_TIMES)
        if (over := page.evaluate(SIDEWAYS)) > 0:
            found.append(f"{over} px too wide at {width}")
        found += page.evaluate(BESIDE) + page.evaluate(CUT)
    # By now whoever may not see it was led elsewhere.
    assert urlsplit(page.url).path == urlsplit(path).path
    return found


@pytest.fixture
def strained(shop: Shop) -> Shop:
    """The shop with a long name, a vehicle without pictures and reviews, and one with 10,000 reviews."""
    for user in (shop.vendor, shop.customer):
        alter(User, user.id, name=NAME)
    alter(Vehicle, shop.vehicle.id, stars_total=0, reviews=0)
    many = add_vehicle(shop.vendor)
    alter(Vehicle, many.id, stars_total=43_000, reviews=10_000)
    return replace(shop, vehicle=many)


def _booked(shop: Shop, reference: str) -> int:
    """Confirm a booking with a reference as wide as any; returns its id."""
    booking_id = confirmed(shop).id
    alter(Booking, booking_id, reference=reference)
    return booking_id


def test_a_zoomed_phone_reads_every_page_of_the_journey(browse: Browse, strained: Shop, shop: Shop) -> None:
    _booked(shop, "PH-WWWWWW")
    window = f"pickupDate={wire(moment(14))}&returnDate={wire(moment(16))}".replace("+", "%2B")
    paths = [
        "/",
        f"/vehicles?pickupLocation={shop.place.name}",
        f"/vehicles?view=map&{window}",
        f"/vehicle-details/{shop.vehicle.id}?{window}",
        f"/vehicle-details/{strained.vehicle.id}?{window}",
        f"/vehicle-details/{shop.vehicle.id}/review?{window}",
        "/my-bookings/PH-WWWWWW",
        "/my-bookings",
        "/account",
    ]
    page, found = browse(shop.customer, viewport={"width": 195, "height": 422}), {}
    for path in paths:
        found[path] = faults(page, path)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}


def test_a_zoomed_phone_reads_the_pages_of_a_vendors_day_and_an_operators(
    browse: Browse, complaints: Complaints, strained: Shop, shop: Shop
) -> None:
    booking_id, booking = _booked(shop, "PH-WWWWWM"), "/vendor/bookings/PH-WWWWWM"
    book(shop.customer, wanted(shop.vehicle, days=9))
    names = (
        "manage-bookings",
        "new-booking",
        "calendar",
        "manage-vehicles",
        "prices",
        "earnings",
        "reviews",
        "profile",
    )
    paths = ["/vendor", *[f"/vendor/{name}" for name in names], booking, f"{booking}/handover", "/account"]
    page, found = browse(strained.vendor, viewport={"width": 195, "height": 422}), {}
    for path in paths:
        found[path] = faults(page, path)
    # The console is not there (404) until the page's scripts say who asks.
    complaints.expected.append("status of 404")
    page = browse(operator(), viewport={"width": 195, "height": 422})
    rows = (f"people/{shop.vendor.id}", f"listings/{shop.vehicle.id}", f"bookings/{booking_id}")
    for path in [f"/operator/{name}" for name in ("listings", "bookings", "money", *rows)]:
        found[path] = faults(page, path)
    assert {path: wrong for path, wrong in found.items() if wrong} == {}
    # The words of a row in the account stay wider than a letter, beside a long button too.
    page = browse(shop.vendor, viewport={"width": 360, "height": 740})
    visit(page, "/account")
    details = page.get_by_role("region", name="Details")
    expect(details.get_by_role("button", name="Contact Pahiya for modification")).to_be_visible()
    words = details.get_by_role("listitem").first.locator("p").last
    assert words.evaluate("node => node.getBoundingClientRect().width") > 200


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
