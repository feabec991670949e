"""The vendor's profile: read, edited, refused, left with unsaved changes; its picture, and people who help."""

import re
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Dialog, Locator, Page, expect

from rental_app.infrastructure.db import read
from rental_app.services.accounts import profile
from rental_app.services.accounts.proofs import Purpose
from tests.e2e.conftest import DESKTOP, PHONE, Browse, Complaints
from tests.support import axe
from tests.support.accounts import latest_token
from tests.support.axe import problems
from tests.support.browser_steps import settled, toast, visit, without_beats
from tests.support.profile_form import editing, stored
from tests.support.profile_picture import choose, named
from tests.support.shop import Shop, actor, add_user
from tests.support.vendor_requests import book, stored_status

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
    for text in ("7 Hill Road", "7:30 AM to 9:30 PM", "Sunday", "36AQTPR4817K1Z1"):
        expect(page.get_by_role("main")).to_contain_text(text)
    expect(page.get_by_role("link", name="https://wheels.example.com")).to_have_attribute("rel", "noopener noreferrer")
    expect(page.get_by_role("main").get_by_role("listitem")).to_have_text(["No racing", "Helmet on"])
    page.get_by_role("navigation", name="Vendor").get_by_role("link", name="Dashboard").click()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    expect(leaving(page)).to_have_count(0)
    kept = stored(shop)
    assert (kept.state, kept.closing_days, kept.delivery_supported) == ("Karnataka", ["Sunday"], True)


