"""After a login that was required, people go on to what they wanted."""

import re

import pytest
from playwright.sync_api import Page, expect

from rental_app.infrastructure.db import write
from rental_app.services.bookings import create
from tests.e2e.conftest import Browse
from tests.support.browser_steps import fill, follow, login_dialog, request, settled, toast, visit
from tests.support.line import Answers, hold_scripts
from tests.support.manage_bookings import book
from tests.support.shop import PASSWORD, Shop, actor, count, moment, wanted, wire

pytestmark = pytest.mark.e2e


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
    reference = write(create.create, actor(shop.customer), wanted(shop.vehicle)).reference
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


def test_my_bookings_are_there_after_the_login_they_wanted(browse: Browse, shop: Shop) -> None:
    book(shop)
    page = browse()
    visit(page, "/my-bookings")
    page.get_by_role("main").get_by_role("button", name="Log in").click()
    fill(page, {"Email": shop.customer.email, "Password": PASSWORD})
    login_dialog(page).get_by_role("button", name="Login").click()
    expect(page.get_by_role("main").get_by_role("link", name="Honda Activa 6G")).to_be_visible()
