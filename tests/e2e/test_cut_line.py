"""The line is cut at each step of a walk: it is told, nothing typed is lost, and the walk goes on from there.

What changes something is refused meanwhile; what only looks something up is done once the line is back.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Page, expect

from rental_app.domain import clock
from tests.e2e.conftest import PHONE, Browse, Complaints
from tests.support.booking_steps import book, bookings_of
from tests.support.browser_my_booking import path, question
from tests.support.browser_steps import (
    cards,
    fill,
    moment_box,
    open_search,
    settled,
    shown,
    taken_over,
    toast,
    type_moment,
    visit,
)
from tests.support.line import BACK, LOST, REFUSED, Line, news
from tests.support.shop import Shop, moment, wanted, wire

pytestmark = pytest.mark.e2e
WHO = {"Name": "Asha Rao", "Mobile Number": "9876543210", "Password": "two-wheels-7"}


@pytest.fixture
def address(line: Line, complaints: Complaints) -> str:
    """The app at the other end of the line; browsers log an error for every failed attempt."""
    complaints.expect_lost_lines()
    return f"http://localhost:{line.port}"


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


def test_vehicle_and_gallery(browse: Browse, line: Line) -> None:
    page = browse(viewport=PHONE)
    window = f"pickupDate={wire(moment(40))}&returnDate={wire(moment(42))}".replace("+", "%2B")
    visit(page, f"/vehicle-details/1?{window}")
    taken_over(page)
    extra = page.get_by_role("checkbox", name="Second helmet")
    extra.check()
    settled(page)
    page.get_by_role("group", name=re.compile("^Photos of")).get_by_role("link").first.click()
    photos = page.get_by_role("dialog", name="Royal Enfield Classic 350")
    expect(photos.get_by_role("img").first).to_be_in_viewport()
    with cut(page, line):
        page.keyboard.press("ArrowRight")
        expect(photos.get_by_role("img").nth(1)).to_be_in_viewport(ratio=0.5)
        page.get_by_role("button", name="Close the photos").click()
        expect(photos).to_have_count(0)
        refused(page, "Book Now")
    expect(extra).to_be_checked()
    expect(moment_box(page, "Return")).to_have_value(shown(moment(42)))
    page.get_by_role("button", name="Book Now").click()
    page.wait_for_url(re.compile("/review.*extras="))


def test_sign_up(browse: Browse, line: Line, shop: Shop) -> None:
    page = browse(viewport=PHONE)
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(6))}".replace("+", "%2B")
    visit(page, f"/vehicle-details/{shop.vehicle.id}/review?{window}")
    taken_over(page)
    page.get_by_role("button", name=re.compile("^Request to book")).click()
    page.get_by_role("dialog").get_by_role("button", name="click here").click()
    email = f"cut{shop.vendor.id}@example.in"
    dialog = fill(page, WHO | {"Email": email})
    with cut(page, line):
        refused(page, "Next: where you live")
    for label, text in (WHO | {"Email": email}).items():
        expect(dialog.get_by_label(label, exact=True)).to_have_value(text)
    dialog.get_by_role("button", name="Next: where you live").click()
    fill(page, {"Pincode": "500032", "Address": "12 Lake Road"})
    expect(dialog.get_by_label("City")).not_to_have_value("")
    with cut(page, line):
        refused(page, "Create Account")
    expect(dialog.get_by_label("Address", exact=True)).to_have_value("12 Lake Road")
    dialog.get_by_role("button", name="Create Account").click()
    expect(toast(page, "Your account is ready")).to_be_visible()
    assert bookings_of(shop.vehicle.id) == []
    page.get_by_role("button", name=re.compile("^Request to book")).click()
    page.wait_for_url("**/my-bookings/PH-*")
    assert len(bookings_of(shop.vehicle.id)) == 1


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
    expect(page.get_by_text(clock.brief(moment(10))).filter(visible=True).first).to_be_visible()
