"""Losing the connection and having it back: told calmly, nothing typed is lost, and what was asked for happens."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.e2e.app import App
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.e2e.line import Line
from tests.e2e.steps import toast, visit
from tests.helpers import Shop

pytestmark = pytest.mark.e2e
LOST = re.compile("^You are offline or the shop cannot be reached. Trying again")
BACK = "Connected again"


@pytest.fixture
def line(app: App) -> Iterator[Line]:
    """The way between the test's browser and the app."""
    between = Line(int(app.url.rpartition(":")[2]))
    yield between
    between.close()


@pytest.fixture
def address(line: Line, complaints: Complaints) -> str:
    """The app at the other end of the line; browsers complain of every attempt that fails."""
    complaints.expected += ["ERR_", "WebSocket connection"]
    return f"http://localhost:{line.port}"


def news(page: Page) -> Locator:
    return page.get_by_role("status", name="Connection")


@pytest.mark.parametrize("viewport", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_what_was_typed_and_asked_for_outlives_a_lost_connection(
    browse: Browse, line: Line, shop: Shop, viewport: dict[str, int]
) -> None:
    page = browse(shop.vendor, viewport=viewport)
    visit(page, "/vendor/profile")
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Profile")
    form.get_by_label("Landmark").fill("By the lake")
    place = form.get_by_label("Landmark").bounding_box()
    line.cut()
    expect(news(page)).to_have_text(LOST)
    expect(form.get_by_label("Landmark")).to_be_focused()
    assert form.get_by_label("Landmark").bounding_box() == place
    form.get_by_label("City").fill("Warangal")
    form.get_by_role("button", name="Save").click()
    line.mend()
    expect(news(page)).to_have_text(BACK)
    expect(toast(page, "Profile updated successfully")).to_be_visible()
    for kept in ("By the lake", "Warangal"):
        expect(page.get_by_role("main")).to_contain_text(kept)
    expect(news(page)).to_be_empty()


def test_it_is_told_over_an_open_dialog(browse: Browse, line: Line, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    dialog = page.get_by_role("dialog", name="Login")
    dialog.get_by_label("Email").fill(shop.customer.email)
    line.cut()
    expect(news(page)).to_have_text(LOST)
    expect(news(page)).to_have_attribute("aria-live", "polite")
    bar = news(page).get_by_text(LOST)
    assert bar.evaluate("bar => bar.matches(':popover-open')")
    line.mend()
    expect(news(page)).to_have_text(BACK)
    expect(dialog.get_by_label("Email")).to_have_value(shop.customer.email)


def test_a_short_interruption_is_not_worth_a_word(browse: Browse, line: Line) -> None:
    page = browse()
    visit(page, "/")
    page.evaluate(
        "window.told = []; new MutationObserver(() => told.push(document.querySelector('[aria-label=Connection]')"
        ".textContent)).observe(document.querySelector('[aria-label=Connection]'), {childList: true, subtree: true})"
    )
    line.cut()
    page.wait_for_timeout(500)
    line.mend()
    page.wait_for_timeout(3000)
    assert page.evaluate("told") == []
    page.get_by_role("button", name="Search").click()
    expect(toast(page, "Please select Pickup and Return")).to_be_visible()


def test_a_browser_without_a_network_is_offline(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    page.context.set_offline(True)
    expect(news(page)).to_have_text(LOST)
    page.context.set_offline(False)
    expect(news(page)).to_have_text(BACK)
