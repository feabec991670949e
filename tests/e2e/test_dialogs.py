"""Dialogs open on click and close on Back, never reopen by themselves, and keep what was typed."""

import re

import pytest
from playwright.sync_api import expect

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.schemas.calendars import BlockRequest
from rental_app.services.calendar import blocks
from tests.e2e.conftest import Browse
from tests.support.browser_steps import (
    fill,
    login_dialog,
    ready,
    settled,
    taken_over,
    toast,
    type_moment,
    visit,
)
from tests.support.shop import Shop, actor, moment

pytestmark = pytest.mark.e2e


def test_back_closes_the_login_and_nothing_opens_it_again(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/offers")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Blog").click()
    page.wait_for_url(re.compile("/blog"))
    page.get_by_role("button", name="Login").click()
    expect(login_dialog(page)).to_be_visible()
    page.go_back()
    expect(login_dialog(page)).to_be_hidden()
    assert "/blog" in page.url

    page.get_by_role("button", name="Login").click()
    expect(login_dialog(page)).to_be_visible()
    page.reload()
    ready(page)
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.get_by_role("button", name="Login").click()
    expect(login_dialog(page)).to_be_visible()
    page.keyboard.press("Escape")
    expect(login_dialog(page)).to_be_hidden()
    page.wait_for_function("!history.state.dialog")
    page.go_back()
    page.wait_for_url(re.compile("/offers"))


