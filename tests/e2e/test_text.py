"""Markup in what people type shows as text and runs nothing."""

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import Browse
from tests.support.browser_steps import visit
from tests.support.shop import add_place, add_user, add_vehicle

pytestmark = pytest.mark.e2e
NASTY = '<img src=x onerror="window.hit=1"> <script>window.hit=1</script> {{7*7}} ${7*7} 🛵 \'O"Brien\''


def nothing_ran(page: Page) -> None:
    """Check that no markup became an element or a script."""
    assert page.evaluate("window.hit") is None
    expect(page.locator("img[src='x']")).to_have_count(0)


def test_markup_of_a_vendor_or_in_an_address_is_text(browse: Browse) -> None:
    place = add_place("Testpur <b>Bold</b>")
    vendor = add_user("Vendor", location_id=place.id, name=NASTY, address=NASTY)
    vehicle = add_vehicle(vendor, color="<i>White</i>", terms=f"{NASTY}\njavascript:alert(1)")
    page = browse()
    visit(page, f"/vehicle-details/{vehicle.id}")
    expect(page.get_by_text(NASTY, exact=True).first).to_be_visible()
    expect(page.get_by_role("main").get_by_role("listitem").filter(has_text=NASTY)).to_be_visible()
    nothing_ran(page)
    visit(page, "/vehicles?pickupLocation=Testpur <b>Bold</b>")
    expect(page.get_by_role("heading", name="Vehicles in Testpur <b>Bold</b>")).to_be_visible()
    nothing_ran(page)
    visit(page, "/vehicles?pickupLocation=<img src=x onerror=window.hit=1>&pickupDate=<script>window.hit=1</script>")
    expect(page.get_by_role("heading", level=1)).to_contain_text("<img src=x")
    nothing_ran(page)
    own = browse(vendor)
    own.goto("/vendor")
    expect(own.get_by_text(f"Welcome, {NASTY}")).to_be_visible()
    nothing_ran(own)
