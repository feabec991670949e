"""Losing and regaining the connection: people are told calmly, and nothing typed is lost."""

import re

import pytest
from playwright.sync_api import Route, expect

from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.support import page_clock
from tests.support.browser_steps import cards, toast, visit
from tests.support.line import BACK, LOST, REFUSED, Line, news
from tests.support.shop import Shop

pytestmark = pytest.mark.e2e


@pytest.fixture
def address(line: Line, complaints: Complaints) -> str:
    """The app at the other end of the line; browsers log an error for every failed attempt."""
    complaints.expect_lost_lines()
    return f"http://localhost:{line.port}"


def test_what_was_typed_outlives_a_lost_connection(browse: Browse, line: Line, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor/profile")
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Profile")
    form.get_by_label("Landmark").fill("By the lake")
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        place = form.get_by_label("Landmark").bounding_box()
        line.cut()
        expect(news(page)).to_have_text(LOST)
        expect(form.get_by_label("Landmark")).to_be_focused()
        assert form.get_by_label("Landmark").bounding_box() == place
        if size == DESKTOP:
            line.mend()
            expect(news(page)).to_have_text(BACK)
            expect(news(page)).to_be_empty()
    form.get_by_label("City").fill("Warangal")
    form.get_by_role("button", name="Save").click()
    expect(news(page)).to_have_text(REFUSED)
    line.mend()
    expect(news(page)).to_have_text(BACK)
    expect(form.get_by_label("City")).to_have_value("Warangal")
    expect(toast(page, "Profile updated successfully")).to_have_count(0)
    form.get_by_role("button", name="Save").click()
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
    page = browse(fresh=True)
    heard: list[str] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: heard.append(str(frame))))
    with page.expect_websocket() as opened:
        visit(page, "/")
    page.evaluate(
        "window.told = []; new MutationObserver(() => told.push(document.querySelector('[aria-label=Connection]')"
        ".textContent)).observe(document.querySelector('[aria-label=Connection]'), {childList: true, subtree: true})"
    )
    page_clock.stop(page)
    with opened.value.expect_event("close"):
        line.cut()
    page.clock.run_for(500)
    heard.clear()
    line.mend()
    # The server lets the page in.
    page_clock.run_until(page, lambda: any(frame.startswith("40/_event") for frame in heard))
    page.clock.run_for(3000)
    assert page.evaluate("told") == []
    page.get_by_role("button", name="Search").click()
    page_clock.run_until(page, toast(page, "Please select Pickup and Return").is_visible)


def test_a_browser_without_a_network_is_offline_and_its_links_work_again_later(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    page.context.set_offline(True)
    expect(news(page)).to_have_text(LOST)
    page.context.set_offline(False)
    expect(news(page)).to_have_text(BACK)
    page.context.set_offline(True)
    offers = page.get_by_role("navigation", name="Main").get_by_role("link", name="Offers")
    offers.click()
    expect(news(page)).to_have_text(REFUSED)
    expect(page).to_have_url(re.compile("/$"))
    page.context.set_offline(False)
    offers.click()
    expect(page.get_by_role("heading", name="Offers", level=1)).to_be_visible()
    page.set_viewport_size(PHONE)
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    page.context.set_offline(True)
    # The button at the foot stays in sight.
    told, button = news(page).get_by_text(LOST), page.get_by_role("button", name="Choose dates")
    expect(told).to_be_visible()
    upper, lower = told.bounding_box(), button.bounding_box()
    assert upper
    assert lower
    assert upper["y"] + upper["height"] <= lower["y"]


def test_a_tapped_card_shows_at_once_that_its_page_is_on_its_way(browse: Browse, shop: Shop) -> None:
    page = browse(viewport=PHONE)
    visit(page, "/vehicles")
    held: list[Route] = []
    page.route(re.compile(r"/assets/.*\.js"), lambda route: held.append(route))
    card = cards(page).first.get_by_role("link").first
    card.click(no_wait_after=True)
    expect(card).to_have_attribute("aria-busy", "true")
    # Releases the held requests.
    page.unroute_all()
    page.wait_for_url("**/vehicle-details/*")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.go_back()
    expect(card).not_to_have_attribute("aria-busy", "true")
