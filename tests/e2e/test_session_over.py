"""A vendor's tab whose session was ended elsewhere: its next action uses a newer login of the same account."""

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.infrastructure.db import read, write
from rental_app.models import User, Vehicle
from rental_app.services.accounts import sessions
from tests.e2e.conftest import Browse
from tests.support.booking_steps import book
from tests.support.browser_my_booking import path
from tests.support.browser_steps import (
    fill,
    log_in,
    login_dialog,
    moment_box,
    settled,
    shown,
    toast,
    token,
    type_moment,
    visit,
    without_beats,
)
from tests.support.fleet_table import choose_a_pink_jupiter, open_to_edit
from tests.support.profile_form import editing, stored
from tests.support.shop import PASSWORD, Shop, actor, moment, open_shop, token_of, wanted
from tests.support.vendor_tabs import files_are_saved

pytestmark = pytest.mark.e2e
TYPED = "By the lake"
# The browser takes a step back when it has time: whatever comes meanwhile comes first.
SLOW_BACK = "const back = history.back.bind(history); history.back = () => setTimeout(back, 300);"


def typing(page: Page) -> Locator:
    """Open the profile form and type something into it."""
    form = editing(page)
    form.get_by_label("Landmark").press_sequentially(TYPED)
    return form


def end_sessions(user: User) -> None:
    write(sessions.sign_out_everywhere, actor(user))


def log_in_elsewhere(page: Page, user: User) -> Page:
    """Log in from a second tab of the same browser."""
    other = page.context.new_page()
    visit(other, "/")
    log_in(other, user.email)
    expect(toast(other, "You are logged in")).to_be_visible()
    return other


def end_all_but_a_newer_login(user: User, elsewhere: Page) -> None:
    """The same at once, for pages that ask for news by themselves: in between, they would find the session over."""
    end_sessions(user)
    elsewhere.evaluate("token => localStorage.setItem('token', token)", token_of(user))


def log_in_there(page: Page, user: User) -> None:
    """Log in with the dialog that opens when the session has ended."""
    expect(login_dialog(page)).to_be_visible()
    fill(page, {"Email": user.email, "Password": PASSWORD}).get_by_role("button", name="Login").click()
    expect(toast(page, "You are logged in")).to_be_visible()
    expect(toast(page, "Please log in")).to_have_count(0)


def test_what_was_typed_is_saved_with_a_newer_login(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    form, old = typing(page), token(page)
    end_sessions(shop.vendor)
    other = log_in_elsewhere(page, shop.vendor)
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Profile updated successfully")).to_be_visible()
    expect(page.get_by_role("main")).to_contain_text(TYPED)
    expect(toast(page, "log in")).to_have_count(0)
    assert stored(shop).landmark == TYPED
    assert token(page) == token(other) != old


def test_nothing_is_done_for_another_account(browse: Browse, shop: Shop) -> None:
    stranger = open_shop(f"{shop.place.name} West")
    page = browse(shop.vendor)
    form = typing(page)
    end_sessions(shop.vendor)
    log_in_elsewhere(page, stranger.vendor)
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Another account is now logged in. Nothing was changed.")).to_be_visible()
    expect(page.get_by_text(f"Welcome, {stranger.vendor.name}")).to_be_visible()
    settled(page)
    expect(form).to_have_count(0)
    assert (stored(shop).landmark, stored(stranger).landmark) == ("", "")


@pytest.mark.parametrize("leaves", ["token", "nothing"])
def test_after_a_late_login_the_form_is_there_again_and_not_saved(browse: Browse, shop: Shop, leaves: str) -> None:
    page = browse(shop.vendor)
    form = typing(page)
    form.get_by_text("Sunday").click()
    end_sessions(shop.vendor)
    if leaves == "nothing":
        page.evaluate("localStorage.removeItem('token')")
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Please log in")).to_be_visible()
    expect(login_dialog(page)).to_be_visible()
    settled(page)
    assert toast(page, "Please log in").count() <= 1
    log_in_elsewhere(page, shop.vendor)
    log_in_there(page, shop.vendor)
    expect(form.get_by_label("Landmark")).to_have_value(TYPED)
    expect(form.get_by_label("Sunday")).to_be_checked()
    assert stored(shop).landmark == ""
    form.get_by_role("button", name="Save").click()
    expect(toast(page, "Profile updated successfully")).to_be_visible()
    assert stored(shop).landmark == TYPED


def test_after_a_late_login_edit_vehicle_is_open_again(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor, fresh=True)
    page.add_init_script(SLOW_BACK)
    dialog = open_to_edit(page, shop.vehicle)
    choose_a_pink_jupiter(dialog)
    # The server has the choices: otherwise they would find the session over, and the click would find no form.
    settled(page)
    without_beats(page)
    end_sessions(shop.vendor)
    dialog.get_by_role("button", name="Update Vehicle").click()
    log_in_there(page, shop.vendor)
    expect(dialog.get_by_label("Color")).to_have_value("Pink")
    expect(dialog.get_by_label("Model").locator("option:checked")).to_have_text("Jupiter")
    dialog.get_by_role("button", name="Update Vehicle").click()
    expect(toast(page, "Vehicle updated successfully!")).to_be_visible()
    assert read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).color == "Pink"
    # Reopened only once.
    page.get_by_role("link", name="Profile").click()
    page.get_by_role("link", name="Manage Vehicles").click()
    expect(page.get_by_role("button", name="Edit TVS Jupiter")).to_be_visible()
    settled(page)
    expect(dialog).to_have_count(0)


