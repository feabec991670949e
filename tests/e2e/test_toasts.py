"""A refusal is shown in one toast at a time, and again when the action is repeated."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import Browse
from tests.support import page_clock
from tests.support.browser_steps import toast, visit
from tests.support.price_table import figures, retype
from tests.support.shop import Shop

pytestmark = pytest.mark.e2e
REFUSED = "Choose a picture first"
# Records how many toasts were shown at once.
COUNT = """
window.most = 0;
new MutationObserver(() => {
  window.most = Math.max(window.most, document.querySelectorAll("[data-sonner-toast]").length);
}).observe(document, { subtree: true, childList: true });
"""
# Records what is added to the toast region from now on: that is what screen readers announce.
HEAR = """
(region) => {
  window.heard = [];
  new MutationObserver((records) => {
    window.heard.push(...records.flatMap(({ addedNodes }) => [...addedNodes].map((node) => node.textContent)));
  }).observe(region, { subtree: true, childList: true });
}
"""
# Of the four seconds for which a refusal is shown.
MOST_MS = 2500


@pytest.fixture
def page(browse: Browse, shop: Shop) -> Page:
    """A page with the dialog for a vendor's picture open."""
    page = browse(shop.vendor)
    visit(page, "/vendor")
    page.get_by_role("button", name="Change profile picture").click()
    return page


@pytest.fixture
def save(page: Page) -> Locator:
    """A button whose action is refused, since no picture is chosen."""
    return page.get_by_role("dialog", name="Profile picture").get_by_role("button", name="Save picture")


@pytest.mark.long
def test_the_same_refusal_stands_there_once_and_comes_again(page: Page, save: Locator) -> None:
    page.evaluate(COUNT)
    for _ in range(2):
        save.click()
        expect(toast(page, REFUSED)).to_be_visible()
        save.click()
        expect(toast(page, REFUSED)).to_have_count(0)
    assert page.evaluate("window.most") == 1


@pytest.mark.long
def test_a_refusal_repeated_while_it_stands_is_announced_again_and_stands_as_long(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    visit(page, "/vendor/prices")
    page_clock.stop(page)
    told = toast(page, "Please correct the prices marked in red")
    retype(figures(page)(shop.vehicle, "Full Day"), "0")
    page.keyboard.press("Enter")
    page_clock.run_until(page, told.is_visible)
    expect(told).to_be_visible()
    page.clock.run_for(MOST_MS)
    page.get_by_role("region", name="Notifications").evaluate(HEAR)
    page.keyboard.press("Enter")
    page_clock.run_until(page, lambda: page.evaluate("window.heard.length") > 0)
    assert page.evaluate("window.heard") == [told.inner_text()]
    page.clock.run_for(MOST_MS)
    expect(told).to_have_attribute("data-removed", "false")
    page.clock.run_for(MOST_MS)
    expect(told).to_have_count(0)


@pytest.mark.long
def test_a_success_takes_down_the_refusal_before_it(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor/prices")
    field, refusal = figures(page)(shop.vehicle, "Full Day"), toast(page, "Please correct the prices marked in red")
    retype(field, "0")
    page.keyboard.press("Enter")
    # Under the pointer no toast ends by itself.
    refusal.hover()
    retype(field, "777")
    page.keyboard.press("Enter")
    expect(toast(page, "1 price saved")).to_be_visible()
    expect(refusal).to_have_count(0)


def test_a_refusal_ends_with_the_page_it_was_about(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("main").get_by_role("button", name="Search").click()
    refusal = toast(page, "Please select Pickup and Return date/time")
    # Under the pointer no toast ends by itself, and at the foot it covers no title.
    refusal.hover()
    box = refusal.bounding_box()
    assert box
    assert box["y"] > page.evaluate("innerHeight") / 2
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Offers").press("Enter")
    expect(page.get_by_role("heading", name="Offers", level=1)).to_be_visible()
    expect(refusal).to_have_count(0)
