"""Where vehicles are, on a phone: the map, near me, anywhere, and the same without scripts."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.conftest import PHONE, Browse
from tests.support import axe
from tests.support.browser_steps import cards, open_search, settled, visit

pytestmark = pytest.mark.e2e
UPPAL, DELHI = {"latitude": 17.4021, "longitude": 78.5609}, {"latitude": 28.6139, "longitude": 77.2090}
# Names on the map, as drawn, that overlap another's or leave the map.
COLLISIONS = """
() => {
  const map = document.querySelector('svg[role=group]'), frame = map.getBoundingClientRect();
  const names = [...map.querySelectorAll('a:not([aria-hidden])')];
  const boxes = names.map((name) => name.getBoundingClientRect());
  return names.filter((_, at) => boxes[at].left < frame.left || boxes[at].right > frame.right ||
    boxes.slice(0, at).some((other) => boxes[at].left < other.right && other.left < boxes[at].right &&
      boxes[at].top < other.bottom && other.top < boxes[at].bottom)).map((name) => name.textContent);
}
"""
# The drawing fetched from another file, in the page's coordinates.
DRAWN = "() => document.querySelector('svg[role] use').getBoundingClientRect().width"


def place_on_map(page: Page, name: str) -> Any:
    return page.get_by_role("group", name="Map of Hyderabad").get_by_role("link", name=re.compile(f"^{name}: "))


def test_the_map_is_read_and_tapped(browse: Browse, script: str) -> None:
    page = browse(viewport=PHONE, has_touch=True)
    visit(page, "/vehicles?type=Scooter")
    page.get_by_role("navigation", name="View").get_by_role("link", name="Map").tap()
    page.wait_for_url(re.compile("view=map"))
    said = place_on_map(page, "Kukatpally")
    expect(said).to_be_visible()
    page.wait_for_function(f"{DRAWN[6:]} > 300")
    assert page.evaluate(COLLISIONS) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    page.evaluate(script)
    assert "\n".join(axe.violations(page)) == ""
    many = re.search(r": (\d+) vehicle", str(said.text_content()))
    assert many
    said.get_by_text("Kukatpally").tap()
    page.wait_for_url(re.compile("pickupLocation=Kukatpally"))
    expect(page.get_by_role("heading", name="Vehicles in Kukatpally")).to_be_visible()
    expect(page.get_by_text(re.compile(rf"Showing {many[1]} vehicles?$"))).to_be_visible()
    assert "type=Scooter" in page.url
    bar = page.get_by_role("combobox", name="Location", exact=True)
    expect(bar).to_have_value("Kukatpally")

    bar.select_option("Anywhere")
    page.wait_for_url(lambda url: "Kukatpally" not in url)
    expect(page.get_by_role("heading", name="All vehicles")).to_be_visible()
    open_search(page)
    form = page.get_by_label("Pickup location")
    expect(form).to_have_value("anywhere")
    form.select_option("Miyapur")
    page.wait_for_url(re.compile("pickupLocation=Miyapur"))
    expect(page.get_by_role("heading", name="Vehicles in Miyapur")).to_be_visible()
    expect(bar).to_have_value("Miyapur")


@pytest.mark.long
def test_the_map_is_zoomed_in_steps_and_the_list_stands_where_it_stood(browse: Browse) -> None:
    page = browse(viewport=PHONE, has_touch=True, reduced_motion="reduce")
    visit(page, "/vehicles")
    settled(page)
    # The way down hides the button, and the way up brings it back.
    for place, way in ((1600, "[data-down]"), (1500, ":not([data-down])")):
        page.evaluate("place => scrollTo(0, place)", place)
        expect(page.locator(f"html{way}")).to_be_attached()
    page.get_by_role("link", name="Map", exact=True).tap()
    page.wait_for_url(re.compile("view=map"))
    drawing = page.get_by_role("group", name="Map of Hyderabad")
    place_on_map(page, "Shamshabad").get_by_text("Shamshabad").tap()
    pin = drawing.locator("a[aria-hidden][aria-current=true]")
    expect(pin).to_be_visible()
    settled(page)
    closer, further = (page.get_by_role("button", name=f"Zoom {way}") for way in ("in", "out"))
    expect(further).to_have_attribute("aria-disabled", "true")
    widths = [drawing.evaluate("map => map.getBoundingClientRect().width")]
    for _ in range(2):
        closer.click()
        widths.append(drawing.evaluate("map => map.getBoundingClientRect().width"))
    assert [round(width / widths[0], 1) for width in widths] == [1, 1.6, 2.4]
    expect(closer).to_have_attribute("aria-disabled", "true")
    # What is chosen stays in sight.
    pane, box = drawing.locator("..").bounding_box(), pin.bounding_box()
    assert pane
    assert box
    assert pane["y"] <= box["y"] <= pane["y"] + pane["height"]
    assert pane["x"] <= box["x"] <= pane["x"] + pane["width"]
    further.click()
    expect(closer).to_have_attribute("aria-disabled", "false")
    page.get_by_role("combobox", name="Location", exact=True).select_option("Anywhere")
    page.wait_for_url(lambda url: "Shamshabad" not in url)
    back = page.get_by_role("link", name="List", exact=True)
    # The link follows what is chosen with the server's answer.
    expect(back).not_to_have_attribute("href", re.compile("Shamshabad"))
    back.tap()
    page.wait_for_url(lambda url: "view=map" not in url)
    page.wait_for_function("Math.abs(window.scrollY - 1500) < 5")


def test_near_me_tells_nobody_where_i_am(browse: Browse) -> None:
    page = browse(viewport=PHONE, permissions=["geolocation"], geolocation=UPPAL, fresh=True)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(f"{request.url} {request.post_data}"))
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    visit(page, "/vehicles")
    open_search(page)
    page.get_by_role("button", name="Near me").click()
    page.wait_for_url(re.compile("near=Uppal"))
    expect(page.get_by_role("heading", name="Vehicles near Uppal")).to_be_visible()
    expect(cards(page).first).to_contain_text("Uppal")
    expect(page.get_by_text("km away").first).to_be_visible()
    expect(page.get_by_role("combobox", name="Location", exact=True)).to_have_value("near Uppal")
    # The place found is sent over the websocket, and its coordinates nowhere.
    assert [told for told in sent if "_event" in told and "Uppal" in told]
    assert not [told for told in sent if "17.40" in told or "78.56" in told]
    assert page.evaluate("JSON.stringify({...localStorage, ...sessionStorage})").find("Uppal") == -1
    page.keyboard.press("Escape")
    page.get_by_role("link", name="Only in Uppal").click()
    page.wait_for_url(re.compile("pickupLocation=Uppal"))
    expect(page.get_by_role("heading", name="Vehicles in Uppal")).to_be_visible()


@pytest.mark.long
def test_a_position_refused_or_far_away_is_told(browse: Browse) -> None:
    told = {
        "Your browser did not share your location": {},
        "You seem to be outside Hyderabad": {"geolocation": DELHI},
    }
    for text, options in told.items():
        page = browse(permissions=["geolocation"] if options else [], **options)
        visit(page, "/")
        page.get_by_role("button", name="Near me").click()
        expect(page.get_by_role("status").filter(has_text=text)).to_be_visible()


@pytest.mark.long
def test_without_scripts_the_map_is_links(browse: Browse) -> None:
    page = browse(java_script_enabled=False, viewport=PHONE)
    page.goto("/vehicles")
    expect(page.get_by_role("button", name="Near me")).to_be_hidden()
    page.get_by_role("navigation", name="View").get_by_role("link", name="Map").click()
    expect(place_on_map(page, "Shamshabad")).to_be_visible()
    assert page.locator("svg[role=group] a:not([aria-hidden])").count() >= 12
    assert page.evaluate(DRAWN) > 300
    place_on_map(page, "Shamshabad").get_by_text("Shamshabad").click()
    expect(page.get_by_role("heading", name="Vehicles in Shamshabad")).to_be_visible()
