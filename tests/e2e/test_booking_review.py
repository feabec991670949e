"""From the first look to the booked vehicle on a phone, counted in taps and keys; and the review on its own."""

import re

import pytest
from playwright.sync_api import Locator, Page, ViewportSize, expect

from rental_app.domain import clock
from tests.e2e.conftest import Browse
from tests.support import axe
from tests.support.browser_steps import settled, taken_over, toast, visit
from tests.support.shop import Shop, count, moment, wire

pytestmark = pytest.mark.e2e
PHONE: ViewportSize = {"width": 390, "height": 844}
# A month that has to be turned on the last days of one is not counted.
LOGGED_IN_TAPS, NEW_TAPS, NEW_KEYS = 10, 17, 75


class Hand:
    """Taps and types on a page, and counts both; what a phone fills in or proposes is not typed."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps, self.keys = page, 0, 0

    def tap(self, target: Locator) -> None:
        target.click()
        self.taps += 1

    def type(self, label: str, text: str) -> None:
        """Type into a field of the dialog, which has the focus already."""
        field = self.page.get_by_role("dialog").get_by_label(label, exact=True)
        expect(field).to_be_focused()
        field.press_sequentially(text)
        self.keys += len(text)

    def next(self) -> None:
        """Press the on-screen keyboard's key for the next field."""
        self.page.keyboard.press("Tab")
        self.keys += 1

    def choose_day(self, label: str, days: int) -> None:
        """Choose a day on a field's sheet, which is open."""
        panel = self.page.get_by_role("dialog", name=f"{label}: choose day and hour")
        day = panel.get_by_role("gridcell", name=re.compile(f"{clock.indian(moment(days)):%A, %-d %B %Y}"))
        expect(panel).to_be_visible()
        if not day.count():
            panel.get_by_role("button", name="Next month").click()
        self.tap(day)


def go_to_the_review(hand: Hand, shop: Shop) -> None:
    """Choose place and both dates, search, and press Book Now on what is found."""
    page = hand.page
    visit(page, "/")
    # A drop-down opens at one tap, and its option is another.
    page.get_by_label("Pickup location").select_option(shop.place.name)
    hand.taps += 2
    # The first press is the start and the second the end, both at 10 AM.
    hand.tap(page.get_by_role("button", name="Open calendar for Pickup"))
    hand.choose_day("Pickup", 4)
    hand.choose_day("Return", 6)
    hand.tap(page.get_by_role("button", name="Done"))
    hand.tap(page.get_by_role("button", name="Search"))
    expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}", level=1)).to_be_visible()
    taken_over(page)
    settled(page)
    hand.tap(page.get_by_role("link", name="Honda Activa 6G"))
    expect(page.get_by_text("Total", exact=True)).to_be_visible()
    hand.tap(page.get_by_role("button", name="Book Now"))
    page.wait_for_url(re.compile("/review"))
    expect(page.get_by_role("heading", name="Check your request", level=1)).to_be_visible()


def sent(page: Page) -> None:
    """Wait for the page of the request that was sent."""
    page.wait_for_url(re.compile("/my-bookings/PH-"))
    expect(page.get_by_role("heading", name=re.compile("^Request sent."), level=1)).to_be_focused()
    expect(page.get_by_text("What happens next")).to_be_visible()
    expect(page.get_by_role("button", name="Change dates")).to_be_visible()


def test_who_is_logged_in_books_in_few_taps(browse: Browse, shop: Shop) -> None:
    hand, before = Hand(browse(shop.customer, viewport=PHONE)), count("booking")
    go_to_the_review(hand, shop)
    assert count("booking") == before
    hand.tap(hand.page.get_by_role("button", name="Request to book - ₹1,000"))
    sent(hand.page)
    assert count("booking") == before + 1
    assert hand.taps <= LOGGED_IN_TAPS


def test_a_new_person_signs_up_on_the_way_and_loses_nothing(browse: Browse, shop: Shop) -> None:
    hand, before = Hand(browse(viewport=PHONE)), count("booking")
    page = hand.page
    go_to_the_review(hand, shop)
    address, button = page.url, page.get_by_role("button", name="Request to book - ₹1,000")
    hand.tap(button)
    expect(page.get_by_role("dialog").get_by_text("To send your request").first).to_be_visible()
    hand.tap(page.get_by_role("dialog").get_by_role("button", name="click here"))
    for label, text in (("Name", "Asha Rao"), ("Mobile Number", "9876543210"), ("Email", "asha39@example.in")):
        hand.type(label, text)
        hand.next()
    hand.type("Password", "two-wheels-7")
    hand.tap(page.get_by_role("dialog").get_by_role("button", name="Next: where you live"))
    hand.type("Pincode", "500032")
    expect(page.get_by_role("dialog").get_by_label("City")).not_to_have_value("")
    hand.tap(page.get_by_role("dialog").get_by_label("Address", exact=True))
    hand.type("Address", "12 Lake Road")
    hand.tap(page.get_by_role("dialog").get_by_role("button", name="Create Account"))
    expect(toast(page, "Your account is ready")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    # Nothing is sent by the login; the next press sends what was chosen before.
    assert (page.url, count("booking")) == (address, before)
    hand.tap(button)
    sent(page)
    assert count("booking") == before + 1
    assert hand.taps <= NEW_TAPS
    assert hand.keys <= NEW_KEYS


def test_a_double_press_books_once_and_back_says_so(browse: Browse, shop: Shop) -> None:
    page, before = browse(shop.customer), count("booking")
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(6))}".replace("+", "%2B")
    address = f"/vehicle-details/{shop.vehicle.id}/review?{window}"
    visit(page, address)
    page.get_by_role("button", name="Request to book").dblclick()
    sent(page)
    assert count("booking") == before + 1
    visit(page, address)
    expect(page.get_by_role("heading", name="You have requested this already")).to_be_visible()
    page.get_by_role("link", name="See your request").click()
    sent_heading = page.get_by_role("heading", name=re.compile("^Request sent."), level=1)
    expect(sent_heading).to_be_visible()


def test_without_scripts_the_form_leads_to_the_same_review(browse: Browse, shop: Shop) -> None:
    page = browse(java_script_enabled=False)
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(6))}".replace("+", "%2B")
    page.goto(f"/vehicle-details/{shop.vehicle.id}?{window}")
    page.get_by_role("button", name="Book Now").click()
    page.wait_for_url(re.compile("/review"))
    for heading in ("When", "Price", "If plans change", "Bring the originals", "Rules in short"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Request to book - ₹1,000")).to_be_visible()
    page.goto(f"/vehicle-details/{shop.vehicle.id}/review")
    expect(page.get_by_role("heading", name="Choose your dates first")).to_be_visible()


@pytest.mark.parametrize("width", [360, 768, 1440])
def test_the_review_fits_and_breaks_no_rule_of_accessibility(
    browse: Browse, shop: Shop, script: str, width: int
) -> None:
    page = browse(shop.customer, viewport={"width": width, "height": 900})
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(6))}".replace("+", "%2B")
    visit(page, f"/vehicle-details/1/review?{window}&extras=helmet")
    expect(page.get_by_role("button", name="Request to book")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    page.evaluate(script)
    assert axe.violations_by_theme(page, width) == []
