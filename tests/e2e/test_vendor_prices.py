"""The vendor's prices: the fleet's typed by keyboard, rules previewed before they are saved, on a phone, in a row."""

import pytest
from playwright.sync_api import expect

from rental_app.infrastructure.db import read, write
from rental_app.models import Vehicle
from rental_app.schemas.prices import FleetPrices
from rental_app.services.bookings import lists, requests
from rental_app.services.fleet import price_rules, prices
from tests.e2e.conftest import PHONE, Browse
from tests.support import axe
from tests.support.axe import problems
from tests.support.browser_steps import follow, moment_box, settled, toast, visit
from tests.support.price_table import figures, retype
from tests.support.shop import Shop, actor, add_vehicle, wanted

pytestmark = pytest.mark.e2e
HERE = "/vendor/prices"


def stored(shop: Shop, vehicle: Vehicle) -> dict[str, int]:
    """Return a vehicle's plans in rupees."""
    found = read(prices.of_vendor, actor(shop.vendor))
    return {price.price_name: price.price_paise // 100 for price in found if price.vehicle == vehicle.id}


def test_a_fleets_prices_are_typed_refused_corrected_and_saved_at_once(browse: Browse, shop: Shop) -> None:
    other, page = add_vehicle(shop.vendor), browse(shop.vendor, reduced_motion="reduce")
    visit(page, HERE)
    price, kms = figures(page), figures(page, "kms limit")
    retype(price(other, "Full Day"), "Rs 12,345")
    page.keyboard.press("Tab")
    expect(kms(other, "Full Day")).to_be_focused()
    retype(price(other, "Week"), "60000")
    retype(price(shop.vehicle, "Full Day"), "0")
    page.keyboard.press("Enter")
    wrong = price(shop.vehicle, "Full Day")
    expect(wrong).to_be_focused()
    expect(wrong).to_have_accessible_description("Enter more than 0, or switch the plan off")
    expect(price(other, "Full Day")).to_have_value("Rs 12,345")
    assert (stored(shop, other), stored(shop, shop.vehicle)) == ({"Full Day": 500}, {"Full Day": 500})
    assert problems(page, axe.source()) == []

    # Following a link does not lose what is typed.
    page.get_by_role("navigation", name="Vendor").get_by_role("link", name="Earnings").click()
    question = page.get_by_role("alertdialog", name="Leave without saving?")
    question.get_by_role("button", name="Keep editing").click()
    expect(question).to_be_hidden()
    retype(wrong, "550")
    # Another tab is faster.
    changed = {"vehicle": shop.vehicle.id, "price_name": "Full Day", "price": 600}
    write(prices.change, actor(shop.vendor), FleetPrices.model_validate([changed]))
    save = page.get_by_role("button", name="Save prices")
    save.press("Enter")
    expect(wrong).to_have_accessible_description("Changed elsewhere in the meantime: now ₹600, 100 km, Active")
    assert (stored(shop, other), stored(shop, shop.vehicle)) == ({"Full Day": 500}, {"Full Day": 600})
    save.press("Enter")
    expect(toast(page, "3 prices saved")).to_be_visible()
    expect(price(other, "Full Day")).to_have_value("12345")
    expect(save).to_be_focused()
    assert stored(shop, other) == {"Full Day": 12_345, "Week": 60_000}
    assert stored(shop, shop.vehicle) == {"Full Day": 550}
    # Nothing is unsaved any more.
    follow(page, page.get_by_role("navigation", name="Vendor").get_by_role("link", name="Earnings"))
    page.wait_for_url("**/vendor/earnings")


def test_a_rule_is_tried_before_it_is_saved(browse: Browse, shop: Shop) -> None:
    booked = write(requests.create, actor(shop.customer), wanted(shop.vehicle))
    page = browse(shop.vendor, reduced_motion="reduce")
    visit(page, HERE)
    page.get_by_role("button", name="Add a rule").press("Enter")
    dialog = page.get_by_role("dialog", name="Add a price rule")
    dialog.get_by_label("Days").select_option("Every Sunday")
    dialog.get_by_label("By how many percent").press_sequentially("20")
    expect(dialog.get_by_role("status").last).to_contain_text("₹600 instead of ₹500")
    dialog.get_by_label("The price is").select_option("Lower")
    expect(dialog.get_by_role("status").last).to_contain_text("₹400 instead of ₹500")
    dialog.get_by_label("Days").select_option("From one date to another")
    expect(moment_box(dialog, "First day")).to_be_visible()
    assert problems(page, axe.source()) == []
    dialog.get_by_label("By how many percent").press("Enter")
    expect(moment_box(dialog, "First day")).to_be_focused()
    assert read(price_rules.of_vendor, actor(shop.vendor)) == []
    dialog.get_by_label("Days").select_option("Every Sunday")
    dialog.get_by_role("button", name="Save rule").dblclick()
    expect(toast(page, "Price rule added")).to_be_visible()
    expect(dialog).to_be_hidden()
    settled(page)
    assert len(read(price_rules.of_vendor, actor(shop.vendor))) == 1
    rules = page.get_by_role("table", name="Price rules").get_by_role("row")
    expect(rules.nth(1)).to_contain_text("Every Sunday")
    expect(rules.nth(1)).to_contain_text("20 % cheaper")
    page.get_by_role("button", name="Remove the rule: Every Sunday").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
    expect(page.get_by_text("No rules: every day costs the same.")).to_be_visible()
    (kept,) = read(lists.of_customer, actor(shop.customer)).items
    assert (kept.id, kept.price) == (booked.id, 50_000)


@pytest.mark.long
def test_a_phone_shows_vehicle_by_vehicle_and_prices_are_copied(browse: Browse, shop: Shop) -> None:
    other = add_vehicle(shop.vendor, 90_000)
    page = browse(shop.vendor, viewport=PHONE, reduced_motion="reduce")
    visit(page, HERE)
    price = figures(page)
    expect(price(other, "Full Day")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    price(other, "Month").scroll_into_view_if_needed()
    assert problems(page, axe.source()) == []
    page.get_by_role("button", name="Copy to others").click()
    dialog = page.get_by_role("dialog", name="Copy prices")
    # The newest is chosen at first; a vehicle's prices are not copied to itself.
    expect(dialog.get_by_role("group", name="Vehicles").get_by_role("checkbox")).to_have_count(1)
    dialog.get_by_label("From").select_option(f"Honda Activa 6G - {shop.vehicle.rc_number}")
    dialog.get_by_label(other.rc_number).check()
    dialog.get_by_label("From").select_option(f"Honda Activa 6G - {other.rc_number}")
    expect(dialog.get_by_label(other.rc_number)).to_have_count(0)
    dialog.get_by_role("button", name="Copy prices").click()
    expect(dialog.get_by_role("alert")).to_have_text("Choose the vehicles that get the prices")
    dialog.get_by_label(shop.vehicle.rc_number).check()
    assert problems(page, axe.source()) == []
    dialog.get_by_role("button", name="Copy prices").click()
    expect(toast(page, "Prices copied to 1 vehicle")).to_be_visible()
    expect(price(shop.vehicle, "Full Day")).to_have_value("900")
    assert stored(shop, shop.vehicle) == {"Full Day": 900}


@pytest.mark.long
def test_the_days_price_is_typed_in_the_row_of_the_fleet(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, reduced_motion="reduce")
    visit(page, "/vendor/manage-vehicles")
    button = page.get_by_role("button", name=f"Day's price of Honda Activa 6G, {shop.vehicle.rc_number}")
    field = page.get_by_label(f"New price in ₹ per day of Honda Activa 6G, {shop.vehicle.rc_number}")
    button.press("Enter")
    expect(field).to_be_focused()
    field.press_sequentially("9")
    field.press("Escape")
    expect(field).to_be_hidden()
    expect(button).to_be_focused()
    button.press("Enter")
    expect(field).to_be_focused()
    retype(field, "-1")
    field.press("Enter")
    expect(field).to_have_accessible_description("Enter an amount between 0 and 5,00,000 rupees")
    assert problems(page, axe.source()) == []
    # Coming back to the page starts afresh.
    menu = page.get_by_role("navigation", name="Vendor")
    follow(page, menu.get_by_role("link", name="Earnings"))
    follow(page, menu.get_by_role("link", name="Manage Vehicles"))
    expect(field).to_be_hidden()
    button.press("Enter")
    retype(field, "Rs 1,250")
    field.press("Enter")
    expect(toast(page, "Price saved")).to_be_visible()
    expect(button).to_have_text("₹1,250 a day")
    expect(button).to_be_focused()
    assert stored(shop, shop.vehicle) == {"Full Day": 1250}
