"""The vendor next to the vehicle, with a phone: from the handover to the settled account."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from rental_app.domain.uploads import PUBLIC_GROUPS
from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.schemas.trips import TripView
from rental_app.services.trips import drafts
from tests.e2e.conftest import Browse, Complaints
from tests.support.booking_steps import alter, ask
from tests.support.browser_listing import chooser, have_gone_up, photo, problems
from tests.support.browser_steps import toast, type_moment, visit
from tests.support.identity import add_paper
from tests.support.shop import DAILY_PAISE, Shop, actor
from tests.support.trips import confirmed, pay, seen
from tests.support.vendor_trips import ON_THE_PHONE, come_back, due_now, hand_over, to_photos

pytestmark = pytest.mark.e2e


def open_booking(page: Page, trip: TripView) -> None:
    visit(page, f"/vendor/bookings/{trip.reference}")
    expect(page.get_by_role("heading", name="Honda Activa 6G")).to_be_visible()


def open_steps(page: Page, trip: TripView, kind: str) -> None:
    visit(page, f"/vendor/bookings/{trip.reference}/{kind}")
    expect(page.get_by_role("heading", level=1, name=kind.capitalize())).to_be_visible()


def on(page: Page, title: str) -> Locator:
    """A step, once it is shown and its title has the focus."""
    expect(page.get_by_role("heading", level=2, name=title, exact=True)).to_be_focused()
    return page.get_by_role("region", name=title, exact=True)


def go_on(page: Page, name: str) -> None:
    page.get_by_role("button", name=name, exact=True).tap()


# Counts presses, those that choose a photo left out.
COUNT = """() => {
  window.taps = 0;
  addEventListener("pointerdown", ({ target }) => target.closest(".fg-group") || (window.taps += 1), true);
}"""


def take(page: Page, *groups: str) -> None:
    for group in groups:
        chooser(page, group).set_input_files(photo(f"{group}.jpg"))
        expect(page.get_by_role("img", name=f"{group}.jpg")).to_be_visible()
    have_gone_up(page)


def answer(page: Page, button: str) -> None:
    page.get_by_role("alertdialog").get_by_role("button", name=button, exact=True).click()


def test_a_vehicle_is_handed_over_with_twelve_presses(
    browse: Browse, complaints: Complaints, shop: Shop, script: str
) -> None:
    trip = due_now(shop)
    alter(User, shop.vendor.id, upi_id="shop@bank")
    page = browse(shop.vendor, **ON_THE_PHONE)
    open_booking(page, trip)
    page.evaluate(COUNT)
    page.get_by_role("link", name="Hand the vehicle over").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Handover, 1 of 6")
    vehicle = page.get_by_role("group", name="Vehicle")
    number = seen(shop.vendor, trip.id).rc_number
    plate = vehicle.get_by_role("img", name=" ".join(number))
    # What is copied has no gaps, though it is drawn in groups.
    assert plate.evaluate("node => (getSelection().selectAllChildren(node), getSelection().toString())") == number
    assert plate.locator("span").count() == 4
    for paper in ("Government ID", "Driving licence", "Work proof", "Residence proof"):
        page.get_by_label(paper).tap()
    assert problems(page, script) == []
    go_on(page, "Next: readings")
    on(page, "Readings")
    expect(page.get_by_text(re.compile(r"^Saved \d+(:\d\d)? [AP]M$"))).to_be_visible()
    page.get_by_label("Odometer (km)").tap()
    page.keyboard.type("1300")
    page.get_by_label("How full, in eighths").tap()
    page.get_by_label("How full, in eighths").select_option("3/4")
    take(page, "Odometer Reading")
    assert problems(page, script) == []
    go_on(page, "Next: photos")
    on(page, "Photos")
    # The camera is used, not the gallery.
    expect(chooser(page, "Front")).to_have_attribute("capture", "environment")
    for side in PUBLIC_GROUPS:
        chooser(page, side).set_input_files(photo(f"{side}.jpg"))
    # The last side leads on.
    on(page, "Helmets")
    go_on(page, "Next: money")
    money = on(page, "Take the money")
    # A second one in the form would record it, too.
    expect(money.get_by_role("button", name=re.compile("₹|received"))).to_have_count(1)
    assert problems(page, script) == []
    go_on(page, "₹3,000 received in cash")
    on(page, "Hand it over")
    assert problems(page, script) == []
    page.get_by_role("button", name=re.compile(r"^Hand over \w")).tap()
    expect(toast(page, "Vehicle handed over")).to_be_visible()
    page.wait_for_url(re.compile(rf"/vendor/bookings/{trip.reference}/?$"))
    assert page.evaluate("window.taps") <= 12
    expect(page.get_by_text("On the road")).to_be_visible()
    out = seen(shop.customer, trip.id)
    assert out.handover
    assert (out.stage, out.handover.odometer, out.handover.fuel_eighths, out.handover.helmets) == ("out", 1300, 6, 1)
    assert (out.balance.rent, out.balance.deposit) == (0, 0)


@pytest.mark.long
def test_a_handover_goes_on_where_it_was_left_and_names_what_is_missing(browse: Browse, shop: Shop) -> None:
    trip = due_now(shop)
    alter(User, shop.vendor.id, upi_id="shop@bank")
    page = browse(shop.vendor, **ON_THE_PHONE)
    open_steps(page, trip, "handover")
    go_on(page, "Next: readings")
    expect(page.get_by_text("Look at all four documents first").first).to_be_visible()
    for paper in ("Government ID", "Driving licence", "Work proof", "Residence proof"):
        page.get_by_label(paper).check()
    go_on(page, "Next: readings")
    on(page, "Readings")
    page.get_by_label("Odometer (km)").fill("1300")
    take(page, "Odometer Reading")
    go_on(page, "Next: photos")
    expect(page.get_by_label("How full, in eighths")).to_have_accessible_description("Say how full it is")
    expect(page.get_by_label("How full, in eighths")).to_be_focused()

    other = browse(shop.vendor, **ON_THE_PHONE)
    open_steps(other, trip, "handover")
    expect(other.get_by_role("heading", level=1)).to_have_text("Handover, 2 of 6")
    expect(other.get_by_label("Odometer (km)")).to_have_value("1300")
    expect(other.get_by_role("img", name="Odometer Reading.jpg")).to_be_visible()
    other.get_by_role("button", name="Documents, done").tap()
    on(other, "See the documents")
    expect(other.get_by_label("Work proof")).to_be_checked()
    other.get_by_role("button", name="Readings", exact=True).tap()
    other.get_by_label("How full, in eighths").select_option("Full")
    go_on(other, "Next: photos")
    on(other, "Photos")
    for side in PUBLIC_GROUPS:
        chooser(other, side).set_input_files(photo(f"{side}.jpg"))
    on(other, "Helmets")
    go_on(other, "Next: money")
    money = on(other, "Take the money")
    money.get_by_label("Amount").fill("500")
    money.get_by_text("UPI", exact=True).tap()
    code = money.get_by_role("img", name="UPI code for ₹500")
    expect(code).to_be_visible()
    money.get_by_role("button", name="Show large").tap()
    large = money.get_by_role("button", name="Press to close")
    expect(large).to_be_visible()
    box = large.bounding_box()
    assert box
    assert (round(box["x"]), round(box["width"])) == (16, 360 - 32)
    other.keyboard.press("Escape")
    expect(large).to_be_hidden()
    expect(money.get_by_role("button", name="₹500 received by UPI")).to_be_visible()
    go_on(other, "Hand over with money unpaid")
    unpaid = other.get_by_role("form", name="Hand over with money unpaid")
    unpaid.get_by_label("Why it goes out unpaid").fill("Pays at the return")
    unpaid.get_by_role("button", name="Hand over with money unpaid").tap()
    expect(toast(other, "Vehicle handed over")).to_be_visible()
    assert seen(shop.customer, trip.id).stage == "out"


def test_what_we_have_checked_is_ticked_and_a_licence_that_does_not_hold_is_not(browse: Browse, shop: Shop) -> None:
    trip = due_now(shop)
    add_paper(shop.customer, "id")
    add_paper(shop.customer, "work", "sent")
    add_paper(shop.customer, "licence", classes=["LMV"])
    wrong = "The customer's licence (LMV) does not cover the Honda Activa 6G"
    page = browse(shop.vendor, **ON_THE_PHONE)
    open_booking(page, trip)
    expect(page.get_by_role("region", name="The customer's documents").get_by_text(wrong)).to_be_visible()
    open_steps(page, trip, "handover")
    see = page.get_by_role("form", name="See the documents")
    expect(see.get_by_role("checkbox", name="Government ID")).to_be_checked()
    for name in ("Driving licence", "Work proof", "Residence proof"):
        expect(see.get_by_role("checkbox", name=name)).not_to_be_checked()
    expect(see.get_by_text(wrong)).to_be_visible()


def test_photos_are_kept_without_a_connection_and_sent_after_it(
    browse: Browse, complaints: Complaints, shop: Shop
) -> None:
    # The photo of the odometer has no file.
    complaints.expect_lost_lines()
    complaints.expected.append("/api/vendor/uploads/")
    trip = due_now(shop)
    to_photos(shop, trip)
    page = browse(shop.vendor, **ON_THE_PHONE, fresh=True)
    open_steps(page, trip, "handover")
    expect(page.get_by_role("heading", level=1)).to_have_text("Handover, 3 of 6")
    page.context.set_offline(True)
    chooser(page, "Front").set_input_files(photo("Front.jpg"))
    expect(page.get_by_text("1 photo waits on this phone")).to_be_visible()
    expect(page.get_by_text("Kept on this phone")).to_be_visible()
    # Steps turn without the server, and come back as they were.
    page.get_by_role("button", name="Readings, done").tap()
    on(page, "Readings")
    page.get_by_role("button", name="Photos", exact=True).tap()
    # It goes by itself once there is a connection.
    page.context.set_offline(False)
    expect(page.get_by_text("1 photo waits on this phone")).to_have_count(0, timeout=30_000)
    have_gone_up(page)
    expect(page.get_by_text("Kept on this phone")).to_have_count(0)
    for side in PUBLIC_GROUPS[1:]:
        chooser(page, side).set_input_files(photo(f"{side}.jpg"))
    on(page, "Helmets")


@pytest.mark.long
def test_a_photo_that_could_not_be_sent_outlives_a_reload(browse: Browse, complaints: Complaints, shop: Shop) -> None:
    complaints.expected += ["net::ERR_FAILED", "/api/vendor/uploads/"]
    trip = due_now(shop)
    page = browse(shop.vendor, **ON_THE_PHONE, fresh=True)
    page.on("dialog", lambda dialog: dialog.accept())
    to_photos(shop, trip)
    open_steps(page, trip, "handover")
    page.route("**/api/vendor/uploads", lambda route: route.abort())
    chooser(page, "Front").set_input_files(photo("Front.jpg"))
    waits = page.get_by_text("1 photo waits on this phone")
    expect(waits).to_be_visible()
    page.reload()
    expect(waits).to_be_visible()
    page.unroute("**/api/vendor/uploads")
    page.reload()
    expect(page.get_by_role("button", name="Front, taken")).to_be_visible()
    have_gone_up(page)
    for side in PUBLIC_GROUPS[1:]:
        chooser(page, side).set_input_files(photo(f"{side}.jpg"))
    on(page, "Helmets")
    assert {*read(drafts.of, actor(shop.vendor), trip.reference, "handover").photos} >= {*PUBLIC_GROUPS}
    # It is sent once: the phone has forgotten it.
    page.reload()
    page.get_by_role("button", name="Photos, done").tap()
    page.get_by_role("button", name="Front, taken").tap()
    expect(page.get_by_role("list", name="Front files").get_by_role("listitem")).to_have_count(1)


def test_a_return_is_compared_and_priced_before_it_is_final(browse: Browse, shop: Shop, script: str) -> None:
    trip = due_now(shop)
    hand_over(shop, trip)
    pay(shop, trip.id, trip.price)
    pay(shop, trip.id, trip.deposit, "deposit")
    come_back(trip)
    page = browse(shop.vendor, **ON_THE_PHONE)
    open_booking(page, trip)
    page.get_by_role("link", name="Receive vehicle").tap()
    expect(page.get_by_role("heading", level=1)).to_have_text("Return, 1 of 6")
    expect(page.get_by_text("At the handover: 1,300 km")).to_be_visible()
    page.get_by_label("Odometer (km)").fill("1520")
    page.get_by_label("How full, in eighths").select_option("3/4")
    take(page, "Odometer Reading")
    go_on(page, "Next: photos")
    on(page, "Photos")
    for side in PUBLIC_GROUPS:
        chooser(page, side).set_input_files(photo(f"{side}.jpg"))
    on(page, "Helmets")
    page.get_by_role("textbox", name="Helmets").fill("0")
    go_on(page, "Next: speeding fines")
    on(page, "Speeding fines")
    go_on(page, "Next: damages")
    damages = on(page, "Damages")
    expect(damages.get_by_text("Helmets: 1 missing. Charge it here?")).to_be_visible()
    expect(damages.get_by_text("Fuel or charge: 2 eighths less. Charge it here?")).to_be_visible()
    broken = page.get_by_role("form", name="Damage")
    broken.get_by_label("What is damaged").fill("Mirror")
    broken.get_by_label("Price (₹)").fill("350")
    take(page, "Damage")
    broken.get_by_role("button", name="Add damage").click()
    expect(broken.get_by_label("What is damaged")).to_have_value("")
    assert problems(page, script) == []
    go_on(page, "Next: check and finish")
    on(page, "Check and finish")
    costs = page.get_by_role("status", name="What a return now costs")
    for text in ("Late return", "20 km beyond those included", "₹350"):
        expect(costs).to_contain_text(text)
    due = seen(shop.vendor, trip.id).return_at
    type_moment(page, "Came back at", due)
    expect(costs).not_to_contain_text("Late return")
    page.get_by_role("button", name="Left", exact=True).tap()
    compared = page.get_by_role("group", name="Photos compared")
    pair = compared.get_by_role("img", name=re.compile("^Left, (Handover, |Now$)"))
    expect(pair).to_have_count(2)
    assert problems(page, script) == []
    pair.first.tap()
    both = page.get_by_role("dialog", name="Left, compared")
    moved = both.locator("img").evaluate_all("images => images.map(({ style }) => style.transform)")
    assert moved == ["translate(0px, 0px) scale(1)"] * 2
    both.get_by_role("button", name="Zoom in").tap()
    both.locator("img").first.hover()
    page.mouse.wheel(0, -100)
    first, second = both.locator("img").evaluate_all("images => images.map(({ style }) => style.transform)")
    assert first == second != moved[0]
    page.keyboard.press("Escape")
    expect(both).to_have_count(0)

    go_on(page, "Receive vehicle")
    asked = page.get_by_role("dialog", name=re.compile(r"^₹[\d,]+ kept, ₹[\d,]+ back .*, 8 to 9 PM$"))
    expect(asked).to_be_visible()
    page.keyboard.press("Escape")
    expect(asked).to_have_count(0)
    go_on(page, "Receive vehicle")
    asked.get_by_role("button", name=re.compile("^Receive ")).tap()
    expect(toast(page, "Vehicle received")).to_be_visible()
    account = page.get_by_role("region", name="Account")
    expect(account.get_by_role("img", name="Damage: Mirror")).to_be_visible()
    back = page.get_by_role("form", name="Deposit to be given back")
    back.get_by_role("button", name="Deposit given back").click()
    expect(page.get_by_role("status").filter(has_text="Settled")).to_be_visible()
    with page.expect_download() as saved:
        page.get_by_role("button", name="Receipt").click()
    assert saved.value.suggested_filename == f"receipt-{trip.reference}.pdf"
    history = page.get_by_role("region", name="History").get_by_role("listitem")
    expect(history.last).to_contain_text("Settled")
    expect(page.get_by_role("region", name="At return")).to_contain_text(f"{clock.friendly(due)}, noted")
    assert seen(shop.customer, trip.id).stage == "settled"


@pytest.mark.long
def test_a_wrong_line_is_taken_back_and_a_booking_extended(browse: Browse, shop: Shop) -> None:
    trip = confirmed(shop, days=4)
    pay(shop, trip.id, 40_000)
    page = browse(shop.vendor)
    visit(page, "/vendor/manage-bookings")
    expect(page.get_by_text(trip.reference)).to_be_visible()
    page.get_by_role("row").get_by_role("link", name="Honda Activa 6G").click()
    expect(page.get_by_text("The handover can be noted from")).to_be_visible()
    page.get_by_role("button", name="Reverse Rent paid, ₹400").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Reverse").click()
    expect(dialog.get_by_label("Why it is wrong")).to_have_accessible_description(re.compile("Please fill this in"))
    expect(dialog.get_by_label("Why it is wrong")).to_be_focused()
    dialog.get_by_label("Why it is wrong").fill("Typed twice")
    dialog.get_by_role("button", name="Reverse").click()
    expect(page.get_by_text("Rent paid, reversed", exact=True)).to_be_visible()
    type_moment(page, "New return", trip.return_at + timedelta(days=1))
    page.get_by_role("button", name="Check this return").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("₹500 more")
    answer(page, "Not now")
    ask(shop.vehicle, DAILY_PAISE // 2)
    page.get_by_role("button", name="Check this return").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("nothing more, ₹1,000 total")
    answer(page, "Extend")
    expect(toast(page, "Booking extended")).to_be_visible()
