"""Many vehicles are begun at once: drafts in a list, from a sheet, and another like the one just listed."""

import re
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rental_app.domain.uploads import FILE_GROUPS
from tests.e2e.conftest import PHONE, Browse
from tests.support.browser_listing import (
    HERE,
    TYPED,
    add_files,
    chooser,
    field,
    fill,
    have_gone_up,
    listed,
    photo,
    problems,
    submit,
)
from tests.support.browser_steps import settled, toast, visit
from tests.support.sheets import HEADER, xlsx
from tests.support.shop import Shop

pytestmark = pytest.mark.e2e
COUNTED = "window.taps = 0; addEventListener('pointerdown', () => { window.taps += 1; }, true);"
# What a second vehicle has of its own.
OWN = {"RC Number": "TS09ED0002", "Engine Number": "JF50E7654321", "Chassis Number": "ME4JF501AJT654321"}
OWN |= {label: TYPED[label] for label in ("Odometer Reading", "Last Serviced Date", "Insurance Expiry Date")}
OWN |= {"Pollution Expiry Date": TYPED["Pollution Expiry Date"]}
MOST_TAPS = 25


def test_a_sheet_becomes_drafts_that_are_continued_and_deleted(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    field(page, "Color").fill("Typed before")
    rows: list[list[Any]] = [["TS09EA0001", "Activa 6G", 450, "Rs 2,000"], ["TS09EA0002", "Zephyr", "2k"]]
    sheet = {"name": "fleet.xlsx", "mimeType": "application/octet-stream", "buffer": xlsx([["Fleet"], HEADER, *rows])}
    page.get_by_label("Import vehicles from a sheet").set_input_files(sheet)
    expect(page.get_by_text("2 drafts made, 2 problems")).to_be_visible()
    expect(page.get_by_text("Row 4, Model: Zephyr: We do not have this model")).to_be_visible()
    expect(page.get_by_text("Row 4, Rate/day: 2k: Enter an amount in rupees")).to_be_visible()
    with page.expect_download() as template:
        page.get_by_role("link", name="Download a template").click()
    assert template.value.suggested_filename == "vehicles.csv"
    assert "\n".join(problems(page, script)) == ""

    page.get_by_role("button", name="Continue Honda Activa 6G TS09EA0001").click()
    expect(field(page, "RC Number")).to_have_value("TS09EA0001")
    expect(field(page, "Full Day: price in ₹")).to_have_value("450")
    page.get_by_role("button", name=re.compile("^Continue Draft of ")).click()
    expect(field(page, "Color")).to_have_value("Typed before")
    page.reload()
    expect(field(page, "Color")).to_have_value("Typed before")
    page.get_by_role("button", name="Delete TS09EA0002").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Delete", exact=True).click()
    expect(toast(page, "Draft deleted")).to_be_visible()
    expect(page.get_by_role("button", name=re.compile("^Continue "))).to_have_count(1)
    page.get_by_role("button", name="Begin another vehicle").click()
    expect(page.get_by_role("button", name=re.compile("^Continue "))).to_have_count(2)
    expect(field(page, "Color")).to_have_value("")


def fill_own(page: Page) -> int:
    """Tap and type what a second vehicle has of its own; return how many days were pressed."""
    pressed = 0
    for label, text in OWN.items():
        field(page, label).tap()
        page.keyboard.type(text)
        if label.endswith("Date"):
            # As a press on the day in the calendar, which closes then.
            page.keyboard.press("Enter")
            pressed += 1
    return pressed


def test_a_second_vehicle_of_the_same_kind_takes_few_taps(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, viewport=PHONE, has_touch=True, is_mobile=True)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09ED0001"})
    add_files(page)
    submit(page)
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
    expect(page.get_by_role("link", name="See it")).to_have_attribute("href", re.compile("/vehicle-details/"))
    settled(page)
    page.evaluate(COUNTED)
    page.get_by_role("button", name="List another like this").tap()
    expect(field(page, "Engine Number")).to_be_visible()
    expect(field(page, "RC Number")).to_have_value("")
    expect(field(page, "Owner Name (as per RC)")).to_have_value(TYPED["Owner Name (as per RC)"])
    pressed = fill_own(page)
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="Photos").tap()
    heights = page.locator(".fg-frame").evaluate_all("tiles => tiles.map(tile => tile.offsetHeight)")
    for group in FILE_GROUPS:
        chooser(page, group).set_input_files(photo(f"{group}.jpg"))
    have_gone_up(page)
    expect(page.get_by_text("10 of 10 saved")).to_be_visible()
    assert page.locator(".fg-frame").evaluate_all("tiles => tiles.map(tile => tile.offsetHeight)") == heights
    page.get_by_role("button", name="List Your Vehicle").tap()
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
    # A press on each tile opens the camera.
    taps = page.evaluate("window.taps") + pressed + len(FILE_GROUPS)
    assert taps <= MOST_TAPS, f"{taps} taps"
    assert {vehicle.rc_number for vehicle in listed(shop)} == {"TS09ED0001", "TS09ED0002"}
    assert len({(vehicle.color, vehicle.deposit_paise, vehicle.model_id) for vehicle in listed(shop)}) == 1


def test_the_last_button_pressed_early_leads_to_the_first_tile_missing(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, viewport=PHONE)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09ED0003"})
    for group in FILE_GROUPS[:4]:
        chooser(page, group).set_input_files(photo(f"{group}.jpg"))
    have_gone_up(page)
    expect(page.get_by_role("button", name="List Your Vehicle")).to_be_enabled()
    submit(page)
    missing = ", ".join(FILE_GROUPS[4:])
    expect(toast(page, f"Please upload documents for: {missing}")).to_be_visible()
    expect(chooser(page, "Left")).to_be_focused()
