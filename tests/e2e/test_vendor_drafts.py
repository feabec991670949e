"""A half-filled vehicle form is kept in its tab until it is sent or its owner leaves, a new one in the account, too."""

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from rental_app.models import Vehicle
from tests.e2e.conftest import Browse
from tests.support.browser_listing import (
    HERE,
    TYPED,
    choose_model,
    chooser,
    field,
    have_gone_up,
    photo,
)
from tests.support.browser_steps import reload, settled, toast, visit
from tests.support.line import Answers
from tests.support.rest_helpers import pdf
from tests.support.shop import Shop, add_user, add_vehicle, token_of

pytestmark = pytest.mark.e2e
KEPT = {"Color": "Sea green", "RC Number": "TS09EC0001", "Last Serviced Date": TYPED["Last Serviced Date"]}


def begin(page: Page) -> None:
    """Fill in a part of the form."""
    visit(page, HERE)
    choose_model(page)
    field(page, "Year").select_option(index=3)
    for label, text in KEPT.items():
        field(page, label).fill(text)
    field(page, "Full Day: price in ₹").fill("Rs 1,450")
    field(page, "Week: Active").uncheck()
    field(page, "Drop-off / Pickup Extra Payment?").check()
    field(page, "Pickup Payment (₹)").fill("75")
    field(page, "Vehicle Terms & Conditions").press_sequentially("No racing", delay=15)


def is_back(page: Page) -> None:
    for label, text in KEPT.items():
        expect(field(page, label)).to_have_value(text)
    for label, choice in (("Vehicle Type", "Scooter"), ("Manufacturer", "Honda"), ("Model", "Activa 6G")):
        expect(field(page, label).locator("option:checked")).to_have_text(choice)
    expect(field(page, "Year")).not_to_have_value("")
    expect(field(page, "Full Day: price in ₹")).to_have_value("Rs 1,450")
    expect(field(page, "Week: Active")).not_to_be_checked()
    expect(field(page, "Pickup Payment (₹)")).to_have_value("75")
    expect(field(page, "Vehicle Terms & Conditions")).to_have_value("No racing")


def is_empty(page: Page) -> None:
    expect(field(page, "Vehicle Type").locator("option")).to_have_count(5)
    settled(page)
    for label in (*KEPT, "Vehicle Type", "Manufacturer", "Model", "Year"):
        expect(field(page, label)).to_have_value("")


