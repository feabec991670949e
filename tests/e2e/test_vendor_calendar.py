"""The vendor's calendar: days are blocked by keyboard on a desktop, viewed and unblocked on a phone."""

import re
from datetime import date, timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.schemas.calendars import CalendarEntry, CalendarSpan
from rental_app.services.bookings import requests
from rental_app.services.calendar import vendor_calendar
from tests.e2e.conftest import PHONE, Browse
from tests.support import axe
from tests.support.axe import problems
from tests.support.browser_steps import moment_box, settled, shown_day, toast, type_moment, visit
from tests.support.shop import Shop, actor, add_vehicle, moment, wanted

pytestmark = pytest.mark.e2e
HERE = "/vendor/calendar"
OTHER = "https://calendar.example.com/a.ics"


def entries(shop: Shop) -> list[CalendarEntry]:
    (vehicle,) = read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan()).vehicles
    return vehicle.entries


def cell(page: Page, day: date, state: str) -> Locator:
    return page.get_by_role("gridcell", name=f"Honda Activa 6G, {day:%A %-d %B}, {state}", exact=True)


def test_free_days_are_blocked_by_keyboard_and_taken_ones_are_refused(browse: Browse, shop: Shop) -> None:
    made = write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=5))
    page = browse(shop.vendor, reduced_motion="reduce")
    visit(page, HERE)
    free = clock.indian_today(moment(3))
    cell(page, free, "free").press("Enter")
    drawn = page.get_by_role("dialog", name="Chosen days")
    expect(drawn.get_by_role("link", name="New booking")).to_be_focused()
    drawn.get_by_role("button", name="Block").press("Enter")
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
    today = clock.indian_today(clock.now())
    days = [cell(page, today + timedelta(days=ahead), "free") for ahead in range(14)]
    days[9].hover()
    page.mouse.down()
    days[8].hover()
    days[6].hover()
    expect(page.locator("[data-drawn]")).to_have_count(4)
    page.mouse.up()
    drawn = page.get_by_role("dialog", name="Chosen days")
    expect(drawn).to_contain_text("4 days, ₹500 a day")
    drawn.get_by_role("button", name="Block").click()
    dialog = page.get_by_role("dialog", name="Book or block these days")
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


def test_the_keys_go_through_the_days_without_asking_the_server(browse: Browse, shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    page = browse(shop.vendor, reduced_motion="reduce")
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    visit(page, HERE)
    settled(page)
    rows = page.get_by_role("row")
    expect(rows).to_have_count(3)
    today = clock.indian_today(clock.now())
    first, second = (rows.nth(place).get_by_role("gridcell") for place in (1, 2))
    first.nth(0).focus()
    sent.clear()
    for key, focused in (
        ("ArrowRight", first.nth(1)),
        ("ArrowDown", second.nth(1)),
        ("End", second.nth(13)),
        ("Home", second.nth(0)),
        ("ArrowLeft", second.nth(0)),
        ("ArrowUp", first.nth(0)),
        ("ArrowRight", first.nth(1)),
    ):
        page.keyboard.press(key)
        expect(focused).to_be_focused()
        expect(page.locator("[data-day][tabindex='0']")).to_have_count(1)
    expect(first.nth(1)).to_have_accessible_name(f"Honda Activa 6G, {today + timedelta(days=1):%A %-d %B}, free")
    for _ in range(2):
        page.keyboard.press("Shift+ArrowRight")
    expect(page.locator("[data-drawn]")).to_have_count(3)
    page.keyboard.press("Escape")
    expect(page.locator("[data-drawn]")).to_have_count(0)
    search = page.get_by_role("searchbox", name="Search by model or RC number")
    search.fill(other.rc_number)
    expect(rows).to_have_count(2)
    search.fill("")
    assert [frame for frame in sent if "calendar_state" in frame] == []

    first.nth(2).focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("b")
    dialog = page.get_by_role("dialog", name="Book or block these days")
    expect(moment_box(dialog, "First day")).to_have_value(shown_day(today + timedelta(days=2)))
    expect(moment_box(dialog, "Last day")).to_have_value(shown_day(today + timedelta(days=3)))
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert problems(page, axe.source()) == []
    first.nth(4).focus()
    page.keyboard.press("n")
    page.wait_for_url(re.compile(rf"/vendor/new-booking\?vehicle=\d+&day={today + timedelta(days=4)}"))


def test_a_phone_shows_a_day_with_all_vehicles(browse: Browse, shop: Shop) -> None:
    add_vehicle(shop.vendor)
    write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=5))
    page = browse(shop.vendor, viewport=PHONE, reduced_motion="reduce")
    sent: list[str] = []
    page.on("websocket", lambda socket: socket.on("framesent", lambda frame: sent.append(str(frame))))
    visit(page, HERE)
    heading = page.get_by_role("heading", name="Calendar", level=1).bounding_box()
    assert heading
    assert heading["y"] < 120
    expect(page.get_by_role("region", name="Free all day, 2")).to_be_visible()
    settled(page)
    sent.clear()
    taken = clock.friendly_day(clock.indian_today(moment(5)))
    page.get_by_role("radio", name=f"{taken}, 1 free").click()
    part = page.get_by_role("region", name="Part of the day, 1")
    expect(part).to_contain_text(f"Requested from 10 AM, {shop.customer.name}")
    page.keyboard.press("ArrowLeft")
    expect(page.get_by_role("region", name="Free all day, 2")).to_be_visible()
    page.keyboard.press("ArrowRight")
    expect(part).to_be_visible()
    page.get_by_role("searchbox", name="Search by model or RC number").fill(shop.vehicle.rc_number)
    expect(page.get_by_role("region", name=re.compile("^Free all day"))).to_have_count(0)
    assert [frame for frame in sent if "calendar_state" in frame] == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert problems(page, axe.source()) == []
    # The day stays over a reload, and is the one that is booked.
    page.reload()
    expect(part).to_be_visible()
    part.get_by_role("link", name="Book Honda Activa 6G").click()
    page.wait_for_url(re.compile(f"vehicle={shop.vehicle.id}&day={clock.indian_today(moment(5))}"))


def test_a_phone_shows_one_vehicles_month(browse: Browse, shop: Shop) -> None:
    write(requests.create, actor(shop.customer), wanted(shop.vehicle, days=5))
    page = browse(shop.vendor, viewport=PHONE, reduced_motion="reduce")
    visit(page, HERE)
    page.get_by_role("button", name="By vehicle").click()
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
