"""A page shows its bar while the style sheet is on its way, and all of itself once that has come."""

from itertools import product

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.support.browser_steps import taken_over

pytestmark = pytest.mark.e2e
SHEET, SCRIPTS = "**/__reflex_global_styles*.css", "**/assets/*.js"
# Where the bar and its parts are, and how they look; letters are as wide as their font, which comes later.
LOOK = """
(names) => names.map((name) => {
  const node = document.querySelector(name);
  const { x, y, height } = node.getBoundingClientRect();
  const style = getComputedStyle(node);
  const edge = ["border-bottom-color", "border-bottom-width"];
  const properties = ["color", "background-color", ...edge, "font-weight", "letter-spacing"];
  return [name, x, y, height, ...properties.map((property) => style.getPropertyValue(property))];
})
"""
PARTS = ["header", "header > div", "header a", "header img", "header a span", "header > div > button"]


class Held:
    """The requests for the style sheet, which wait until they are let go."""

    def __init__(self, page: Page) -> None:
        self.waiting, self.is_over = list[Route](), False
        page.route(SHEET, self._hold)

    def _hold(self, route: Route) -> None:
        if self.is_over:
            route.continue_()
        else:
            self.waiting.append(route)

    def let_go(self) -> None:
        """Answer the requests that wait, and those to come."""
        self.is_over = True
        for route in self.waiting:
            route.continue_()


@pytest.mark.long
def test_the_bar_looks_the_same_before_the_sheet(browse: Browse) -> None:
    # The bar of the home page is a light one.
    for path, size, colours in product(("/", "/vehicles"), (PHONE, DESKTOP), ("light", "dark")):
        page = browse(viewport=size, color_scheme=colours, fresh=True)
        # What scripts would add to the bar is not what this compares.
        page.route(SCRIPTS, lambda route: route.fulfill(body="", content_type="text/javascript"))
        sheet = Held(page)
        page.goto(path, wait_until="commit")
        expect(page.get_by_role("link", name="Pahiya").first).to_be_visible()
        expect(page.locator("footer")).to_be_attached()
        assert not page.locator("main").is_visible()
        before = page.evaluate(LOOK, PARTS)
        sheet.let_go()
        expect(page.locator("main")).to_be_visible()
        assert page.evaluate(LOOK, PARTS) == before
        expect(page.locator("[data-first], [data-bare]")).to_have_count(0)


@pytest.mark.long
def test_a_page_is_shown_without_its_sheet_and_without_scripts(browse: Browse, complaints: Complaints) -> None:
    complaints.expected.append("ERR_FAILED")
    page = browse(viewport=PHONE, fresh=True)
    page.route(SHEET, lambda route: route.abort())
    page.goto("/offers")
    expect(page.locator("main")).to_be_visible()
    page = browse(viewport=PHONE, java_script_enabled=False)
    page.goto("/offers")
    expect(page.locator("main")).to_be_visible()
    expect(page.locator("header")).to_have_css("position", "sticky")


@pytest.mark.long
def test_a_reload_and_a_link_into_a_page_find_their_place(browse: Browse) -> None:
    # The last section, which a phone lays out a moment after the first screen.
    page = browse(viewport=PHONE, fresh=True)
    page.goto("/vehicle-details/1")
    taken_over(page)
    page.evaluate("scrollTo(0, 2000)")
    page.wait_for_function("scrollY === 2000")
    sheet = Held(page)
    page.reload(wait_until="commit")
    expect(page.locator("footer")).to_be_attached()
    sheet.let_go()
    page.wait_for_function("scrollY === 2000")
    page = browse(viewport=PHONE, fresh=True)
    sheet = Held(page)
    page.goto("/vehicle-details/1#reviews", wait_until="commit")
    expect(page.locator("footer")).to_be_attached()
    sheet.let_go()
    page.wait_for_function("document.querySelector('#reviews')?.getBoundingClientRect().top < innerHeight / 2")