def test_a_reload_and_another_page_lose_nothing(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    page.on("dialog", lambda dialog: dialog.accept())
    begin(page)
    page.reload()
    is_back(page)
    page.goto("/vendor/manage-bookings")
    visit(page, HERE)
    is_back(page)
    paper = {"name": "b.pdf", "mimeType": "application/pdf", "buffer": pdf()}
    chooser(page, "RC").set_input_files([photo("a.jpg"), paper])
    have_gone_up(page)
    page.reload()
    is_back(page)
    expect(page.get_by_role("img", name="a.jpg")).to_be_visible()
    page.get_by_role("button", name="Remove b.pdf from RC").click()
    expect(page.get_by_text("b.pdf")).to_have_count(0)


def test_a_tab_from_before_an_upgrade_loads_itself_anew_and_loses_nothing(browse: Browse, shop: Shop) -> None:
    is_old = False

    def pass_on(socket: WebSocketRoute) -> None:
        """Call what is sent in the words of another version, while the tab is of that."""
        server = socket.connect_to_server()
        socket.on_message(lambda sent: server.send(str(sent).replace('{"form":', '{"typed":') if is_old else sent))

    page = browse(shop.vendor, fresh=True)
    page.on("dialog", lambda dialog: dialog.accept())
    page.route_web_socket(re.compile("_event"), pass_on)
    begin(page)
    expect(page.get_by_text("Draft saved with your account")).to_be_visible()
    is_old = True
    with page.expect_navigation():
        field(page, "Owner Name (as per RC)").press_sequentially("Lakshmi")
    is_old = False
    is_back(page)
    expect(field(page, "Owner Name (as per RC)")).to_have_value("Lakshmi")


@pytest.mark.long
def test_it_is_typed_into_only_once_it_is_filled_when_it_is_opened_again(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    answers = Answers(page)
    begin(page)
    page.get_by_role("link", name="Manage Bookings").click()
    page.get_by_role("button", name="Leave", exact=True).click()
    expect(page.get_by_role("heading", name="Manage Bookings")).to_be_visible()
    answers.held = True
    page.go_back()
    expect(page.get_by_role("heading", name="Add New Vehicle")).to_be_visible()
    answers.await_one()
    expect(field(page, "Color")).to_have_count(0)
    answers.let_through()
    field(page, "Owner Name (as per RC)").press_sequentially("Lakshmi", delay=15)
    settled(page)
    expect(field(page, "Owner Name (as per RC)")).to_have_value("Lakshmi")
    is_back(page)


@pytest.mark.long
def test_a_logout_elsewhere_leaves_it_with_the_account_alone(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    page.on("dialog", lambda dialog: dialog.accept())
    begin(page)
    expect(page.get_by_text("Draft saved with your account")).to_be_visible()
    other = page.context.new_page()
    visit(other, "/")
    other.get_by_role("button", name="Logout").click()
    expect(toast(other, "You have been logged out")).to_be_visible()
    # The tab of the form is loaded anew by itself, and leaves the vendor's pages.
    expect(page.get_by_role("heading", name="Featured vehicles", include_hidden=True)).to_be_attached()
    stranger = add_user("Vendor", location_id=shop.place.id)
    page.evaluate("token => localStorage.setItem('token', token)", token_of(stranger))
    visit(page, HERE)
    is_empty(page)
    expect(page.get_by_role("button", name=re.compile("^Continue "))).to_have_count(0)
    page.evaluate("token => localStorage.setItem('token', token)", token_of(shop.vendor))
    page.reload()
    is_empty(page)
    page.get_by_role("button", name="Continue Honda Activa 6G TS09EC0001").click()
    is_back(page)
    page.wait_for_url("**/vendor/add-vehicle?draft=*")
    page.reload()
    is_back(page)


def test_an_edit_that_a_reload_interrupts_is_filled_in_again_when_it_is_opened(browse: Browse, shop: Shop) -> None:
    other = add_vehicle(shop.vendor)
    page = browse(shop.vendor, fresh=True)
    page.on("dialog", lambda dialog: dialog.accept())
    visit(page, "/vendor/manage-vehicles")
    dialog = page.get_by_role("dialog", name="Edit Vehicle")
    back = toast(page, "The changes you had not saved are filled in again")

    def edit(vehicle: Vehicle) -> None:
        row = page.get_by_role("row").filter(has_text=vehicle.rc_number)
        row.get_by_role("button", name=re.compile("^Edit ")).click()
        expect(dialog.get_by_label("RC Number")).to_have_value(vehicle.rc_number)

    edit(shop.vehicle)
    dialog.get_by_label("Model").select_option("Activa 125")
    dialog.get_by_label("Color").press("End")
    dialog.get_by_label("Color").press_sequentially(" and red", delay=15)
    dialog.get_by_label("Full Day: price in ₹").fill("Rs 1,450")
    dialog.get_by_label("Pickup place").select_option("At another address")
    dialog.get_by_label("Address", exact=True).fill("7 Lake Road")
    page.reload()
    edit(other)
    expect(dialog.get_by_label("Color")).to_have_value("White")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    edit(shop.vehicle)
    expect(back).to_be_visible()
    expect(dialog.get_by_label("Model").locator("option:checked")).to_have_text("Activa 125")
    expect(dialog.get_by_label("Color")).to_have_value("White and red")
    expect(dialog.get_by_label("Full Day: price in ₹")).to_have_value("Rs 1,450")
    expect(dialog.get_by_label("Address", exact=True)).to_have_value("7 Lake Road")
    # A second reload, without another key, takes nothing either.
    page.reload()
    edit(shop.vehicle)
    expect(dialog.get_by_label("Color")).to_have_value("White and red")
    page.keyboard.press("Escape")
    page.get_by_role("alertdialog").get_by_role("button", name="Discard changes").click()
    expect(dialog).to_be_hidden()
    reload(page)
    edit(shop.vehicle)
    expect(dialog.get_by_label("Color")).to_have_value("White")
