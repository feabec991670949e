"""Bookings are live on both sides, the vendor's and the customer's; one at the counter takes few taps and keys."""

import re
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User
from rental_app.schemas.bookings import StatusChange
from rental_app.services.bookings import requests
from tests.e2e.conftest import Browse
from tests.support import axe, page_clock
from tests.support.app import App
from tests.support.browser_steps import moment_box, settled, taken_over, toast, type_moment, visit
from tests.support.hand import Hand
from tests.support.manage_bookings import HERE, book, choose, status
from tests.support.shop import Shop, actor, count, moment, token_of, wanted

pytestmark = pytest.mark.e2e
# A change made elsewhere shows after ten seconds at most, or later where the machine has stalled.
ONE_BEAT = 30_000
ON_A_PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def call(app: App, user: User, path: str, body: dict[str, object]) -> None:
    """Make a REST call as a user who has no page open."""
    headers = {"Authorization": f"Bearer {token_of(user)}"}
    assert httpx2.post(f"{app.url}/api/bookings/{path}", json=body, headers=headers).status_code == 200


def test_a_request_appears_and_its_answer_reaches_the_customer(app: App, browse: Browse, shop: Shop) -> None:
    vendor, customer = browse(shop.vendor), browse(shop.customer)
    visit(vendor, HERE)
    expect(vendor.get_by_role("heading", name="Nothing to answer")).to_be_visible()
    request = wanted(shop.vehicle)
    call(app, shop.customer, "create", request.model_dump(by_alias=True))
    visit(customer, "/my-bookings")
    expect(customer.get_by_text("pending", exact=True)).to_be_visible()

    row = vendor.get_by_role("row").filter(has_text=shop.customer.name)
    expect(row).to_be_visible(timeout=ONE_BEAT)
    expect(toast(vendor, "A new booking request is waiting")).to_be_visible()
    headers = vendor.get_by_role("columnheader")
    expect(headers).to_have_text(["Car", "Date Range", "Total", "Payment", "Actions"])
    for text in ("Honda Activa 6G", "₹500", "offline", "left"):
        expect(row).to_contain_text(text)
    expect(row).not_to_contain_text(shop.customer.phone_number)

    choose(vendor, "Pending")
    expect(status(vendor)).to_have_text("Pending")
    choose(vendor, "Confirmed")
    expect(toast(vendor, "Booking confirmed")).to_be_visible()
    expect(row.get_by_text("confirmed", exact=True)).to_be_visible()
    expect(status(vendor)).to_have_count(0)
    expect(row.get_by_role("link", name=re.compile("^Call "))).to_have_attribute(
        "href", f"tel:{shop.customer.phone_number}"
    )
    badge = customer.get_by_text("confirmed", exact=True)
    expect(badge).to_be_visible(timeout=ONE_BEAT)
    expect(badge).to_have_class(re.compile("green"))


def part(page: Page, name: str) -> Locator:
    """A part of the list, with its number."""
    return page.get_by_role("navigation", name="Parts of the list").get_by_role("link", name=name)


def test_parts_filters_and_pages_stay_over_a_reload_and_back(browse: Browse, shop: Shop) -> None:
    made = [book(shop, days) for days in range(3, 27, 2)]
    write(requests.change_status, actor(shop.vendor), StatusChange(booking_id=made[0], status="cancelled"))
    page = browse(shop.vendor)
    visit(page, HERE)
    expect(page.get_by_text("1 to 10 of 12")).to_be_visible()
    expect(part(page, "Waiting")).to_have_text("Waiting11")
    part(page, "All").click()
    page.get_by_role("button", name="Older").click()
    expect(page.get_by_text("11 to 12 of 12")).to_be_visible()
    expect(page.get_by_role("button", name="Older")).to_be_disabled()
    page.get_by_label("Status", exact=True).select_option("Cancelled")
    expect(page.get_by_text("1 to 1 of 1")).to_be_visible()
    expect(page.get_by_text("Declined by you")).to_be_visible()
    page.keyboard.press("Escape")
    page.get_by_role("heading", name="Manage Bookings").click()
    page.keyboard.press("/")
    expect(page.get_by_label("Search")).to_be_focused()
    page.keyboard.type(shop.vehicle.rc_number)
    page.wait_for_url(re.compile(f"q={shop.vehicle.rc_number}"))
    page.reload()
    expect(page.get_by_text("1 to 1 of 1")).to_be_visible()
    expect(page.get_by_label("Search")).to_have_value(shop.vehicle.rc_number)
    expect(part(page, "Past")).to_have_text("Past1")
    part(page, "Out").click()
    expect(page.get_by_role("heading", name="No bookings fit these filters")).to_be_visible()
    expect(part(page, "Out")).to_have_attribute("aria-current", "page")
    page.go_back()
    expect(page.get_by_text("Declined by you")).to_be_visible()
    page.get_by_text("Any dates").click()
    type_moment(page, "To", "1/1/2020")
    expect(page.get_by_role("heading", name="No bookings fit these filters")).to_be_visible()
    page.get_by_role("button", name="Clear filters").first.click()
    expect(moment_box(page, "To")).to_have_value("")
    expect(page.get_by_label("Search")).to_have_value("")
    expect(page.get_by_text("1 to 10 of 12")).to_be_visible()
    visit(page, f"{HERE}?booking={made[3]}")
    expect(page.get_by_text("1 to 1 of 1")).to_be_visible()
    page.get_by_role("link", name="Show all bookings").click()
    expect(page.get_by_text("1 to 10 of 12")).to_be_visible()


