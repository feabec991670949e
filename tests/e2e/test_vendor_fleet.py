"""The vendor's vehicles: table, switch, the dialog Edit Vehicle, and files replaced one by one."""

import re
from datetime import date

import pytest
from playwright.sync_api import expect
from sqlmodel import Session, select

from rental_app.infrastructure.db import read, write
from rental_app.models import Vehicle, VehiclePrice
from tests.e2e.conftest import DESKTOP, Browse
from tests.support.browser_listing import HERE, add_files, chooser, files_of, fill, listed, photo, problems, submit
from tests.support.browser_steps import moment_box, settled, toast, visit
from tests.support.fleet_table import MANAGE, choose_item, named, open_table, open_to_edit
from tests.support.line import Answers
from tests.support.rest_helpers import pdf
from tests.support.shop import DAILY_PAISE, Shop, a_model, add_vehicle, add_vehicles, moment

pytestmark = pytest.mark.e2e


def test_the_table_and_its_switch(browse: Browse, shop: Shop) -> None:
    off = add_vehicle(shop.vendor, insurance_expiry_date=moment(-1).date(), pollution_expiry_date=moment(30).date())
    page = browse(shop.vendor)
    table = open_table(page)
    expect(page.get_by_text("View all listed vehicles, update details, or block them from the booking")).to_be_visible()
    columns = ["Vehicle", "Category", "RC Number", "Status", "Active", "Edit"]
    # Before them is the box that selects all.
    expect(table.get_by_role("columnheader")).to_have_text(["", *columns])
    expired = table.get_by_role("row").filter(has_text=off.rc_number)
    for text in ("Unavailable", "Insurance expired 1 day ago", "Pollution expires in 30 days"):
        expect(expired).to_contain_text(text)
    row = table.get_by_role("row").filter(has_text=shop.vehicle.rc_number)
    for text in ("Honda Activa 6G", "2 seats · Automatic", "Available", "Family Scooter"):
        expect(row).to_contain_text(text)
    expect(row).not_to_contain_text("expires")
    switch = row.get_by_role("switch")
    switch.click()
    expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()
    expect(switch).not_to_be_checked()
    assert not read(lambda session: session.get(Vehicle, shop.vehicle.id)).is_active
    switch.click()
    expect(toast(page, "Vehicle is now on the platform")).to_be_visible()
    expect(switch).to_be_checked()