def test_after_a_late_login_other_dates_for_a_booking_are_chosen_again(browse: Browse, shop: Shop) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    pickup = moment(9)
    page = browse(shop.customer)
    visit(page, path(asked.reference))
    page.get_by_role("button", name="Change dates").click()
    type_moment(page, "New pickup", pickup)
    settled(page)
    without_beats(page)
    end_sessions(shop.customer)
    type_moment(page, "New return", moment(12))
    log_in_there(page, shop.customer)
    expect(moment_box(page, "New pickup")).to_have_value(shown(pickup))
    expect(moment_box(page, "New return")).to_have_value(shown(moment(12)))
    expect(page.get_by_text("3 × Full Day at ₹500").first).to_be_visible()


def test_after_a_late_login_the_files_of_a_vehicle_are_there_again(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    after = files_are_saved(page, shop)
    # All uploads have finished.
    settled(page)
    without_beats(page)
    end_sessions(shop.vendor)
    page.get_by_role("button", name="Save Files").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Leave").click()
    log_in_there(page, shop.vendor)
    after()


def test_nobody_else_sees_what_was_typed(browse: Browse, shop: Shop) -> None:
    stranger = open_shop(f"{shop.place.name} East")
    page = browse(shop.vendor)
    form = typing(page)
    end_sessions(shop.vendor)
    form.get_by_role("button", name="Save").click()
    log_in_there(page, stranger.vendor)
    expect(page.get_by_text(f"Welcome, {stranger.vendor.name}")).to_be_visible()
    page.get_by_role("button", name="Edit", exact=True).click()
    expect(form.get_by_label("Landmark")).to_have_value("")


def test_a_logout_gives_up_what_was_typed(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    form = typing(page)
    page.get_by_role("button", name="Logout").click()
    page.get_by_role("alertdialog").get_by_role("button", name="Leave").click()
    expect(toast(page, "You have been logged out")).to_be_visible()
    log_in(page, shop.vendor.email)
    expect(toast(page, "You are logged in")).to_be_visible()
    page.get_by_role("link", name="Profile").click()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    settled(page)
    expect(form).to_have_count(0)


# Collects the texts of dialogs in which something is missing.
HOLES = """
window.holes = [];
new MutationObserver(() => {
  for (const dialog of document.querySelectorAll("[role=dialog], [role=alertdialog]"))
    if (/undefined|null|NaN/.test(dialog.textContent)) window.holes.push(dialog.textContent);
}).observe(document, { subtree: true, childList: true, characterData: true });
"""


@pytest.mark.parametrize(
    ("button", "name", "answer"),
    [
        ("Cancel request", "Cancel this request?", "Cancel request"),
        ("Move to these dates", "Move your request for ₹1,000?", "Move the request"),
    ],
)
def test_a_question_about_a_booking_has_no_holes_and_closes_after_a_logout_elsewhere(
    browse: Browse, shop: Shop, button: str, name: str, answer: str
) -> None:
    asked = book(shop.customer, wanted(shop.vehicle, 4))
    page = browse(shop.customer)
    visit(page, path(asked.reference))
    page.evaluate(HOLES)
    if button != "Cancel request":
        page.get_by_role("button", name="Change dates").click()
        type_moment(page, "New return", moment(6))
    page.get_by_role("button", name=button, exact=True).click()
    question = page.get_by_role("alertdialog", name=name)
    expect(question.get_by_role("button", name=answer, exact=True)).to_be_visible()
    without_beats(page)
    end_sessions(shop.customer)
    page.evaluate("localStorage.removeItem('token')")
    question.get_by_role("button", name=answer, exact=True).click()
    expect(page.get_by_role("heading", name="Log in to see this booking")).to_be_visible()
    expect(page.get_by_role("alertdialog")).to_have_count(0)
    assert page.evaluate("window.holes") == []


def test_a_switch_and_a_link_go_on_too(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor/manage-vehicles")
    switch = page.get_by_role("switch").first
    expect(switch).to_be_checked()
    other = page.context.new_page()
    other.goto("/robots.txt")
    end_all_but_a_newer_login(shop.vendor, other)
    switch.click()
    expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()
    assert not read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).is_active
    end_all_but_a_newer_login(shop.vendor, other)
    page.get_by_role("navigation", name="Vendor").get_by_role("link", name="Profile").click()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    expect(login_dialog(page)).to_have_count(0)
