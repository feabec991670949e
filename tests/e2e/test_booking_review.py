"""From the first look to the booked vehicle on a phone, counted in taps and keys; and the review on its own."""

import re
import uuid
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rental_app.domain import clock
from rental_app.domain.pictures import WIDE
from rental_app.models import VehicleFile
from rental_app.services.files import storage
from tests.e2e.conftest import Browse
from tests.support import pictures
from tests.support.browser_my_booking import question
from tests.support.browser_steps import settled, taken_over, toast, visit
from tests.support.hand import Hand
from tests.support.line import hold_scripts
from tests.support.shop import Shop, add_vehicle, count, moment, put, wire

pytestmark = pytest.mark.e2e
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
LOGGED_IN_TAPS, NEW_TAPS, NEW_KEYS = 10, 17, 75
# Of the walk besides: a filter, and a look at the photos; other dates; the cancellation.
LOOKING_TAPS, CHANGING_TAPS, CANCELLING_TAPS = 3, 6, 2
A_CAR = 30


def search(hand: Hand, shop: Shop) -> None:
    """Choose place and both dates, and search."""
    page = hand.page
    visit(page, "/")
    hand.press(re.compile("Change$"))
    hand.press(shop.place.name)
    # The first press is the start and the second the end, both at 10 AM.
    hand.press("Open calendar for Pickup")
    hand.choose_day(4)
    hand.choose_day(6)
    hand.press("Use these dates")
    hand.tap(page.get_by_role("dialog").get_by_role("button", name="Search"))
    expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}", level=1)).to_be_visible()
    taken_over(page)
    settled(page)


def open_the_vehicle(hand: Hand) -> None:
    """Open what was found, and see its price for the dates."""
    hand.press(re.compile("Honda Activa 6G"), "link")
    expect(hand.page.get_by_text("Total", exact=True)).to_be_visible()


def book(hand: Hand) -> None:
    """Press Book Now, which leads to the review."""
    hand.press("Book Now")
    hand.page.wait_for_url(re.compile("/review"))
    expect(hand.page.get_by_role("heading", name="Check your request", level=1)).to_be_visible()
    taken_over(hand.page)


def sign_up(hand: Hand, email: str) -> None:
    """Make an account in the dialog that the request has opened."""
    page, dialog = hand.page, hand.page.get_by_role("dialog")
    expect(dialog.get_by_text("To send your request").first).to_be_visible()
    hand.tap(dialog.get_by_role("button", name="click here"))
    for label, text in (("Name", "Asha Rao"), ("Mobile Number", "9876543210"), ("Email", email)):
        hand.type(label, text)
        hand.next()
    hand.type("Password", "two-wheels-7")
    hand.tap(dialog.get_by_role("button", name="Next: where you live"))
    hand.type("Pincode", "500032")
    expect(dialog.get_by_label("City")).not_to_have_value("")
    hand.tap(dialog.get_by_label("Address", exact=True))
    hand.type("Address", "12 Lake Road")
    hand.tap(dialog.get_by_role("button", name="Create Account"))
    expect(toast(page, "Your account is ready")).to_be_visible()
    expect(dialog).to_have_count(0)


def sent(page: Page) -> None:
    """Wait for the page of the request that was sent."""
    page.wait_for_url(re.compile("/my-bookings/PH-"))
    expect(page.get_by_role("heading", name=re.compile("^Request sent."), level=1)).to_be_focused()
    expect(page.get_by_text("What happens next")).to_be_visible()
    expect(page.get_by_role("button", name="Change dates")).to_be_visible()


def photograph(shop: Shop) -> None:
    """Give the shop's vehicle two photos."""
    for side in ("Left", "Front"):
        key = f"public/{uuid.uuid4().hex}{WIDE}"
        data = {name: pictures.photo("WEBP", (640, 400)) for name in storage.objects_of(key)}
        row = VehicleFile(vehicle_id=shop.vehicle.id or 0, group_name=side, key=key, content_type="image/webp", size=1)
        with storage.storing([storage.CheckedFile(side, key, "image/webp", 1, data)]):
            put(row)


def look_around(hand: Hand) -> None:
    """Narrow the results to scooters, open one, and look at its photos in full screen."""
    page = hand.page
    hand.press(re.compile(r"^Scooter \d+$"), "link")
    page.wait_for_url(re.compile("type=Scooter"))
    expect(page.get_by_role("link", name=re.compile("Honda City|Swift"))).to_have_count(0)
    settled(page)
    open_the_vehicle(hand)
    hand.tap(page.get_by_role("group", name=re.compile("^Photos of")).get_by_role("link").first)
    photos = page.get_by_role("dialog", name="Honda Activa 6G")
    expect(photos.get_by_role("img").first).to_be_in_viewport()
    hand.press("Close the photos")
    expect(photos).to_have_count(0)


