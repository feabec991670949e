"""A guest's page in a browser, and the vendor's way of sending its link again."""

from datetime import timedelta
from typing import Any

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.models import Booking
from tests.e2e.conftest import Browse, Complaints
from tests.support import axe
from tests.support.booking_steps import alter
from tests.support.browser_steps import settled, taken_over, visit
from tests.support.guests import at_counter, secret_of, texts
from tests.support.shop import Shop, moment
from tests.support.trip_codes import another, code
from tests.support.trips import grant, seen
from tests.support.vendor_trips import hand_over

pytestmark = pytest.mark.e2e
NARROW: dict[str, Any] = {"viewport": {"width": 390, "height": 900}}


def test_a_guest_reads_the_booking_before_scripts_and_after(browse: Browse, shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2))
    path = f"/trip/{secret_of(texts()[-1])}"
    plain = browse(**NARROW, java_script_enabled=False)
    plain.goto(path)
    said = plain.get_by_role("main").inner_text()
    assert made.reference in said
    page = browse(**NARROW)
    visit(page, path)
    taken_over(page)
    settled(page)
    assert page.get_by_role("main").inner_text() == said
    page.evaluate(axe.source())
    for width in (390, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert axe.violations_by_theme(page, width) == []
    with page.expect_download() as download:
        page.get_by_role("link", name="Receipt (PDF)").click()
    assert download.value.suggested_filename == "receipt.pdf"


@pytest.mark.long
def test_a_link_that_has_ended_is_not_found(browse: Browse, shop: Shop, complaints: Complaints) -> None:
    complaints.expected.append("status of 404")
    made = at_counter(shop.vendor, shop.vehicle, moment(1), moment(2))
    ended = f"/trip/{secret_of(texts()[-1])}"
    vendor = browse(shop.vendor)
    visit(vendor, f"/vendor/bookings/{made.reference}")
    vendor.get_by_role("button", name="Send the link again").click()
    expect(vendor.get_by_text("The link is on its way")).to_be_visible()
    page = browse()
    answer = page.goto(ended)
    assert answer
    assert answer.status == 404
    expect(page.get_by_role("heading", name="Page not found")).to_be_visible()
    visit(page, f"/trip/{secret_of(texts()[-1])}")
    taken_over(page)
    expect(page.get_by_role("heading", level=1)).to_have_text("Honda Activa 6G")
    # What a guest has begun to write is there again after a reload.
    alter(Booking, made.id, pickup_at=clock.now())
    hand_over(shop, seen(shop.vendor, made.reference))
    page.reload()
    taken_over(page)
    page.get_by_role("button", name="Something is wrong").click()
    note = page.get_by_role("dialog", name="What is not right?").get_by_label("Describe it")
    note.press_sequentially("The left mirror is broken")
    page.reload()
    taken_over(page)
    page.get_by_role("button", name="Something is wrong").click()
    expect(note).to_have_value("The left mirror is broken")


def test_a_guest_agrees_by_keyboard_with_a_code(browse: Browse, shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(4), moment(6))
    grant(shop, made.reference, seen(shop.vendor, made.reference).return_at + timedelta(days=1))
    page = browse(**NARROW)
    visit(page, f"/trip/{secret_of(texts()[-1])}")
    page.get_by_role("button", name="Agree", exact=True).focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog", name="Agree to the change?")
    dialog.get_by_role("button", name="Send a code to 90xxxxxx88").press("Enter")
    field = dialog.get_by_label("Code from the text message")
    expect(field).to_be_focused()
    assert field.get_attribute("autocomplete") == "one-time-code"
    page.evaluate(axe.source())
    assert axe.violations_by_theme(page, 390) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.keyboard.type(another(code()))
    page.keyboard.press("Enter")
    expect(dialog.get_by_text("This code is wrong")).to_be_visible()
    assert code() not in page.content()
    expect(field).to_be_focused()
    # Until then the form is at work, and takes nothing.
    expect(dialog.get_by_role("button", name="Agree", exact=True)).to_be_enabled()
    field.fill(code())
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("heading", level=1)).to_be_focused()
    expect(page.get_by_text("proposes a change")).to_have_count(0)
    assert seen(shop.vendor, made.reference).proposal is None


def test_the_vendor_types_the_code_that_the_customer_reads_out(browse: Browse, shop: Shop) -> None:
    made = at_counter(shop.vendor, shop.vehicle, moment(4), moment(6))
    grant(shop, made.reference, seen(shop.vendor, made.reference).return_at + timedelta(days=1))
    page = browse(shop.vendor, **NARROW)
    visit(page, f"/vendor/bookings/{made.reference}")
    page.get_by_role("button", name="Text them a code").press("Enter")
    field = page.get_by_label("Code that the customer reads out")
    expect(field).to_be_focused()
    assert code() not in page.content()
    page.evaluate(axe.source())
    assert axe.violations_by_theme(page, 390) == []
    page.keyboard.type(code())
    page.keyboard.press("Enter")
    expect(page.get_by_text("Waiting for the customer")).to_have_count(0)
    expect(page.get_by_text("By a code texted to the customer's mobile")).to_be_visible()
