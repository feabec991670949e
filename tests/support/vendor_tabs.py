"""Forms in vendors' tabs that are filled in before the server restarts and sent afterwards."""

import re
from collections.abc import Callable

from playwright.sync_api import Page, expect

from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, Vehicle
from rental_app.schemas.prices import FleetPrices, PriceRuleIn
from rental_app.schemas.reviews import ReviewRequest
from rental_app.services.fleet import price_rules
from rental_app.services.fleet import prices as fleet_prices
from rental_app.services.reviews import writing
from tests.support import booking_steps
from tests.support.browser_listing import add_files, files_of
from tests.support.browser_steps import moment_box, toast, type_moment, visit
from tests.support.fleet_table import choose_a_pink_jupiter, choose_item, open_table, open_to_edit
from tests.support.manage_bookings import choose
from tests.support.shop import Shop, actor, add_vehicle, add_vehicles, count, moment, wanted
from tests.support.trips import confirmed, pay, seen
from tests.support.vendor_trips import returned

# What a tab does after the restart, returned by what it did before.
After = Callable[[], None]
# Types a total the moment a button says the computed one: what the server says with it arrives after that.
TYPE_TOTAL_AT_ONCE = """(computed) => {
    const watch = new MutationObserver(() => {
        if (![...document.querySelectorAll('button')].some((button) => button.textContent.includes(computed))) return;
        watch.disconnect();
        document.getElementById('total').select();
        document.execCommand('insertText', false, '1500');
    });
    watch.observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


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


def bookings_stay_found(page: Page, shop: Shop) -> After:
    """The part of the list, what was searched for and the order stay, and a request can be answered."""
    asked = booking_steps.book(shop.customer, wanted(shop.vehicle, days=9))
    visit(page, "/vendor/manage-bookings?part=all")
    page.get_by_label("Search").fill(asked.reference)
    page.get_by_label("What comes first").select_option("Next pickup")
    page.wait_for_url(re.compile(f"q={asked.reference}&sort=pickup&part=all"))

    def after() -> None:
        expect(page.get_by_label("Search")).to_have_value(asked.reference)
        expect(page.get_by_label("What comes first")).to_have_value("pickup")
        expect(page.get_by_text("1 to 1 of 1")).to_be_visible()
        choose(page, "Confirmed")
        expect(toast(page, "Booking confirmed")).to_be_visible()
        assert booking_steps.status_of(asked.id) == "confirmed"

    return after


def a_vehicle_is_edited(page: Page, shop: Shop) -> After:
    """Edit Vehicle stays open with what was typed and chosen, still asks before discarding it, and can be saved."""
    dialog = open_to_edit(page, shop.vehicle)
    choose_a_pink_jupiter(dialog)
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
    """Uploaded files stay in their dialog, and are saved with the vehicle it was opened for."""
    open_table(page)
    choose_item(page, shop.vehicle, "Files")
    expect(page.get_by_role("dialog", name="Documents & Photos")).to_be_visible()
    add_files(page)

    def after() -> None:
        expect(page.get_by_role("img", name="RC.jpg")).to_be_visible()
        page.get_by_role("button", name="Save Files").click()
        expect(toast(page, "Vehicle updated successfully!")).to_be_visible()
        assert {file.group_name for file in files_of(shop.vehicle)} == set(FILE_GROUPS)

    return after


def typed_prices_are_saved(page: Page, shop: Shop) -> After:
    """Typed prices stay; prices changed elsewhere meanwhile are not overwritten with those shown before."""
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
    """Prices stay typed for vehicles that the page did not show at first."""
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


def _add_rule(shop: Shop) -> None:
    days = {"from": moment(5).date().isoformat(), "to": moment(6).date().isoformat()}
    write(price_rules.add, actor(shop.vendor), PriceRuleIn.model_validate(days | {"percent": 20}))


def a_price_rule_is_changed(page: Page, shop: Shop) -> After:
    """A rule's dialog stays open with its dates and what was typed, and changes that rule."""
    _add_rule(shop)
    visit(page, "/vendor/prices")
    page.get_by_role("button", name=re.compile("^Change the rule: ")).click()
    dialog = page.get_by_role("dialog", name="Change a price rule")
    first = moment_box(dialog, "First day").input_value()
    dialog.get_by_label("By how many percent").fill("35")

    def after() -> None:
        expect(dialog.get_by_label("By how many percent")).to_have_value("35")
        expect(moment_box(dialog, "First day")).to_have_value(first)
        dialog.get_by_role("button", name="Save rule").click()
        expect(toast(page, "Price rule changed")).to_be_visible()
        assert [rule.percent for rule in read(price_rules.of_vendor, actor(shop.vendor))] == [35]

    return after


