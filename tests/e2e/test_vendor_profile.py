"""The vendor's profile: reading, editing, refusals, discarding, and leaving with unsaved changes."""

import re

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from rental_app.infrastructure.settings import settings
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support import axe
from tests.support.browser_listing import problems
from tests.support.browser_steps import toast, visit
from tests.support.profile_form import HERE, editing, stored
from tests.support.shop import Shop

pytestmark = pytest.mark.e2e


def leaving(page: Page) -> Locator:
    return page.get_by_role("alertdialog", name="Leave without saving?")


def test_a_profile_is_filled_and_kept_and_then_left_unasked(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, viewport=PHONE)
    form = editing(page)
    form.get_by_label("Address (required)").fill("7 Hill Road")
    form.get_by_label("Pincode").fill("560001")
    expect(form.get_by_label("State")).to_have_value("Karnataka")
    expect(form.get_by_label("City")).to_have_value(re.compile("Bengaluru|Bangalore"))
    form.get_by_label("Opening time").select_option("07:30 AM")
    form.get_by_label("Closing time").select_option("09:30 PM")
    form.get_by_text("Sunday").click()
    form.get_by_label("Delivery supported").check()
    form.get_by_label("Website").fill("https://wheels.example.com")
    form.get_by_label("GST number").fill("36AQTPR4817K1Z1")
    form.get_by_label("Terms").fill("No racing\n\nHelmet on")
    expect(form.get_by_role("list").get_by_role("listitem")).to_have_text(["No racing", "Helmet on"])
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Profile updated successfully")).to_be_visible()
    expect(form).to_be_hidden()
    for text in ("7 Hill Road", "07:30 AM to 09:30 PM", "Sunday", "36AQTPR4817K1Z1"):
        expect(page.get_by_role("main")).to_contain_text(text)
    expect(page.get_by_role("link", name="https://wheels.example.com")).to_have_attribute("rel", "noopener noreferrer")
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_text(["No racing", "Helmet on"])
    page.get_by_role("navigation", name="Vendor").get_by_role("link", name="Dashboard").click()
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
    expect(leaving(page)).to_have_count(0)
    kept = stored(shop)
    assert (kept.state, kept.closing_days, kept.delivery_supported) == ("Karnataka", ["Sunday"], True)


