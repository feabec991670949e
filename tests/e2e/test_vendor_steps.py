"""A vehicle is listed in steps: begun on a desktop, continued on a phone, refused at the incomplete step."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read
from rental_app.services.fleet import drafts
from tests.e2e.conftest import PHONE, Browse
from tests.support import browser_listing
from tests.support.browser_listing import choose_model, field, have_gone_up, listed, photo, problems, submit
from tests.support.browser_steps import toast, visit
from tests.support.shop import Shop, actor
from tests.support.within import until

pytestmark = pytest.mark.e2e
TYPED = browser_listing.TYPED | {"RC Number": "TS09ED0001"}
COLOR, *PAPERS = [*TYPED][:9]
CHARGES = [*TYPED][9:]


def step(page: Page, name: str) -> Locator:
    return page.get_by_role("navigation", name="Steps").get_by_role("link", name=name)


def begin(page: Page) -> None:
    """Fill in the first step."""
    choose_model(page)
    field(page, "Year").select_option(index=1)
    field(page, COLOR).press_sequentially("White", delay=15)


def saved(page: Page, shop: Shop, name: str) -> None:
    """Wait until a field of the form is saved with the account, and the page says so."""

    def is_saved() -> bool:
        vendor = actor(shop.vendor)
        return any(name in read(drafts.one, vendor, row.id).fields for row in read(drafts.of_vendor, vendor))

    until(is_saved)
    expect(page.get_by_text("Draft saved with your account at")).to_be_visible()


def test_steps_count_what_is_to_fill_and_go_back_and_forth(browse: Browse, shop: Shop, script: str) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor/add-vehicle")
    expect(page.get_by_text("27 fields to fill")).to_be_visible()
    for name, left in (("Vehicle", 5), ("Documents", 8), ("Prices", 4), ("Photos", 10)):
        expect(step(page, name)).to_contain_text(f"{left} to fill")
    expect(step(page, "Vehicle")).to_have_attribute("aria-current", "step")
    expect(field(page, "RC Number")).to_be_hidden()
    expect(page.get_by_role("button", name="List Your Vehicle")).to_be_hidden()
    begin(page)
    expect(step(page, "Vehicle")).to_contain_text("Complete")
    expect(page.get_by_text("22 fields to fill")).to_be_visible()
    field(page, "Pickup place").select_option("elsewhere")
    expect(step(page, "Vehicle")).to_contain_text("3 to fill")
    field(page, "Pickup place").select_option("vendors")

    # Enter goes to the next step, Back and Forward go through the steps, and nothing typed is lost on the way.
    field(page, "Color").press("Enter")
    page.wait_for_url("**#papers")
    expect(page.get_by_role("heading", name="Documents")).to_be_visible()
    field(page, "RC Number").fill("TS 9")
    expect(step(page, "Documents")).to_contain_text("7 to fill")
    page.get_by_role("link", name="Next: Prices").click()
    page.wait_for_url("**#prices")
    page.go_back()
    expect(field(page, "RC Number")).to_have_value("TS 9")
    page.go_back()
    expect(field(page, "Color")).to_have_value("White")
    page.go_forward()
    expect(field(page, "RC Number")).to_be_visible()
    assert "\n".join(problems(page, script)) == ""

    # A refused field is shown in its step.
    step(page, "Photos").press("Enter")
    page.wait_for_url("**#photos")
    submit(page)
    refused = toast(page, "Please fill all required fields: engine_number")
    expect(refused).to_contain_text("11 fields to fill")
    expect(field(page, "RC Number")).to_be_focused()
    expect(field(page, "RC Number")).to_be_in_viewport()
    expect(step(page, "Documents")).to_have_attribute("aria-current", "step")
    assert page.url.endswith("#papers")


@pytest.mark.long
def test_what_is_begun_at_a_desk_is_finished_on_a_phone_with_its_camera(browse: Browse, shop: Shop) -> None:
    desk = browse(shop.vendor)
    visit(desk, "/vendor/add-vehicle")
    begin(desk)
    saved(desk, shop, "color")

    phone = browse(shop.vendor, viewport=PHONE, has_touch=True, is_mobile=True)
    visit(phone, "/vendor/add-vehicle")
    expect(field(phone, "Color")).to_have_value("")
    phone.get_by_role("button", name="Continue Honda Activa 6G").tap()
    expect(field(phone, "Color")).to_have_value("White")
    expect(field(phone, "Model").locator("option:checked")).to_have_text("Activa 6G")
    step(phone, "Documents").tap()
    for label in PAPERS:
        field(phone, label).fill(TYPED[label])
    expect(step(phone, "Documents")).to_contain_text("Complete")
    step(phone, "Photos").tap()
    for group in FILE_GROUPS:
        camera = phone.get_by_label(f"Take a photo for {group}", exact=True)
        expect(camera).to_have_attribute("capture", "environment")
        camera.set_input_files(photo(f"{group}.jpg"))
        expect(phone.get_by_role("button", name=f"Remove {group}.jpg from {group}")).to_be_attached()
    have_gone_up(phone)
    expect(phone.get_by_text("4 fields to fill")).to_be_visible()
    saved(phone, shop, f"files.{FILE_GROUPS[-1]}")

    # The desktop is notified, and goes on with what the phone has added.
    field(desk, "Color").fill("Red")
    expect(desk.get_by_text("Your draft was continued elsewhere.")).to_be_visible()
    desk.get_by_role("button", name="Continue your draft").click()
    expect(field(desk, "Color")).to_have_value("White")
    step(desk, "Prices").click()
    for label in CHARGES:
        field(desk, label).fill(TYPED[label])
    field(desk, "Full Day: price in ₹").fill("450")
    expect(desk.get_by_text("Everything is filled in")).to_be_visible()
    desk.get_by_role("link", name="Next: Photos").click()
    submit(desk)
    expect(toast(desk, "Vehicle listed successfully")).to_be_visible()
    assert [vehicle.color for vehicle in listed(shop)] == ["White"]
    visit(phone, "/vendor/add-vehicle")
    expect(phone.get_by_role("button", name=re.compile("Continue|Keep"))).to_have_count(0)
