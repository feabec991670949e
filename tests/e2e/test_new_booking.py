"""A booking at the counter on a phone, counted in taps and keys."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from rental_app.infrastructure.db import read
from rental_app.models import Booking
from tests.e2e.conftest import Browse
from tests.support import axe
from tests.support.browser_steps import settled, taken_over, visit
from tests.support.hand import Hand
from tests.support.shop import Shop, count

pytestmark = pytest.mark.e2e
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
MOST_TAPS, MOST_KEYS = 9, 25


@pytest.mark.dates
def test_a_walk_in_is_booked_with_nine_taps_and_25_keys_at_most(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, **PHONE, fresh=True)
    hand = Hand(page)
    visit(page, "/vendor/manage-bookings")
    hand.press("New booking", "link")
    expect(page.get_by_role("heading", name="New booking", level=1)).to_be_visible()
    taken_over(page)
    hand.tap(page.get_by_role("radio").first)
    expect(page.get_by_label("Total (₹)")).to_have_value("500")
    for label, text in (("Mobile Number", "9000020288"), ("Name", "Suresh Babu")):
        hand.tap(page.get_by_label(label, exact=True))
        page.keyboard.type(text)
        hand.keys += len(text)
    settled(page)
    page.evaluate(axe.source())
    assert axe.violations_by_theme(page, 390) == []
    hand.press(re.compile(r"Book Honda Activa 6G for ₹500"))
    page.wait_for_url(re.compile("/vendor/bookings/PH-"))
    expect(page.get_by_text("Confirmed, not handed over yet")).to_be_visible()
    made = read(lambda session: session.get_one(Booking, count("booking")))
    assert made.source == "counter"
    assert (hand.taps <= MOST_TAPS, hand.keys <= MOST_KEYS) == (True, True)
