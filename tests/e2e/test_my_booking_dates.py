"""Changing a booking's dates on its page: the price is shown first."""

from datetime import timedelta

import pytest
from playwright.sync_api import ViewportSize, expect

from rental_app.domain import clock
from rental_app.models import Booking
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.booking_steps import alter, ask, book, decide
from tests.support.browser_my_booking import happened, path, question
from tests.support.browser_steps import moment_box, shown, toast, type_moment, visit
from tests.support.shop import Shop, add_user, moment, wanted
from tests.support.trips import confirmed, seen

pytestmark = pytest.mark.e2e


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
    expect(page.get_by_role("listitem").filter(has_text=clock.brief(moment(12))).first).to_be_visible()
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
    expect(page.get_by_role("listitem").filter(has_text=clock.brief(later)).first).to_be_visible()
    assert (seen(shop.customer, trip.id).return_at, happened(trip.id).count("extended")) == (later, 1)


@pytest.mark.parametrize("viewport", [PHONE, DESKTOP])
def test_a_form_for_other_dates_comes_into_view_with_its_first_field_focused(
    browse: Browse, shop: Shop, viewport: ViewportSize
) -> None:
    asked, trip = book(shop.customer, wanted(shop.vehicle, 4)), confirmed(shop, days=20)
    page = browse(shop.customer, viewport=viewport)
    for reference, button, field in (
        (asked.reference, "Change dates", "New pickup"),
        (trip.reference, "Extend", "New return"),
    ):
        visit(page, path(reference))
        page.get_by_role("button", name=button, exact=True).press("Enter")
        expect(moment_box(page, field)).to_be_focused()
        expect(moment_box(page, field)).to_be_in_viewport()
        expect(page.get_by_role("button", name="Never mind")).to_be_in_viewport()


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


def test_too_late_to_extend_names_the_late_charge_and_the_number(browse: Browse, shop: Shop) -> None:
    trip = confirmed(shop)
    instant = clock.now()
    alter(Booking, trip.id, pickup_at=instant - timedelta(hours=30), return_at=instant + timedelta(hours=5))
    page = browse(shop.customer)
    visit(page, path(trip.reference))
    told = page.get_by_text(f"Returning late costs ₹50 an hour; ring the vendor at {shop.vendor.phone_number}")
    expect(told).to_be_visible()
    expect(page.get_by_role("button", name="Extend")).to_have_count(0)
    visit(page, "/my-bookings")
    expect(page.get_by_role("heading", name="Now", level=2, exact=True)).to_be_visible()
