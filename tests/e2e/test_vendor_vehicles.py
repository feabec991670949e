"""Listing a vehicle: dependent fields, checks, prices, and the keyboard alone."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.domain import clock
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.models import VehiclePrice
from tests.e2e.conftest import Browse
from tests.support.browser_listing import (
    FIELD_NAMES,
    HERE,
    TYPED,
    choose_model,
    chooser,
    field,
    fill,
    listed,
    photo,
    problems,
    submit,
)
from tests.support.browser_steps import toast, visit
from tests.support.shop import Shop, add_vehicle, moment, put

pytestmark = pytest.mark.e2e


def test_fields_depend_on_one_another(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    for label in ("Manufacturer", "Model"):
        expect(field(page, label)).to_be_disabled()
    years = field(page, "Year").locator("option").all_inner_texts()[1:]
    this_year = clock.indian_today(clock.now()).year
    assert years == [str(this_year - back) for back in range(20)]
    expect(field(page, "Color")).to_have_attribute("placeholder", "White")
    choose_model(page)
    rows = page.get_by_role("table", name="Pricing").get_by_role("row")
    expect(rows.first.get_by_role("columnheader")).to_have_text(["Status", "Plan", "Price", "Info", "Kms Limit"])
    expect(rows).to_have_count(5)
    expect(rows.nth(2)).to_contain_text(re.compile(r"Full Day.*Min:\s₹[\d,]+ Max:\s₹[\d,]+"))
    field(page, "Manufacturer").select_option("TVS")
    expect(field(page, "Model")).to_have_value("")
    expect(page.get_by_text("Choose a model to see its price plans.")).to_be_visible()
    field(page, "Vehicle Type").select_option("Car")
    expect(field(page, "Manufacturer")).to_have_value("")
    expect(field(page, "Model")).to_be_disabled()

    expect(field(page, "Drop-off Payment (₹)")).to_be_hidden()
    field(page, "Drop-off / Pickup Extra Payment?").check()
    for label in ("Drop-off Payment (₹)", "Pickup Payment (₹)"):
        expect(field(page, label)).to_be_visible()


def test_what_is_missing_is_named_and_marked(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    submit(page)
    expect(toast(page, f"Please fill all required fields: {FIELD_NAMES}")).to_be_visible()
    expect(field(page, "Vehicle Type")).to_be_focused()
    expect(page.get_by_text("Please fill this in")).to_have_count(17)
    expect(field(page, "Security Deposit (₹)")).to_have_accessible_description("Please fill this in")
    fill(page, Color="  ")
    submit(page)
    told = re.compile("^Please fill all required fields: color1 field to fill$")
    expect(toast(page, told)).to_be_visible()
    field(page, "Color").fill("Red")
    chooser(page, "Tyre").set_input_files(photo("tyre.jpg"))
    submit(page)
    others = [group for group in FILE_GROUPS if group != "Tyre"]
    expect(toast(page, f"Please upload documents for: {', '.join(others)}")).to_be_visible()
    # The photos that customers see stand first on the page.
    expect(chooser(page, "Front")).to_be_focused()
    expect(chooser(page, "RC")).to_have_accessible_description("Upload at least one file")
    expect(page.get_by_text("Upload at least one file")).to_have_count(9)
    expect(toast(page, "Please")).to_have_count(0)
    assert "\n".join(problems(page, script)) == ""


@pytest.mark.long
def test_fields_are_checked_as_typed_and_a_paper_that_runs_out_is_pointed_out(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    for label, typed, told in (
        ("RC Number", "TS 9", "Enter a registration number like TS09EA1234"),
        ("Chassis Number", "ME4", "Enter the 17 characters of the chassis number (no I, O or Q)"),
        ("Engine Number", "?", "Enter 5 to 20 letters and digits"),
        ("Last Serviced Date", f"{moment(2):%d/%m/%Y}", f"Not after {clock.indian(clock.now()):%d/%m/%Y}"),
        ("Insurance Expiry Date", "1/1/2206", "Not after 31/12/2099"),
        ("Insurance Expiry Date", "1/1/2099", "Check the year of this date"),
        ("Odometer Reading", "many", "Enter a whole number"),
        ("Security Deposit (₹)", "-5", "Enter an amount between 0 and 5,00,000 rupees"),
    ):
        field(page, label).fill(typed)
        field(page, label).press("Tab")
        expect(field(page, label)).to_have_accessible_description(told)
        field(page, label).fill(TYPED[label])
        field(page, label).press("Tab")
        expect(page.get_by_text(told)).to_have_count(0)
    field(page, "Insurance Expiry Date").fill(f"{moment(12):%d/%m/%Y}")
    field(page, "Insurance Expiry Date").press("Tab")
    expect(page.get_by_text("Insurance expires in 12 days")).to_be_visible()
    field(page, "Pollution Expiry Date").fill(f"{moment(-3):%d/%m/%Y}")
    field(page, "Pollution Expiry Date").press("Tab")
    expired = "This has expired: renew it, then enter the new date"
    expect(field(page, "Pollution Expiry Date")).to_have_accessible_description(expired)


def test_prices_are_copied_from_an_earlier_vehicle(browse: Browse, shop: Shop) -> None:
    other = add_vehicle(shop.vendor, daily=77_700)
    put(VehiclePrice(vehicle_id=other.id, price_name="Week", price_paise=400_050, kms_limit=700, status="Inactive"))
    page = browse(shop.vendor)
    visit(page, HERE)
    choose_model(page)
    box = page.get_by_role("combobox", name="Copy Prices From")
    expect(box).to_have_attribute("placeholder", "-- Select Previous Vehicle --")
    label = f"Honda Activa 6G - {other.rc_number}"
    # The browser renders the list itself: choosing an entry is like typing its whole label.
    assert label in box.evaluate("box => [...box.list.options].map((option) => option.value)")
    box.press_sequentially(label, delay=15)
    expect(toast(page, "Prices copied from selected vehicle!")).to_be_visible()
    expect(box).to_have_value(label)
    expect(field(page, "Full Day: price in ₹")).to_have_value("777")
    expect(field(page, "Week: price in ₹")).to_have_value("4000.5")
    expect(field(page, "Week: kms limit")).to_have_value("700")
    expect(field(page, "Week: Active")).not_to_be_checked()
    expect(field(page, "Full Day: price in ₹")).to_have_accessible_description(re.compile("^Above the advised ₹"))
    field(page, "Full Day: price in ₹").fill("1")
    expect(field(page, "Full Day: price in ₹")).to_have_accessible_description(re.compile("^Below the advised ₹"))
    field(page, "Full Day: price in ₹").fill("777")
    box.clear()
    expect(field(page, "Full Day: price in ₹")).to_have_value("777")
    box.fill("no such vehicle")
    box.press("Enter")
    expect(toast(page, "Asset not found")).to_be_visible()
    expect(box).to_have_value("no such vehicle")
    box.fill(f"activa {other.rc_number[-4:]}")
    box.press("Enter")
    expect(box).to_have_value(label)


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until a control has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{target} cannot be reached")


@pytest.mark.long
def test_with_the_keyboard_alone(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    # Playwright intercepts file choosers while there is a listener; adding one for each is sometimes too late.
    page.on("filechooser", lambda _: None)
    visit(page, HERE)
    field(page, "Vehicle Type").wait_for()

    def go_to(label: str) -> None:
        tab_to(page, field(page, label))

    for label, choice in (
        ("Vehicle Type", "Scooter"),
        ("Manufacturer", "Honda"),
        ("Model", "Activa 6"),
        ("Year", "20"),
    ):
        # Dependent choices come from the server, twice where another maker starts with the same letter.
        expect(field(page, label)).to_be_enabled()
        expect(field(page, label).locator("option", has_text=choice)).not_to_have_count(0)
        go_to(label)
        page.keyboard.type(choice)
        expect(field(page, label).locator("option:checked")).to_contain_text(choice)
    for label, text in TYPED.items():
        go_to(label)
        page.keyboard.type(text)
    go_to("Copy Prices From")
    page.keyboard.type(shop.vehicle.rc_number)
    page.keyboard.press("Enter")
    expect(field(page, "Full Day: price in ₹")).to_have_value("500")
    for group in (*FILE_GROUPS[3:], *FILE_GROUPS[:3]):
        go_to(f"Add files to {group}")
        with page.expect_file_chooser() as opened:
            page.keyboard.press("Space")
        opened.value.set_files(photo(f"{group}.jpg"))
        expect(page.get_by_role("button", name=f"Remove {group}.jpg from {group}")).to_be_attached()
    tab_to(page, page.get_by_role("button", name="List Your Vehicle"))
    page.keyboard.press("Enter")
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
    assert [vehicle.rc_number for vehicle in listed(shop)] == ["TS09EA4321"]
