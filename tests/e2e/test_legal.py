"""The privacy, terms and security pages can be found and keep their promises; listing leads to the sign-up."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.browser_steps import log_in, settled, toast, type_moment, visit
from tests.support.routes import PERSONAL, PUBLIC
from tests.support.shop import Shop, moment

pytestmark = pytest.mark.e2e
PATHS = (*PUBLIC, *PERSONAL)
KEPT = "[...Object.keys(localStorage), ...Object.keys(sessionStorage)]"


def fetched_elsewhere(page: Page, own: str) -> list[str]:
    """Collect the URLs on other hosts that the page requests from now on."""
    asked: list[str] = []

    def note(address: str) -> None:
        if address.startswith(("http", "ws")) and own.partition("//")[2] not in address:
            asked.append(address)

    page.on("request", lambda request: note(request.url))
    page.on("websocket", lambda socket: note(socket.url))
    return asked


@pytest.mark.long
@pytest.mark.parametrize(
    "paths", [(), pytest.param(PATHS, marks=pytest.mark.long)], ids=["home and a vehicle", "all pages"]
)
def test_the_browser_keeps_what_the_page_privacy_says_and_fetches_from_no_foreign_host_but_the_map(
    browse: Browse, shop: Shop, address: str, paths: tuple[str, ...]
) -> None:
    marked = {"favourites": f"{shop.vehicle.id}", "compare": f"{shop.vehicle.id}"}
    page = browse(storage=marked, fresh=True)
    page.route(re.compile(r"//[^/]*google"), lambda route: route.fulfill(content_type="text/html", body="Map"))
    asked = fetched_elsewhere(page, address)
    visit(page, "/")
    log_in(page, shop.customer.email)
    expect(toast(page, "You are logged in")).to_be_visible()
    for path in (*paths, "/vehicle-details/1"):
        visit(page, path)
        page.mouse.wheel(0, 10_000)
        settled(page)
    assert asked == []
    opens_the_map(page)
    assert [re.sub("q=[^&]*", "q=", asked_for) for asked_for in asked] == [
        "https://www.google.com/maps?q=&output=embed"
    ]

    page.get_by_role("combobox", name="Location", exact=True).select_option(shop.place.name)
    page.wait_for_function("localStorage.selectedLocation")
    for day, path, key in ((4, "/", "search-window"), (5, f"/vehicle-details/{shop.vehicle.id}", "booking-window")):
        visit(page, path)
        settled(page)
        type_moment(page, "Pickup", moment(day))
        page.wait_for_function("key => sessionStorage[key]", arg=key)
    kept = set(page.evaluate(KEPT))
    visit(page, "/privacy")
    table = page.get_by_role("region", name="Table").first
    assert kept == set(table.locator("code").all_inner_texts())
    page.set_viewport_size(PHONE)
    assert table.evaluate("node => node.scrollWidth - node.clientWidth") == 0
    widths = table.get_by_role("cell").evaluate_all("cells => cells.map((cell) => cell.clientWidth)")
    assert min(widths) > PHONE["width"] / 3
    assert page.context.cookies() == []


def opens_the_map(page: Page) -> None:
    """Check that a press on the map's place brings the map, in that place."""
    opener = page.get_by_role("button", name="Show the street map")
    opener.scroll_into_view_if_needed()
    opener.click()
    frame = page.get_by_title("Map of")
    expect(frame.content_frame.get_by_text("Map")).to_be_visible()


@pytest.mark.long
def test_listing_leads_to_the_sign_up_of_vendors_and_a_vendor_to_the_form(browse: Browse, shop: Shop) -> None:
    page = browse()
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        visit(page, "/")
        if size == PHONE:
            page.get_by_role("contentinfo").get_by_text("Explore, contact").click()
        page.get_by_role("contentinfo").get_by_role("link", name="List your vehicles").click()
        page.wait_for_url("**/list-your-vehicle")
        page.get_by_role("button", name="Sign up as a vendor").click()
        dialog = page.get_by_role("dialog", name="Sign Up")
        box = dialog.get_by_label("Register as Vendor")
        expect(box).to_be_checked()
        # The browser's own empty box is grey in dark.
        box.uncheck()
        expect(box).to_have_css("appearance", "none")
    page = browse(shop.vendor)
    visit(page, "/list-your-vehicle")
    page.get_by_role("main").get_by_role("link", name="Add a vehicle").click()
    page.wait_for_url("**/vendor/add-vehicle")
