"""Logging in, signing up, logging out, and what ends a session, behind the pages."""

import pytest
from reflex_base.event import Event
from sqlmodel import Session

from rental_app.infrastructure.db import write
from rental_app.schemas.operating import ReadOnlyRequest
from rental_app.services.accounts import sessions
from rental_app.services.operating import read_only
from rental_app.services.throttle import Caller
from rental_app.web.pages import PAGES
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session import read_only_note
from rental_app.web.session.base import SessionState
from rental_app.web.session.connection import ReadOnlyBand
from rental_app.web.session.login import LoginState
from rental_app.web.session.vendor_auth import VendorAuthState
from rental_app.web.vendor.dashboard.state import DashboardState
from rental_app.web.vendor.profile.state import ProfileState
from tests.support.failures import away
from tests.support.page_states import page_of
from tests.support.shop import PASSWORD, Shop, actor, add_user, count, token_of
from tests.support.state_tabs import answers, is_asked, journey, tab_of

NEWCOMER = {
    "name": "Test Person",
    "email": "newcomer@example.com",
    "password": "long-enough-1",
    "phoneNumber": "9876543210",
    "address": "12 Long Road",
    "pincode": "500032",
    "city": "Hyderabad",
}


@journey
async def test_start_recognises_a_token_and_lists_locations(shop: Shop) -> None:
    session = await tab_of(shop.vendor, SessionState)
    await answers(session.start())
    assert (session.ready, session.logged_in, session.is_vendor) == (True, True, True)
    assert session.user_name == shop.vendor.name
    assert "Testpur" in session.locations


@journey
async def test_logout_revokes_the_token_and_is_said(shop: Shop) -> None:
    session = await tab_of(shop.customer, SessionState)
    token = session.token
    await answers(session.start())
    told = await answers(session.logout())
    # What was typed is forgotten first: the page's gate may lead away before the browser has answered.
    assert 0 < told.index("draft-") < told.index("logged_out")
    # A page that was still loading as the button was pressed.
    assert await answers(session.start()) == "", "nobody is asked to log in again"
    assert not session._asked, "the browser's answer to the logout does not wait"
    told = await answers(session.logged_out(token))
    assert "You have been logged out" in told
    assert "localStorage.removeItem('token')" in told
    assert "localStorage.setItem('logout'" in told, "the other tabs of the browser hear of it"
    assert (session.token, session.logged_in) == ("", False)
    session.token = token
    told = await answers(session.start())
    assert "Please log in again" in told
    assert "logout" not in told, "a session that is over is no logout"
    assert "take_token" in told
    assert "localStorage.removeItem('token')" in await answers(session.take_token(token))
    assert (session.token, session.logged_in, session.ready) == ("", False, True)


@journey
async def test_what_a_form_still_sends_when_a_logout_leaves_it_is_dropped(shop: Shop) -> None:
    page = await page_of(shop.vendor, ProfileState, "/vendor/profile")
    session = await page.get_state(SessionState)
    await answers(session.start())
    await answers(page.edit())
    token = session.token
    await answers(session.logout())
    assert await answers(page.edit()) == ""
    assert "You have been logged out" in await answers(session.logged_out(token))
    assert await answers(page.edit()) == ""
    await answers(session.start())
    assert "Please log in" in await answers(page.edit())


@journey
async def test_a_logout_with_a_newer_login_elsewhere_leaves_the_page_usable(shop: Shop) -> None:
    page = await page_of(shop.vendor, ProfileState, "/vendor/profile")
    session = await page.get_state(SessionState)
    await answers(session.start())
    await answers(session.logout())
    await answers(session.logged_out(token_of(shop.vendor)))
    await answers(page.edit())
    assert page.editing


@journey
async def test_a_session_that_is_over_leaves_the_newer_login_of_another_tab(shop: Shop) -> None:
    session, newer = await tab_of(shop.vendor, SessionState), token_of(shop.customer)
    write(sessions.sign_out_everywhere, actor(shop.vendor))
    told = await answers(session.start()) + await answers(session.take_token(newer))
    assert "Please log in again" in told
    assert "removeItem" not in told
    assert (session.token, session.user_name, session.is_vendor) == (newer, shop.customer.name, False)
    # An answer that comes after a login, which it was asked for before.
    assert await answers(session.take_token("the token that was over")) == ""
    assert (session.token, session.logged_in) == (newer, True)


