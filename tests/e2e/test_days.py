"""Fields for a day alone: typed and pasted as India writes dates, chosen with keys and with a finger."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.schemas.calendars import CalendarSpan
from rental_app.services.calendar import vendor_calendar
from tests.e2e.conftest import PHONE, Browse, Complaints
from tests.support import axe
from tests.support import console as support_console
from tests.support.axe import problems
from tests.support.browser_steps import moment_box, shown_day, toast, type_moment, visit
from tests.support.manage_bookings import book
from tests.support.shop import Shop, actor, moment

pytestmark = pytest.mark.e2e
PASTES = ["clipboard-read", "clipboard-write"]


def paste(page: Page, box: Locator, text: str) -> None:
    """Paste a text over what is in a field, and go on."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    box.focus()
    page.keyboard.press("Control+A")
    page.keyboard.press("Control+V")
    page.keyboard.press("Tab")


def days_in(page: Page, label: str) -> Locator:
    """The panel that a field for a day opens."""
    return page.get_by_role("dialog", name=f"{label}: choose a day")


def test_bookings_are_filtered_by_days_as_india_writes_them(browse: Browse, shop: Shop) -> None:
    booked = [book(shop, days) for days in (3, 12)]
    second = clock.indian_today(moment(12))
    page = browse(shop.vendor, permissions=PASTES)
    visit(page, "/vendor/manage-bookings")
    page.get_by_text("Any dates").click()
    since = moment_box(page, "From")
    expect(since).to_have_attribute("placeholder", "Add date")
    rows = page.get_by_role("main").get_by_text(re.compile("^PH-"))
    expect(rows).to_have_count(2)
    # The day before the month: the 1st of December is no 12th of January.
    for typed in (f"{second:%-d/%-m/%Y}", f"{second:%d-%m-%y}"):
        type_moment(page, "From", typed)
        expect(since).to_have_value(shown_day(second))
        expect(rows).to_have_count(1)
        type_moment(page, "From", "")
        expect(rows).to_have_count(2)
    paste(page, since, f" {second:%Y-%m-%d}")
    expect(since).to_have_value(shown_day(second))
    expect(rows).to_have_count(1)
    type_moment(page, "From", "")
    expect(rows).to_have_count(2)
    paste(page, moment_box(page, "To"), shown_day(second - timedelta(days=1)))
    expect(rows).to_have_count(1)
    expect(page.get_by_role("main")).to_contain_text(clock.friendly_day(clock.indian_today(moment(3))))
    type_moment(page, "To", "31/2/2026")
    expect(moment_box(page, "To")).to_have_value("31/2/2026")
    expect(moment_box(page, "To")).to_have_accessible_description(re.compile("^Write it like "))
    page.get_by_role("button", name="Clear filters").first.click()
    for label in ("From", "To"):
        expect(moment_box(page, label)).to_have_value("")
    expect(rows).to_have_count(len(booked))


def test_days_are_blocked_as_india_writes_them(browse: Browse, shop: Shop) -> None:
    first = clock.indian_today(moment(30))
    page = browse(shop.vendor, permissions=PASTES, reduced_motion="reduce")
    visit(page, "/vendor/calendar")
    page.get_by_role("gridcell", name=re.compile(", free$")).first.press("Enter")
    page.get_by_role("button", name="Block", exact=True).click()
    dialog = page.get_by_role("dialog", name="Book or block these days")
    type_moment(dialog, "First day", f"{first:%-d/%-m/%y}")
    paste(page, moment_box(dialog, "Last day"), shown_day(first))
    # By keys alone: down into the panel, and out of it with the day.
    moment_box(dialog, "Last day").press("ArrowDown")
    panel = days_in(page, "Last day")
    expect(panel.get_by_role("button", pressed=True)).to_be_focused()
    assert problems(page, axe.source()) == []
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(panel).to_be_hidden()
    expect(moment_box(dialog, "Last day")).to_be_focused()
    expect(moment_box(dialog, "Last day")).to_have_value(shown_day(first + timedelta(days=2)))
    dialog.get_by_role("button", name="Block these days").click()
    expect(toast(page, "Vehicle blocked")).to_be_visible()
    (vehicle,) = read(
        vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan.model_validate({"from": first, "to": first})
    ).vehicles
    (block,) = vehicle.entries
    assert (clock.indian_today(block.begin), block.end - block.begin) == (first, timedelta(days=3))


def test_a_day_is_chosen_in_the_console_on_a_phone(browse: Browse, complaints: Complaints) -> None:
    complaints.expected.append("status of 404")
    page = browse(support_console.operator(), viewport=PHONE, has_touch=True, reduced_motion="reduce")
    visit(page, "/operator/offers")
    page.get_by_role("button", name="Add an offer").tap()
    dialog = page.get_by_role("dialog", name="Add an offer")
    type_moment(dialog, "First day", "5/12/2026")
    expect(moment_box(dialog, "First day")).to_have_value("05/12/2026")
    moment_box(dialog, "Last day").tap()
    panel = days_in(page, "Last day")
    panel.get_by_label("Year").select_option("2028")
    panel.get_by_role("button", name=re.compile(" 29 ")).tap()
    expect(panel).to_be_hidden()
    expect(moment_box(dialog, "Last day")).to_have_value(re.compile(r"^29/\d\d/2028$"))
    moment_box(dialog, "Last day").tap()
    panel.get_by_role("button", name="Clear").tap()
    expect(moment_box(dialog, "Last day")).to_have_value("")
    assert problems(page, axe.source()) == []
    moment_box(dialog, "Last day").tap()
    page.go_back()
    expect(panel).to_be_hidden()
    expect(moment_box(dialog, "First day")).to_have_value("05/12/2026")
