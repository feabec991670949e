"""The vendor's calendar: days are blocked by keyboard on a desktop, viewed and unblocked on a phone."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.schemas.calendars import CalendarEntry, CalendarSpan
from rental_app.services.bookings import requests
from rental_app.services.calendar import vendor_calendar
from tests.e2e.conftest import PHONE, Browse
from tests.support import axe
from tests.support.axe import problems
from tests.support.browser_steps import moment_box, shown_day, toast, type_moment, visit
from tests.support.shop import Shop, actor, moment, wanted

pytestmark = pytest.mark.e2e
HERE = "/vendor/calendar"
OTHER = "https://calendar.example.com/a.ics"


def entries(shop: Shop) -> list[CalendarEntry]:
    (vehicle,) = read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan()).vehicles
    return vehicle.entries


def test_free_days_are_blocked_by_keyboard_and_taken_ones_are_refused(browse: Browse, shop: Shop) -> None:
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=5))
    page = browse(shop.vendor, reduced_motion="reduce")
    visit(page, HERE)
    free = clock.indian_today(moment(3))
    name = f"Block Honda Activa 6G {shop.vehicle.rc_number} on {clock.friendly_day(free)}"
    page.get_by_role("button", name=name).press("Enter")
    dialog = page.get_by_role("dialog", name="Book or block these days")
    expect(moment_box(dialog, "First day")).to_have_value(shown_day(free))
    type_moment(dialog, "Last day", shown_day(free + timedelta(days=2)))
    dialog.get_by_label("Reason").select_option("own use")
    assert problems(page, axe.source()) == []
    dialog.get_by_role("button", name="Block these days").press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text(made.reference)
    assert [entry.kind for entry in entries(shop)] == ["hold"]

    type_moment(dialog, "Last day", shown_day(free))
    dialog.get_by_role("button", name="Block these days").press("Enter")
    expect(toast(page, "Vehicle blocked")).to_be_visible()
    expect(dialog).to_be_hidden()
    block = page.get_by_role("button", name=re.compile("^Blocked: Own use"))
    expect(block).to_be_visible()
    assert [entry.kind for entry in entries(shop)] == ["block", "hold"]

    block.click()
    question = page.get_by_role("alertdialog", name="Unblock these days?")
    question.get_by_role("button", name="Keep it").click()
    expect(question).to_be_hidden()
    page.get_by_role("link", name=re.compile(f"^Requested: {re.escape(shop.customer.name)}")).click()
    page.wait_for_url(re.compile(f"/vendor/bookings/{made.reference}"))
    assert [entry.kind for entry in entries(shop)] == ["block", "hold"]


@pytest.mark.dates
def test_days_are_drawn_over_with_the_mouse(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    days = page.get_by_role("button", name=re.compile("^Block Honda"))
    days.nth(9).hover()
    page.mouse.down()
    days.nth(8).hover()
    days.nth(6).hover()
    expect(page.locator("[data-drawn]")).to_have_count(4)
    page.mouse.up()
    dialog = page.get_by_role("dialog", name="Book or block these days")
    today = clock.indian_today(clock.now())
    expect(moment_box(dialog, "First day")).to_have_value(shown_day(today + timedelta(days=6)))
    expect(moment_box(dialog, "Last day")).to_have_value(shown_day(today + timedelta(days=9)))
    dialog.get_by_role("button", name="Block these days").click()
    expect(page.get_by_role("button", name=re.compile("^Blocked: Service"))).to_be_visible()
    (block,) = entries(shop)
    assert block.end - block.begin == timedelta(days=4)


def test_calendars_are_given_and_read(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, reduced_motion="reduce", permissions=["clipboard-read", "clipboard-write"])
    visit(page, HERE)
    panel = page.get_by_role("region", name="Other calendars")
    panel.get_by_role("button", name="Make an address").click()
    given = panel.get_by_role("textbox", name="Address of the calendar")
    expect(given).to_have_value(re.compile(r"/ical/.+\.ics$"))
    panel.get_by_role("button", name="Copy").click()
    page.wait_for_function("async (url) => (await navigator.clipboard.readText()) === url", arg=given.input_value())
    url = panel.get_by_label("Address of its calendar there")
    url.press_sequentially("https://10.0.0.1/a.ics")
    url.press("Enter")
    expect(panel.get_by_text("The host is not a public one")).to_be_visible()
    url.fill("")
    url.press_sequentially(OTHER)
    url.press("Enter")
    expect(panel.get_by_role("listitem").filter(has_text="calendar.example.com")).to_be_visible()
    expect(url).to_have_value("")
    assert problems(page, axe.source()) == []
    panel.get_by_role("button", name="Revoke the address: All vehicles").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Revoke").click()
    expect(given).to_have_count(0)


def test_a_phone_shows_one_vehicles_month(browse: Browse, shop: Shop) -> None:
    write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=5))
    page = browse(shop.vendor, viewport=PHONE, reduced_motion="reduce")
    visit(page, HERE)
    taken, free = (clock.friendly_day(clock.indian_today(moment(ahead))) for ahead in (5, 2))
    expect(page.get_by_role("button", name=f"{taken}: Requested")).to_be_disabled()
    page.get_by_role("button", name=f"{free}: Free").click()
    page.get_by_role("dialog").get_by_role("button", name="Block these days").click()
    expect(page.get_by_role("button", name=f"{free}: Blocked")).to_be_disabled()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert problems(page, axe.source()) == []
    page.get_by_role("button", name="Unblock").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Unblock").click()
    expect(toast(page, "Block removed")).to_be_visible()
    expect(page.get_by_role("button", name=f"{free}: Free")).to_be_enabled()
    page.get_by_label("Free between trips").select_option("4")
    expect(toast(page, "4 h between two trips from now on")).to_be_visible()
    assert [entry.kind for entry in entries(shop)] == ["hold", "buffer"]