def test_every_refusal_stands_beside_its_field_and_nothing_typed_is_lost(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    form = editing(page)
    wrong = {
        "Address (required)": ("", "Please fill this in"),
        "Pincode": ("12", "Enter a 6-digit pincode"),
        "Website": ("javascript:alert(1)", "Enter a link that starts with http:// or https://"),
        "GST number": ("36AQTPR4817K1Z2", "This is not a valid GST number"),
    }
    for label, (text, _) in wrong.items():
        form.get_by_label(label).fill(text)
    form.get_by_label("Landmark").fill("By the lake")
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Please check 4 fields")).to_be_visible()
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


@pytest.mark.long
def test_another_page_the_back_button_and_a_logout_ask_first(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor")
    menu = page.get_by_role("navigation", name="Vendor")
    menu.get_by_role("link", name="Profile").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    form = page.get_by_role("form", name="Profile")
    form.get_by_label("Landmark").fill("By the lake")
    for leave in (menu.get_by_role("link", name="Dashboard").click, page.go_back):
        leave()
        leaving(page).get_by_role("button", name="Keep editing").click()
        expect(form.get_by_label("Landmark")).to_have_value("By the lake")
    menu.get_by_role("link", name="Dashboard").click()
    leaving(page).get_by_role("button", name="Leave").click()
    expect(page.get_by_role("heading", name="Today")).to_be_visible()
    menu.get_by_role("link", name="Profile").click()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(form.get_by_label("Landmark")).to_have_value("")
    form.get_by_label("Landmark").fill("By the hill")
    page.get_by_role("button", name="Logout").click()
    leaving(page).press("Escape")
    expect(leaving(page)).to_be_hidden()
    page.get_by_role("button", name="Logout").click()
    leaving(page).get_by_role("button", name="Leave").click()
    # It says only that.
    expect(toast(page, "You have been logged out")).to_be_visible()
    expect(page.get_by_role("button", name="Login")).to_be_visible()
    settled(page)
    expect(toast(page, "Please log in")).to_have_count(0)
    assert stored(shop).landmark == ""


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


MEGABYTE = 1024 * 1024
PNG = b"\x89PNG\r\n\x1a\n"


def test_the_picture_is_refused_previewed_sent_and_shown(
    browse: Browse, shop: Shop, complaints: Complaints, tmp_path: Path
) -> None:
    complaints.expected += ["status of 415", "status of 422", "ERR_INTERNET_DISCONNECTED"]
    page = browse(shop.vendor)
    visit(page, "/vendor")
    no_picture = "this is not a picture we can read (JPEG, PNG, WebP or HEIC)"
    for name, data, message in (
        ("notes.txt", b"text", no_picture),
        ("huge.png", PNG + bytes(13 * MEGABYTE), "a file can have at most 12 MB"),
        ("broken.png", PNG + b"no picture at all", no_picture),
    ):
        # From a file: passing 13 MB as bytes would take ten seconds.
        (tmp_path / name).write_bytes(data)
        dialog = choose(page, tmp_path / name)
        expect(dialog.get_by_text(f"{name}: {message}")).to_be_visible()
        expect(toast(page, f"{name}: {message}")).to_be_visible()
        dialog.get_by_role("button", name="Save picture").click()
        expect(toast(page, "Choose a picture first")).to_be_visible()
        dialog.get_by_role("button", name="Cancel").click()
        expect(dialog).to_be_hidden()
    assert read(profile.profile, actor(shop.vendor)).image == ""
    dialog = choose(page, named("other.png"))
    expect(dialog.get_by_text("JPEG, PNG, WebP or HEIC, at most 12 MB")).to_be_visible()
    dialog = choose_another(page, "me.png")
    expect(dialog.get_by_role("img", name="me.png")).to_be_visible()
    expect(dialog.get_by_role("img", name="other.png")).to_have_count(0)
    # A lost connection keeps what was chosen.
    page.route("**/api/vendor/uploads", lambda route: route.abort("internetdisconnected"))
    dialog = choose_another(page, "mine.png")
    expect(dialog.get_by_text("mine.png could not be sent")).to_be_visible()
    page.unroute_all()
    dialog.get_by_role("button", name="Save picture").click()
    expect(toast(page, "Profile picture updated")).to_be_visible()
    expect(dialog).to_be_hidden()
    expect(page.get_by_role("button", name="Change profile picture").locator("img")).to_have_attribute(
        "src", re.compile("^/media/public/")
    )
    assert read(profile.profile, actor(shop.vendor)).image


def choose_another(page: Page, name: str) -> Locator:
    """Choose a picture in the open dialog; return the dialog."""
    dialog = page.get_by_role("dialog", name="Profile picture")
    dialog.get_by_label("Add files to Profile picture").set_input_files(named(name))
    return dialog


@pytest.mark.long
def test_a_member_answers_sees_no_money_and_is_out_at_once(browse: Browse, shop: Shop) -> None:
    first, second, person = book(shop), book(shop, 6), add_user()
    vendor = browse(shop.vendor, reduced_motion="reduce")
    visit(vendor, "/vendor/profile")
    people = vendor.get_by_role("region", name="People who work for you")
    expect(people.get_by_text("Nobody yet.")).to_be_visible()
    email = people.get_by_label("Email of whom you invite")
    email.press_sequentially(shop.vendor.email)
    email.press("Enter")
    expect(people.get_by_text("This is your own email")).to_be_visible()
    email.fill("")
    email.press_sequentially(person.email)
    email.press("Enter")
    expect(people.get_by_role("listitem").filter(has_text=person.email)).to_contain_text("Invited as counter")
    expect(email).to_have_value("")
    assert problems(vendor, axe.source()) == []

    helper = browse(person, viewport=PHONE, reduced_motion="reduce")
    visit(helper, f"/join?token={latest_token(Purpose.INVITATION)}")
    expect(helper.get_by_text(shop.vendor.name)).to_be_visible()
    assert urlsplit(helper.url).query == ""
    assert problems(helper, axe.source()) == []
    helper.get_by_role("button", name="Accept").click()
    helper.get_by_role("link", name="Go to the dashboard").click()
    helper.wait_for_url(re.compile(r"/vendor$"))
    menu = helper.get_by_role("navigation", name="Vendor")
    expect(menu.get_by_role("link")).to_contain_text(["Today", "Bookings", "Calendar"])
    menu.get_by_role("button", name="More").click()
    expect(helper.get_by_role("navigation", name="More pages").get_by_text("You work for")).to_be_visible()
    helper.keyboard.press("Escape")
    expect(helper.get_by_role("heading", name="Answer now")).to_be_visible()
    expect(helper.get_by_role("region", name="Figures")).to_have_count(0)
    expect(helper.get_by_text("Monthly Revenue")).to_have_count(0)
    settled(helper)
    assert problems(helper, axe.source()) == []
    helper.goto("/vendor/earnings")
    helper.wait_for_url(re.compile(r"/vendor$"))

    settled(helper)
    helper.get_by_role("button", name="Accept").first.click()
    expect(toast(helper, "accepted")).to_be_visible()
    expect(helper.get_by_role("button", name="Accept")).to_have_count(1)
    assert stored_status(first) == "confirmed"

    without_beats(helper)
    visit(vendor, "/vendor/profile")
    expect(people.get_by_label(f"What {person.name} may do")).to_have_value("counter")
    people.get_by_role("button", name=f"Remove {person.name}").click()
    vendor.get_by_role("alertdialog").get_by_role("button", name="Remove").click()
    expect(people.get_by_text("Nobody yet.")).to_be_visible()
    helper.get_by_role("button", name="Accept").click()
    helper.wait_for_url(lambda url: urlsplit(url).path == "/")
    assert stored_status(second) == "pending"
