"""An action without a connection is refused, and never sent once the connection is back."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, WebSocket, expect

from rental_app.models import User
from tests.e2e.conftest import Browse, Complaints
from tests.support.booking_steps import alter, bookings_of, status_of, vehicle_path
from tests.support.booking_steps import book as requested
from tests.support.browser_steps import ready, request, settled, taken_over, toast, visit
from tests.support.line import BACK, LOST, REFUSED, UNSURE, DeadEnd, Line, news
from tests.support.manage_bookings import book, choose, status
from tests.support.shop import Shop, moment, wanted, wire

pytestmark = pytest.mark.e2e


@pytest.fixture
def address(line: Line, complaints: Complaints) -> str:
    """The app at the other end of the line; browsers log an error for every failed attempt."""
    complaints.expect_lost_lines()
    return f"http://localhost:{line.port}"


def sent_by(page: Page) -> list[str]:
    """Collect what a page sends over its websockets from now on."""
    sent: list[str] = []

    def listen(socket: WebSocket) -> None:
        socket.on("framesent", lambda frame: sent.append(str(frame)))

    page.on("websocket", listen)
    return sent


@pytest.fixture(params=["line", "network"])
def connection(request: pytest.FixtureRequest, line: Line) -> Callable[[Page, bool], None]:
    """Take a page's connection away or give it back: the line is cut, or the browser is offline."""

    def by_line(page: Page, there: bool) -> None:
        line.mend() if there else line.cut()
        # A click before the page has noticed is in doubt, not refused; afterwards the page retries now and then.
        expect(news(page)).to_have_text(BACK if there else LOST)

    def by_network(page: Page, there: bool) -> None:
        page.context.set_offline(not there)

    return by_line if request.param == "line" else by_network


def look_around(page: Page, path: str) -> None:
    """Open a page as its link would and come back: its files are loaded then, whatever the connection does later."""
    title = page.get_by_role("heading", level=1)
    here = title.inner_text()
    page.evaluate("path => window.__reactRouterDataRouter.navigate(path)", path)
    expect(title).not_to_have_text(here)
    page.go_back()
    expect(title).to_have_text(here)
    ready(page)


def test_book_now_without_a_connection_is_refused_and_never_sent(
    browse: Browse, connection: Callable[[Page, bool], None], shop: Shop
) -> None:
    page = browse(shop.customer)
    sent = sent_by(page)
    visit(page, vehicle_path(shop, moment(4), moment(5)))
    look_around(page, "/offers")
    expect(page.get_by_text("Total", exact=True)).to_be_visible()
    connection(page, False)
    page.get_by_role("button", name="Book Now").click()
    expect(news(page)).to_have_text(REFUSED)
    page.go_forward()
    page.wait_for_url("**/offers")
    connection(page, True)
    expect(page.get_by_role("heading", name="Offers", level=1)).to_be_visible()
    settled(page)
    assert not [frame for frame in sent if "detail_state.book" in frame]
    assert bookings_of(shop.vehicle.id) == []
    page.go_back()
    expect(page.get_by_text("Total", exact=True)).to_be_visible()
    request(page)
    page.wait_for_url("**/my-bookings/PH-*")
    assert len(bookings_of(shop.vehicle.id)) == 1


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


def test_a_vendors_changes_without_a_connection_are_refused_and_never_sent(
    browse: Browse, connection: Callable[[Page, bool], None], shop: Shop
) -> None:
    book(shop)
    page = browse(shop.vendor)
    sent = sent_by(page)
    visit(page, "/vendor/manage-bookings")
    expect(status(page)).to_be_visible()
    connection(page, False)
    status(page).click()
    page.get_by_role("option", name="Confirmed").click()
    expect(news(page)).to_have_text(REFUSED)
    expect(status(page)).to_have_text("Pending")
    connection(page, True)
    expect(news(page)).to_have_text("")
    settled(page)
    assert not [frame for frame in sent if ".ask" in frame]
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    choose(page, "Confirmed")
    connection(page, False)
    page.get_by_role("button", name="Confirm booking").click()
    expect(news(page)).to_have_text(REFUSED)
    connection(page, True)
    visit(page, "/vendor/manage-vehicles")
    switch = page.get_by_role("switch").first
    expect(switch).to_be_checked()
    connection(page, False)
    switch.click()
    expect(news(page)).to_have_text(REFUSED)
    expect(switch).to_be_checked()
    connection(page, True)
    settled(page)
    assert not [frame for frame in sent if ".decide" in frame or ".toggle" in frame]
    assert [status for *_, status in bookings_of(shop.vehicle.id)] == ["pending"]
    switch.click()
    expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()


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


def test_a_cancellation_is_not_sent_once_the_connection_is_back(browse: Browse, line: Line, shop: Shop) -> None:
    asked = requested(shop.customer, wanted(shop.vehicle))
    page = browse(shop.customer)
    sent = sent_by(page)
    visit(page, f"/my-bookings/{asked.reference}")
    page.get_by_role("button", name="Cancel request").click()
    question = page.get_by_role("alertdialog", name="Cancel this request?")
    expect(question).to_contain_text("Cancelling now costs nothing.")
    line.cut()
    expect(news(page)).to_have_text(LOST)
    question.get_by_role("button", name="Cancel request").click()
    expect(news(page)).to_have_text(REFUSED)
    line.mend()
    expect(news(page)).to_have_text(BACK)
    assert not [frame for frame in sent if ".cancel" in frame]
    assert status_of(asked.id) == "pending"
    expect(question).to_be_visible()
    question.get_by_role("button", name="Cancel request").click()
    expect(toast(page, "Booking cancelled")).to_be_visible()
    assert status_of(asked.id) == "cancelled"


def test_leaving_a_page_drops_what_waits_there(browse: Browse, line: Line) -> None:
    page = browse()
    sent = sent_by(page)
    visit(page, "/vehicles")
    look_around(page, "/offers")
    line.cut()
    page.get_by_label("Filter vehicles").fill("activa")
    expect(news(page)).to_have_text(LOST)
    page.go_forward()
    page.wait_for_url("**/offers")
    line.mend()
    expect(news(page)).to_have_text(BACK)
    settled(page)
    assert not [frame for frame in sent if ".filter" in frame]
