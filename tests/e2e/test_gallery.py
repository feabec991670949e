"""A vehicle's photos are swiped, turned by keys and shown full screen; its page is shared."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.browser_steps import cards, ready, settled, visit

pytestmark = pytest.mark.e2e
CAR = "/vehicle-details/1"
AT = "row => Math.round(row.scrollLeft / row.clientWidth)"


def row(page: Page) -> Locator:
    """The row of photos on a vehicle's page."""
    return page.get_by_role("group", name=re.compile("^Photos of"))


def shows(page: Page, photos: Locator, place: int) -> None:
    """Wait until a row shows the photo at this position."""
    page.wait_for_function(f"([row, place]) => ({AT})(row) === place", arg=[photos.element_handle(), place])


def test_photos_turn_by_keys_arrows_and_thumbnails(browse: Browse) -> None:
    page = browse(viewport=DESKTOP)
    visit(page, CAR)
    photos = row(page)
    expect(photos.get_by_role("img")).to_have_count(4)
    names = [image.get_attribute("alt") or "" for image in photos.get_by_role("img").all()]
    assert sorted(name.rpartition(", ")[2] for name in names) == ["back", "front", "left side", "right side"]
    photos.focus()
    page.keyboard.press("ArrowRight")
    shows(page, photos, 1)
    page.get_by_role("button", name="Next photo").click()
    shows(page, photos, 2)
    # A desk has the second and the third beside the large one.
    small = page.get_by_role("link", name=re.compile("^Show "))
    expect(small).to_have_count(2)
    small.first.click()
    shows(page, photos, 1)
    page.get_by_role("button", name="Next photo").click()
    shows(page, photos, 2)
    page.get_by_role("button", name="Next photo").click()
    shows(page, photos, 3)
    photos.get_by_role("link").last.click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("img").last).to_be_in_viewport()
    page.keyboard.press("ArrowLeft")
    expect(dialog.get_by_role("img").nth(2)).to_be_in_viewport(ratio=0.9)
    page.go_back()
    expect(dialog).to_have_count(0)
    assert page.url.endswith(CAR)


def test_photos_and_the_map_need_no_scripts(browse: Browse) -> None:
    page = browse(viewport=PHONE, java_script_enabled=False)
    page.goto(CAR)
    assert row(page).evaluate("row => row.scrollWidth") == 4 * row(page).evaluate("row => row.clientWidth")
    expect(row(page).get_by_role("img")).to_have_count(4)
    for image in row(page).get_by_role("img").all():
        assert image.get_attribute("width")
        assert image.get_attribute("height")
    opener = page.get_by_role("link", name="Show the street map")
    expect(opener).to_have_attribute("href", re.compile("^https://"))
    expect(opener).to_have_attribute("target", "_blank")


@pytest.mark.long
def test_a_card_loads_its_other_photos_once_it_is_swiped_and_follows_no_link(browse: Browse) -> None:
    page = browse(viewport=PHONE, has_touch=True, fresh=True)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/vehicles")
    ready(page)
    settled(page)
    first = cards(page).first
    pictures = first.locator("[data-row] img")
    sources = [image.get_attribute("src") or "" for image in pictures.all()]
    assert len(sources) == 4
    assert [any(url.endswith(source) for url in asked) for source in sources] == [True, False, False, False]
    first.locator("[data-row]").evaluate("row => row.scrollBy({left: row.clientWidth})")
    expect(pictures.nth(1)).to_be_in_viewport()
    page.wait_for_function("image => image.complete && image.naturalWidth", arg=pictures.nth(1).element_handle())
    assert "/vehicles" in page.url


def test_a_vehicle_is_shared_or_its_link_is_copied(browse: Browse, address: str) -> None:
    page = browse(viewport=PHONE, permissions=["clipboard-read", "clipboard-write"])
    visit(page, "/vehicle-details/1?pickupDate=2026-01-01")
    share = page.get_by_role("button", name="Share ")
    page.evaluate("navigator.share = undefined")
    share.click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}/vehicle-details/1"
    page.evaluate("navigator.share = async (given) => { window.shared = given; }")
    share.click()
    page.wait_for_function("window.shared?.url.endsWith('/vehicle-details/1') && window.shared.title")