def test_by_keyboard_alone_an_answer_is_one_choice(browse: Browse, shop: Shop) -> None:
    book(shop)
    page = browse(shop.vendor)
    visit(page, HERE)
    status(page).focus()
    for key, option in (("Enter", "Pending"), ("ArrowDown", "Cancelled"), ("ArrowDown", "Confirmed")):
        page.keyboard.press(key)
        expect(page.get_by_role("option", name=option)).to_be_focused()
    # Going through them chooses nothing.
    page.keyboard.press("Escape")
    expect(status(page)).to_be_focused()
    expect(status(page)).to_have_text("Pending")
    page.keyboard.press("Enter")
    expect(page.get_by_role("option", name="Pending")).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.get_by_role("option", name="Cancelled")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Declined by you")).to_be_visible()
    expect(page.get_by_role("row", name="Answered today")).to_be_visible()
    expect(page.get_by_role("table")).to_be_focused()


def test_a_phone_answers_at_the_press(browse: Browse, shop: Shop) -> None:
    book(shop, 6)
    book(shop, 3)
    page = browse(shop.vendor, **ON_A_PHONE, reduced_motion="reduce")
    visit(page, HERE)
    hand = Hand(page)
    expect(status(page)).to_have_count(0)
    requests_shown = page.get_by_role("group", name=shop.customer.name)
    expect(requests_shown).to_have_count(2)
    for answer, left in (("Accept", 1), ("The vehicle needs repair", 0)):
        request = requests_shown.first
        if answer != "Accept":
            hand.tap(request.get_by_text("Decline", exact=True))
        hand.tap(request.get_by_role("button", name=answer))
        expect(requests_shown).to_have_count(left)
    expect(page.get_by_text("Answered today")).to_be_visible()
    page.evaluate(axe.source())
    assert axe.violations_by_theme(page, 390) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    box = page.get_by_role("heading", level=1).bounding_box()
    assert box
    assert box["y"] < 120
    assert hand.taps == 3


@pytest.mark.long
def test_nothing_is_asked_once_the_page_is_left(browse: Browse, shop: Shop) -> None:
    book(shop)
    page = browse(shop.vendor, fresh=True)
    page_clock.install(page)
    with page.expect_websocket() as opened:
        visit(page, HERE)
    expect(status(page)).to_be_visible()
    with opened.value.expect_event("framesent", lambda frame: "manage_bookings_state.refresh" in str(frame)):
        page.clock.run_for(11_000)
    sent: list[str] = []
    page.get_by_role("link", name="Dashboard").click()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    opened.value.on("framesent", lambda frame: sent.append(str(frame)))
    page.clock.run_for(11_000)
    settled(page)
    assert not [frame for frame in sent if "manage_bookings_state.refresh" in frame]


@pytest.mark.long
def test_a_walk_in_of_days_ago_is_chosen_survives_a_reload_and_says_why(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, f"/vendor/new-booking?vehicle={shop.vehicle.id}")
    taken_over(page)
    page.get_by_label("Name", exact=True).fill("Somebody Before")
    # Who comes anew begins anew.
    visit(page, f"/vendor/new-booking?vehicle={shop.vehicle.id}")
    taken_over(page)
    expect(page.get_by_label("Name", exact=True)).to_have_value("")
    expect(page.get_by_label("Total (₹)")).to_have_value("500")
    type_moment(page, "Pickup", moment(-2))
    why = page.get_by_label("Why it is noted only now")
    type_moment(page, "Return", moment(1))
    expect(why).to_be_visible()
    page.get_by_label("Mobile Number", exact=True).fill("9000020288")
    page.get_by_label("Name", exact=True).fill("Suresh Babu")
    page.reload()
    for label, typed in (("Mobile Number", "9000020288"), ("Name", "Suresh Babu")):
        expect(page.get_by_label(label, exact=True)).to_have_value(typed)
    page.get_by_role("button", name=re.compile("^Book Honda")).click()
    expect(why).to_be_focused()
    why.fill("The phone was flat")
    page.get_by_role("button", name=re.compile("^Book Honda")).click()
    page.wait_for_url(re.compile("/vendor/bookings/PH-"))
    expect(page.get_by_role("region", name="History")).to_contain_text("The phone was flat")


MOST_TAPS, MOST_KEYS = 9, 25


@pytest.mark.dates
def test_a_walk_in_is_booked_with_nine_taps_and_25_keys_at_most(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, **ON_A_PHONE, fresh=True)
    hand = Hand(page)
    visit(page, "/vendor/manage-bookings")
    hand.press("New booking", "link")
    expect(page.get_by_role("heading", name="New booking", level=1)).to_be_visible()
    taken_over(page)
    hand.tap(page.get_by_role("radio").first)
    expect(page.get_by_label("Total (₹)")).to_have_value("500")
    for label, text in (("Mobile Number", "9000020288"), ("Name", "Suresh Babu")):
        hand.tap(page.get_by_label(label, exact=True))
        page.keyboard.type(text)
        hand.keys += len(text)
    settled(page)
    page.evaluate(axe.source())
    assert axe.violations_by_theme(page, 390) == []
    hand.press(re.compile(r"Book Honda Activa 6G for ₹500"))
    page.wait_for_url(re.compile("/vendor/bookings/PH-"))
    expect(page.get_by_text("Confirmed, not handed over yet")).to_be_visible()
    made = read(lambda session: session.get_one(Booking, count("booking")))
    assert made.source == "counter"
    assert (hand.taps <= MOST_TAPS, hand.keys <= MOST_KEYS) == (True, True)
