"""The vendor's frame and dashboard: requests, the day, figures, chart, sample."""

import re

import pytest
from playwright.sync_api import Locator, expect
from sqlalchemy import text

from rental_app.domain import clock
from rental_app.domain.bookings import DECLINE_REASONS
from rental_app.infrastructure.db import read, write
from rental_app.schemas.bookings import BookingView, StatusChange
from rental_app.services.bookings import lists, requests
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.support.browser_steps import toast, visit
from tests.support.routes import VENDORS
from tests.support.shop import Shop, actor, moment, wanted

pytestmark = pytest.mark.e2e
# Records in the tab whether the frame was visible, if only for a moment.
NOTE_THE_FRAME = """
(function look() {
  const frame = document.querySelector('nav[aria-label="Vendor"]');
  if (frame?.checkVisibility({ visibilityProperty: true })) sessionStorage.setItem('frame', 'seen');
  requestAnimationFrame(look);
})()
"""
ENTRIES = (
    "Dashboard",
    "Profile",
    "Add Vehicle",
    "Manage Vehicles",
    "Manage Bookings",
    "Calendar",
    "Prices",
    "Earnings",
    "Reviews",
    "Confirm at once",
)


# How far below the top of the window something begins.
TOP = "it => it.getBoundingClientRect().top"
AT_FOOT = ("Bookings", "Calendar", "Vehicles", "Today")
BEHIND_MORE = ("Profile", "Add Vehicle", "Prices", "Earnings", "Reviews", "Confirm at once")
HEADINGS = {"Add Vehicle": "Add New Vehicle"}


def follow(menu: Locator, name: str) -> None:
    """Press a link, which is then marked as the page's own, it alone, and with another icon."""
    link = menu.get_by_role("link", name=name)
    normal = link.locator("svg").inner_html()
    link.click()
    expect(link).to_have_attribute("aria-current", "page")
    assert link.locator("svg").inner_html() != normal
    expect(menu.locator("[aria-current=page]")).to_have_count(1)


def confirmed(shop: Shop) -> BookingView:
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=2))
    write(requests.change_status, actor(shop.vendor), StatusChange(booking_id=made.id, status="confirmed"))
    return made


def test_the_frame_leads_everywhere(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor")
    expect(page.get_by_text(f"Welcome, {shop.vendor.name}")).to_be_visible()
    expect(page.get_by_role("navigation", name="Main")).to_have_count(0)
    expect(page.get_by_role("contentinfo")).to_have_count(0)
    menu = page.get_by_role("navigation", name="Vendor")
    expect(menu.get_by_role("link")).to_have_text(ENTRIES)
    for entry in (*ENTRIES[1:], ENTRIES[0]):
        follow(menu, entry)
    page.set_viewport_size(PHONE)
    for name in AT_FOOT:
        follow(menu, name)
        assert page.get_by_role("heading", level=1).evaluate(TOP) < 120
    for name in BEHIND_MORE:
        menu.get_by_role("button", name="More").click()
        page.get_by_role("navigation", name="More pages").get_by_role("link", name=name).click()
        expect(page.get_by_role("heading", level=1)).to_contain_text(HEADINGS.get(name, name))
        assert page.get_by_role("heading", level=1).evaluate(TOP) < 120
    page.set_viewport_size(DESKTOP)
    # The server redirects a first visit to the address with a trailing slash.
    visit(page, "/vendor/profile")
    expect(menu.get_by_role("link", name="Profile")).to_have_attribute("aria-current", "page")
    for size in (DESKTOP, PHONE):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="More").click()
    more = page.get_by_role("navigation", name="More pages")
    expect(more).to_be_visible()
    # The browser opens it before the script hears of it.
    page.wait_for_function("history.state?.dialog")
    page.go_back()
    expect(more).to_be_hidden()
    assert page.url.rstrip("/").endswith("/vendor/profile")
    page.get_by_role("button", name="More").click()
    page.get_by_role("link", name="Back to the shop").click()
    page.wait_for_url(re.compile("//[^/]+/$"))


