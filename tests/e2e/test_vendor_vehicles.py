"""Listing a vehicle: dependent fields, checks, prices, files, and what happens when the network fails."""

import io
import re
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import Locator, Page, Request, Route, expect
from sqlmodel import Session, select

from rental_app.db import read
from rental_app.models import Vehicle, VehicleFile, VehiclePrice
from rental_app.models.vehicle import FILE_GROUPS
from rental_app.rules import clock
from rental_app.services import files
from tests.api.helpers import jpeg, pdf
from tests.e2e import axe
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.e2e.steps import toast, visit
from tests.helpers import Shop, add_vehicle, moment, put

pytestmark = pytest.mark.e2e
HERE = "/vendor/add-vehicle"
TYPED = {
    "Color": "White",
    "RC Number": "ts 9 ea 4321",
    "Engine Number": "JF50E1234567",
    "Chassis Number": "me4jf501ajt123456",
    "Owner Name (as per RC)": "Hidden Owner",
    "Odometer Reading": "12000",
    "Last Serviced Date": f"{moment(-20):%Y-%m-%d}",
    "Insurance Expiry Date": f"{moment(300):%Y-%m-%d}",
    "Pollution Expiry Date": f"{moment(200):%Y-%m-%d}",
    "Speed Limit (kmph)": "70",
    "Late Penalty (₹/hr)": "50",
    "Distance Penalty (₹/km)": "4.5",
    "Security Deposit (₹)": "2000",
}
FIELD_NAMES = (
    "vehicleType, manufacturer, model, year, color, rc_number, engine_number, chassis_number, odometer_reading,"
    " owner_name_as_per_rc, last_serviced_date, insurance_expiry_date, pollution_expiry_date, speed_limit_kmph,"
    " late_penalty_per_hour, distance_penalty_per_km, security_deposit"
)
DATE_FIELD = re.compile("Date")


def photo(name: str, size: tuple[int, int] = (64, 48)) -> dict[str, Any]:
    return {"name": name, "mimeType": "image/jpeg", "buffer": jpeg(size)}


def field(page: Page, label: str) -> Locator:
    return page.get_by_label(label, exact=True)


def chooser(page: Page, group: str) -> Locator:
    return page.get_by_label(f"Add files to {group}", exact=True)


def choose_model(page: Page) -> None:
    field(page, "Vehicle Type").select_option("Scooter")
    field(page, "Manufacturer").select_option("Honda")
    field(page, "Model").select_option("Activa 6G")


def fill(page: Page, **changes: str) -> None:
    """Fill in all that is required but the files."""
    choose_model(page)
    field(page, "Year").select_option(index=1)
    for label, text in (TYPED | changes).items():
        field(page, label).fill(text)
    field(page, "Full Day: price in ₹").fill("450")


def add_files(page: Page) -> None:
    for group in FILE_GROUPS:
        chooser(page, group).set_input_files(photo(f"{group}.jpg"))
        expect(page.get_by_role("img", name=f"{group}.jpg")).to_be_visible()


def submit(page: Page) -> None:
    page.get_by_role("button", name="List Your Vehicle").click()


def listed(shop: Shop) -> list[Vehicle]:
    """The vendor's vehicles, the shop's own left out."""

    def find(session: Session) -> list[Vehicle]:
        own = select(Vehicle).where(Vehicle.vendor_id == shop.vendor.id, Vehicle.id != shop.vehicle.id)
        return list(session.exec(own))

    return read(find)


def files_of(vehicle: Vehicle) -> list[VehicleFile]:
    own = select(VehicleFile).where(VehicleFile.vehicle_id == vehicle.id)
    return read(lambda session: list(session.exec(own)))


@pytest.fixture
def script(request: pytest.FixtureRequest) -> str:
    """axe-core."""
    return axe.source(request.config.cache.mkdir("axe-core"))


def problems(page: Page, script: str) -> list[str]:
    """What axe finds in both colour schemes, on a desk and on a phone; the phone's page must not be too wide."""
    page.evaluate(script)
    found = []
    for viewport in (DESKTOP, PHONE):
        page.set_viewport_size(viewport)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
            expect(page.locator("html")).to_contain_class(scheme)
            found += [f"{viewport['width']} {scheme}: {line}" for line in axe.violations(page)]
        assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    page.set_viewport_size(DESKTOP)
    return found


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
    expect(rows.nth(2)).to_contain_text(re.compile(r"Full Day.*Min: ₹\d+ Max: ₹\d+"))
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
    expect(toast(page, re.compile("^Please fill all required fields: color$"))).to_be_visible()
    field(page, "Color").fill("Red")
    chooser(page, "Tyre").set_input_files(photo("tyre.jpg"))
    submit(page)
    others = [group for group in FILE_GROUPS if group != "Tyre"]
    expect(toast(page, f"Please upload documents for: {', '.join(others)}")).to_be_visible()
    expect(chooser(page, "RC")).to_be_focused()
    expect(chooser(page, "RC")).to_have_accessible_description("Upload at least one file")
    expect(page.get_by_text("Upload at least one file")).to_have_count(9)
    expect(toast(page, "Please")).to_have_count(0)
    assert "\n".join(problems(page, script)) == ""


