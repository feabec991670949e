"""Logging in, staying logged in, what ends it, and going on afterwards to what was wanted."""

import re
from datetime import timedelta

import httpx2
import pytest
from playwright.sync_api import Locator, Page, expect
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.security import issue_token
from rental_app.models import User
from rental_app.services.accounts import sessions
from rental_app.services.bookings import requests
from tests.e2e.conftest import Browse
from tests.support.accounts import PERSON
from tests.support.app import App
from tests.support.browser_steps import (
    fill,
    follow,
    log_in,
    login_dialog,
    ready,
    reload,
    request,
    settled,
    taken_over,
    toast,
    token,
    visit,
)
from tests.support.line import Answers, hold_scripts
from tests.support.profile_form import editing, stored
from tests.support.shop import PASSWORD, Shop, actor, count, moment, wanted, wire

pytestmark = pytest.mark.e2e


def test_a_reload_keeps_the_session_and_logout_ends_it(browse: Browse, app: App, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    assert token(page) is None
    log_in(page, shop.customer.email)
    expect(page.get_by_role("button", name="Logout")).to_be_visible()
    reload(page)
    expect(page.get_by_role("button", name="Logout")).to_be_visible()
    old = {"Authorization": f"Bearer {token(page)}"}
    assert httpx2.get(f"{app.url}/api/user/data", headers=old).status_code == 200

    page.get_by_role("button", name="Logout").click()
    expect(toast(page, "You have been logged out")).to_be_visible()
    expect(page.get_by_role("button", name="Login")).to_be_visible()
    assert token(page) is None
    assert httpx2.get(f"{app.url}/api/user/data", headers=old).status_code == 401
    page.reload()
    ready(page)
    expect(page.get_by_role("button", name="Login")).to_be_visible()
    assert token(page) is None


def test_the_app_hashes_passwords_slowly(app: App) -> None:
    # Made by the app itself: the demo's accounts were filled in by the tests.
    person = PERSON.model_dump(by_alias=True) | {"email": "slowly@example.com"}
    httpx2.post(f"{app.url}/api/user/register", json=person).raise_for_status()
    made = select(User.password_hash).where(col(User.email) == person["email"])
    assert read(lambda session: session.exec(made).one()).startswith("$2b$12$")


def test_logging_out_in_one_tab_ends_the_other(browse: Browse, shop: Shop) -> None:
    page = browse(user=shop.customer)
    other = page.context.new_page()
    ends = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(5))}".replace("+", "%2B")
    visit(other, f"/vehicle-details/{shop.vehicle.id}?{ends}")
    expect(other.get_by_text("Total", exact=True)).to_be_visible()
    other.evaluate("sessionStorage.setItem('draft-of-a-form', '\"typed\"')")
    visit(page, "/")
    page.get_by_role("button", name="Logout").click()
    expect(page.get_by_role("button", name="Login")).to_be_visible()

    # The other tab is loaded anew, at the same address, and what was typed into it is nobody else's.
    expect(other.get_by_role("button", name="Login")).to_be_visible()
    assert other.evaluate("sessionStorage.getItem('draft-of-a-form')") is None
    taken_over(other)
    before = count("booking")
    request(other)
    expect(other.get_by_role("dialog", name="Login")).to_be_visible()
    assert count("booking") == before


def test_a_token_that_proves_nothing_sends_home(browse: Browse, shop: Shop) -> None:
    expired = issue_token(shop.customer.id or 0, clock.now() - timedelta(days=8))[0]
    for kept, told in (("abc.def.ghi", "Please log in"), (expired, "Your session has expired")):
        page = browse(storage={"token": kept})
        page.goto("/my-bookings", wait_until="commit")
        expect(toast(page, told)).to_be_visible()
        page.wait_for_url(lambda url: url.endswith("/") and "my-bookings" not in url)
        ready(page)
        # If the new page asked for the token at that moment, an empty entry may remain.
        page.wait_for_function("!localStorage.getItem('token')")


