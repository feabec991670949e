"""When the server restarts, open tabs go on with the same user and with what was chosen in them."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest
from playwright.sync_api import FileChooser, Page, expect

from rental_app.domain.uploads import PUBLIC_GROUPS
from rental_app.infrastructure.db import read
from rental_app.models import User, Vehicle
from rental_app.services.trips import drafts
from tests.e2e.conftest import Browse, Complaints
from tests.support import app as the_app
from tests.support.app import App
from tests.support.booking_steps import alter, booked, bookings_of, vehicle_path
from tests.support.browser_listing import chooser, have_gone_up, photo
from tests.support.browser_steps import (
    moment_box,
    ready,
    request,
    settled,
    shown,
    taken_over,
    toast,
    type_moment,
    visit,
)
from tests.support.console import operator
from tests.support.date_tabs import (
    a_booking_is_typed_on,
    a_later_return_is_granted,
    a_later_return_stays_chosen,
    a_request_moves_to_dates_chosen_before,
    a_search_is_typed_on,
    days_are_blocked,
    other_dates_are_typed,
)
from tests.support.dialog_tabs import (
    a_booking_is_given_up,
    a_booking_is_moved,
    a_guest_gives_a_code,
    a_number_is_confirmed,
    a_person_is_blocked,
    an_app_is_set_up,
    an_objection_is_written,
    recovery_codes_are_read,
)
from tests.support.shop import Shop, actor, moment, open_shop
from tests.support.vendor_tabs import (
    After,
    a_counter_booking_is_made_as_chosen,
    a_days_price_is_typed_once,
    a_form_stays_filled_in,
    a_payment_is_noted,
    a_payment_noted_elsewhere_is_not_typed_again,
    a_price_rule_is_changed,
    a_question_about_a_rule_is_closed,
    a_vehicle_is_edited,
    an_answer_is_sent,
    bookings_stay_found,
    files_are_saved,
    prices_of_vehicles_shown_later_are_saved,
    typed_prices_are_saved,
)
from tests.support.vendor_trips import ON_THE_PHONE, due_now, to_photos

pytestmark = [pytest.mark.e2e, pytest.mark.long]
PICKUP, RETURN = moment(4), moment(6, 12)
PRICE = "3 × Full Day at ₹500"


@pytest.fixture(scope="module")
def serving() -> Iterator[ExitStack]:
    """A stack whose closing stops the current server."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory, serving: ExitStack, sqlite_template: Path) -> App:
    """A server of this module's own, on a data folder that outlives it."""
    return serving.enter_context(the_app.running(tmp_path_factory.mktemp("restarted"), sqlite_template))


@pytest.fixture
def restart(app: App, serving: ExitStack, complaints: Complaints) -> Callable[..., None]:
    """Restart the server at the same address; return when all pages have connected to the new one.

    `meanwhile`, an optional argument after the pages, is called while it is down.
    """
    complaints.expect_lost_lines()
    # The server answers every address of the console as one at which there is nothing.
    complaints.expected.append("status of 404")

    def anew(pages: list[Page], meanwhile: Callable[[], None] = lambda: None) -> None:
        serving.close()
        for page in pages:
            expect(page.get_by_role("status", name="Connection")).to_contain_text("You are offline")
        meanwhile()
        serving.enter_context(the_app.running(app.folder, PORT=app.url.rpartition(":")[2]))
        for page in pages:
            expect(page.get_by_role("status", name="Connection")).not_to_contain_text("You are offline")

    return anew


def choose_dates(page: Page) -> None:
    """Type a pickup and a return."""
    type_moment(page, "Pickup", PICKUP)
    type_moment(page, "Return", RETURN)


def has_dates(page: Page) -> None:
    """Check that the dates are still there."""
    expect(moment_box(page, "Pickup")).to_have_value(shown(PICKUP))
    expect(moment_box(page, "Return")).to_have_value(shown(RETURN))


def dates_are_booked(page: Page, shop: Shop) -> After:
    """Chosen dates stay, and can be booked."""
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    settled(page)
    choose_dates(page)
    expect(page.get_by_text(PRICE)).to_be_visible()

    def after() -> None:
        has_dates(page)
        expect(page.get_by_text(PRICE)).to_be_visible()
        request(page)
        page.wait_for_url("**/my-bookings/PH-*")
        assert bookings_of(shop.vehicle.id) == [(PICKUP, RETURN, "pending")]

    return after


