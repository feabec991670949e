"""One booking's page in a browser: cancelling it, what it shows to whom, and other dates at a price shown first."""

from datetime import timedelta

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.models import Booking
from rental_app.web.parts.presenters.texts import phone_shown
from tests.e2e.conftest import PHONE, Browse, Complaints
from tests.support.booking_steps import alter, ask, book, decide, status_of
from tests.support.browser_my_booking import happened, heading, path, question
from tests.support.browser_steps import fill, moment_box, ready, shown, toast, type_moment, visit
from tests.support.rest_helpers import jpeg
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, PASSWORD, Shop, add_user, moment, wanted
from tests.support.trips import confirmed, hand_over, pay, seen

pytestmark = pytest.mark.e2e
# A change made elsewhere shows after ten seconds at most, or later where the machine has stalled.
ONE_BEAT = 30_000


def test_cancelling_is_previewed_and_staying_is_what_enter_does(browse: Browse, shop: Shop) -> None:
    trip = confirmed(shop, days=8)
    pay(shop, trip.reference, 2 * DAILY_PAISE)
    page = browse(shop.customer)
    visit(page, "/my-bookings")
    expect(page.get_by_role("heading", name="Upcoming", level=2)).to_be_visible()
    page.get_by_role("link", name=f"Booking {trip.reference}").click()
    page.wait_for_url(f"**{path(trip.reference)}")
    expect(heading(page)).to_be_visible()
    expect(page.get_by_role("link", name=f"Call {phone_shown(shop.vendor.phone_number)}")).to_be_visible()

    opener = page.get_by_role("button", name="Cancel booking")
    opener.click()
    asked = question(page, "Cancel this booking?")
    expect(asked.get_by_role("button", name="Keep the booking")).to_be_focused()
    expect(asked.get_by_role("definition")).to_have_text(["₹250", "₹750"])
    expect(asked).to_contain_text("Cancelling now keeps 25 % of the price.")
    expect(asked).to_contain_text(f"From {clock.friendly(trip.pickup - timedelta(hours=72))}, cancelling costs more")
    page.keyboard.press("Enter")
    expect(asked).to_be_hidden()
    expect(opener).to_be_focused()
    assert status_of(trip.id) == "confirmed"

    opener.click()
    asked.get_by_role("button", name="Cancel booking").click()
    expect(toast(page, "Booking cancelled")).to_be_visible()
    expect(asked).to_be_hidden()
    expect(opener).to_have_count(0)
    expect(heading(page)).to_be_focused()
    expect(page.get_by_role("listitem").filter(has_text="Cancelled by you").first).to_be_visible()
    assert (status_of(trip.id), happened(trip.id).count("cancelled")) == ("cancelled", 1)


def test_a_visitor_logs_in_and_stays_on_the_booking(browse: Browse, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    page = browse()
    visit(page, path(asked.reference))
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    fill(page, {"Email": shop.customer.email, "Password": PASSWORD})
    page.get_by_role("dialog").get_by_role("button", name="Login").click()
    expect(heading(page)).to_be_visible()
    assert page.url.endswith(path(asked.reference))


def test_the_calendar_file_and_the_receipt_come_with_the_token(
    browse: Browse, shop: Shop, complaints: Complaints
) -> None:
    complaints.expected.append("status of 503")
    trip = confirmed(shop)
    page = browse(shop.customer)
    visit(page, path(trip.reference))
    for label, name in (("Calendar file", f"{trip.reference}.ics"), ("Receipt (PDF)", f"{trip.reference}.pdf")):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=label).click()
        assert waiting.value.suggested_filename == name
    page.route("**/calendar.ics", lambda route: route.fulfill(status=503))
    page.get_by_role("button", name="Calendar file").click()
    expect(page.get_by_role("status").filter(has_text="This could not be loaded.")).to_be_visible()
    page.unroute("**/calendar.ics")
    with page.expect_download():
        page.get_by_role("button", name="Calendar file: Try again").click()
    expect(page.get_by_role("button", name="Calendar file", exact=True)).to_be_visible()