def test_a_blank_or_wrong_password_is_told_and_the_dialog_keeps_what_was_typed(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    dialog = page.get_by_role("dialog", name="Login")
    dialog.get_by_role("button", name="Login").click()
    for label in ("Email", "Password"):
        expect(dialog.get_by_label(label)).to_have_accessible_description("Please fill this in")
    expect(dialog.get_by_label("Email")).to_be_focused()
    fill(page, {"Email": shop.customer.email, "Password": "not the password"})
    dialog.get_by_role("button", name="Login").click()
    expect(toast(page, "Email or password is not right")).to_be_visible()
    expect(dialog.get_by_label("Email")).to_have_value(shop.customer.email)
    expect(dialog.get_by_label("Password")).to_have_value("not the password")
    expect(dialog.get_by_label("Password")).to_have_accessible_description("Email or password is not right")
    expect(dialog.get_by_label("Password")).to_be_focused()
    expect(dialog.get_by_role("button", name="Login")).to_be_enabled()
    assert token(page) is None


TYPED = "By the lake"


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


@pytest.mark.long
@pytest.mark.parametrize("leaves", ["token", pytest.param("nothing", marks=pytest.mark.long)])
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


@pytest.mark.long
def test_a_login_begun_on_a_page_that_is_being_left_goes_along(browse: Browse) -> None:
    page = browse(fresh=True)
    visit(page, "/vehicles")
    page.get_by_role("button", name="Login").hover()
    page.wait_for_load_state("networkidle")
    let_next_page_through = hold_scripts(page)
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Offers").click(no_wait_after=True)
    page.get_by_role("button", name="Login").click()
    fill(page, {"Email": "typed@example.com"})
    let_next_page_through()
    page.wait_for_url(re.compile("/offers"))
    expect(page.get_by_role("heading", name="Offers", level=1, include_hidden=True)).to_be_attached()
    expect(login_dialog(page).get_by_label("Email")).to_have_value("typed@example.com")
    page.go_back()
    expect(login_dialog(page)).to_be_hidden()
    assert "/offers" in page.url
    page.go_back()
    page.wait_for_url(re.compile("/vehicles"))
    expect(page.get_by_role("dialog")).to_have_count(0)


def look_at_the_price(page: Page, shop: Shop) -> None:
    """Open the vehicle's page with a one-day window."""
    window = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(5))}".replace("+", "%2B")
    visit(page, f"/vehicle-details/{shop.vehicle.id}?{window}")
    expect(page.get_by_text("Total", exact=True)).to_be_visible()


def press_book_now(page: Page, shop: Shop) -> None:
    """Send a request as a visitor who is not logged in yet."""
    look_at_the_price(page, shop)
    request(page)


@pytest.mark.long
def test_who_has_gone_on_meanwhile_is_not_asked(browse: Browse, shop: Shop) -> None:
    page = browse()
    answers = Answers(page)
    look_at_the_price(page, shop)
    answers.held = True
    page.get_by_role("button", name="Book Now").click()
    follow(page, page.get_by_role("navigation", name="Main").get_by_role("link", name="Offers"))
    answers.let_through()
    settled(page)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_request_is_still_there_after_the_login_it_wanted(browse: Browse, shop: Shop) -> None:
    page = browse()
    press_book_now(page, shop)
    fill(page, {"Email": shop.customer.email, "Password": "not the password"})
    login_dialog(page).get_by_role("button", name="Login").click()
    expect(toast(page, "Email or password is not right")).to_be_visible()
    fill(page, {"Password": PASSWORD})
    login_dialog(page).get_by_role("button", name="Login").click()
    expect(toast(page, "You are logged in")).to_be_visible()
    expect(toast(page, "Email or password is not right")).to_have_count(0)

    before = count("booking")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert "/review" in page.url
    page.get_by_role("button", name="Request to book").click()
    page.wait_for_url("**/my-bookings/PH-*")
    assert count("booking") == before + 1


def test_a_vendor_goes_on_to_the_page_they_wanted(browse: Browse, shop: Shop) -> None:
    reference = write(requests.create, actor(shop.customer), wanted(shop.vehicle)).reference
    page = browse()
    page.goto(f"/vendor/bookings/{reference}")
    page.wait_for_url(re.compile("//[^/]+/$"))
    expect(login_dialog(page)).to_be_visible()
    fill(page, {"Email": shop.vendor.email, "Password": PASSWORD})
    login_dialog(page).get_by_role("button", name="Login").click()
    page.wait_for_url(re.compile(f"/vendor/bookings/{reference}"))
    expect(page.get_by_text(reference).first).to_be_visible()
    page.reload()
    expect(page.get_by_role("dialog")).to_have_count(0)
