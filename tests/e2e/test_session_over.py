"""A vendor's tab whose session has ended elsewhere: its next press goes on with a newer login, for the same account."""

import pytest
from playwright.sync_api import Locator, Page, expect

from rental_app.db import read, write
from rental_app.models import User, Vehicle
from rental_app.services import accounts
from tests.e2e.conftest import Browse
from tests.e2e.steps import fill, log_in, login_dialog, settled, toast, token, visit
from tests.e2e.test_vendor_profile import editing, stored
from tests.helpers import PASSWORD, Shop, actor, open_shop

pytestmark = pytest.mark.e2e
TYPED = "By the lake"


def typing(page: Page) -> Locator:
    """The form of the profile, with something typed into it."""
    form = editing(page)
    form.get_by_label("Landmark").press_sequentially(TYPED)
    return form


def end_sessions(user: User) -> None:
    write(accounts.sign_out_everywhere, actor(user))


def log_in_elsewhere(page: Page, user: User) -> Page:
    """Log in in a second tab of the same browser."""
    other = page.context.new_page()
    visit(other, "/")
    log_in(other, user.email)
    expect(toast(other, "You are logged in")).to_be_visible()
    return other


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
    expect(toast(page, "Another account is logged in by now: nothing was done")).to_be_visible()
    expect(page.get_by_text(f"Welcome, {stranger.vendor.name}")).to_be_visible()
    settled(page)
    expect(form).to_have_count(0)
    assert (stored(shop).landmark, stored(stranger).landmark) == ("", "")


@pytest.mark.parametrize("leaves", ["token", "nothing"])
def test_a_late_login_does_nothing_by_itself(browse: Browse, shop: Shop, leaves: str) -> None:
    page = browse(shop.vendor)
    form = typing(page)
    end_sessions(shop.vendor)
    if leaves == "nothing":
        page.evaluate("localStorage.removeItem('token')")
    form.get_by_role("button", name="Save").click()
    dialog = login_dialog(page)
    expect(dialog).to_be_visible()
    settled(page)
    expect(toast(page, "Please log in")).to_have_count(1)
    log_in_elsewhere(page, shop.vendor)
    fill(page, {"Email": shop.vendor.email, "Password": PASSWORD})
    dialog.get_by_role("button", name="Login").click()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    settled(page)
    expect(form).to_have_count(0)
    assert stored(shop).landmark == ""


def test_a_switch_and_a_link_go_on_too(browse: Browse, shop: Shop) -> None:
    page = browse(shop.vendor)
    visit(page, "/vendor/manage-vehicles")
    switch = page.get_by_role("switch").first
    expect(switch).to_be_checked()
    end_sessions(shop.vendor)
    log_in_elsewhere(page, shop.vendor)
    switch.click()
    expect(toast(page, "Vehicle is now blocked from booking")).to_be_visible()
    assert not read(lambda session: session.get_one(Vehicle, shop.vehicle.id)).is_active
    end_sessions(shop.vendor)
    log_in_elsewhere(page, shop.vendor)
    page.get_by_role("navigation", name="Vendor").get_by_role("link", name="Profile").click()
    expect(page.get_by_role("button", name="Edit", exact=True)).to_be_visible()
    expect(login_dialog(page)).to_have_count(0)
