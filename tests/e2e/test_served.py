"""What the server renders into pages, and how the pages take over from it."""

import io
import re
from urllib.parse import urlencode

import httpx2
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from rental_app.domain.ids import slug_of
from rental_app.infrastructure.settings import settings
from tests.e2e.conftest import PHONE, Browse, Complaints
from tests.support.app import App
from tests.support.browser_steps import cards, enter, ready, search_sent, shown, taken_over, visit
from tests.support.line import hold_scripts
from tests.support.outline import served_and_shown
from tests.support.shop import Shop, add_user, moment, wire

pytestmark = pytest.mark.e2e
# The colour scheme of the page each time it is set, light or dark: every time the whole page is restyled.
NOTE_COLOURS = """
window.colours = [];
new MutationObserver(all => all.filter(({target}) => target.matches('html, .radix-themes')).forEach(
  ({target}) => window.colours.push(target.className)
)).observe(document, {subtree: true, attributes: true, attributeFilter: ['class']});
"""

GROUND = "getComputedStyle(document.querySelector('main')).getPropertyValue('--page').trim()"


def held_back(page: Page) -> Page:
    """Let the page's scripts run, but never let the server answer them."""
    page.route_web_socket(re.compile("_event"), lambda _socket: None)
    return page


@pytest.mark.long
def test_searches_and_a_vendor_without_vehicles_look_as_they_were_served(browse: Browse, app: App, shop: Shop) -> None:
    empty = add_user("Vendor", location_id=shop.place.id)
    pages = {"Nothing to rent here right now": f"/vendors/{slug_of(empty.name, empty.id or 0)}"}
    for told, last_day, hour, more in (
        ("Showing 1 vehicle", 6, 10, {}),
        ("Return must be after pickup", 3, 10, {}),
        ("1 vehicle is free at the nearest opening hours", 6, 3, {}),
        ("No vehicle matches that filter", 6, 10, {"q": "zzzz"}),
        ("Atlantis is not one of our locations", 6, 10, {"pickupLocation": "Atlantis"}),
    ):
        dates = {"pickupDate": wire(moment(4, hour)), "returnDate": wire(moment(last_day, hour))}
        pages[told] = "/vehicles?" + urlencode({"pickupLocation": shop.place.name} | dates | more)
    page = browse()
    for told, path in pages.items():
        visit(page, path)
        assert told in httpx2.get(f"{app.url}{path}").text
        served, shown_now = served_and_shown(page, f"{app.url}{path}")
        assert served == shown_now, path


def test_a_dark_page_is_never_light_and_changes_with_its_system(browse: Browse) -> None:
    page = browse(fresh=True, color_scheme="dark")
    page.add_init_script(NOTE_COLOURS)
    visit(page, "/")
    assert page.evaluate("window.colours") == ["dark"]
    assert page.evaluate(GROUND) == "#0e1413"
    page.emulate_media(color_scheme="light")
    page.wait_for_function("window.colours.at(-1) === 'light'")
    assert page.evaluate(GROUND) == "#fff"


def test_what_is_not_there_looks_as_it_was_served(browse: Browse, app: App, complaints: Complaints) -> None:
    complaints.expected.append("status of 404")
    page, other = held_back(browse(fresh=True)), browse()
    for path in ("/vehicle-details/9999999", "/atlantis/bike-rentals"):
        page.goto(path)
        way_on = page.get_by_role("main").get_by_role("link", name="See all vehicles")
        expect(way_on).to_be_visible()
        expect(page.get_by_role("form")).to_be_hidden()
        visit(other, path)
        expect(other.get_by_role("main").get_by_role("link", name="See all vehicles")).to_be_visible()
        assert other.get_by_role("main").inner_text() == page.get_by_role("main").inner_text()
        served, shown_now = served_and_shown(other, f"{app.url}{path}")
        assert served == shown_now, path


def test_a_search_needs_no_scripts_and_waits_for_no_server(browse: Browse, shop: Shop) -> None:
    search_sent(held_back(browse(fresh=True)), shop)
    page = browse(java_script_enabled=False, fresh=True)
    search_sent(page, shop)
    cards(page).first.get_by_role("link").click()
    expect(page.get_by_role("heading", name="Renting Info")).to_be_visible()
    expect(page).to_have_title(re.compile("on rent in .* a day"))


