"""Dates chosen or half typed in tabs before the server restarts, and what becomes of them afterwards."""

from datetime import datetime, timedelta

from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.schemas.calendars import CalendarSpan
from rental_app.services.calendar import vendor_calendar
from tests.support.booking_steps import ask, book
from tests.support.browser_my_booking import path, question
from tests.support.browser_steps import moment_box, settled, shown, shown_day, toast, visit
from tests.support.shop import DAILY_PAISE, Shop, actor, moment, wanted
from tests.support.trips import confirmed, seen
from tests.support.vendor_tabs import After

PICKUP, RETURN = moment(14), moment(16, 12)
# How many characters of a date and time are typed before the restart.
HALF = 8


def type_into(box: Locator, text: str) -> None:
    """Type key by key over the field's text."""
    box.select_text()
    box.press_sequentially(text)


def key_in(page: Page, label: str, instant: datetime) -> None:
    """Type a date and time key by key and leave the field."""
    type_into(moment_box(page, label), shown(instant))
    page.keyboard.press("Tab")
    expect(moment_box(page, label)).to_have_value(shown(instant))


def goes_on(page: Page, label: str, instant: datetime) -> None:
    """Type the rest of a date and time after its first half, without clicking the field."""
    box, text = moment_box(page, label), shown(instant)
    # If text from before the restart disappears, it does so only after the connection is back.
    settled(page)
    expect(box).to_have_value(text[:HALF])
    expect(box).to_be_focused()
    page.keyboard.type(text[HALF:])
    page.keyboard.press("Tab")
    expect(box).to_have_value(text)


def a_request_moves_to_dates_chosen_before(page: Page, shop: Shop) -> After:
    """New dates for a request stay chosen, with their price; a half-typed one can be completed."""
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    visit(page, path(asked.reference))
    page.get_by_role("button", name="Change dates").click()
    key_in(page, "New pickup", moment(13))

    def after() -> None:
        expect(moment_box(page, "New pickup")).to_have_value(shown(PICKUP))
        goes_on(page, "New return", RETURN)
        expect(page.get_by_text("3 × Full Day at ₹500").first).to_be_visible()
        page.get_by_role("button", name="Move to these dates").click()
        question(page, "Move your request for ₹1,500?").get_by_role("button", name="Move the request").click()
        expect(toast(page, "Your request has been moved")).to_be_visible()
        moved = seen(shop.customer, asked.id)
        assert (moved.pickup, moved.return_at) == (PICKUP, RETURN)

    return after


def other_dates_are_typed(page: Page) -> None:
    """Type new dates for that request while the server is unavailable, and only half of the return."""
    key_in(page, "New pickup", PICKUP)
    type_into(moment_box(page, "New return"), shown(RETURN)[:HALF])


def a_later_return_stays_chosen(page: Page, shop: Shop) -> After:
    """A later return stays chosen, with its price."""
    trip = confirmed(shop, days=20)
    later = trip.return_at + timedelta(days=1)
    visit(page, path(trip.reference))
    page.get_by_role("button", name="Extend", exact=True).click()
    key_in(page, "New return", later)
    expect(page.get_by_role("button", name="Extend to this return")).to_be_visible()

    def after() -> None:
        expect(moment_box(page, "New return")).to_have_value(shown(later))
        page.get_by_role("button", name="Extend to this return").click()
        question(page, "Return later for ₹500 more?").get_by_role("button", name="Extend the booking").click()
        expect(toast(page, "Booking extended")).to_be_visible()
        assert seen(shop.customer, trip.id).return_at == later

    return after


def a_later_return_is_granted(page: Page, shop: Shop) -> After:
    """A later return that a vendor is about to grant stays chosen."""
    trip = confirmed(shop, days=30)
    later = trip.return_at + timedelta(days=1)
    visit(page, f"/vendor/bookings/{trip.reference}")
    key_in(page, "New return", later)
    settled(page)

    def after() -> None:
        expect(moment_box(page, "New return")).to_have_value(shown(later))
        ask(shop.vehicle, DAILY_PAISE // 2)
        page.get_by_role("button", name="Check this return").click()
        page.get_by_role("alertdialog").get_by_role("button", name="Extend").click()
        expect(toast(page, "Booking extended")).to_be_visible()
        assert seen(shop.customer, trip.id).return_at == later

    return after


def days_are_blocked(page: Page, shop: Shop) -> After:
    """The vehicle, the reason and the days to block, one clicked and one typed, stay in their dialog."""
    first = clock.indian_today(moment(6))
    last = first + timedelta(days=2)
    visit(page, "/vendor/calendar")
    row = page.get_by_role("row").filter(has_text=shop.vehicle.rc_number)
    row.get_by_role("gridcell", name=f", {first:%A %-d %B}, free").click()
    page.get_by_role("button", name="Block", exact=True).click()
    dialog = page.get_by_role("dialog", name="Book or block these days")
    moment_box(dialog, "Last day").press("Control+A")
    moment_box(dialog, "Last day").press_sequentially(shown_day(last))
    dialog.get_by_label("Reason").select_option("own use")

    def after() -> None:
        expect(dialog.get_by_label("Vehicle").locator("option:checked")).to_contain_text(shop.vehicle.rc_number)
        for label, day in (("First day", first), ("Last day", last)):
            expect(moment_box(dialog, label)).to_have_value(shown_day(day))
        dialog.get_by_role("button", name="Block these days").click()
        expect(toast(page, "Vehicle blocked")).to_be_visible()
        vehicles = read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan()).vehicles
        entries = next(each.entries for each in vehicles if each.id == shop.vehicle.id)
        (block,) = [entry for entry in entries if entry.kind == "block"]
        assert (clock.indian_today(block.begin), block.end - block.begin) == (first, timedelta(days=3))
        assert block.text == "Own use"

    return after


def a_search_is_typed_on(page: Page, shop: Shop) -> After:
    """A half-typed date and time in the search form can be completed."""
    visit(page, "/")
    settled(page)
    key_in(page, "Pickup", PICKUP)
    type_into(moment_box(page, "Return"), shown(RETURN)[:HALF])

    def after() -> None:
        goes_on(page, "Return", RETURN)
        expect(moment_box(page, "Pickup")).to_have_value(shown(PICKUP))

    return after


def a_booking_is_typed_on(page: Page, shop: Shop) -> After:
    """So can one on a vehicle's page."""
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    settled(page)
    type_into(moment_box(page, "Pickup"), shown(PICKUP)[:HALF])

    def after() -> None:
        goes_on(page, "Pickup", PICKUP)
        expect(page.get_by_text("1 × Full Day at ₹500")).to_be_visible()

    return after
