"""Finding a vehicle among the results: filters are in the address and kept by Back, reload and the link back."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support import axe
from tests.support.browser_steps import cards, ready, settled, taken_over, visit
from tests.support.line import hold_scripts

pytestmark = pytest.mark.e2e
ON_A_PHONE = {"viewport": PHONE, "has_touch": True, "is_mobile": True}


def asked(page: Page) -> dict[str, list[str]]:
    """Return the query parameters of the page's address."""
    return parse_qs(urlsplit(page.url).query)


def chosen(page: Page, text: str) -> Locator:
    """The link that removes a filter."""
    return page.get_by_role("link", name=f"Remove {text}", exact=True)


def opened_filters(page: Page) -> Locator:
    """Open the sheet of filters and return it."""
    page.get_by_role("button", name="Filters", exact=True).click()
    sheet = page.get_by_role("dialog", name="Filters")
    expect(sheet).to_be_visible()
    return sheet


def far_down(page: Page) -> float:
    """Return how far the page is scrolled down."""
    return float(page.evaluate("window.scrollY"))


def test_a_phone_finds_a_fitting_vehicle_and_its_way_back(browse: Browse) -> None:
    page = browse(**ON_A_PHONE)
    visit(page, "/vehicles")
    # Two whole cards fit on its screen.
    first, second = (cards(page).nth(at).bounding_box() for at in range(2))
    assert first
    assert second
    assert second["y"] + second["height"] - first["y"] <= PHONE["height"]
    page.get_by_role("link", name=re.compile(r"^Scooter \d+$")).tap()
    page.wait_for_url("**/vehicles?type=Scooter")
    sheet = opened_filters(page)
    # Within the thumb's reach, however long the sheet is.
    expect(sheet.get_by_role("button", name="Show vehicles")).to_be_in_viewport(ratio=1)
    sheet.get_by_label("Highest", exact=True).fill("900")
    sheet.get_by_label("Lowest", exact=True).fill("1000")
    sheet.get_by_role("button", name="Show vehicles").tap()
    expect(sheet.get_by_label("Highest", exact=True)).to_have_accessible_description(
        "The highest price must not be below the lowest"
    )
    sheet.get_by_label("Lowest", exact=True).fill("")
    for label in ("Gear", "Fuel", "Seats", "Model", "Rating"):
        told = sheet.get_by_label(label, exact=True).locator("option").all_inner_texts()[1:]
        assert told
        assert all(re.search(r" \(\d+\)$", text) for text in told), told
    for label in ("Deliver to me", "Unlimited kilometres"):
        expect(sheet.get_by_role("checkbox", name=re.compile(rf"^{label} \(\d+\)$"))).to_be_visible()
    sheet.get_by_label("Gear").select_option("Automatic")
    sheet.get_by_role("button", name="Show vehicles").tap()
    expect(page).to_have_url(re.compile("max_price=900"))
    assert asked(page) == {"type": ["Scooter"], "transmission": ["Automatic"], "max_price": ["900"]}
    expect(chosen(page, "Up to ₹900")).to_be_visible()
    page.reload()
    ready(page)
    expect(chosen(page, "Automatic")).to_be_visible()
    settled(page)
    expect(cards(page).nth(9)).to_be_attached()
    vehicle = cards(page).nth(9).get_by_role("link").first
    vehicle.scroll_into_view_if_needed()
    # Cards are laid out as they come near.
    settled(page)
    before = far_down(page)
    assert before > 0
    vehicle.tap()
    page.wait_for_url("**/vehicle-details/**")
    page.go_back()
    expect(page).to_have_url(re.compile("max_price=900"))
    page.wait_for_function("before => Math.abs(window.scrollY - before) < 5", arg=before)
    page.go_forward()
    page.wait_for_url("**/vehicle-details/**")
    # The scroll position is restored, which would pull the link from under the finger.
    settled(page)
    page.get_by_role("link", name="Back to results").tap()
    expect(page).to_have_url(re.compile("max_price=900"))
    page.wait_for_function("before => Math.abs(window.scrollY - before) < 5", arg=before)
    chosen(page, "Up to ₹900").tap()
    expect(page).to_have_url(re.compile(r"\?type=Scooter&transmission=Automatic$"))
    expect(chosen(page, "Up to ₹900")).to_have_count(0)