def test_the_whole_walk_of_a_new_person(browse: Browse, shop: Shop) -> None:
    """Place, two dates, a filter, a vehicle, its photos, the review, the sign-up in the middle, sent, changed and
    cancelled.
    """
    add_vehicle(shop.vendor, daily=390_000, model_id=A_CAR)
    photograph(shop)
    hand, before = Hand(browse(**PHONE)), count("booking")
    page = hand.page
    search(hand, shop)
    searched = hand.taps
    look_around(hand)
    # Besides the one that opens the vehicle.
    looking = hand.taps - searched - 1
    book(hand)
    address = page.url
    hand.press("Request to book - ₹1,000")
    sign_up(hand, f"asha{shop.vendor.id}@example.in")
    # Nothing is sent by the login; the next press sends what was chosen before.
    assert (page.url, count("booking")) == (address, before)
    hand.press("Request to book - ₹1,000")
    sent(page)
    assert count("booking") == before + 1
    assert looking <= LOOKING_TAPS
    assert hand.taps - looking <= NEW_TAPS
    assert hand.keys <= NEW_KEYS
    change_and_cancel(Hand(page))


def change_and_cancel(hand: Hand) -> None:
    """Move the request that was sent to a later return, then cancel it."""
    page = hand.page
    hand.press("Change dates")
    hand.press("Open calendar for New return")
    hand.choose_day(7)
    hand.press("Use these dates")
    # The sheet is gone and the new price stands: nothing moves any more under the finger.
    settled(page)
    hand.press("Move to these dates")
    hand.tap(question(page, "Move your request for ₹1,500?").get_by_role("button", name="Move the request"))
    expect(toast(page, "Your request has been moved")).to_be_visible()
    moved = page.get_by_text(f"{clock.indian(moment(7)):%-d %b}").filter(visible=True)
    expect(moved.first).to_be_visible()
    assert hand.taps <= CHANGING_TAPS
    hand.press("Cancel request")
    hand.tap(question(page, "Cancel this request?").get_by_role("button", name="Cancel request"))
    expect(toast(page, "Booking cancelled")).to_be_visible()
    expect(page.get_by_role("button", name="Change dates")).to_have_count(0)
    expect(page.get_by_role("main").get_by_text("cancelled", exact=True)).to_be_visible()
    assert hand.taps <= CHANGING_TAPS + CANCELLING_TAPS


def test_a_double_press_books_once_and_back_says_so(browse: Browse, shop: Shop) -> None:
    page, before = browse(shop.customer), count("booking")
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(6))}".replace("+", "%2B")
    address = f"/vehicle-details/{shop.vehicle.id}/review?{window}"
    visit(page, address)
    page.get_by_role("button", name="Request to book").dblclick()
    sent(page)
    assert count("booking") == before + 1
    visit(page, address)
    expect(page.get_by_role("heading", name="You have requested this already")).to_be_visible()
    page.get_by_role("link", name="See your request").click()
    sent_heading = page.get_by_role("heading", name=re.compile("^Request sent."), level=1)
    expect(sent_heading).to_be_visible()


@pytest.mark.long
def test_without_scripts_the_form_leads_to_the_same_review(browse: Browse, shop: Shop) -> None:
    page = browse(java_script_enabled=False)
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(6))}".replace("+", "%2B")
    page.goto(f"/vehicle-details/{shop.vehicle.id}?{window}")
    page.get_by_role("button", name="Book Now").click()
    page.wait_for_url(re.compile("/review"))
    for heading in ("When", "Price", "If plans change", "Bring the originals", "Rules in short"):
        expect(page.get_by_role("heading", name=heading, exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Request to book - ₹1,000")).to_be_visible()
    page.goto(f"/vehicle-details/{shop.vehicle.id}/review")
    expect(page.get_by_role("heading", name="Choose your dates first")).to_be_visible()


def test_a_request_pressed_before_scripts_ran_is_sent_once_they_do(browse: Browse, shop: Shop) -> None:
    page = browse(fresh=True)
    let_scripts_through = hold_scripts(page)
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(6))}".replace("+", "%2B")
    page.goto(f"/vehicle-details/{shop.vehicle.id}/review?{window}", wait_until="commit")
    send = page.get_by_role("button", name="Request to book - ₹1,000")
    send.click()
    expect(send).to_have_attribute("aria-busy", "true")
    let_scripts_through()
    # A visitor has to say first who they are.
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(page).to_have_url(re.compile("pickupDate="))
