"""The server is restarted while tabs are open: they go on with the same user and with what was chosen in them."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from playwright.sync_api import Page, expect

from rental_app.db import read, write
from rental_app.models import Vehicle
from rental_app.rules.uploads import FILE_GROUPS
from rental_app.schemas.prices import FleetPrices
from rental_app.services import fleet_prices
from tests.e2e import app as the_app
from tests.e2e.app import App
from tests.e2e.conftest import Browse, Complaints
from tests.e2e.line import Answers
from tests.e2e.listing import add_files, files_of
from tests.e2e.steps import moment_box, ready, settled, shown, toast, type_moment, visit
from tests.e2e.test_booking import bookings_of, vehicle_path
from tests.e2e.test_vendor_bookings import choose
from tests.e2e.test_vendor_fleet import named, open_table
from tests.e2e.test_vendor_profile import stored
from tests.helpers import Shop, actor, add_vehicles, moment, open_shop, token_of, wanted
from tests.services import steps

pytestmark = pytest.mark.e2e
PICKUP, RETURN = moment(4), moment(6, 12)
PRICE = "3 × Full Day at ₹500"
# What a tab does after the restart, given by what it did before.
After = Callable[[], None]


@pytest.fixture
def serving() -> Iterator[ExitStack]:
    """What ends the server that runs at the moment."""
    with ExitStack() as stack:
        yield stack


@pytest.fixture
def app(tmp_path_factory: pytest.TempPathFactory, serving: ExitStack) -> App:
    """A server of this test's own, on a data folder that outlives it."""
    return serving.enter_context(the_app.running(tmp_path_factory.mktemp("restarted")))


@pytest.fixture
def restart(app: App, serving: ExitStack, complaints: Complaints) -> Callable[[list[Page]], None]:
    """Ends the server and starts it at the same address; returns when all pages have connected to the new one."""
    complaints.expected += ["ERR_", "WebSocket connection"]

    def anew(pages: list[Page]) -> None:
        serving.close()
        for page in pages:
            expect(page.get_by_role("status", name="Connection")).to_contain_text("You are offline")
        serving.enter_context(the_app.running(app.folder, PORT=app.url.rpartition(":")[2]))
        for page in pages:
            expect(page.get_by_role("status", name="Connection")).not_to_contain_text("You are offline")

    return anew


def choose_dates(page: Page) -> None:
    """Type a pickup and a return."""
    type_moment(page, "Pickup", PICKUP)
    type_moment(page, "Return", RETURN)


def has_dates(page: Page) -> None:
    """See that they are still there."""
    expect(moment_box(page, "Pickup")).to_have_value(shown(PICKUP))
    expect(moment_box(page, "Return")).to_have_value(shown(RETURN))


def dates_are_booked(page: Page, shop: Shop) -> After:
    """Dates stay chosen, and are booked."""
    visit(page, f"/vehicle-details/{shop.vehicle.id}")
    settled(page)
    choose_dates(page)
    expect(page.get_by_text(PRICE)).to_be_visible()

    def after() -> None:
        has_dates(page)
        expect(page.get_by_text(PRICE)).to_be_visible()
        page.get_by_role("button", name="Book Now").click()
        page.wait_for_url("**/my-bookings")
        assert bookings_of(shop.vehicle.id) == [(PICKUP, RETURN, "pending")]

    return after


def dates_outlive_a_reload_too(page: Page, shop: Shop) -> After:
    """Dates chosen in place of an address's are there after a reload; another address brings its own."""
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
    """So do the dates of a search, through a reload as well."""
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
    """A vendor goes on."""
    visit(page, "/vendor/manage-vehicles")
    switch = page.get_by_role("switch").first
    expect(switch).to_be_checked()

    def after() -> None:
        switch.click()
        expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()
        assert not read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).is_active

    return after