@pytest.mark.parametrize(
    ("label", "typed", "told"),
    [
        ("RC Number", "TS 9", "Enter a registration number like TS09EA1234"),
        ("Chassis Number", "ME4", "Enter the 17 characters of the chassis number (no I, O or Q)"),
        ("Engine Number", "?", "Enter 5 to 20 letters and digits"),
        ("Last Serviced Date", f"{moment(2):%Y-%m-%d}", "The last service cannot lie in the future"),
        ("Insurance Expiry Date", "2206-01-01", "Check the year of this date"),
        ("Odometer Reading", "many", "Enter a whole number"),
        ("Security Deposit (₹)", "-5", "Enter an amount between 0 and 500000 rupees"),
    ],
)
def test_fields_are_checked_as_typed(browse: Browse, shop: Shop, label: str, typed: str, told: str) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    field(page, label).fill(typed)
    expect(field(page, label)).to_have_accessible_description(told)
    field(page, label).fill(TYPED[label])
    expect(page.get_by_text(told)).to_have_count(0)


def test_a_paper_that_runs_out_is_pointed_out(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    field(page, "Insurance Expiry Date").fill(f"{moment(12):%Y-%m-%d}")
    expect(page.get_by_text("Insurance expires in 12 days")).to_be_visible()
    field(page, "Pollution Expiry Date").fill(f"{moment(-3):%Y-%m-%d}")
    expect(page.get_by_text("The pollution certificate expired 3 days ago: customers cannot book")).to_be_visible()


def test_prices_are_copied_from_an_earlier_vehicle(browse: Browse, shop: Shop) -> None:
    other = add_vehicle(shop.vendor, daily=77_700)
    put(VehiclePrice(vehicle_id=other.id, price_name="Week", price_paise=400_050, kms_limit=700, status="Inactive"))
    page = browse(shop.vendor)
    visit(page, HERE)
    choose_model(page)
    box = page.get_by_role("combobox", name="Copy Prices From")
    expect(box).to_have_attribute("placeholder", "-- Select Previous Vehicle --")
    box.fill(f"activa {other.rc_number[-4:]}")
    label = f"Honda Activa 6G - {other.rc_number}"
    options = page.get_by_role("listbox").get_by_role("option")
    expect(options).to_have_text([label])
    options.click()
    expect(toast(page, "Prices copied from selected vehicle!")).to_be_visible()
    expect(box).to_have_value(label)
    expect(field(page, "Full Day: price in ₹")).to_have_value("777")
    expect(field(page, "Week: price in ₹")).to_have_value("4000.5")
    expect(field(page, "Week: kms limit")).to_have_value("700")
    expect(field(page, "Week: Active")).not_to_be_checked()
    page.get_by_role("button", name="Clear the chosen vehicle").click()
    expect(box).to_have_value("")
    expect(field(page, "Full Day: price in ₹")).to_have_value("777")
    box.fill("no such vehicle")
    box.press("Enter")
    expect(toast(page, "Asset not found")).to_be_visible()


def tab_to(page: Page, target: Locator) -> None:
    """Press Tab until a control has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if target.evaluate("element => element === document.activeElement"):
            return
    raise AssertionError(f"{target} cannot be reached")


def test_with_the_keyboard_alone(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    # Playwright looks out for choosers while somebody listens; switching that on for each comes too late at times.
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
        go_to(label)
        expect(field(page, label)).to_be_enabled()
        page.keyboard.type(choice)
        expect(field(page, label)).not_to_have_value("")
        page.wait_for_timeout(400)
    for label, text in TYPED.items():
        go_to(label)
        # Chromium here is American: month, day, year.
        page.keyboard.type("".join(text[5:].split("-")) + text[:4] if DATE_FIELD.search(label) else text)
    go_to("Copy Prices From")
    page.keyboard.type(shop.vehicle.rc_number)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(field(page, "Full Day: price in ₹")).to_have_value("500")
    for group in FILE_GROUPS:
        go_to(f"Add files to {group}")
        with page.expect_file_chooser() as opened:
            page.keyboard.press("Space")
        opened.value.set_files(photo(f"{group}.jpg"))
        expect(page.get_by_role("button", name=f"Remove {group}.jpg from {group}")).to_be_attached()
    tab_to(page, page.get_by_role("button", name="List Your Vehicle"))
    page.keyboard.press("Enter")
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
    assert [vehicle.rc_number for vehicle in listed(shop)] == ["TS09EA4321"]


def test_files_are_shown_removed_dropped_and_made_small(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09EB0001"})
    add_files(page)
    scan = {"name": "scan.pdf", "mimeType": "application/pdf", "buffer": pdf()}
    chooser(page, "Insurance").set_input_files([scan, photo("second.jpg")])
    group = page.get_by_role("group", name="Insurance files")
    expect(group.get_by_role("listitem")).to_have_count(4)
    expect(group.get_by_text("scan.pdf")).to_be_visible()
    page.get_by_role("button", name="Remove Insurance.jpg from Insurance").click()
    expect(group.get_by_role("img")).to_have_count(1)
    chooser(page, "Front").set_input_files(scan)
    expect(page.get_by_text("scan.pdf is a PDF: add a photo (JPEG, PNG or WebP)")).to_be_visible()
    chooser(page, "Tyre").set_input_files({"name": "notes.txt", "mimeType": "text/plain", "buffer": b"x"})
    expect(page.get_by_text("notes.txt cannot be used")).to_be_visible()

    chooser(page, "RC").set_input_files(photo("large.jpg", (4000, 3000)))
    dropped = page.evaluate_handle(
        "() => { const data = new DataTransfer();"
        " data.items.add(new File([Uint8Array.from(atob('R0lGODlhAQABAAAAACw='), c => c.charCodeAt(0))],"
        " 'dropped.png', {type: 'image/png'})); return data; }"
    )
    engine = page.get_by_role("group", name="Engine files")
    engine.dispatch_event("drop", {"dataTransfer": dropped})
    remove = page.get_by_role("button", name="Remove dropped.png from Engine")
    expect(remove).to_be_visible()
    assert "\n".join(problems(page, script)) == ""
    remove.click()
    submit(page)
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()

    (vehicle,) = listed(shop)
    kept = {(file.group_name, file.content_type): file for file in files_of(vehicle)}
    assert ("Insurance", "application/pdf") in kept
    papers = [files.load(file.key) for file in files_of(vehicle) if file.group_name == "RC"]
    assert sorted(Image.open(io.BytesIO(data)).size for data in papers) == [(64, 48), (2000, 1500)]


def test_a_failed_upload_keeps_everything_and_two_clicks_list_once(
    browse: Browse, complaints: Complaints, shop: Shop
) -> None:
    complaints.expected.append("net::ERR_FAILED")
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": "TS09EB0002"})
    add_files(page)
    page.route("**/api/vendor/add-vehicle", lambda route: route.abort())
    submit(page)
    expect(toast(page, "The connection failed. Nothing you entered is lost: please try again.")).to_be_visible()
    expect(field(page, "Model").locator("option:checked")).to_have_text("Activa 6G")
    for label in ("Color", "Owner Name (as per RC)"):
        expect(field(page, label)).to_have_value(TYPED[label])
    expect(page.get_by_role("button", name=re.compile("^Remove "))).to_have_count(10)
    page.unroute("**/api/vendor/add-vehicle")

    sent: list[Request] = []
    waiting: list[Route] = []
    page.route("**/api/vendor/add-vehicle", lambda route: waiting.append(route))
    page.on("request", lambda request: sent.append(request) if "add-vehicle" in request.url else None)
    submit(page)
    button = page.get_by_role("button", name="Listing...")
    expect(button).to_be_visible()
    expect(page.get_by_role("progressbar", name="Upload")).to_be_visible()
    button.click(force=True)
    page.keyboard.press("Enter")
    page.wait_for_timeout(300)
    waiting[0].continue_()
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()
    assert len([request for request in sent if request.method == "POST"]) == 1
    assert len(listed(shop)) == 1
    for label in ("Vehicle Type", "Model", "Year", "Color", "RC Number", "Insurance Expiry Date"):
        expect(field(page, label)).to_have_value("")
    expect(page.get_by_role("button", name=re.compile("^Remove "))).to_have_count(0)


def test_what_the_server_refuses_stands_beside_the_field(browse: Browse, complaints: Complaints, shop: Shop) -> None:
    complaints.expected += ["status of 409", "status of 415"]
    page = browse(shop.vendor)
    visit(page, HERE)
    fill(page, **{"RC Number": shop.vehicle.rc_number})
    add_files(page)
    submit(page)
    told = f"A vehicle with the RC number {shop.vehicle.rc_number} is already listed"
    expect(toast(page, told)).to_be_visible()
    expect(field(page, "RC Number")).to_have_accessible_description(told)
    expect(field(page, "RC Number")).to_be_focused()
    field(page, "RC Number").fill("TS09EB0003")
    broken = {"name": "broken.pdf", "mimeType": "application/pdf", "buffer": b"%PDF-1.4 nothing"}
    chooser(page, "Pollution").set_input_files(broken)
    submit(page)
    expect(chooser(page, "Pollution")).to_have_accessible_description(re.compile("this PDF cannot be read"))
    page.get_by_role("button", name="Remove broken.pdf from Pollution").click()
    submit(page)
    expect(toast(page, "Vehicle listed successfully")).to_be_visible()


MANAGE = "/vendor/manage-vehicles"


def open_table(page: Page) -> Locator:
    visit(page, MANAGE)
    table = page.get_by_role("table", name="Your vehicles")
    expect(table).to_be_visible()
    return table


def named(page: Page, action: str, vehicle: Vehicle) -> Locator:
    return page.get_by_role("button", name=f"{action} Honda Activa 6G, {vehicle.rc_number}")


def test_the_table_and_its_switch(browse: Browse, shop: Shop) -> None:
    off = add_vehicle(shop.vendor, insurance_expiry_date=moment(-1).date(), pollution_expiry_date=moment(30).date())
    page = browse(shop.vendor)
    table = open_table(page)
    expect(page.get_by_text("View all listed vehicles, update details, or block them from the booking")).to_be_visible()
    columns = ["Vehicle", "Category", "RC Number", "Status", "Active", "Edit"]
    expect(table.get_by_role("columnheader")).to_have_text(columns)
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
    page.get_by_label("Sort by").select_option("Papers that expire first")
    expect(rows.nth(1)).to_contain_text(sooner.rc_number)
    page.get_by_label("Sort by").select_option("RC number")
    expect(rows.nth(1)).to_contain_text("QQ0001")
    page.get_by_label("Show", exact=True).select_option("Papers expire within 30 days")
    expect(rows).to_have_count(2)
    page.get_by_label("Show", exact=True).select_option("Switched off")
    expect(rows.nth(1)).to_contain_text(sooner.rc_number)
    page.get_by_label("Vehicle type").select_option("Car")
    expect(page.get_by_role("heading", name="No vehicle fits")).to_be_visible()
    page.get_by_role("button", name="Show all vehicles").click()
    expect(rows).to_have_count(21)
    page.get_by_label("Search vehicles").fill("honda qq 0007")
    expect(rows).to_have_count(2)
    expect(rows.nth(1)).to_contain_text("QQ0007")


def test_editing_a_vehicle(browse: Browse, complaints: Complaints, shop: Shop, script: str) -> None:
    complaints.expected.append("status of 422")
    page = browse(shop.vendor)
    open_table(page)
    named(page, "Edit", shop.vehicle).click()
    dialog = page.get_by_role("dialog", name="Edit Vehicle")
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
    waiting: list[Route] = []
    page.route("**/api/vendor/edit-vehicle", lambda route: waiting.append(route))
    dialog.get_by_role("button", name="Update Vehicle").click()
    expect(dialog.get_by_role("button", name="Updating...")).to_be_visible()
    waiting[0].continue_()
    expect(toast(page, "Vehicle updated successfully!")).to_be_visible()
    expect(dialog).to_be_hidden()

    def stored(session: Session) -> tuple[str, int]:
        price = session.exec(select(VehiclePrice).where(VehiclePrice.vehicle_id == shop.vehicle.id)).all()
        daily = next(row.price_paise for row in price if row.price_name == "Full Day")
        return session.get_one(Vehicle, shop.vehicle.id).color, daily

    assert read(stored) == ("Blue", 65_000)


def test_a_dialog_asks_before_changes_are_lost(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    open_table(page)
    dialog, question = page.get_by_role("dialog", name="Edit Vehicle"), page.get_by_role("alertdialog")
    ways = {
        "Esc": lambda: page.keyboard.press("Escape"),
        "cross": lambda: dialog.get_by_role("button", name="Close").click(),
        "Cancel": lambda: dialog.get_by_role("button", name="Cancel").click(),
    }
    for leave in ways.values():
        named(page, "Edit", shop.vehicle).click()
        expect(dialog).to_be_visible()
        leave()
        expect(dialog).to_be_hidden()
        named(page, "Edit", shop.vehicle).click()
        dialog.get_by_label("Color").fill("Pink")
        leave()
        expect(question).to_contain_text("Discard your changes?")
        question.get_by_role("button", name="Keep editing").click()
        expect(dialog.get_by_label("Color")).to_have_value("Pink")
        leave()
        question.get_by_role("button", name="Discard changes").click()
        expect(question).to_be_hidden()
        expect(dialog).to_be_hidden()
    assert read(lambda session: session.get(Vehicle, shop.vehicle.id)).color == "White"


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
    named(page, "Files of", vehicle).click()
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


def test_the_table_on_every_screen(browse: Browse, shop: Shop, script: str) -> None:
    add_vehicle(shop.vendor, insurance_expiry_date=moment(3).date())
    page = browse(shop.vendor)
    open_table(page)
    assert "\n".join(problems(page, script)) == ""