@pytest.mark.parametrize("path", ["/vendor", "/vendor/manage-vehicles", "/vendors/a-vendor", "/favourites"])
@journey
async def test_what_redirects_when_a_session_has_ended(shop: Shop, path: str) -> None:
    """On a vendor's page only its gate redirects, to ask for a login: redirected earlier, the page never reached it."""
    gate = await page_of(shop.vendor, VendorAuthState, path)
    session = await gate.get_state(SessionState)
    write(sessions.sign_out_everywhere, actor(shop.vendor))
    starts, enters = await answers(session.start()), await answers(gate.enter())
    assert "Please log in again" in starts
    assert ("_redirect" in starts) == (path in ("/vendors/a-vendor", "/favourites"))
    assert "_redirect" in enters
    assert "window.awaited" in enters


@pytest.mark.parametrize("query", ["", "?pickupLocation=Testpur", "?q=activa"])
@journey
async def test_a_dead_token_leads_home_from_the_vehicles_and_nothing_leads_elsewhere(shop: Shop, query: str) -> None:
    """The place remembered led on to its search, and whichever redirect the browser handled last won."""
    page = await page_of(None, VehiclesState, f"/vehicles{query}")
    session = await page.get_state(SessionState)
    session.token, session.selected_location = "no token at all", shop.place.name
    starts, loads = await answers(session.start()), await answers(page.load())
    assert "_redirect" in starts
    assert "_redirect" not in loads
    # Once it has been dropped, the page may be opened again.
    await answers(session.take_token("no token at all"))
    again = [await answers(session.start()), await answers(page.load())]
    assert ["_redirect" in told for told in again] == [False, query == ""]


@journey
async def test_logout_forgets_what_belonged_to_the_account(shop: Shop) -> None:
    session = await tab_of(shop.vendor, SessionState)
    await answers(session.start())
    dashboard, profile = await session.get_state(DashboardState), await session.get_state(ProfileState)
    await answers(dashboard.load())
    await answers(profile.load())
    assert dashboard.page is not None
    assert profile.profile is not None
    await answers(session.logout())
    assert (dashboard.page, profile.profile) == (None, None)