def the_place_is_kept(page: Page, shop: Shop) -> After:
    """What is in view, and has the keyboard, far down a page stays so while the page is built anew."""
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    settled(page)
    link = page.get_by_role("link", name="Open in Google Maps")
    link.focus()
    expect(link).to_be_in_viewport()

    def after() -> None:
        expect(link).to_be_focused()
        expect(link).to_be_in_viewport()
        # Whoever leaves it then is left alone.
        link.evaluate("link => { link.blur(); document.body.append(document.createElement('i')); }")
        expect(link).not_to_be_focused()

    return after


def dates_outlive_a_reload_too(page: Page, shop: Shop) -> After:
    """Dates chosen in place of the address's survive a reload; another address brings its own."""
    visit(page, vehicle_path(shop, moment(3), moment(5)))
    settled(page)
    choose_dates(page)
    expect(page.get_by_text(PRICE)).to_be_visible()

    def after() -> None:
        page.reload()
        ready(page)
        has_dates(page)
        expect(page.get_by_text(PRICE)).to_be_visible()
        visit(page, vehicle_path(shop, moment(7), moment(9)))
        expect(moment_box(page, "Pickup")).to_have_value(shown(moment(7)))

    return after


def a_search_stays_chosen(page: Page, shop: Shop) -> After:
    """The dates of a search stay chosen, also through a reload."""
    visit(page, "/")
    settled(page)
    page.get_by_label("Pickup location").select_option(shop.place.name)
    choose_dates(page)
    expect(page.get_by_label("Duration")).to_have_text("2 days 2 h")

    def after() -> None:
        expect(page.get_by_label("Duration")).to_have_text("2 days 2 h")
        has_dates(page)
        page.reload()
        ready(page)
        has_dates(page)
        page.get_by_role("button", name="Search").click()
        expect(page.get_by_role("heading", name=f"Vehicles in {shop.place.name}")).to_be_visible()
        expect(page.get_by_text("Showing 1 ")).to_be_visible()

    return after


def a_switch_works(page: Page, shop: Shop) -> After:
    """A vendor's switch keeps working."""
    visit(page, "/vendor/manage-vehicles")
    switch = page.get_by_role("switch").first
    expect(switch).to_be_checked()

    def after() -> None:
        switch.click()
        expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()
        assert not read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).is_active

    return after


def test_open_tabs_go_on(browse: Browse, restart: Callable[..., None], shop: Shop) -> None:
    other, third, fourth, fifth = (open_shop(f"{name}pur") for name in ("Restart", "Neustadt", "Preis", "Theken"))
    # The booking comes last, as it takes the dates from the other tabs.
    tabs = [
        # Looked at first: the place is kept for ten seconds.
        (browse(third.customer, **ON_THE_PHONE), the_place_is_kept, shop),
        (browse(other.customer), dates_outlive_a_reload_too, shop),
        (browse(), a_search_stays_chosen, shop),
        (browse(shop.customer), dates_are_booked, shop),
        (browse(other.vendor), a_form_stays_filled_in, other),
        (browse(other.vendor), bookings_stay_found, other),
        (browse(other.vendor), a_switch_works, other),
        (browse(third.vendor), a_vehicle_is_edited, third),
        (browse(other.vendor), files_are_saved, other),
        (browse(other.vendor), typed_prices_are_saved, other),
        (browse(other.vendor), a_payment_is_noted, other),
        (browse(other.vendor), a_payment_noted_elsewhere_is_not_typed_again, other),
        (browse(third.vendor), an_answer_is_sent, third),
        (browse(other.vendor), a_price_rule_is_changed, other),
        (browse(other.vendor), a_question_about_a_rule_is_closed, other),
        (browse(third.vendor), a_days_price_is_typed_once, third),
        (browse(fourth.vendor), prices_of_vehicles_shown_later_are_saved, fourth),
        # The last booking of all, which it looks for.
        (browse(fifth.vendor), a_counter_booking_is_made_as_chosen, fifth),
    ]
    afters = [begin(page, of) for page, begin, of in tabs]
    restart([page for page, *_ in tabs])
    for after in afters:
        after()


