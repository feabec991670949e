"""A page whose script fails in the browser says so in the product's style and offers ways on."""

import re

import pytest
from playwright.sync_api import Page, Route, expect

from tests.e2e.conftest import Browse, Complaints
from tests.support.browser_listing import problems
from tests.support.browser_steps import ready, visit

pytestmark = pytest.mark.e2e
# The query string must survive the second try.
ADDRESS = "/offers?from=mail"


def failing(page: Page, thrown: str) -> None:
    """Make the offers page throw this whenever it renders."""
    page.route("**/assets/_offers_*.js", lambda route: _answer(route, thrown))


def _answer(route: Route, thrown: str) -> None:
    answer = route.fetch()
    text, places = re.subn(r"[\w$]+ as default", "fails as default", answer.text())
    assert places == 1
    # Nothing of this may be cached at the second try.
    headers = answer.headers | {"cache-control": "no-store"}
    route.fulfill(response=answer, headers=headers, body=f"{text};function fails(){{throw {thrown}}}")


@pytest.mark.long
def test_it_says_so_without_axe_violations_and_both_ways_on_work(
    browse: Browse, complaints: Complaints, script: str
) -> None:
    complaints.expected += ["boom", "null"]
    page = browse(fresh=True, reduced_motion="reduce")
    for thrown in ("new TypeError('boom')", "null"):
        failing(page, thrown)
        page.goto(ADDRESS)
        told = page.get_by_role("alert")
        expect(told.get_by_role("heading", level=1, name="This page could not be shown")).to_be_visible()
        expect(page.get_by_text("boom")).to_have_count(0)
        page.unroute_all()
        page.keyboard.press("Tab")
        expect(told.get_by_role("link", name="Try again")).to_be_focused()
        if thrown != "null":
            assert problems(page, script) == []
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1, name="Offers")).to_be_visible()
        assert page.url.endswith(ADDRESS)
    # Who comes by a link gets home.
    failing(page, "new TypeError('boom')")
    visit(page, "/")
    page.get_by_role("link", name="Offers", exact=True).first.click()
    page.get_by_role("link", name="Go to the home page").click()
    expect(page.get_by_role("heading", name="Featured vehicles")).to_be_visible()
    ready(page)