@pytest.mark.long
def test_the_handover_appears_and_is_objected_to_on_a_phone(browse: Browse, shop: Shop, complaints: Complaints) -> None:
    # This test's photos are names without files.
    complaints.expected.append("/photos/")
    trip = confirmed(shop)
    page = browse(shop.customer, viewport=PHONE)
    visit(page, path(trip.reference))
    expect(heading(page)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    pay(shop, trip.reference, 2 * DAILY_PAISE)
    pay(shop, trip.reference, DEPOSIT_PAISE, "deposit")
    alter(Booking, trip.id, pickup_at=clock.now())
    hand_over(shop, trip.reference)
    wrong = page.get_by_role("button", name="Something is wrong")
    expect(wrong).to_be_visible(timeout=ONE_BEAT)
    expect(page.get_by_role("definition").filter(has_text="1,300 km")).to_be_visible()
    expect(page.get_by_role("status").filter(has_text="Front: This could not be loaded.")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]

    wrong.click()
    dialog = page.get_by_role("dialog", name="What is not right?")
    send = dialog.get_by_role("button", name="Send to the vendor", exact=True)
    expect(send).to_be_in_viewport(ratio=1)
    send.click()
    expect(dialog.get_by_text("Please fill this in")).to_be_visible()
    dialog.get_by_label("Describe it").press_sequentially("The left mirror is broken")
    page.reload()
    ready(page)
    wrong.click()
    expect(dialog.get_by_label("Describe it")).to_have_value("The left mirror is broken")
    picture = {"name": "mirror.jpg", "mimeType": "image/jpeg", "buffer": jpeg()}
    dialog.get_by_label("Add files to Photos").set_input_files(picture)
    expect(dialog.get_by_role("img", name="mirror.jpg")).to_be_visible()
    send.click()
    expect(toast(page, "Objection noted")).to_be_visible()
    expect(page.get_by_role("img", name="Photo of the objection 1")).to_be_visible()
    expect(wrong).to_have_count(0)
    page.get_by_role("group").filter(has_text="History").locator("summary").click()
    expect(page.get_by_text("The left mirror is broken (1 photo)")).to_be_visible()
    # The line says it already.
    title = page.get_by_role("heading", name="History").bounding_box()
    assert title
    assert title["width"] <= 1
    assert happened(trip.id)[-1] == "objected"


def test_a_request_moves_to_dates_priced_first(browse: Browse, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    page = browse(shop.customer)
    visit(page, path(asked.reference))
    page.get_by_role("button", name="Change dates").click()
    expect(moment_box(page, "New pickup")).to_have_value(shown(asked.pickup))
    # Another customer is faster: the calendar does not show it yet.
    book(add_user(), wanted(shop.vehicle, 8))
    type_moment(page, "New pickup", moment(8))
    type_moment(page, "New return", moment(10))
    expect(toast(page, "This vehicle is booked for some of these dates")).to_be_visible()
    expect(page.get_by_role("main").get_by_text("This vehicle is booked for some of these dates")).to_be_visible()
    type_moment(page, "New pickup", moment(10))
    type_moment(page, "New return", moment(12))
    expect(page.get_by_text("2 × Full Day at ₹500").first).to_be_visible()
    assert seen(shop.customer, asked.id).pickup == asked.pickup

    # A refused text gets the focus, until it is corrected.
    type_moment(page, "New return", "31/02/2027 10:00 AM")
    page.get_by_role("button", name="Move to these dates").click()
    expect(moment_box(page, "New return")).to_be_focused()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    type_moment(page, "New return", moment(12))
    page.get_by_role("button", name="Move to these dates").click()
    last = question(page, "Move your request for ₹1,000?")
    expect(last.get_by_role("button", name="Keep the dates")).to_be_focused()
    expect(last).to_contain_text(clock.friendly(moment(10)))
    last.get_by_role("button", name="Move the request").click()
    expect(toast(page, "Your request has been moved")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=clock.friendly(moment(12))).first).to_be_visible()
    assert seen(shop.customer, asked.id).pickup == moment(10)
    expect(moment_box(page, "New pickup")).to_have_count(0)


@pytest.mark.dates
def test_a_later_return_is_priced_first_and_granted_at_once(browse: Browse, shop: Shop) -> None:
    trip = confirmed(shop, days=3)
    later = trip.return_at + timedelta(days=1)
    page = browse(shop.customer)
    visit(page, path(trip.reference))
    opener = page.get_by_role("button", name="Extend", exact=True)
    opener.click()
    page.get_by_role("button", name="Never mind").click()
    expect(opener).to_be_focused()
    page.keyboard.press("Enter")
    type_moment(page, "New return", later)
    expect(page.get_by_role("definition").filter(has_text="₹1,500")).to_be_visible()
    expect(page.get_by_role("definition").filter(has_text="300 km")).to_be_visible()
    ask(shop.vehicle, 60_000)
    type_moment(page, "New return", "31/02/2027 10:00 AM")
    page.get_by_role("button", name="Extend to this return").click()
    expect(moment_box(page, "New return")).to_be_focused()
    type_moment(page, "New return", later)
    page.get_by_role("button", name="Extend to this return").click()
    last = question(page, "Return later for ₹500 more?")
    expect(last.get_by_role("button", name="Don't extend")).to_be_focused()
    last.get_by_role("button", name="Extend the booking").click()
    told = "The price has changed from ₹500 to ₹800. Please check and press again"
    expect(page.get_by_role("main").get_by_text(told)).to_be_visible()
    page.get_by_role("button", name="Extend to this return").click()
    question(page, "Return later for ₹800 more?").get_by_role("button", name="Extend the booking").click()
    expect(toast(page, "Booking extended")).to_be_visible()
    expect(page.get_by_role("listitem").filter(has_text=clock.friendly(later)).first).to_be_visible()
    assert (seen(shop.customer, trip.id).return_at, happened(trip.id).count("extended")) == (later, 1)


@pytest.mark.long
def test_extending_keeps_the_clock_time_of_the_return(browse: Browse, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    alter(Booking, asked.id, return_at=moment(6, 18))
    decide(shop.vendor, asked.id, "confirmed")
    later = clock.indian(moment(7, 18))
    vendors = f"/vendor/bookings/{asked.reference}"
    for user, address in ((shop.customer, path(asked.reference)), (shop.vendor, vendors)):
        page = browse(user)
        visit(page, address)
        if user == shop.customer:
            page.get_by_role("button", name="Extend", exact=True).click()
        page.get_by_role("button", name="Open calendar for New return").click()
        opened = page.get_by_role("dialog", name="New return: choose day and hour")
        opened.get_by_label(f"{later:%A, %-d %B %Y}").first.click()
        expect(moment_box(page, "New return")).to_have_value(shown(later))
        type_moment(page, "New return", f"{later + timedelta(days=1):%-d/%-m/%Y}")
        expect(moment_box(page, "New return")).to_have_value(shown(later + timedelta(days=1)))