@pytest.mark.long
def test_customers_are_told_and_never_see_the_frame(browse: Browse, complaints: Complaints, shop: Shop) -> None:
    complaints.expected.append("status of 404")
    seen = "sessionStorage.getItem('frame')"
    page = browse(shop.vendor, fresh=True)
    page.add_init_script(NOTE_THE_FRAME)
    visit(page, "/vendor/profile")
    expect(page.get_by_role("navigation", name="Vendor")).to_be_visible()
    page.wait_for_function(f"{seen} === 'seen'")
    page = browse(shop.customer, fresh=True)
    page.add_init_script(NOTE_THE_FRAME)
    for path in VENDORS:
        # The toast may not last until the page has loaded.
        page.goto(path, wait_until="commit")
        expect(toast(page, "Only vendors can do this")).to_have_count(1)
        page.wait_for_url(lambda url: url.rstrip("/").count("/") == 2)
        expect(page.get_by_role("heading", level=1)).to_be_visible()
        assert page.evaluate(seen) is None, path
    page.goto("/vendor/nowhere")
    expect(page.get_by_role("heading", name="There is nothing at this address")).to_be_visible()
    assert page.evaluate(seen) is None


@pytest.mark.long
def test_when_nobody_can_tell_who_is_there_the_page_says_so(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    write(lambda session: session.execute(text("ALTER TABLE login_session RENAME TO hidden")))
    try:
        page.goto("/vendor/manage-vehicles", wait_until="commit")
        expect(toast(page, "please try again shortly")).to_have_count(1)
        expect(page.get_by_role("heading", name="This page could not be loaded")).to_be_visible()
    finally:
        write(lambda session: session.execute(text("ALTER TABLE hidden RENAME TO login_session")))
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("table", name="Your vehicles")).to_contain_text(shop.vehicle.rc_number)


@pytest.mark.dates
def test_the_dashboard_tells_figures_chart_and_recent_bookings(browse: Browse, shop: Shop) -> None:
    booking = confirmed(shop)
    page = browse(shop.vendor)
    visit(page, "/vendor")
    figures = page.get_by_role("region", name="Figures")
    for label, value in (("Total Vehicles", "1"), ("Total Bookings", "1"), ("Pending", "0"), ("Confirmed", "1")):
        expect(
            figures.get_by_role("link", name=label).locator("xpath=../..").get_by_text(value, exact=True)
        ).to_be_visible()
    for label, value in (("Monthly Revenue", "₹500"), ("Received", "₹0")):
        tile = figures.get_by_role("link", name=label).locator("xpath=../..")
        expect(tile.get_by_text(value, exact=True)).to_be_visible()
    expect(figures.get_by_role("link")).to_have_count(6)

    page.get_by_text("Last 12 months").filter(visible=True).click()
    chart = page.get_by_role("group").filter(has_text="Last 12 months").filter(visible=True)
    highest = "bars => Math.max(...bars.map(bar => bar.offsetHeight / bar.parentElement.offsetHeight))"
    assert chart.locator("[style*=height]").evaluate_all(highest) > 0.9
    chart.get_by_text("Show as a table").click()
    rows = chart.get_by_role("table", name="Last 12 months").get_by_role("row")
    expect(rows).to_have_count(13)
    # The money is this month's; on its last days the pickup is the next one's, which is not there yet.
    this_month = clock.indian(moment(2)).month == clock.indian(clock.now()).month
    expect(rows.filter(has_text="₹500")).to_contain_text("1 booking" if this_month else "0 bookings")

    recent = page.get_by_role("region", name="Recent bookings")
    expect(recent.get_by_text("Confirmed", exact=True)).to_be_visible()
    recent.get_by_role("link", name="Honda Activa 6G").click()
    page.wait_for_url(re.compile(rf"/vendor/bookings/{booking.reference}/?$"))


def test_a_request_is_answered_with_one_press_or_with_one_of_four_reasons(browse: Browse, shop: Shop) -> None:
    first, second = (write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=day)) for day in (2, 5))
    page = browse(shop.vendor, viewport=PHONE)
    visit(page, "/vendor")
    each = page.get_by_role("region", name="Answer now").get_by_role("group", name=re.compile(" for "))
    expect(each).to_have_count(2)
    each.first.get_by_role("button", name="Accept").click()
    expect(toast(page, "accepted")).to_be_visible()
    expect(each).to_have_count(1)
    expect(page.get_by_role("list", name="Requests").get_by_text(re.compile(": accepted$"))).to_be_visible()
    each.get_by_text("Decline", exact=True).click()
    reasons = each.get_by_role("button").filter(visible=True)
    expect(reasons).to_have_text([*DECLINE_REASONS.values(), "Accept"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    each.get_by_role("button", name="The vehicle needs repair").click()
    expect(toast(page, "declined")).to_be_visible()
    expect(page.get_by_text("Nothing to do right now")).to_be_visible()
    statuses = {view.id: view.status for view in read(lists.of_vendor, actor(shop.vendor)).items}
    assert statuses == {first.id: "confirmed", second.id: "cancelled"}
