"""Dialogs that are open in tabs before the server restarts, and what has been typed into them."""

import pyotp
from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.services.accounts import second_step
from tests.support import booking_steps
from tests.support.browser_my_booking import path
from tests.support.browser_steps import settled, toast, visit
from tests.support.guests import at_counter, secret_of, texts
from tests.support.shop import PASSWORD, Shop, add_vehicle, moment
from tests.support.trip_codes import code
from tests.support.trips import confirmed, grant, seen
from tests.support.vendor_tabs import After
from tests.support.vendor_trips import due_now, hand_over


def a_booking_is_given_up(page: Page, shop: Shop) -> After:
    """Why a booking is given up stays chosen and typed, with the box as its vendor has ticked it."""
    trip = confirmed(shop, days=35)
    visit(page, f"/vendor/bookings/{trip.reference}")
    page.get_by_role("button", name="Cancel this booking").click()
    dialog = page.get_by_role("dialog", name="Cancel this booking?")
    dialog.get_by_label("Why").select_option(label="The vehicle has been sold")
    settled(page)
    dialog.get_by_label("Block this vehicle").check()
    dialog.get_by_label("What the customer should know").fill("Sold on Sunday")

    def after() -> None:
        expect(dialog.get_by_label("What the customer should know")).to_have_value("Sold on Sunday")
        expect(dialog.get_by_label("Why")).to_have_value("sold")
        expect(dialog.get_by_label("Block this vehicle")).to_be_checked()
        dialog.get_by_role("button", name="Cancel this booking").click()
        expect(toast(page, "Booking cancelled: the customer is told")).to_be_visible()
        assert booking_steps.status_of(trip.id) == "cancelled"

    return after


def a_booking_is_moved(page: Page, shop: Shop) -> After:
    """The vehicle that a booking is moved to stays chosen, and the note typed."""
    add_vehicle(shop.vendor)
    other = add_vehicle(shop.vendor)
    trip = confirmed(shop, days=40)
    visit(page, f"/vendor/bookings/{trip.reference}")
    page.get_by_role("button", name="Move to another vehicle").click()
    dialog = page.get_by_role("dialog", name="Move to another vehicle?")
    dialog.get_by_label("Which one").select_option(value=str(other.id))
    dialog.get_by_label("What the customer should know").fill("A newer one")

    def after() -> None:
        expect(dialog.get_by_label("What the customer should know")).to_have_value("A newer one")
        expect(dialog.get_by_label("Which one")).to_have_value(str(other.id))
        dialog.get_by_role("button", name="Move it").click()
        expect(dialog).to_be_hidden()
        assert seen(shop.vendor, trip.reference).car.id == other.id

    return after


def an_objection_is_written(page: Page, shop: Shop) -> After:
    """A customer's objection stays as typed, and is made."""
    trip = due_now(shop)
    hand_over(shop, trip)
    visit(page, path(trip.reference))
    page.get_by_role("button", name="Something is wrong").click()
    dialog = page.get_by_role("dialog", name="What is not right?")
    dialog.get_by_label("Describe it").press_sequentially("The left mirror")

    def after() -> None:
        settled(page)
        page.keyboard.type(" is broken")
        expect(dialog.get_by_label("Describe it")).to_have_value("The left mirror is broken")
        dialog.get_by_role("button", name="Send to the vendor", exact=True).click()
        expect(toast(page, "Objection noted")).to_be_visible()

    return after


def a_guest_gives_a_code(page: Page, shop: Shop) -> After:
    """What a guest agrees to, and the code that they type for it, stay."""
    made = at_counter(shop.vendor, shop.vehicle, moment(45), moment(47))
    secret = secret_of(texts()[-1])
    grant(shop, made.reference, moment(48))
    visit(page, f"/trip/{secret}")
    page.get_by_role("button", name="Agree", exact=True).click()
    dialog = page.get_by_role("dialog", name="Agree to the change?")
    dialog.get_by_role("button", name="Send a code").click()
    field, sent = dialog.get_by_label("Code from the text message"), ""
    expect(field).to_be_focused()
    sent = code()
    field.fill(sent)

    def after() -> None:
        expect(field).to_have_value(sent)
        dialog.get_by_role("button", name="Agree", exact=True).click()
        expect(dialog).to_be_hidden()
        assert seen(shop.vendor, made.reference).proposal is None

    return after


def _begun(page: Page) -> tuple[Locator, str]:
    """Begin with an authenticator app; returns the dialog and the app's key."""
    visit(page, "/account")
    page.get_by_role("button", name="Set up app").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_label("Current password").fill(PASSWORD)
    dialog.get_by_role("button", name="Continue").click()
    return dialog, dialog.get_by_label("Key", exact=True).inner_text()


def a_number_is_confirmed(page: Page, _shop: Shop) -> After:
    """That a code was texted is known, and what has been typed of it stays."""
    visit(page, "/account")
    page.get_by_role("button", name="Verify mobile number").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Send me a code").click()
    box = dialog.get_by_label("Code from the text message")
    expect(box).to_be_focused()
    box.press_sequentially("47")

    def after() -> None:
        expect(box).to_have_value("47")
        expect(dialog.get_by_role("button", name="Send another code")).to_be_visible()

    return after


def an_app_is_set_up(page: Page, shop: Shop) -> After:
    """The key that an app has been given stays, and its code is taken."""
    dialog, key = _begun(page)
    box = dialog.get_by_label("Code that the app shows")
    box.fill("12")

    def after() -> None:
        expect(dialog.get_by_label("Key", exact=True)).to_have_text(key)
        expect(dialog.get_by_role("img", name="QR code")).to_be_visible()
        expect(box).to_have_value("12")
        box.fill(pyotp.TOTP(key).at(clock.now()))
        dialog.get_by_role("button", name="Confirm").click()
        expect(dialog.get_by_role("list", name="Recovery codes").get_by_role("listitem")).to_have_count(10)
        assert read(second_step.is_on, shop.customer.id)

    return after


def recovery_codes_are_read(page: Page, _shop: Shop) -> After:
    """Recovery codes stay until their owner has kept them."""
    dialog, key = _begun(page)
    dialog.get_by_label("Code that the app shows").fill(pyotp.TOTP(key).at(clock.now()))
    dialog.get_by_role("button", name="Confirm").click()
    codes = dialog.get_by_role("list", name="Recovery codes")
    expect(codes.get_by_role("listitem")).to_have_count(10)
    shown = codes.inner_text()

    def after() -> None:
        expect(codes.get_by_role("listitem")).to_have_count(10)
        assert codes.inner_text() == shown
        dialog.get_by_role("button", name="I have kept them").click()
        expect(dialog).to_be_hidden()

    return after


def a_person_is_blocked(page: Page, shop: Shop) -> After:
    """An operator's dialog knows whom it is about, and why stays typed."""
    visit(page, f"/operator/people/{shop.customer.id}")
    page.get_by_role("button", name="Block", exact=True).click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").first.press_sequentially("Three complaints")

    def after() -> None:
        expect(dialog.get_by_role("textbox").first).to_have_value("Three complaints")
        dialog.get_by_role("button", name="Block", exact=True).click()
        expect(dialog).to_be_hidden()
        assert read(lambda session: session.get_one(User, shop.customer.id)).status == "blocked"

    return after