def a_question_about_a_rule_is_closed(page: Page, shop: Shop) -> After:
    """The question whether to remove a rule does not stay open about nothing."""
    visit(page, "/vendor/prices")
    remove = page.get_by_role("button", name=re.compile("^Remove the rule: "))
    remove.click()
    question = page.get_by_role("alertdialog", name="Remove this price rule?")
    expect(question).to_be_visible()

    def after() -> None:
        expect(question).to_be_hidden()
        remove.click()
        expect(question).to_contain_text("% dearer. Existing bookings keep their price.")

    return after


def a_days_price_is_typed_once(page: Page, shop: Shop) -> After:
    """A day's price typed in the table is there when its field is opened again."""
    open_table(page)
    # Its model may be another one by then.
    button = page.get_by_role("button", name=re.compile(f"Day's price of .*, {shop.vehicle.rc_number}"))
    button.click()
    price = page.get_by_label("New price in ₹ per day")
    price.fill("777")

    def after() -> None:
        button.click()
        expect(price).to_have_value("777")

    return after


def a_payment_is_noted(page: Page, shop: Shop) -> After:
    """A payment typed in next to the vehicle stays."""
    trip = confirmed(shop, days=20)
    visit(page, f"/vendor/bookings/{trip.reference}")
    form = page.get_by_role("form", name="Rent to be paid")
    form.get_by_label("Amount").fill("123")
    form.get_by_text("UPI", exact=True).click()

    def after() -> None:
        expect(form.get_by_label("Amount")).to_have_value("123")
        expect(form.get_by_label("UPI")).to_be_checked()
        form.get_by_role("button").last.click()
        expect(toast(page, "Noted")).to_be_visible()
        assert seen(shop.vendor, trip.reference).ledger[-1].method == "upi"

    return after


def a_counter_booking_is_made_as_chosen(page: Page, shop: Shop) -> After:
    """Window, vehicle, extra and agreed total of a booking at the counter stay, and are what is booked.

    By the end the vehicle is another one in the list.
    """
    chosen = add_vehicle(shop.vendor)
    visit(page, "/vendor/new-booking")
    type_moment(page, "Pickup", moment(30))
    type_moment(page, "Return", moment(33))
    page.get_by_text(chosen.rc_number).click()
    page.evaluate(TYPE_TOTAL_AT_ONCE, "₹1,700")
    page.get_by_label("Second helmet").click()
    book = page.get_by_role("button", name=re.compile("^Book"))
    expect(book).to_contain_text("₹1,500")
    booking_steps.book(shop.customer, wanted(shop.vehicle, days=30))
    add_vehicle(shop.vendor)

    def after() -> None:
        expect(page.get_by_label("Total (₹)")).to_have_value("1500")
        expect(book).to_contain_text("₹1,500")
        for label, text in (("Mobile Number", "9000020288"), ("Name", "Suresh Babu")):
            page.get_by_label(label, exact=True).fill(text)
        page.get_by_text("Bargained").click()
        book.click()
        page.wait_for_url("**/vendor/bookings/PH-*")
        made = read(lambda session: session.get_one(Booking, count("booking")))
        booked = (made.vehicle_id, made.pickup_at, made.return_at, made.price_paise, made.extras)
        assert booked == (chosen.id, moment(30), moment(33), 1500_00, ["helmet"])

    return after


def a_payment_noted_elsewhere_is_not_typed_again(page: Page, shop: Shop) -> After:
    """An amount typed in before another amount became due is gone."""
    trip = confirmed(shop, days=25)
    visit(page, f"/vendor/bookings/{trip.reference}")
    amount = page.get_by_role("form", name="Rent to be paid").get_by_label("Amount")
    amount.fill("400")
    pay(shop, trip.reference, 400_00)

    def after() -> None:
        expect(amount).to_have_value(str((trip.balance.rent - 400_00) // 100))

    return after


def an_answer_is_sent(page: Page, shop: Shop) -> After:
    """The typed answer to a review stays, and its form stays open."""
    trip = returned(shop)
    for side in (shop.customer, shop.vendor):
        write(writing.write, actor(side), trip.reference, ReviewRequest(stars=5))
    visit(page, "/vendor/reviews")
    page.get_by_text("Answer").first.click()
    page.get_by_label("Your answer").press_sequentially("Come again")

    def after() -> None:
        expect(page.get_by_label("Your answer")).to_have_value("Come again")
        page.get_by_role("button", name="Send the answer").click()
        expect(toast(page, "Your answer is shown")).to_be_visible()

    return after
