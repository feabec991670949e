"""Layouts for phone and desktop look as intended on screens between the two."""

import pytest
from playwright.sync_api import Page, ViewportSize, expect

from tests.e2e.conftest import Browse
from tests.support.browser_steps import visit

pytestmark = pytest.mark.e2e
TABLET: ViewportSize = {"width": 768, "height": 1024}
# An input reports the width of its text, not of its placeholder.
EXAMPLE_FITS = """
(box) => {
  box.value = box.placeholder;
  const fits = box.scrollWidth <= box.clientWidth;
  box.value = "";
  return fits;
}
"""


@pytest.mark.long
def test_pages_of_a_tablet(browse: Browse) -> None:
    page = browse(viewport=TABLET)
    visit(page, "/vehicles")
    assert page.get_by_role("searchbox", name="Filter vehicles").evaluate(EXAMPLE_FITS)
    visit(page, "/")
    bar = page.get_by_role("banner")
    links = bar.get_by_role("link", name="Offers", exact=True).or_(bar.get_by_role("button", name="Menu", exact=True))
    expect(links.filter(visible=True)).to_have_count(1)
    section = page.locator("section").filter(has=page.get_by_role("heading", name="Featured vehicles", exact=True))
    vehicles = section.last.get_by_role("listitem")
    expect(vehicles).to_have_count(3)
    assert len({vehicle.evaluate("(it) => it.offsetTop") for vehicle in vehicles.all()}) == 1
    no_line_of_a_title_lies_on_the_next(page)


def no_line_of_a_title_lies_on_the_next(page: Page) -> None:
    """Look at the titles, and at the drawings of the last section."""
    lying = page.evaluate(
        "[...document.querySelectorAll('h1, h2, h3, blockquote')].filter((each) => {"
        " const look = getComputedStyle(each);"
        " return parseFloat(look.lineHeight) < 1.1 * parseFloat(look.fontSize);"
        "}).map((each) => each.textContent)"
    )
    assert lying == []
    models = page.get_by_role("list", name="Popular models")
    models.scroll_into_view_if_needed()
    drawings = models.locator("img")
    expect(drawings).to_have_count(models.get_by_role("link").count())
    drawn = "[...document.querySelectorAll('[aria-label=\"Popular models\"] img')].every((it) => it.naturalWidth)"
    page.wait_for_function(drawn)
