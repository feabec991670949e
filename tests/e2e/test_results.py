"""Finding a vehicle among the results: filters are in the address and kept by Back, reload and the link back."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support import axe
from tests.support.browser_steps import cards, ready, settled, visit
from tests.support.line import Answers

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


def test_a_desk_narrows_sorts_and_leafs(browse: Browse) -> None:
    page = browse(viewport=DESKTOP)
    visit(page, "/vehicles")
    expect(page.get_by_text(re.compile(r"^Showing 24 of \d+ vehicles$"))).to_be_visible()
    page.get_by_role("button", name="Show more").click()
    page.wait_for_url("**/vehicles?page=2")
    expect(cards(page).nth(24)).to_be_visible()
    page.reload()
    expect(cards(page).nth(24)).to_be_visible()
    page.get_by_label("Sort").select_option("Lowest price")
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


def test_where_nothing_is_left_it_says_what_to_take_away(browse: Browse) -> None:
    page = browse(viewport=DESKTOP)
    visit(page, "/vehicles?type=Car&q=activa")
    expect(page.get_by_role("heading", name="No vehicle matches that filter")).to_be_visible()
    page.get_by_role("link", name=re.compile(r"^Without “Car”: \d+ vehicles$")).click()
    page.wait_for_url("**/vehicles?q=activa")
    expect(cards(page).first).to_contain_text("Activa")


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


def test_axe_finds_nothing_in_the_sheet(browse: Browse, script: str) -> None:
    page, found = browse(viewport=PHONE, reduced_motion="reduce"), []
    visit(page, "/vehicles?type=Scooter&transmission=Automatic&max_price=900")
    expect(chosen(page, "Automatic")).to_be_visible()
    page.evaluate(script)
    for dialog in (False, True):
        if dialog:
            opened_filters(page)
        found += axe.violations_by_theme(page, PHONE["width"])
    assert found == []


def test_an_answer_that_comes_after_the_page_was_left_changes_no_address(browse: Browse) -> None:
    page = browse(fresh=True)
    answers = Answers(page)
    visit(page, "/blog")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Vehicles").click()
    expect(page.get_by_role("heading", name="All vehicles")).to_be_visible()
    settled(page)
    answers.held = True
    page.get_by_label("Filter vehicles").press_sequentially("activa", delay=20)
    answers.await_one()
    page.go_back()
    expect(page.get_by_role("heading", name="Blog")).to_be_visible()
    answers.let_through()
    settled(page)
    expect(page).to_have_url(re.compile("/blog$"))
