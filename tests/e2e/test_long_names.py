"""Names of sixty letters in a tall script without capitals, and in one word: no page of the journey scrolls sideways or
cuts them."""

import pytest
from playwright.sync_api import Page, expect

from rental_app.models import Booking, User
from tests.e2e.conftest import PHONE, Browse, Complaints
from tests.support.booking_steps import alter
from tests.support.browser_steps import settled, taken_over, visit
from tests.support.shop import Shop, moment, wire
from tests.support.trips import confirmed, hand_over, pay

pytestmark = pytest.mark.e2e
NAME = ("వెంకటరమణశ్రీనివాసులు" * 4)[:60]
WIDTHS = (320, 360, 768)
# Its letters are taller than Latin ones: a line that hides what overflows needs room for them.
CUT = """
[...document.querySelectorAll("body *")].filter((each) => {
  const own = [...each.childNodes].some(({ data }) => /\\p{Script=Telugu}/u.test(data));
  const { overflowY, lineHeight, fontSize } = getComputedStyle(each);
  const isHidden = each.closest(".sr-only") || !each.checkVisibility();
  return own && !isHidden && overflowY !== "visible" && parseFloat(lineHeight) < 1.4 * parseFloat(fontSize);
}).map((each) => each.outerHTML.slice(0, 200))
"""


@pytest.fixture
def long_named(shop: Shop) -> Shop:
    """The shop with such names for its vendor and its customer."""
    for user in (shop.vendor, shop.customer):
        alter(User, user.id, name=NAME, delivery_supported=True)
    return shop


def too_wide(page: Page) -> list[object]:
    """The widths at which the page scrolls sideways."""
    found: list[object] = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": PHONE["height"]})
        settled(page)
        if page.evaluate("document.documentElement.scrollWidth > innerWidth"):
            found.append(width)
    return found


def test_long_names_break_and_widen_no_page(browse: Browse, long_named: Shop, complaints: Complaints) -> None:
    # This test's photos are names without files.
    complaints.expected.append("/photos/")
    shop = long_named
    trip = confirmed(shop)
    window = f"pickupDate={wire(moment(14))}&returnDate={wire(moment(16))}".replace("+", "%2B")
    vehicle = f"/vehicle-details/{shop.vehicle.id}"
    own = f"/my-bookings/{trip.reference}"
    of_customer = [vehicle, f"{vehicle}/review?{window}&extras=drop_off", own, "/my-bookings", "/account"]
    found: dict[str, list[object]] = {}
    for user, paths in ((shop.customer, of_customer), (shop.vendor, [f"/vendor/bookings/{trip.reference}"])):
        page = browse(user, viewport=PHONE)
        for path in paths:
            visit(page, path)
            taken_over(page)
            expect(page.get_by_role("main").get_by_role("heading").first).to_be_attached()
            found[path] = too_wide(page) + page.evaluate(CUT)
    alter(Booking, trip.id, pickup_at=moment(0, 0))
    pay(shop, trip.reference, trip.price)
    hand_over(shop, trip.reference)
    page = browse(shop.customer, viewport=PHONE)
    visit(page, own)
    expect(page.get_by_role("heading", name="Money")).to_be_visible()
    found["on the road"] = too_wide(page)
    assert {path: widths for path, widths in found.items() if widths} == {}