# Of each card: whether its ring and its menu have room in it, where what is drawn outside is cut.
ROOM = """items => items.map(item => {
    const edge = item.getBoundingClientRect();
    item.querySelector('details').open = true;
    const parts = [...item.querySelectorAll('a, button, summary, details > div')];
    const drawn = parts.map(part => part.getBoundingClientRect());
    item.querySelector('details').open = false;
    // A ring is 4 px wider than what it is around.
    return drawn.every(box => box.left - 4 >= edge.left && box.right + 4 <= edge.right
        && box.top - 4 >= edge.top && box.bottom + 4 <= edge.bottom);
})"""
# The way down past all of them.
PASS = """async items => { for (const item of items) {
    item.scrollIntoView();
    await new Promise(requestAnimationFrame);
    await new Promise(requestAnimationFrame);
} }"""
TOP = "part => part.getBoundingClientRect().top"
# How many cards are laid out.
LAID_OUT = (
    """items => items.filter(item => item.firstElementChild.checkVisibility({contentVisibilityAuto: true})).length"""
)


@pytest.mark.long
@pytest.mark.parametrize(
    "width", [PHONE["width"], *(pytest.param(width, marks=pytest.mark.long) for width in (768, 1440))]
)
def test_cards_far_below_wait_and_the_way_back_still_ends_where_it_began(browse: Browse, width: int) -> None:
    page = browse(viewport={"width": width, "height": 640})
    visit(page, "/vehicles")
    items = cards(page)
    count = items.count()
    assert items.evaluate_all(LAID_OUT) < count
    items.evaluate_all(PASS)
    assert all(items.evaluate_all(ROOM))
    last = items.last.get_by_role("link")
    last.scroll_into_view_if_needed()
    settled(page)
    before, top = far_down(page), last.evaluate(TOP)
    last.click()
    page.wait_for_url("**/vehicle-details/**")
    page.go_back()
    page.wait_for_function("before => Math.abs(window.scrollY - before) < 5", arg=before)
    assert abs(last.evaluate(TOP) - top) < 5
    assert cards(page).evaluate_all(LAID_OUT) == count


@pytest.mark.long
def test_who_has_scrolled_before_scripts_ran_stays_there(browse: Browse) -> None:
    page = browse(**ON_A_PHONE, fresh=True)
    let_scripts_through = hold_scripts(page)
    page.goto("/vehicles", wait_until="commit")
    tenth = cards(page).nth(9)
    tenth.scroll_into_view_if_needed()
    settled(page)
    before, top = far_down(page), tenth.evaluate(TOP)
    assert before > 0
    let_scripts_through()
    ready(page)
    taken_over(page)
    settled(page)
    assert abs(tenth.evaluate(TOP) - top) < 5


def test_a_desk_narrows_sorts_and_leafs(browse: Browse) -> None:
    page = browse(viewport=DESKTOP)
    visit(page, "/vehicles")
    expect(page.get_by_text(re.compile(r"^Showing 24 of \d+ vehicles$"))).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    page.wait_for_url("**/vehicles?page=2")
    expect(cards(page).nth(24)).to_be_visible()
    let_through = hold_scripts(page)
    page.reload(wait_until="commit")
    expect(cards(page).nth(24)).to_be_visible()
    page.get_by_label("Sort").select_option("Lowest price")
    let_through()
    page.wait_for_url("**/vehicles?sort=price")
    expect(page.get_by_label("Sort")).to_have_value("price")
    expect(page.get_by_text(re.compile(r"^Showing 24 of \d+ vehicles$"))).to_be_visible()
    page.get_by_label("Filter vehicles").press_sequentially("activa", delay=60)
    expect(page).to_have_url(re.compile("q=activa"))
    expect(cards(page).first).to_contain_text("Activa")
    page.reload()
    expect(page.get_by_label("Filter vehicles")).to_have_value("activa")
    expect(chosen(page, "“activa”")).to_be_visible()
    page.get_by_role("link", name="Clear all").click()
    page.wait_for_url("**/vehicles")
    expect(page.get_by_label("Filter vehicles")).to_have_value("")
    expect(page.get_by_text(re.compile(r"^Showing 24 of \d+ vehicles$"))).to_be_visible()
    page.go_back()
    expect(page).to_have_url(re.compile("q=activa"))
    expect(page.get_by_label("Filter vehicles")).to_have_value("activa")
    expect(cards(page).first).to_contain_text("Activa")