@pytest.mark.long
def test_what_was_typed_stays_until_it_has_been_sent(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    dialog = fill(page, {"Email": "typed@example.com"})
    dialog.get_by_role("button", name="click here").click()
    expect(dialog.get_by_label("Email")).to_have_value("typed@example.com")
    fill(page, {"Name": "Typed Name", "Address": "12 Long Road"})
    dialog.get_by_label("Register as Vendor").check()
    page.mouse.click(5, 5)
    expect(dialog).to_be_hidden()
    page.get_by_role("button", name="Login").click()
    expect(page.get_by_role("dialog", name="Sign Up")).to_be_visible()
    dialog.get_by_role("button", name="click here").click()
    expect(dialog.get_by_label("Name")).to_have_count(0)
    dialog.get_by_role("button", name="click here").click()
    expect(dialog.get_by_label("Name")).to_have_value("Typed Name")
    expect(dialog.get_by_label("Address")).to_have_value("12 Long Road")
    expect(dialog.get_by_label("Register as Vendor")).to_be_checked()


def test_a_link_of_the_menu_leaves_no_dialog_behind(browse: Browse) -> None:
    page = browse(viewport={"width": 390, "height": 800})
    visit(page, "/offers")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog", name="Menu").get_by_role("link", name="Blog").click()
    page.wait_for_url(re.compile("/blog"))
    expect(page.get_by_role("dialog")).to_have_count(0)
    page.go_back()
    page.wait_for_url(re.compile("/offers"))
    expect(page.get_by_role("heading", level=1, name="Offers")).to_be_visible()
    page.go_forward()
    page.wait_for_url(re.compile("/blog"))
    # To the page that is open, without its search.
    visit(page, "/vehicles?type=Scooter")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("dialog", name="Menu").get_by_role("link", name="Vehicles", exact=True).click()
    page.wait_for_url(re.compile("/vehicles$"))
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.long
def test_two_presses_are_one_step_back(browse: Browse, shop: Shop) -> None:
    page = browse(viewport={"width": 1440, "height": 900})
    visit(page, "/vehicles?type=Scooter")
    entries = page.evaluate("history.length")
    page.get_by_role("button", name="Filters").click()
    page.get_by_role("dialog").get_by_label("Highest", exact=True).fill("900")
    page.get_by_role("dialog").get_by_role("button", name="Show vehicles").dblclick()
    page.wait_for_url(re.compile("max_price=900"))
    settled(page)
    assert page.evaluate("history.length") == entries + 1
    page.get_by_label("Pickup location").select_option(shop.place.name)
    page.wait_for_url(re.compile("pickupLocation"))
    taken_over(page)
    settled(page)
    type_moment(page, "Return", moment(4))
    page.get_by_role("button", name="Search", exact=True).dblclick()
    page.wait_for_url(re.compile("returnDate"))
    settled(page)
    assert page.evaluate("history.length") == entries + 3


def test_back_and_reload_close_the_vendors_dialogs(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor")
    page.get_by_role("navigation", name="Vendor").get_by_role("link", name="Manage Vehicles").click()
    edit = page.get_by_role("button", name=re.compile("^Edit "))
    dialog, question = page.get_by_role("dialog", name="Edit Vehicle"), page.get_by_role("alertdialog")
    edit.click()
    expect(dialog).to_be_visible()
    page.go_back()
    expect(dialog).to_be_hidden()
    edit.click()
    dialog.get_by_label("Color").fill("Pink")
    page.go_back()
    expect(question).to_contain_text("Discard your changes?")
    expect(question.get_by_role("button", name="Keep editing")).to_be_focused()
    page.keyboard.press("Enter")
    expect(dialog.get_by_label("Color")).to_have_value("Pink")
    page.go_back()
    question.get_by_role("button", name="Discard changes").click()
    expect(dialog).to_be_hidden()
    edit.click()
    expect(dialog.get_by_label("Color")).to_have_value("White")
    page.reload()
    expect(edit).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "manage-vehicles" in page.url


@pytest.mark.long
def test_a_question_on_its_way_out_takes_no_answer(browse: Browse, shop: Shop) -> None:
    day = clock.indian_today(moment(3)).isoformat()
    block = BlockRequest.model_validate({"vehicle": shop.vehicle.id, "from": day, "to": day, "reason": "service"})
    write(blocks.add, actor(shop.vendor), block)
    page = browse(shop.vendor)
    visit(page, "/vendor/calendar")
    blocked = page.get_by_role("button", name=re.compile("^Blocked: Service"))
    blocked.click()
    expect(page.get_by_role("alertdialog", name="Unblock these days?")).to_be_visible()
    page.add_style_tag(content='[role="alertdialog"] { animation-duration: 10min !important }')
    question = page.locator('[role="alertdialog"]')
    place = question.get_by_role("button").last.bounding_box()
    assert place
    question.get_by_role("button").first.click()
    expect(question).to_have_attribute("data-state", "closed")
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    page.evaluate("document.getAnimations().forEach(animation => animation.finish())")
    expect(question).to_have_count(0)
    settled(page)
    page.reload()
    expect(blocked).to_be_visible()


def test_numbers_take_digits_only_and_keep_the_caret(browse: Browse) -> None:
    page = browse(permissions=["clipboard-read", "clipboard-write"])
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    page.get_by_role("dialog").get_by_role("button", name="click here").click()
    mobile, pincode = page.get_by_label("Mobile Number"), page.get_by_label("Pincode")
    mobile.press_sequentially("987643210")
    for _ in range(5):
        mobile.press("ArrowLeft")
    # A stray key in the middle, and then the missing digit.
    mobile.press_sequentially("x5")
    expect(mobile).to_have_value("9876543210")
    for typed, kept in (("+91 98765 43210", "9876543210"), ("+971 50 123 4567", "+971501234567")):
        mobile.fill("")
        mobile.press_sequentially(typed, delay=20)
        expect(mobile).to_have_value(kept)
    # What else is kept of what is typed: javascript/test/digits.test.js.
    for box, text, taken in (
        (mobile, "\u202a+91 98765\u201143210\u202c", "9876543210"),
        (mobile, "98765432101", "98765432101"),
        (pincode, "500 081", "500081"),
    ):
        page.evaluate("text => navigator.clipboard.writeText(text)", text)
        box.fill("")
        box.press("ControlOrMeta+v")
        expect(box).to_have_value(taken)
    expect(page.get_by_label("State")).to_have_value("Telangana")
    pincode.fill("")
    expect(page.get_by_label("State")).to_have_value("")
    pincode.press_sequentially("abc123", delay=20)
    expect(pincode).to_have_value("123")
    expect(toast(page, "Failed to fetch location")).to_have_count(0)