@journey
async def test_locations_that_cannot_be_loaded_are_said(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rental_app.services.catalogue.locations", away)
    session = await tab_of(None, SessionState)
    assert "Failed to load locations" in await answers(session.start())
    assert session.ready


@journey
async def test_a_logout_leaves_the_newer_login_of_another_tab(shop: Shop) -> None:
    session = await tab_of(shop.vendor, SessionState)
    await answers(session.start())
    mine, newer = session.token, token_of(shop.customer)
    told = await answers(session.logout()) + await answers(session.logged_out(newer))
    assert "You have been logged out" in told
    assert "localStorage.removeItem('token')" not in told
    assert (session.token, session.user_name) == (newer, shop.customer.name)
    late = await tab_of(None, SessionState)
    late.token = mine
    assert "Please log in again" in await answers(late.start())


@journey
async def test_what_is_pressed_when_a_session_is_over_waits_for_the_browsers_token_but_for_no_login(shop: Shop) -> None:
    profile = await tab_of(shop.vendor, ProfileState)
    session = await profile.get_state(SessionState)
    await answers(profile.edit())
    write(sessions.sign_out_everywhere, actor(shop.vendor))
    form = {"address": "7 Hill Road"}
    assert is_asked(await answers(profile.save(form)))
    # It is asked only once.
    assert await answers(profile.save(form)) == ""
    assert profile.editing
    assert session._waiting == 2 * [(f"{ProfileState.get_full_name()}.save", {"form": form})]
    await session._remember(token_of(shop.vendor))
    assert (session._waiting, profile.editing) == ([], False)


@journey
async def test_logging_in_and_being_refused(shop: Shop) -> None:
    login = await tab_of(None, LoginState)
    told = await answers(login.log_in({"email": shop.customer.email, "password": "wrong password"}))
    assert login.login_errors == {"password": "Email or password is not right"}
    assert (focused(told, "password"), '"closes": true' in told, login.busy) == (True, False, False)
    told = await answers(login.log_in({"email": shop.customer.email.upper(), "password": PASSWORD}))
    assert "You are logged in" in told
    assert ('"closes": true' in told, login.busy) == (True, False)
    assert (await login.get_state(SessionState)).user_name == shop.customer.name


@pytest.mark.parametrize(
    ("who", "after", "way"),
    [
        ("vendor", "", "/vendor"),
        ("customer", "", "/"),
        ("vendor", "/vendor/manage-bookings?booking=7", "/vendor/manage-bookings?booking=7"),
        ("vendor", "/vendor/bookings/PH-4X7K20", "/vendor/bookings/PH-4X7K20"),
        ("vendor", "//example.com/vendor", "/vendor"),
        ("vendor", "/vendor//example.com", "/vendor"),
        ("vendor", "/vendor/../my-bookings", "/vendor"),
        ("customer", "/vendor/profile", "/"),
        ("customer", "booking", ""),
        ("customer", "my-bookings", ""),
        ("customer", "my-booking", ""),
    ],
)
@journey
async def test_a_login_leads_home_or_back_to_what_it_interrupted(shop: Shop, who: str, after: str, way: str) -> None:
    assert PAGES, "each page says what a login can continue there"
    login = await tab_of(None, LoginState)
    told = await answers(login.log_in({"email": getattr(shop, who).email, "password": PASSWORD, "after": after}))
    assert f'"go": "{way}"' in told
    assert ("Only vendors can do this" in told) == (who == "customer" and after.startswith("/vendor"))


@pytest.mark.parametrize(("handler", "news"), [("sign_up", "Your account is ready"), ("log_in", "You are logged in")])
@journey
async def test_a_second_press_says_nothing_and_does_nothing(database: str, handler: str, news: str) -> None:
    login = await tab_of(None, LoginState)
    login.busy = True
    assert await answers(getattr(login, handler)(NEWCOMER)) == ""
    login.busy = False
    if handler == "log_in":
        await answers((await tab_of(None, LoginState)).sign_up(NEWCOMER))
    assert news in await answers(getattr(login, handler)(NEWCOMER))
    assert await answers(getattr(login, handler)(NEWCOMER)) == ""


@journey
async def test_a_phone_asks_who_somebody_is_before_where_they_live(shop: Shop) -> None:
    users = count("user")
    login = await tab_of(None, LoginState)
    who = NEWCOMER | dict.fromkeys(("address", "pincode", "city"), "")
    wrong = {"phoneNumber": "98480123", "email": shop.customer.email}
    told = await answers(login.sign_up(who | wrong, True))
    assert (set(login.errors), login.asks_where) == (set(wrong), False)
    assert "Please check 2 fields" in told
    await answers(login.sign_up(who, True))
    assert (login.errors, login.asks_where, count("user")) == ({}, True, users)
    # Somebody else may sign up with the same e-mail meanwhile: its field is in the first step.
    await answers(login.sign_up(NEWCOMER | {"email": shop.customer.email}, True))
    assert (set(login.errors), login.asks_where) == ({"email"}, False)
    await answers(login.sign_up(who, True))
    assert "Your account is ready" in await answers(login.sign_up(NEWCOMER, True))
    assert count("user") == users + 1


@journey
async def test_everything_wrong_with_a_sign_up_is_said_at_once(shop: Shop) -> None:
    login = await tab_of(None, LoginState)
    wrong = {"name": "", "phoneNumber": "123"}
    told = await answers(login.sign_up(NEWCOMER | wrong))
    assert set(login.errors) == set(wrong)
    assert ('"closes": true' in told, login.busy) == (False, False)
    # What is said at the fields is only counted by the toast.
    assert f"Please check {len(wrong)} fields" in told
    # Nobody knows this pincode: a note beside it asks for what has to be typed then.
    typed = {"state", "county"}
    wrong = {"name": " ", "pincode": "999999", "password": "short"}
    await answers(login.sign_up(NEWCOMER | wrong))
    assert set(login.errors) == {"name", "password"} | typed
    wrong = {"email": shop.customer.email, "pincode": "999999", "password": "password"}
    await answers(login.sign_up(NEWCOMER | wrong))
    assert set(login.errors) == {"email", "password"} | typed
    wrong = {"email": f" {shop.customer.email.upper()} ", "phoneNumber": "123"}
    await answers(login.sign_up(NEWCOMER | wrong))
    assert set(login.errors) == set(wrong)
    assert login.errors["email"] == "An account with this email already exists"


@journey
async def test_signing_up_as_a_vendor_gives_the_role_and_nothing_more(database: str) -> None:
    login = await tab_of(None, LoginState)
    told = await answers(login.sign_up(NEWCOMER | {"isVendor": "on", "role": "Admin", "wallet": 5}))
    assert "Welcome! Your account is ready" in told
    assert '"go": "/"' in told
    session = await login.get_state(SessionState)
    assert (session.is_vendor, session.logged_in) == (True, True)


@journey
async def test_a_pincode_fills_the_place_and_another_one_clears_it_except_for_a_city_that_was_typed(
    database: str,
) -> None:
    login = await tab_of(None, LoginState)
    told = await answers(login.look_up_pincode("999999"))
    assert ("Failed to fetch location" in told, "ref_city" in told) == (True, False)
    told = await answers(login.look_up_pincode("500032"))
    assert ("Telangana" in told, "ref_city" in told, "toast" in told) == (True, True, False)
    told = await answers(login.look_up_pincode("999999"))
    assert ("Failed to fetch location" in told, "ref_city" in told, "Hyderabad" in told) == (True, True, False)
    told = await answers(login.look_up_pincode("5000"))
    assert ("_set_value" in told, "ref_district" in told, "ref_city" in told) == (True, True, False)
    assert ("toast" in told, login.errors) == (False, {})


@journey
async def test_a_look_up_that_comes_late_changes_nothing(database: str) -> None:
    login = await tab_of(None, LoginState)
    await answers(login.sign_up(NEWCOMER | {"pincode": "12"}))
    refusal = login.errors["pincode"]
    await answers(login.look_up_pincode("12"))
    assert login.errors == {"pincode": refusal}
    await answers(login.begin())
    assert login.errors == {}


@journey
async def test_blank_fields_are_told_at_each_of_them(database: str) -> None:
    login = await tab_of(None, LoginState)
    told = await answers(login.log_in({"email": " ", "password": ""}))
    assert login.login_errors == dict.fromkeys(("email", "password"), "Please fill this in")
    assert "Please check 2 fields" in told
    assert focused(told, "email")
    told = await answers(login.log_in({"email": "asha@example.com", "password": None}))
    assert login.login_errors == {"password": "Please fill this in"}
    assert focused(told, "password")
    told = await answers(login.sign_up({}))
    needed = ("name", "email", "phoneNumber", "address", "pincode", "city", "password")
    assert login.errors == dict.fromkeys(needed, "Please fill this in")
    assert focused(told, "name")


def focused(told: str, field: str) -> bool:
    """Return whether the browser is told to focus a field."""
    return f'getElementById("{field}")' in told.replace("\\", "")


@journey
async def test_state_and_district_are_typed_for_a_pincode_that_nobody_knows(database: str) -> None:
    newcomer = NEWCOMER | {"pincode": "509999", "state": "Telangana", "district": "Narayanpet"}
    login = await tab_of(None, LoginState)
    await answers(login.look_up_pincode("500032"))
    # What was filled for another pincode is not what somebody typed for this one.
    await answers(login.sign_up(newcomer))
    assert login.errors == {"pincode": "There is no place with the pincode 509999"}
    assert login.unknown_pincode == "509999"
    await answers(login.look_up_pincode("500032"))
    assert login.unknown_pincode == ""
    await answers(login.look_up_pincode("509999"))
    assert login.unknown_pincode == "509999"
    assert "Welcome" in await answers(login.sign_up(newcomer))


@journey
async def test_a_browser_is_known_again_by_its_key(shop: Shop) -> None:
    login = await tab_of(None, LoginState)
    session = await login.get_state(SessionState)
    form = {"email": shop.customer.email, "password": PASSWORD}
    await answers(login.log_in(form))
    first = session.device
    assert len(first) > 20
    await answers(session.logout())
    await answers(session.logged_out(None))
    await answers(login.log_in(form))
    assert session.device == first
    assert count("known_device") == 1


@journey
async def test_an_open_tab_shows_the_read_only_note_with_its_next_event_and_loses_it_so(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[Caller] = []

    def counted(session: Session, caller: Caller) -> str:
        asked.append(caller)
        return note(session, caller)

    note = read_only.note
    monkeypatch.setattr(read_only, "note", counted)
    monkeypatch.setattr(read_only_note, "_read_at", float("-inf"))
    who, tab = actor(add_user("Operator")), await tab_of(None, SessionState)
    event, band = Event(name="any"), ReadOnlyBand()
    for on, told in ((True, "Back at five"), (False, "")):
        write(read_only.switch, who, ReadOnlyRequest(on=on, message="Back at five"))
        monkeypatch.setattr(read_only_note, "_read_at", read_only_note._read_at - read_only_note.FRESH_SECONDS)
        for _ in range(3):
            assert await band.preprocess(None, tab._get_root_state(), event) is None
        assert tab.read_only_note == told
    # All tabs of the process share what one of them has asked for.
    assert len(asked) == 2