@pytest.mark.long
def test_a_desk_narrows_by_chips_and_has_the_map_beside_the_list(browse: Browse, script: str) -> None:
    page = browse(reduced_motion="reduce")
    columns = "list => getComputedStyle(list).gridTemplateColumns.split(' ').length"
    visit(page, "/vehicles")
    settled(page)
    beside = page.get_by_role("complementary", name="Map")
    for width, count, has_map in ((1440, 3, True), (1100, 2, True), (860, 2, False)):
        page.set_viewport_size({"width": width, "height": 900})
        assert cards(page).first.locator("..").evaluate(columns) == count
        expect(beside).to_be_visible(visible=has_map)
        expect(page.get_by_role("navigation", name="View")).to_be_visible(visible=not has_map)
    page.set_viewport_size(DESKTOP)
    page.get_by_role("button", name="Gear").click()
    page.evaluate(script)
    assert "\n".join(axe.violations(page)) == ""
    page.get_by_role("link", name=re.compile(r"^Automatic \d+$")).click()
    page.wait_for_url("**/vehicles?transmission=Automatic")
    chip = page.get_by_role("button", name="Automatic")
    expect(chip).to_have_attribute("aria-current", "true")
    expect(page.get_by_role("link", name=re.compile("^Manual"))).to_be_hidden()
    page.get_by_role("button", name="Price a day").click()
    page.get_by_role("link", name="Up to ₹500", exact=True).click()
    page.wait_for_url(re.compile("max_price=500"))
    assert asked(page) == {"transmission": ["Automatic"], "max_price": ["500"]}
    chip.click()
    page.keyboard.press("Escape")
    expect(chip).to_be_focused()
    expect(page.get_by_role("button", name="Filters", exact=True)).to_contain_text("2")


@pytest.mark.long
def test_a_phone_keeps_the_search_in_sight_on_the_way_down(browse: Browse) -> None:
    """The bar and the map's button make room for the list; the way up brings both back."""
    page = browse(**ON_A_PHONE)
    visit(page, "/vehicles")
    settled(page)
    bar, on_map = page.get_by_role("banner"), page.get_by_role("link", name="Map", exact=True)
    summary = page.get_by_role("main").get_by_role("button", name=re.compile("Change$"))
    again = page.get_by_role("button", name="Change filters")
    expect(again).to_be_hidden()
    page.evaluate("scrollBy(0, 900)")
    for gone in (bar, on_map):
        expect(gone).not_to_be_in_viewport()
    for kept in (summary, again):
        expect(kept).to_be_in_viewport(ratio=1)
    # Where it is: Playwright would scroll the list, and a way up takes the button away.
    place = again.bounding_box()
    assert place
    page.touchscreen.tap(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(page.get_by_role("dialog", name="Filters")).to_be_visible()
    page.keyboard.press("Escape")
    page.evaluate("scrollBy(0, -100)")
    for back in (bar, on_map, summary):
        expect(back).to_be_in_viewport(ratio=1)
    expect(again).to_be_hidden()


def test_filters_need_no_scripts(browse: Browse) -> None:
    page = browse(java_script_enabled=False, viewport=PHONE)
    page.goto("/vehicles")
    page.get_by_role("link", name=re.compile(r"^Scooter \d+$")).click()
    page.wait_for_url("**/vehicles?type=Scooter")
    page.locator("summary").filter(has_text="Filters").click()
    form = page.get_by_role("form", name="Filters")
    expect(form.get_by_label("Filter by maker")).to_have_attribute("maxlength", "80")
    form.get_by_label("Gear").select_option("Automatic")
    form.get_by_label("Highest", exact=True).fill("900")
    form.get_by_label("Sort").select_option("Lowest price")
    form.get_by_role("button", name="Show vehicles").click()
    expect(page).to_have_url(re.compile("max_price=900"))
    expect(chosen(page, "Up to ₹900")).to_be_visible()
    expect(page.locator("link[rel=canonical]")).to_have_attribute("href", re.compile(r"/vehicles$"))
    chosen(page, "Up to ₹900").click()
    expect(page).to_have_url(re.compile(r"transmission=Automatic&sort=price$"))
    expect(chosen(page, "Automatic")).to_be_visible()
    page.goto("/vehicles")
    page.get_by_role("link", name="Show more").click()
    page.wait_for_url("**/vehicles?page=2")
    expect(cards(page).nth(24)).to_be_visible()