def test_times_are_every_half_hour_and_locked_fields_say_whom_to_ask(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    form = editing(page)
    for label in ("Opening time", "Closing time"):
        times = form.get_by_label(label).locator("option").all_text_contents()[1:]
        assert (len(times), times[:2], times[-1]) == (48, ["12:00 AM", "12:30 AM"], "11:30 PM")
    for group in ("Personal details", "Bank account", "Commission and wallet"):
        section = page.get_by_role("region", name=group)
        expect(section).to_contain_text(f"Contact {settings().product_name} for modification")
        expect(section.get_by_role("textbox")).to_have_count(0)
    for label in ("State", "District"):
        expect(form.get_by_label(label)).not_to_be_editable()
    page.get_by_text("Banks we pay into").click()
    expect(page.get_by_role("region", name="Bank names")).to_contain_text("State Bank of India")


def test_every_refusal_stands_beside_its_field_and_nothing_typed_is_lost(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    form = editing(page)
    wrong = {
        "Address (required)": ("", "Please fill this in"),
        "Pincode": ("12", "Enter a 6-digit pincode"),
        "City": ("", "Please fill this in"),
        "Booking contact number": ("12", "Enter a 10-digit Indian mobile number"),
        "Number of staff": ("many", "Enter a whole number"),
        "Website": ("javascript:alert(1)", "Enter a link that starts with http:// or https://"),
        "GST number": ("36AQTPR4817K1Z2", "This is not a valid GST number"),
    }
    for label, (text, _) in wrong.items():
        form.get_by_label(label).fill(text)
    form.get_by_label("Landmark").fill("By the lake")
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Please correct: Address, Pincode, City")).to_be_visible()
    expect(form.get_by_label("Address (required)")).to_be_focused()
    for label, (text, message) in wrong.items():
        expect(form.get_by_label(label)).to_have_value(text)
        expect(form.get_by_label(label)).to_have_attribute("aria-invalid", "true")
        expect(form.get_by_label(label)).to_have_accessible_description(message)
    expect(form.get_by_label("Landmark")).to_have_value("By the lake")
    assert stored(shop).landmark == ""
    pincode = form.get_by_label("Pincode")
    pincode.fill("999999")
    expect(pincode).to_have_accessible_description("There is no place with the pincode 999999")
    expect(toast(page, "Failed to fetch location")).to_be_visible()
    pincode.press_sequentially("1")
    expect(pincode).to_have_value("999999")


def test_cancelling_really_discards(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    form = editing(page)
    form.get_by_label("Address (required)").fill("Nowhere")
    form.get_by_label("Pincode").fill("560001")
    expect(form.get_by_label("State")).to_have_value("Karnataka")
    form.get_by_text("Monday").click()
    form.get_by_label("Terms").fill("Gone")
    form.get_by_role("button", name="Cancel").click()
    expect(form).to_be_hidden()
    expect(page.get_by_role("main")).not_to_contain_text("Nowhere")
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(form.get_by_label("Address (required)")).to_have_value(shop.vendor.address)
    expect(form.get_by_label("Pincode")).to_have_value(shop.vendor.zip_code)
    expect(form.get_by_label("State")).not_to_have_value("Karnataka")
    expect(form.get_by_label("Monday")).not_to_be_checked()
    expect(form.get_by_text("No terms yet")).to_be_visible()
    assert stored(shop).address == shop.vendor.address


def test_going_to_another_page_asks_first(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    form = editing(page)
    menu = page.get_by_role("navigation", name="Vendor")
    form.get_by_label("Landmark").fill("By the lake")
    menu.get_by_role("link", name="Dashboard").click()
    leaving(page).get_by_role("button", name="Keep editing").click()
    expect(form.get_by_label("Landmark")).to_have_value("By the lake")
    menu.get_by_role("link", name="Dashboard").click()
    leaving(page).get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Dashboard")).to_be_visible()
    menu.get_by_role("link", name="Profile").click()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    assert stored(shop).landmark == ""


def test_the_back_button_and_logging_out_ask_too(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor")
    page.get_by_role("navigation", name="Vendor").get_by_role("link", name="Profile").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Profile")
    form.get_by_label("Landmark").fill("By the lake")
    page.go_back()
    leaving(page).get_by_role("button", name="Keep editing").click()
    page.get_by_role("button", name="Logout").click()
    leaving(page).press("Escape")
    expect(leaving(page)).to_be_hidden()
    expect(form.get_by_label("Landmark")).to_have_value("By the lake")
    page.get_by_role("button", name="Logout").click()
    leaving(page).get_by_role("button", name="Leave").click()
    expect(page.get_by_role("button", name="Login")).to_be_visible()


def test_closing_the_tab_asks_only_when_something_changed(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    asked: list[str] = []

    def agree(dialog: Dialog) -> None:
        asked.append(dialog.type)
        dialog.accept()

    page.on("dialog", agree)
    form = editing(page)
    form.get_by_label("Landmark").fill("By the lake")
    form.get_by_label("Landmark").fill("")
    page.reload()
    assert asked == []
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    editing(page).get_by_text("Friday").click()
    page.reload()
    assert asked == ["beforeunload"]
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()


def test_axe_finds_nothing(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, reduced_motion="reduce")
    script = axe.source()
    visit(page, HERE)
    expect(page.get_by_role("region", name="Bank account")).to_be_visible()
    found = problems(page, script)
    form = editing(page)
    form.get_by_label("Address (required)").fill("")
    form.get_by_text("Sunday").click()
    form.get_by_role("button", name="Save").click()
    expect(form.get_by_label("Address (required)")).to_have_accessible_description("Please fill this in")
    expect(toast(page, "Please correct")).to_have_count(0)
    found += problems(page, script)
    page.get_by_role("link", name="Back to the shop").click()
    expect(leaving(page)).to_be_visible()
    assert found + problems(page, script) == []
