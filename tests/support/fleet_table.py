"""The vendor's table of vehicles, as a hand uses it."""

from playwright.sync_api import Locator, Page, expect

from rental_app.models import Vehicle
from tests.support.browser_steps import visit

MANAGE = "/vendor/manage-vehicles"


def open_table(page: Page) -> Locator:
    visit(page, MANAGE)
    table = page.get_by_role("table", name="Your vehicles")
    expect(table).to_be_visible()
    return table


def named(page: Page, action: str, vehicle: Vehicle) -> Locator:
    return page.get_by_role("button", name=f"{action} Honda Activa 6G, {vehicle.rc_number}")


def choose_item(page: Page, vehicle: Vehicle, item: str) -> None:
    """Choose an item of the menu of a vehicle of the table."""
    named(page, "More for", vehicle).click()
    page.get_by_role("menuitem", name=item).click()


def open_to_edit(page: Page, vehicle: Vehicle) -> Locator:
    """Open the dialog that edits a vehicle of the table."""
    open_table(page)
    named(page, "Edit", vehicle).click()
    return page.get_by_role("dialog", name="Edit Vehicle")


def choose_a_pink_jupiter(dialog: Locator) -> None:
    """Type and choose values that the server has to respond to."""
    dialog.get_by_label("Color").fill("Pink")
    dialog.get_by_label("Manufacturer").select_option("TVS")
    dialog.get_by_label("Model").select_option("Jupiter")