def a_form_stays_filled_in(page: Page, _shop: Shop) -> After:
    """A form that was being filled in stays open."""
    visit(page, "/vendor/profile")
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Profile")
    form.get_by_label("Landmark").fill("By the lake")
    form.get_by_text("Sunday").click()

    def after() -> None:
        expect(form.get_by_label("Landmark")).to_have_value("By the lake")
        expect(form.get_by_label("Sunday")).to_be_checked()
        form.get_by_role("button", name="Save").click()
        expect(toast(page, "Profile updated successfully")).to_be_visible()
        expect(page.get_by_role("main")).to_contain_text("By the lake")

    return after


def a_question_is_answered(page: Page, shop: Shop) -> After:
    """A question stays open, about the same booking, and its answer counts."""
    asked = steps.book(shop.customer, wanted(shop.vehicle, days=9))
    visit(page, "/vendor/manage-bookings")
    choose(page, "Confirm")
    question = page.get_by_role("alertdialog", name="Confirm this booking?")
    expect(question).to_contain_text(shop.customer.name)

    def after() -> None:
        expect(question).to_contain_text(shop.customer.name)
        question.get_by_role("button", name="Confirm booking").click()
        expect(toast(page, "Booking confirmed")).to_be_visible()
        assert steps.status_of(asked.id) == "confirmed"

    return after


def a_vehicle_is_edited(page: Page, shop: Shop) -> After:
    """Edit Vehicle stays open with what was typed and chosen, still asks before it is lost, and is saved."""
    open_table(page)
    named(page, "Edit", shop.vehicle).click()
    dialog = page.get_by_role("dialog", name="Edit Vehicle")
    dialog.get_by_label("Color").fill("Pink")
    dialog.get_by_label("Manufacturer").select_option("TVS")
    dialog.get_by_label("Model").select_option("Jupiter")
    dialog.get_by_label("Full Day: price in ₹").fill("Rs 650")
    dialog.get_by_label("Drop-off / Pickup Extra Payment?").check()
    dialog.get_by_label("Pickup Payment (₹)").fill("75")

    def after() -> None:
        expect(dialog.get_by_label("Pickup Payment (₹)")).to_have_value("75")
        expect(dialog.get_by_label("Model").locator("option:checked")).to_have_text("Jupiter")
        expect(dialog.get_by_label("Full Day: price in ₹")).to_have_value("Rs 650")
        expect(dialog.get_by_label("RC Number")).to_have_value(shop.vehicle.rc_number)
        dialog.get_by_role("button", name="Close").click()
        page.get_by_role("alertdialog").get_by_role("button", name="Keep editing").click()
        dialog.get_by_role("button", name="Update Vehicle").click()
        expect(toast(page, "Vehicle updated successfully!")).to_be_visible()
        vehicle = read(lambda session: session.get_one(Vehicle, shop.vehicle.id))
        assert (vehicle.color, vehicle.pick_up_paise) == ("Pink", 7_500)

    return after


def files_are_saved(page: Page, shop: Shop) -> After:
    """Files that have gone up stay in their dialog, and are saved with the vehicle it was opened for."""
    open_table(page)
    named(page, "Files of", shop.vehicle).click()
    expect(page.get_by_role("dialog", name="Documents & Photos")).to_be_visible()
    add_files(page)

    def after() -> None:
        expect(page.get_by_role("img", name="RC.jpg")).to_be_visible()
        page.get_by_role("button", name="Save Files").click()
        expect(toast(page, "Vehicle updated successfully!")).to_be_visible()
        assert {file.group_name for file in files_of(shop.vehicle)} == set(FILE_GROUPS)

    return after


