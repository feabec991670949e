"""Logging in, staying logged in, and what ends it."""

from datetime import timedelta

import httpx2
import jwt
import pytest
from playwright.sync_api import expect
from sqlalchemy import text
from sqlmodel import col, select

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.security import ALGORITHM, AUDIENCE, issue_token
from rental_app.models import User
from rental_app.services import favourites
from tests.e2e.conftest import Browse
from tests.support.accounts import PERSON
from tests.support.app import App
from tests.support.browser_steps import NEWCOMER, fill, log_in, ready, request, settled, taken_over, toast, token, visit
from tests.support.shop import Shop, actor, count, moment, wire

pytestmark = pytest.mark.e2e


def test_a_reload_keeps_the_session_and_logout_ends_it(browse: Browse, app: App, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    assert token(page) is None
    log_in(page, shop.customer.email)
    expect(page.get_by_role("button", name="Logout")).to_be_visible()
    page.reload()
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


def test_nobody_is_asked_to_log_in_or_told_of_no_favourites_when_it_is_not_known_who_is_there(
    browse: Browse, shop: Shop
) -> None:
    write(favourites.put, actor(shop.customer), shop.vehicle.id)
    tabs = {path: browse(shop.customer) for path in ("/my-bookings", "/my-bookings/PH-ABCDEF", "/favourites")}
    write(lambda session: session.execute(text("ALTER TABLE login_session RENAME TO hidden")))
    try:
        for path, page in tabs.items():
            visit(page, path)
            expect(page.get_by_role("heading", name="could not be loaded")).to_be_visible()
            expect(page.get_by_role("button", name="Load my account")).to_be_visible()
            expect(page.get_by_role("button", name="Login")).to_have_count(0)
    finally:
        write(lambda session: session.execute(text("ALTER TABLE hidden RENAME TO login_session")))
    there = ("No bookings yet", "There is nothing at this address", "Honda Activa 6G")
    for page, title in zip(tabs.values(), there, strict=True):
        page.get_by_role("button", name="Try again").click()
        expect(page.get_by_role("heading", name=title)).to_be_visible()


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
    visit(page, "/")
    page.get_by_role("button", name="Logout").click()
    expect(page.get_by_role("button", name="Login")).to_be_visible()

    # The other tab is loaded anew, at the same address.
    expect(other.get_by_role("button", name="Login")).to_be_visible()
    taken_over(other)
    before = count("booking")
    request(other)
    expect(other.get_by_role("dialog", name="Login")).to_be_visible()
    assert count("booking") == before


def test_a_tab_whose_session_is_over_goes_on_with_a_newer_login(browse: Browse, shop: Shop) -> None:
    old = browse(user=shop.customer)
    visit(old, "/")
    newer = old.context.new_page()
    visit(newer, "/")
    newer.get_by_role("button", name="Logout").click()
    expect(newer.get_by_role("button", name="Login")).to_be_visible()
    log_in(newer, shop.vendor.email)
    expect(newer.get_by_role("button", name="Logout")).to_be_visible()
    kept = token(newer)

    old.get_by_role("navigation", name="Main").get_by_role("link", name="Offers").click()
    expect(old.get_by_role("link", name="Dashboard")).to_be_visible()
    assert token(old) == kept
    newer.reload()
    expect(newer.get_by_role("link", name="Dashboard")).to_be_visible()


def test_a_token_that_proves_nothing_sends_home(browse: Browse, shop: Shop) -> None:
    user_id = shop.customer.id or 0
    claims = {"sub": str(user_id), "jti": "x", "iat": clock.now(), "exp": clock.now() + timedelta(days=1)}
    tokens = {
        "nonsense": "abc.def.ghi",
        "forged": jwt.encode(claims | {"aud": AUDIENCE, "iss": AUDIENCE}, "another key" * 5, algorithm=ALGORITHM),
        "expired": issue_token(user_id, clock.now() - timedelta(days=8))[0],
    }
    for kind, kept in tokens.items():
        page = browse(storage={"token": kept})
        page.goto("/my-bookings", wait_until="commit")
        told = "Your session has expired" if kind == "expired" else "Please log in"
        expect(toast(page, told)).to_be_visible()
        page.wait_for_url(lambda url: url.endswith("/") and "my-bookings" not in url)
        ready(page)
        # If the new page asked for the token at that moment, an empty entry may remain.
        page.wait_for_function("!localStorage.getItem('token')")


def test_a_dead_token_sends_home_from_the_vehicles_of_a_remembered_place_too(browse: Browse, shop: Shop) -> None:
    page = browse(storage={"token": "abc.def.ghi", "selectedLocation": shop.place.name})
    page.goto("/vehicles")
    page.wait_for_url(lambda url: "/vehicles" not in url)
    page.wait_for_function("!localStorage.getItem('token')")
    settled(page)
    assert page.evaluate("location.pathname") == "/"


def test_a_wrong_password_is_told_and_the_dialog_keeps_what_was_typed(browse: Browse, shop: Shop) -> None:
    page = browse()
    visit(page, "/")
    log_in(page, shop.customer.email, "not the password")
    expect(toast(page, "Email or password is not right")).to_be_visible()
    dialog = page.get_by_role("dialog", name="Login")
    expect(dialog.get_by_label("Email")).to_have_value(shop.customer.email)
    expect(dialog.get_by_label("Password")).to_have_value("not the password")
    expect(dialog.get_by_label("Password")).to_have_accessible_description("Email or password is not right")
    expect(dialog.get_by_label("Password")).to_be_focused()
    expect(dialog.get_by_role("button", name="Login")).to_be_enabled()
    assert token(page) is None


def test_a_refused_sign_up_is_told_beside_its_field(browse: Browse) -> None:
    page, users = browse(), count("user")
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    page.get_by_role("dialog").get_by_role("button", name="click here").click()
    for field, value, message in (
        ("Email", "customer@example.com", "An account with this email already exists"),
        ("Password", "long enough" + 31 * "é", "Use at most 72 bytes (this one has 73)"),
        (
            "Password",
            "Password1!",
            "This password is easy to guess. This is similar to a commonly used password."
            " Add another word or two. Uncommon words are better. Capitalization doesn't help very much.",
        ),
        ("Mobile Number", "1234567890", "Enter a 10-digit Indian mobile number"),
    ):
        typed = NEWCOMER | {"Email": "refused@example.com", field: value}
        dialog = fill(page, typed)
        expect(dialog.get_by_label("City")).not_to_have_value("")
        dialog.get_by_role("button", name="Create Account").click()
        expect(dialog.get_by_label(field)).to_have_accessible_description(message)
        expect(dialog.get_by_label(field)).to_have_attribute("aria-invalid", "true")
        expect(dialog.get_by_label(field)).to_be_focused()
        expect(toast(page, message)).to_be_visible()
        for label, kept in typed.items():
            expect(dialog.get_by_label(label, exact=True)).to_have_value(kept)
    assert count("user") == users


def test_blank_fields_are_told_at_each_of_them(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="Login").click()
    for label in ("Email", "Password"):
        expect(dialog.get_by_label(label)).to_have_accessible_description("Please fill this in")
    expect(dialog.get_by_label("Email")).to_be_focused()
    dialog.get_by_role("button", name="click here").click()
    dialog.get_by_label("Name").fill("Asha")
    dialog.get_by_role("button", name="Create Account").click()
    for label in ("Email", "Mobile Number", "Address", "Pincode", "City", "Password"):
        expect(dialog.get_by_label(label)).to_have_accessible_description("Please fill this in")
    expect(dialog.get_by_label("Mobile Number")).to_be_focused()


def test_state_and_district_are_typed_for_a_pincode_that_nobody_knows(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    page.get_by_role("button", name="Login").click()
    page.get_by_role("dialog").get_by_role("button", name="click here").click()
    dialog = page.get_by_role("dialog")
    state = dialog.get_by_label("State")
    expect(state).not_to_be_editable()
    fill(page, NEWCOMER | {"Email": "faraway@example.com", "Pincode": "509999"})
    expect(state).to_be_editable()
    expect(state).to_have_accessible_description("We do not know this pincode: please type it")
    for label, typed in (("City", "Naya Nagar"), ("State", "Telangana"), ("District", "Narayanpet")):
        dialog.get_by_label(label).fill(typed)
    dialog.get_by_role("button", name="Create Account").click()
    expect(page.get_by_role("button", name="Logout")).to_be_visible()


def test_the_dialog_closes_by_backdrop_cross_and_escape(browse: Browse) -> None:
    page = browse()
    visit(page, "/")
    dialog = page.get_by_role("dialog")
    for close in (
        lambda: page.mouse.click(8, 450),
        lambda: dialog.get_by_role("button", name="Close").click(),
        lambda: page.keyboard.press("Escape"),
    ):
        page.get_by_role("button", name="Login").click()
        expect(dialog.get_by_label("Email")).to_be_visible()
        # Outside clicks count only one timer tick after it opens: no person is faster, but a test is.
        page.evaluate("new Promise((done) => setTimeout(done))")
        close()
        expect(dialog).to_have_count(0)
