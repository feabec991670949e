"""What vendors do to list a vehicle, and what is stored afterwards."""

from typing import Any, Literal

from playwright.sync_api import Locator, Page, ViewportSize, expect
from sqlmodel import Session, select

from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read
from rental_app.models import Vehicle, VehicleFile
from tests.e2e.conftest import DESKTOP, PHONE
from tests.support import axe
from tests.support.rest_helpers import jpeg
from tests.support.shop import Shop, moment

# All steps on one page; test_vendor_steps.py goes through them one by one.
HERE = "/vendor/add-vehicle#all"
TYPED = {
    "Color": "White",
    "RC Number": "ts 9 ea 4321",
    "Engine Number": "JF50E1234567",
    "Chassis Number": "me4jf501ajt123456",
    "Owner Name (as per RC)": "Hidden Owner",
    "Odometer Reading": "12000",
    "Last Serviced Date": f"{moment(-20):%d/%m/%Y}",
    "Insurance Expiry Date": f"{moment(300):%d/%m/%Y}",
    "Pollution Expiry Date": f"{moment(200):%d/%m/%Y}",
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
LOOKS: tuple[tuple[ViewportSize, Literal["light", "dark"]], ...] = ((DESKTOP, "light"), (PHONE, "dark"))


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
    """Fill in all required fields except the files."""
    choose_model(page)
    field(page, "Year").select_option(index=1)
    for label, text in (TYPED | changes).items():
        field(page, label).fill(text)
    field(page, "Full Day: price in ₹").fill("450")


def add_files(page: Page) -> None:
    for group in FILE_GROUPS:
        chooser(page, group).set_input_files(photo(f"{group}.jpg"))
        expect(page.get_by_role("img", name=f"{group}.jpg")).to_be_visible()
    have_gone_up(page)


def have_gone_up(page: Page) -> None:
    """Wait until no upload is in progress."""
    # Files go up one after another, each checked in a process of its own.
    expect(page.get_by_role("progressbar", name="Upload of")).to_have_count(0)


def submit(page: Page) -> None:
    page.get_by_role("button", name="List Your Vehicle").click()


def listed(shop: Shop) -> list[Vehicle]:
    """Return the vendor's vehicles except the shop's own."""

    def find(session: Session) -> list[Vehicle]:
        own = select(Vehicle).where(Vehicle.vendor_id == shop.vendor.id, Vehicle.id != shop.vehicle.id)
        return list(session.exec(own))

    return read(find)


def files_of(vehicle: Vehicle) -> list[VehicleFile]:
    own = select(VehicleFile).where(VehicleFile.vehicle_id == vehicle.id)
    return read(lambda session: list(session.exec(own)))


def problems(page: Page, script: str) -> list[str]:
    """Return axe's findings in light on a desktop and in dark on a phone; the page must fit both widths."""
    page.evaluate(script)
    found = []
    for viewport, scheme in LOOKS:
        page.set_viewport_size(viewport)
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        expect(page.locator("html")).to_contain_class(scheme)
        found += [f"{viewport['width']} {scheme}: {line}" for line in axe.violations(page)]
        assert page.evaluate("document.documentElement.scrollWidth") == viewport["width"]
    page.set_viewport_size(DESKTOP)
    return found