def typed_prices_are_saved(page: Page, shop: Shop) -> After:
    """Prices stay typed; what was changed elsewhere meanwhile is not put back by what was on show before."""
    visit(page, "/vendor/prices")
    week = page.get_by_label(f"Honda Activa 6G, {shop.vehicle.rc_number}: Week: price in ₹")
    week.fill("Rs 3,000")
    change = {"vehicle": shop.vehicle.id, "price_name": "Full Day", "price": 600}
    write(fleet_prices.change, actor(shop.vendor), FleetPrices.model_validate([change]))

    def after() -> None:
        expect(week).to_have_value("Rs 3,000")
        page.get_by_role("button", name="Save prices").click()
        expect(toast(page, "1 price saved")).to_be_visible()
        prices = read(fleet_prices.of_vendor, actor(shop.vendor))
        assert {price.price_name: price.price_paise for price in prices} == {"Full Day": 60_000, "Week": 300_000}

    return after


def prices_of_vehicles_shown_later_are_saved(page: Page, shop: Shop) -> After:
    """Prices stay typed into vehicles that the page had not shown at first."""
    add_vehicles(shop.vendor, 30)
    visit(page, "/vendor/prices")
    first = page.get_by_label(re.compile(": Week: price in ₹")).first
    oldest = page.get_by_label(f"Honda Activa 6G, {shop.vehicle.rc_number}: Week: price in ₹")
    first.press_sequentially("3100")
    page.get_by_role("button", name="Show more vehicles").click()
    oldest.press_sequentially("3200")

    def after() -> None:
        expect(oldest).to_have_value("3200")
        expect(first).to_have_value("3100")
        page.get_by_role("button", name="Save prices").click()
        expect(toast(page, "2 prices saved")).to_be_visible()
        weeks = [each for each in read(fleet_prices.of_vendor, actor(shop.vendor)) if each.price_name == "Week"]
        assert [each.price_paise for each in weeks if each.vehicle == shop.vehicle.id] == [320_000]

    return after


def test_open_tabs_go_on(browse: Browse, restart: Callable[[list[Page]], None], shop: Shop) -> None:
    other, third, fourth = open_shop("Restartpur"), open_shop("Neustadtpur"), open_shop("Preispur")
    # A booking takes the dates from the others.
    tabs = [
        (browse(other.customer), dates_outlive_a_reload_too, shop),
        (browse(), a_search_stays_chosen, shop),
        (browse(shop.customer), dates_are_booked, shop),
        (browse(other.vendor), a_form_stays_filled_in, other),
        (browse(other.vendor), a_question_is_answered, other),
        (browse(other.vendor), a_switch_works, other),
        (browse(third.vendor), a_vehicle_is_edited, third),
        (browse(other.vendor), files_are_saved, other),
        (browse(other.vendor), typed_prices_are_saved, other),
        (browse(fourth.vendor), prices_of_vehicles_shown_later_are_saved, fourth),
    ]
    afters = [begin(page, of) for page, begin, of in tabs]
    restart([page for page, *_ in tabs])
    for after in afters:
        after()


def test_nothing_is_done_for_another_account_that_has_logged_in_meanwhile(
    browse: Browse, restart: Callable[[list[Page]], None], shop: Shop
) -> None:
    stranger = open_shop("Fremdpur")
    page = browse(shop.vendor, fresh=True)
    answers = Answers(page)
    visit(page, "/vendor/profile")
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Profile")
    form.get_by_label("Landmark").fill("By the lake")
    page.evaluate("token => localStorage.setItem('token', token)", token_of(stranger.vendor))
    answers.held = True
    restart([page])
    form.get_by_role("button", name="Save").click()
    answers.let_through()
    expect(toast(page, "Another account is logged in by now: nothing was done")).to_be_visible()
    expect(page.get_by_text(f"Welcome, {stranger.vendor.name}")).to_be_visible()
    expect(form).to_have_count(0)
    assert (stored(shop).landmark, stored(stranger).landmark) == ("", "")
    page.get_by_role("button", name="Edit", exact=True).click()
    form.get_by_label("Landmark").fill("By the hill")
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Profile updated successfully")).to_be_visible()
    assert stored(stranger).landmark == "By the hill"
