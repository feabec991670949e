"""One booking's page in a browser: cancelling it, and what it shows to whom."""

import re
from datetime import timedelta

import pytest
from playwright.sync_api import expect
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import Booking
from tests.e2e.conftest import PHONE, Browse, Complaints
from tests.support.booking_steps import alter, book, status_of
from tests.support.browser_my_booking import happened, heading, path, question
from tests.support.browser_steps import fill, ready, toast, visit
from tests.support.rest_helpers import jpeg
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, PASSWORD, Shop, add_user, wanted
from tests.support.trips import confirmed, hand_over, pay

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
    expect(page.get_by_role("link", name=f"Call {shop.vendor.phone_number}")).to_be_visible()

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


def test_terms_that_changed_meanwhile_are_shown_before_anything_is_cancelled(browse: Browse, shop: Shop) -> None:
    trip = confirmed(shop, days=8)
    pay(shop, trip.reference, 2 * DAILY_PAISE)
    page = browse(shop.customer)
    visit(page, path(trip.reference))
    page.get_by_role("button", name="Cancel booking").click()
    asked = question(page, "Cancel this booking?")
    expect(asked.get_by_text("₹250", exact=True)).to_be_visible()
    alter(Booking, trip.id, pickup_at=clock.now() + timedelta(hours=48))
    asked.get_by_role("button", name="Cancel booking").click()
    expect(asked).to_contain_text("Cancelling now keeps ₹750, not ₹250. Please check and press again")
    assert status_of(trip.id) == "confirmed"
    asked.get_by_role("button", name="Cancel booking").click()
    expect(toast(page, "Booking cancelled")).to_be_visible()
    assert status_of(trip.id) == "cancelled"


def test_a_double_press_does_it_once(browse: Browse, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    page = browse(shop.customer)
    visit(page, path(asked.reference))
    page.get_by_role("button", name="Cancel request").click()
    press = question(page, "Cancel this request?").get_by_role("button", name="Cancel request")
    expect(press).to_be_visible()
    press.evaluate("button => { button.click(); button.click(); }")
    expect(toast(page, "Booking cancelled")).to_have_count(1)
    expect(question(page, "Cancel this request?")).to_be_hidden()
    assert happened(asked.id) == ["requested", "cancelled"]


def test_another_persons_booking_is_not_there(browse: Browse, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    for user in (add_user(), shop.vendor):
        page = browse(user)
        visit(page, path(asked.reference))
        expect(page.get_by_role("heading", name="Page not found", level=1)).to_be_visible()
        expect(page.get_by_text(asked.reference)).to_have_count(0)
        expect(heading(page)).to_have_count(0)


def test_a_visitor_logs_in_and_stays_on_the_booking(browse: Browse, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    page = browse()
    visit(page, path(asked.reference))
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    fill(page, {"Email": shop.customer.email, "Password": PASSWORD})
    page.get_by_role("dialog").get_by_role("button", name="Login").click()
    expect(heading(page)).to_be_visible()
    assert page.url.endswith(path(asked.reference))


def test_a_reload_or_back_closes_a_dialog_and_changes_nothing(browse: Browse, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle))
    page = browse(shop.customer)
    visit(page, path(asked.reference))
    opener = page.get_by_role("button", name="Cancel request")
    opener.click()
    expect(question(page, "Cancel this request?")).to_contain_text("Cancelling now costs nothing.")
    page.reload()
    expect(opener).to_be_visible()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    opener.click()
    expect(question(page, "Cancel this request?")).to_be_visible()
    page.go_back()
    expect(question(page, "Cancel this request?")).to_be_hidden()
    assert page.url.rstrip("/").endswith(path(asked.reference))
    assert (status_of(asked.id), happened(asked.id)) == ("pending", ["requested"])


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
    dialog = page.get_by_role("dialog", name="Object")
    send = dialog.get_by_role("button", name="Object", exact=True)
    expect(send).to_be_in_viewport(ratio=1)
    send.click()
    expect(dialog.get_by_text("Please fill this in")).to_be_visible()
    dialog.get_by_label("What is not right?").press_sequentially("The left mirror is broken")
    page.reload()
    ready(page)
    wrong.click()
    expect(dialog.get_by_label("What is not right?")).to_have_value("The left mirror is broken")
    picture = {"name": "mirror.jpg", "mimeType": "image/jpeg", "buffer": jpeg()}
    dialog.get_by_label("Add files to Objection").set_input_files(picture)
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


def test_show_more_works_to_the_last(browse: Browse, shop: Shop) -> None:
    first = book(shop.customer, wanted(shop.vehicle))

    def copy(session: Session) -> None:
        one = session.get_one(Booking, first.id).model_dump(exclude={"id", "reference"})
        session.add_all(Booking(**(one | {"status": "cancelled", "cancelled_by": "vendor"})) for _ in range(44))

    write(copy)
    page = browse(shop.customer)
    visit(page, "/my-bookings")
    for shown_now in (20, 40, 45):
        expect(page.get_by_role("article")).to_have_count(shown_now)
        if shown_now < 45:
            page.get_by_role("button", name="Show more").click()
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    expect(page.get_by_role("heading", name=re.compile("^(Upcoming|Past)$"), level=2)).to_have_text(
        ["Upcoming", "Past"]
    )
