"""Losing and regaining the connection: people are told calmly, nothing typed is lost, and nothing is sent later.

What changes something is refused meanwhile; what only looks something up is done once the line is back.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, Route, WebSocket, expect

from rental_app.domain import clock
from rental_app.models import User
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.support import page_clock
from tests.support.booking_steps import alter, book, bookings_of
from tests.support.browser_my_booking import path, question
from tests.support.browser_steps import (
    cards,
    moment_box,
    open_search,
    settled,
    shown,
    taken_over,
    toast,
    type_moment,
    visit,
)
from tests.support.line import BACK, LOST, REFUSED, UNSURE, DeadEnd, Line, news
from tests.support.shop import Shop, moment, wanted, wire

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


@pytest.mark.long
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


@pytest.mark.long
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


@pytest.mark.long
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


@contextmanager
def cut(page: Page, line: Line) -> Iterator[None]:
    """Cut the line, and mend it at the end."""
    line.cut()
    expect(news(page)).to_have_text(LOST)
    yield
    line.mend()
    expect(news(page)).to_have_text(BACK)


def refused(page: Page, name: str) -> None:
    """Press a button that can do nothing now, and is told so."""
    page.get_by_role("button", name=name, exact=True).locator("visible=true").last.click()
    expect(news(page)).to_have_text(REFUSED)


@pytest.mark.long
def test_place_dates_and_filter(browse: Browse, line: Line, shop: Shop) -> None:
    page = browse(viewport=PHONE)
    visit(page, "/")
    sheet = open_search(page)
    sheet.get_by_role("button", name=shop.place.name).click()
    type_moment(page, "Pickup", moment(4))
    type_moment(page, "Return", moment(6))
    settled(page)
    with cut(page, line):
        sheet.get_by_role("button", name="Search").click()
        expect(sheet.get_by_label("Pickup location")).to_have_value(shop.place.name)
        expect(moment_box(page, "Pickup")).to_have_value(shown(moment(4)))
        expect(moment_box(page, "Return")).to_have_value(shown(moment(6)))
    expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}", level=1)).to_be_attached()
    taken_over(page)
    settled(page)
    text = page.get_by_label("Filter vehicles")
    with cut(page, line):
        text.fill("nothing like it")
    page.wait_for_url(re.compile("q=nothing"))
    settled(page)
    expect(text).to_have_value("nothing like it")
    expect(cards(page)).to_have_count(0)
    text.fill("activa")
    page.wait_for_url(re.compile("q=activa"))
    expect(cards(page)).to_have_count(1)


@pytest.mark.long
def test_sent_and_change(browse: Browse, line: Line, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    page = browse(shop.customer, viewport=PHONE)
    visit(page, path(asked.reference))
    page.get_by_role("button", name="Change dates").click()
    type_moment(page, "New pickup", moment(8))
    type_moment(page, "New return", moment(10))
    settled(page)
    with cut(page, line):
        page.get_by_role("button", name="Move to these dates").click()
        expect(page.get_by_role("heading", name=re.compile("^Request sent."), level=1)).to_be_visible()
        expect(moment_box(page, "New return")).to_have_value(shown(moment(10)))
    last = question(page, "Move your request for ₹1,000?")
    expect(last).to_be_visible()
    with cut(page, line):
        refused(page, "Move the request")
    assert [pickup for pickup, _, _ in bookings_of(shop.vehicle.id)] == [asked.pickup]
    last.get_by_role("button", name="Move the request").click()
    expect(toast(page, "Your request has been moved")).to_be_visible()
    expect(page.get_by_text(clock.friendly(moment(10))).filter(visible=True).first).to_be_visible()


def sent_by(page: Page) -> list[str]:
    """Collect what a page sends over its websockets from now on."""
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(str(frame)))

    page.on("websocket", listen)
    return sent


@pytest.fixture(params=["line", pytest.param("network", marks=pytest.mark.long)])
def connection(request: pytest.FixtureRequest, line: Line) -> Callable[[Page, bool], None]:
    """Take a page's connection away or give it back: the line is cut, or the browser is offline."""

    def by_line(page: Page, there: bool) -> None:
        line.mend() if there else line.cut()
        # A click before the page has noticed is in doubt, not refused; afterwards the page retries now and then.
        expect(news(page)).to_have_text(BACK if there else LOST)

    def by_network(page: Page, there: bool) -> None:
        page.context.set_offline(not there)

    return by_line if request.param == "line" else by_network


def test_a_request_without_a_connection_is_refused_and_loses_nothing(
    browse: Browse, connection: Callable[[Page, bool], None], shop: Shop
) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    page = browse(shop.customer)
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(5))}".replace("+", "%2B")
    visit(page, f"/vehicle-details/{shop.vehicle.id}/review?{window}&extras=drop_off")
    taken_over(page)
    address, send = page.get_by_label("Address for delivery"), page.get_by_role("button", name="Request to book")
    address.fill("7 Palm Grove")
    settled(page)
    connection(page, False)
    send.click()
    expect(news(page)).to_have_text(REFUSED)
    assert bookings_of(shop.vehicle.id) == []
    connection(page, True)
    settled(page)
    expect(address).to_have_value("7 Palm Grove")
    expect(send).to_be_enabled()
    send.click()
    page.wait_for_url("**/my-bookings/PH-*")
    expect(page.get_by_text("7 Palm Grove")).to_be_visible()
    assert len(bookings_of(shop.vehicle.id)) == 1


@pytest.mark.long
def test_what_was_lost_on_a_dead_connection_is_reported(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    line = DeadEnd(page)
    visit(page, "/vendor/manage-vehicles")
    switch = page.get_by_role("switch").first
    expect(switch).to_be_checked()
    line.swallows = True
    switch.click()
    expect(switch).not_to_be_checked()
    line.notice()
    expect(news(page)).to_have_text(UNSURE)
    expect(switch).to_be_checked()
    settled(page)
    switch.click()
    expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()
    line.notice()
    settled(page)
    # What has arrived is not in doubt.
    expect(news(page)).not_to_have_text(UNSURE)
    expect(switch).not_to_be_checked()


@pytest.mark.long
def test_what_is_pressed_on_a_phone_that_has_slept_is_refused_and_not_in_doubt(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    sent = sent_by(page)
    visit(page, "/vendor/manage-vehicles")
    switch = page.get_by_role("switch").first
    expect(switch).to_be_checked()
    # For that long nothing was heard from the server; the connection itself would still work.
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 3_600_000; }")
    page.evaluate("addEventListener('not-sent', ({ detail }) => { (window.told ??= []).push(detail ?? null); })")
    switch.click()
    expect(news(page)).to_have_text(REFUSED)
    settled(page)
    assert page.evaluate("told") == [None]
    expect(switch).to_be_checked()
    assert not [frame for frame in sent if ".toggle" in frame]