def test_a_switch_shows_the_press_before_the_answer_and_what_is_stored_after_it(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    answers = Answers(page)
    switch = open_table(page).get_by_role("switch")
    expect(switch).to_be_checked()
    settled(page)
    write(_switch_off, shop.vehicle.id)
    answers.held = True
    switch.click()
    expect(switch).not_to_be_checked()
    answers.let_through()
    expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()
    expect(switch).not_to_be_checked()
    expect(switch).to_be_focused()


def _switch_off(session: Session, vehicle_id: int) -> None:
    session.get_one(Vehicle, vehicle_id).is_active = False


def test_the_fleet_is_searched_filtered_sorted_and_paged(browse: Browse, shop: Shop) -> None:
    for number in range(1, 22):
        add_vehicle(shop.vendor, rc_number=f"AP{shop.vendor.id % 100:02}QQ{number:04}")
    sooner = add_vehicle(shop.vendor, insurance_expiry_date=moment(5).date(), is_active=False)
    page = browse(shop.vendor)
    rows = open_table(page).get_by_role("row")
    expect(rows).to_have_count(21)
    expect(page.get_by_text("1 to 20 of 23 vehicles")).to_be_visible()
    page.get_by_role("button", name="Next").click()
    expect(page.get_by_text("21 to 23 of 23 vehicles")).to_be_visible()
    expect(rows).to_have_count(4)
    page.get_by_label("Sort by").select_option("Documents that expire first")
    expect(rows.nth(1)).to_contain_text(sooner.rc_number)
    page.get_by_label("Sort by").select_option("RC number")
    expect(rows.nth(1)).to_contain_text("QQ0001")
    page.get_by_role("button", name="Switched off 1").click()
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text(sooner.rc_number)
    page.get_by_label("Vehicle type").select_option("Car")
    expect(page.get_by_role("heading", name="No matching vehicles")).to_be_visible()
    page.get_by_role("button", name="Show all vehicles").click()
    expect(rows).to_have_count(21)
    page.get_by_label("Search vehicles").fill("honda qq 0007")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("QQ0007")


def test_editing_a_vehicle(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(shop.vendor)
    dialog = open_to_edit(page, shop.vehicle)
    expect(dialog.get_by_label("RC Number")).to_have_value(shop.vehicle.rc_number)
    expect(dialog.get_by_label("Model").locator("option:checked")).to_have_text("Activa 6G")
    expect(dialog.get_by_label("Full Day: price in ₹")).to_have_value("500")
    expect(dialog.get_by_label("Week: Active")).not_to_be_checked()
    expect(dialog.get_by_text("Documents & Photos")).to_have_count(0)
    assert dialog.evaluate("dialog => [dialog.offsetWidth, dialog.offsetHeight]") == [896, 0.9 * DESKTOP["height"]]
    assert "\n".join(problems(page, script)) == ""

    dialog.get_by_label("Chassis Number").fill("short")
    dialog.get_by_role("button", name="Update Vehicle").click()
    expect(dialog.get_by_label("Chassis Number")).to_be_focused()
    expect(dialog.get_by_label("Chassis Number")).to_have_accessible_description(re.compile("^Enter the 17 characters"))
    dialog.get_by_label("Chassis Number").fill(shop.vehicle.chassis_number)
    dialog.get_by_label("Color").fill("Blue")
    dialog.get_by_label("Full Day: price in ₹").fill("650")
    dialog.get_by_role("button", name="Update Vehicle").click()
    expect(toast(page, "Vehicle updated successfully!")).to_be_visible()
    expect(dialog).to_be_hidden()

    def stored(session: Session) -> tuple[str, int]:
        price = session.exec(select(VehiclePrice).where(VehiclePrice.vehicle_id == shop.vehicle.id)).all()
        daily = next(row.price_paise for row in price if row.price_name == "Full Day")
        return session.get_one(Vehicle, shop.vehicle.id).color, daily

    assert read(stored) == ("Blue", 65_000)


@pytest.mark.long
def test_files_are_viewed_and_replaced_one_by_one(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09EB0004"})
    add_files(page)
    chooser(page, "RC").set_input_files({"name": "b.pdf", "mimeType": "application/pdf", "buffer": pdf()})
    submit(page)
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
    (vehicle,) = listed(shop)
    before = {file.id: file.group_name for file in files_of(vehicle)}
    open_table(page)
    choose_item(page, vehicle, "Files")
    dialog = page.get_by_role("dialog", name="Documents & Photos")
    expect(dialog.get_by_role("img", name="Insurance 1")).to_be_visible()
    with page.expect_download() as downloaded:
        dialog.get_by_role("button", name="Download RC 2").click()
    assert downloaded.value.suggested_filename == "RC 2.pdf"
    assert downloaded.value.path().read_bytes().startswith(b"%PDF-")
    with page.context.expect_page() as opened:
        dialog.get_by_role("button", name="View Insurance 1").click()
    expect(opened.value.locator("img")).to_be_visible()
    opened.value.close()
    assert "\n".join(problems(page, script)) == ""

    # Meanwhile the vehicle is edited in another tab.
    write(lambda session: setattr(session.get_one(Vehicle, vehicle.id), "color", "Green"))
    dialog.get_by_role("button", name="Remove Engine 1").click()
    dialog.get_by_role("button", name="Save Files").click()
    expect(toast(page, "Please upload documents for: Engine")).to_be_visible()
    dialog.get_by_label("Add files to Engine").set_input_files(photo("engine.jpg"))
    dialog.get_by_label("Replace RC 1").set_input_files(photo("new.jpg", (30, 40)))
    expect(dialog.get_by_role("img", name="new.jpg")).to_be_visible()
    dialog.get_by_role("button", name="Save Files").click()
    expect(toast(page, "Vehicle updated successfully!")).to_be_visible()
    expect(dialog).to_be_hidden()
    after = {file.id: file.group_name for file in files_of(vehicle)}
    assert sorted(after.values()) == sorted(before.values())
    assert sorted(before[gone] for gone in set(before) - set(after)) == ["Engine", "RC"]
    assert listed(shop)[0].color == "Green"


def test_prices_of_forty_scooters_change_with_six_presses_and_go_back_with_one(
    browse: Browse, shop: Shop, script: str
) -> None:
    add_vehicles(shop.vendor, 39)
    motorcycle = add_vehicle(shop.vendor, model_id=a_model("Motorcycle")[2])
    page = browse(shop.vendor, reduced_motion="reduce")
    table = open_table(page)
    presses = page.evaluate_handle(
        "() => { const list = []; addEventListener('click', (e) => list.push(e.target), true); return list; }"
    )
    # By hand a press on the list, and one on the choice in it; a browser under test makes neither.
    page.get_by_label("Vehicle type").select_option("Scooter")
    expect(page.get_by_text("1 to 20 of 40 vehicles")).to_be_visible()
    table.get_by_role("checkbox", name="Select all vehicles found").click()
    expect(page.get_by_text("40 selected")).to_be_visible()
    page.get_by_role("button", name="Price", exact=True).click()
    dialog = page.get_by_role("dialog", name="Change prices")
    expect(dialog.get_by_label("By how much")).to_be_focused()
    page.keyboard.type("10")
    prices = dialog.get_by_role("list", name="Prices before and after")
    expect(prices.get_by_role("listitem")).to_have_count(40)
    expect(prices.get_by_role("listitem").first).to_contain_text("₹500 → ₹550")
    assert "\n".join(problems(page, script)) == ""
    dialog.get_by_role("button", name="Save for 40 vehicles").click()
    expect(toast(page, "40 prices changed")).to_be_visible()
    expect(dialog).to_be_hidden()
    assert 2 + presses.evaluate("list => list.length") <= 6

    def daily() -> list[int]:
        ours = select(VehiclePrice).join(Vehicle).where(Vehicle.vendor_id == shop.vendor.id)
        return sorted(price.price_paise for price in read(lambda session: session.exec(ours).all()))

    assert daily() == [DAILY_PAISE] + [DAILY_PAISE * 11 // 10] * 40
    page.get_by_role("button", name="Undo").click()
    expect(toast(page, "Prices are as they were")).to_be_visible()
    assert daily() == [DAILY_PAISE] * 41
    expect(table.get_by_role("row").filter(has_text=motorcycle.rc_number)).to_have_count(0)


def test_vehicles_are_selected_without_the_server(browse: Browse, shop: Shop) -> None:
    add_vehicles(shop.vendor, 4)
    page = browse(shop.vendor, reduced_motion="reduce")
    boxes = open_table(page).get_by_role("checkbox", name=re.compile("^Select Honda"))
    settled(page)
    answers = Answers(page)
    answers.held = True
    bar = page.get_by_role("toolbar", name="Selected vehicles")
    boxes.nth(1).click()
    expect(bar).to_contain_text("1 selected")
    boxes.nth(3).click(modifiers=["Shift"])
    expect(bar).to_contain_text("3 selected")
    everything = page.get_by_role("checkbox", name="Select all vehicles found")
    assert everything.evaluate("box => box.indeterminate")
    boxes.nth(2).click()
    expect(bar).to_contain_text("2 selected")
    page.keyboard.press("Escape")
    expect(bar).to_be_hidden()
    expect(boxes.nth(1)).not_to_be_checked()
    everything.check()
    expect(bar).to_contain_text("5 selected")
    # It leaves the last row in sight.
    page.mouse.wheel(0, 5_000)
    last, below = boxes.last.bounding_box(), bar.bounding_box()
    assert last
    assert below
    assert last["y"] + last["height"] <= below["y"]
    answers.let_through()
    answers.held = False
    bar.get_by_role("button", name="Pause").click()
    expect(toast(page, "5 vehicles now blocked from booking")).to_be_visible()
    expect(page.get_by_role("switch", checked=True)).to_have_count(0)


def test_a_vehicle_is_retired_from_its_menu_and_brought_back(browse: Browse, shop: Shop) -> None:
    add_vehicle(shop.vendor)
    page = browse(shop.vendor, reduced_motion="reduce")
    table = open_table(page)
    row = table.get_by_role("row").filter(has_text=shop.vehicle.rc_number)
    choose_item(page, shop.vehicle, "Retire")
    page.get_by_role("alertdialog").get_by_role("button", name="Retire", exact=True).click()
    expect(toast(page, "Vehicle retired: its bookings, statements and reviews stay")).to_be_visible()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Retired 1").click()
    expect(row).to_be_visible()
    named(page, "More for", shop.vehicle).press("Enter")
    expect(page.get_by_role("menuitem", name="Files")).to_be_focused()
    expect(page.get_by_role("menuitem", name="Renew")).to_be_hidden()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    expect(toast(page, "Vehicle is back, switched off until you switch it on")).to_be_visible()
    page.get_by_role("button", name="All 2").click()
    expect(row).to_be_visible()
    choose_item(page, shop.vehicle, "Duplicate")
    page.wait_for_url("**/vendor/add-vehicle?draft=*")
    expect(page.get_by_label("Color", exact=True)).to_have_value(shop.vehicle.color)


def test_a_link_opens_the_renewal_of_a_vehicle(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, reduced_motion="reduce")
    visit(page, f"{MANAGE}?renew={shop.vehicle.id}&paper=Pollution")
    dialog = page.get_by_role("dialog", name="Renew a document")
    expect(dialog.get_by_label("Document", exact=True)).to_have_value("Pollution")
    moment_box(dialog, "Valid until").fill("31/03/2029")
    dialog.get_by_label("Add files to Pollution").set_input_files(photo("puc.jpg"))
    expect(dialog.get_by_role("img", name="puc.jpg")).to_be_visible()
    dialog.get_by_role("button", name="Renew", exact=True).click()
    expect(toast(page, "Pollution renewed: valid until 31 Mar 2029.")).to_be_visible()
    expect(dialog).to_be_hidden()
    assert read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).pollution_expiry_date == date(2029, 3, 31)
    assert "renew" not in page.url