def test_dates_stay_chosen_and_half_typed(browse: Browse, restart: Callable[..., None], shop: Shop) -> None:
    other, third, codes = open_shop("Datumspur"), open_shop("Dialogpur"), open_shop("Kodepur")
    tabs = [
        (browse(shop.customer), a_request_moves_to_dates_chosen_before, shop),
        (browse(other.customer), a_later_return_stays_chosen, other),
        (browse(other.vendor), a_later_return_is_granted, other),
        (browse(other.vendor), days_are_blocked, other),
        (browse(), a_search_is_typed_on, shop),
        (browse(), a_booking_is_typed_on, open_shop("Halbpur")),
        (browse(third.vendor), a_booking_is_given_up, third),
        (browse(third.vendor), a_booking_is_moved, third),
        (browse(third.customer), an_objection_is_written, third),
        (browse(), a_guest_gives_a_code, open_shop("Gastpur")),
        (browse(third.customer), an_app_is_set_up, third),
        (browse(codes.customer), recovery_codes_are_read, codes),
        (browse(other.customer), a_number_is_confirmed, other),
        (browse(operator()), a_person_is_blocked, open_shop("Sperrpur")),
    ]
    afters = [begin(page, of) for page, begin, of in tabs]
    restart([page for page, *_ in tabs], lambda: other_dates_are_typed(tabs[0][0]))
    for after in afters:
        after()


def test_what_is_typed_while_the_server_is_away_is_booked(
    browse: Browse, restart: Callable[..., None], shop: Shop
) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    page, other = browse(shop.customer), browse()
    for tab in (page, other):
        visit(tab, vehicle_path(shop, PICKUP, RETURN))
    address, code = page.get_by_label("Address for delivery"), other.get_by_label("Offer code")
    page.get_by_role("checkbox", name="Deliver to me").check()
    page.get_by_role("button", name="Book Now").click()
    page.wait_for_url("**/review?*")
    taken_over(page)
    # The account's own, as a proposal.
    expect(address).to_have_value(re.compile("Test Road"))
    address.fill("")
    address.press_sequentially("7 Palm Grove")
    settled(page)

    def type_on() -> None:
        address.press_sequentially(", gate 3")
        code.press_sequentially("firstride")

    restart([page, other], type_on)
    expect(address).to_be_focused()
    expect(code).to_be_focused()
    expect(code).to_have_value("firstride")
    expect(other.get_by_text("Offer FIRSTRIDE")).to_be_visible()
    page.keyboard.type(" and the bell")
    expect(address).to_have_value("7 Palm Grove, gate 3 and the bell")
    page.keyboard.press("Enter")
    page.wait_for_url("**/my-bookings/PH-*")
    assert booked(shop).address == "7 Palm Grove, gate 3 and the bell"


def test_a_handover_goes_on_with_a_photo_taken_meanwhile_and_one_after_it(
    browse: Browse, restart: Callable[..., None], shop: Shop, complaints: Complaints
) -> None:
    # The photo of the odometer has no file.
    complaints.expected.append("/api/vendor/uploads/")
    trip = due_now(shop)
    to_photos(shop, trip)
    page = browse(shop.vendor, **ON_THE_PHONE, fresh=True)
    visit(page, f"/vendor/bookings/{trip.reference}/handover")
    saved = page.get_by_text(re.compile(r"^Saved \d+(:\d\d)? [AP]M$"))
    expect(saved).to_be_visible()

    def photograph() -> None:
        chooser(page, "Front").set_input_files(photo("Front.jpg"))
        expect(page.get_by_text("1 photo waits on this phone")).to_be_visible()
        expect(page.get_by_text("Kept on this phone")).to_be_visible()
        chooser(page, "Left").press("Enter")

    # The page is built anew while the camera is open.
    cameras: list[FileChooser] = []
    page.once("filechooser", lambda camera: cameras.append(camera))  # a bound method takes no attribute
    restart([page], photograph)
    expect(page.get_by_text("1 photo waits on this phone")).to_have_count(0)
    have_gone_up(page)
    cameras[0].set_files(photo("Left.jpg"))
    third, fourth, *others = PUBLIC_GROUPS[2:]
    # A photo is of the side that the camera was opened for, whichever is shown by then.
    with page.expect_file_chooser() as camera:
        chooser(page, third).press("Enter")
    sides = page.get_by_role("list", name="Sides")
    sides.get_by_role("button", name=fourth, exact=True).click()
    camera.value.set_files(photo(f"{third}.jpg"))
    expect(sides.get_by_role("button", name=f"{third}, taken")).to_be_visible()
    for side in (fourth, *others):
        chooser(page, side).set_input_files(photo(f"{side}.jpg"))
    expect(page.get_by_role("heading", name="Helmets")).to_be_focused()
    page.reload()
    expect(page.get_by_role("heading", level=1)).to_have_text("Handover, 4 of 6")
    expect(saved).to_be_visible()
    assert {*read(drafts.of, actor(shop.vendor), trip.reference, "handover").photos} >= {*PUBLIC_GROUPS}