def test_what_was_entered_before_scripts_ran_stays(browse: Browse, shop: Shop) -> None:
    page = browse(fresh=True)
    let_scripts_through = hold_scripts(page)
    page.goto("/", wait_until="commit")
    enter(page, shop)
    let_scripts_through()
    ready(page)
    # A field is not replaced while it has the focus.
    expect(page.get_by_label("Return", exact=True)).to_have_attribute("type", "datetime-local")
    page.get_by_role("heading", level=1).click()
    taken_over(page)
    expect(page.get_by_label("Pickup location")).to_have_value(shop.place.name)
    expect(page.get_by_label("Pickup", exact=True)).to_have_value(shown(moment(4)))
    expect(page.get_by_label("Return", exact=True)).to_have_value(shown(moment(6)))


def test_what_was_pressed_before_scripts_ran_is_done_once_they_do(browse: Browse) -> None:
    page = browse(viewport=PHONE, fresh=True)
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": 4})
    let_scripts_through = hold_scripts(page)
    page.goto("/", wait_until="commit")
    button = page.get_by_role("button", name="Menu", exact=True)
    button.click()
    expect(button).to_have_attribute("aria-busy", "true")
    let_scripts_through()
    expect(page.get_by_role("dialog", name="Menu")).to_be_visible()
    expect(page.locator("[aria-busy]")).to_have_count(0)


@pytest.mark.long
def test_a_link_reached_before_scripts_ran_is_followed_by_a_key_after_that(browse: Browse) -> None:
    page = browse(fresh=True)
    let_scripts_through = hold_scripts(page)
    page.goto("/vehicles?view=map", wait_until="commit")
    place = page.get_by_role("group", name="Map of Hyderabad").get_by_role("link", name=re.compile("^Uppal:"))
    place.focus()
    let_scripts_through()
    ready(page)
    taken_over(page)
    expect(place).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Vehicles in Uppal")).to_be_visible()


@pytest.mark.long
def test_what_was_served_goes_with_its_address(browse: Browse, shop: Shop) -> None:
    page = held_back(browse(fresh=True))
    page.goto(f"/vehicles?{urlencode({'pickupLocation': shop.place.name})}")
    page.wait_for_load_state("networkidle")
    expect(page.get_by_text("Showing 1 vehicle", exact=True)).to_be_visible()
    expect(cards(page)).to_have_count(1)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Vehicles").click()
    expect(cards(page)).to_have_count(0)
    expect(page.get_by_text("Looking for vehicles…")).to_be_visible()


def one_of_each(page: Page) -> dict[str, str]:
    """Return the head's metadata, each of which occurs once."""
    assert page.locator("head > title").count() == 1
    said = {"title": page.title()}
    for name, selector in (("description", "meta[name=description]"), ("image", "meta[property='og:image']")):
        nodes = page.locator(selector)
        assert nodes.count() == 1, name
        said[name] = nodes.get_attribute("content") or ""
    return said


def test_the_head_is_right_on_arrival_and_after_each_link(browse: Browse) -> None:
    page, name = browse(), settings().product_name
    visit(page, "/gachibowli/bike-rentals")
    assert one_of_each(page)["title"] == f"Bike on rent in Gachibowli | {name}"
    assert "in Gachibowli" in one_of_each(page)["description"]
    expect(page.locator("head > link[rel=canonical]")).to_have_count(1)
    expect(page.locator("head > script[type='application/ld+json']")).to_have_count(3)
    cards(page).first.get_by_role("link").click()
    expect(page).to_have_title(re.compile(rf"on rent in Gachibowli, ₹.* a day \| {name}"))
    assert one_of_each(page)["description"].startswith("Rent a ")
    expect(page.locator("[data-served]")).to_have_count(0)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Offers").click()
    expect(page).to_have_title(f"Offers | {name}")
    assert one_of_each(page)["image"].endswith("/social.png")
    page.go_back()
    expect(page).to_have_title(re.compile("on rent in Gachibowli"))
    one_of_each(page)


def test_the_social_picture_is_small_and_as_large_as_said(app: App) -> None:
    answer = httpx2.get(f"{app.url}/social.png")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    assert len(answer.content) < 100_000
    assert Image.open(io.BytesIO(answer.content)).size == (1200, 630)
