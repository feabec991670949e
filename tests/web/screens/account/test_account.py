"""The page of one's own account, behind the browser."""

import json

import pyotp
import pytest

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.models import LoginSession, User
from rental_app.schemas.operating import RecoveryRequest
from rental_app.services.accounts import emails, login, passkeys, phones, recovery, requests, second_step, sessions
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.operating import people
from rental_app.web.screens.account import state
from rental_app.web.screens.account.presenter import email_parts
from rental_app.web.screens.account.state import AccountState
from rental_app.web.screens.mailed_links.state import MailedLinkState
from rental_app.web.session.base import SessionState
from tests.support.accounts import latest_token, unconfirmed
from tests.support.authenticator import device
from tests.support.booking_steps import alter
from tests.support.shop import PASSWORD, VISITOR, Shop, actor, add_user, token_of
from tests.support.state_tabs import answers, journey, loaded, tab_of

NEW = "a quite different secret"
FORM = {
    "name": "Asha Rao",
    "phoneNumber": "9876543210",
    "address": "7 Lake Road",
    "landmark": "",
    "pincode": "500081",
    "city": "Hyderabad",
    "state": "",
    "district": "",
}


@journey
async def test_another_email_that_waits_is_shown_and_stopped(shop: Shop) -> None:
    operator, wish = add_user("Operator"), {"email": "new.address@example.com", "checked": "Called their employer"}
    page = await loaded(tab_of(shop.customer, AccountState))
    assert page.page.moving == ""
    write(people.begin_recovery, actor(operator), shop.customer.id or 0, RecoveryRequest.model_validate(wish))
    await answers(page.load())
    assert page.page.moving == "email"
    assert page.page.moves_at == clock.friendly(clock.now() + recovery.WAIT)
    assert recovery.STOPPED in await answers(page.stop_recovery())
    assert page.page.moving == ""
    assert "No other email" in await answers(page.stop_recovery())


@journey
async def test_details_are_shown_and_saved(shop: Shop) -> None:
    page = await loaded(tab_of(shop.customer, AccountState))
    assert (page.page.name, page.page.is_vendor, page.page.password_note) == (
        shop.customer.name,
        False,
        "Not changed yet",
    )
    assert "phoneNumber" in await answers(page.save_details(FORM | {"phoneNumber": "12"}))
    assert page.errors.keys() == {"phoneNumber"}
    told = await answers(page.save_details(FORM))
    assert "Your details are saved" in told
    assert (page.page.name, page.page.phone_shown, page.page.state) == ("Asha Rao", "+91 98765 43210", "Telangana")
    assert (await page.get_state(SessionState)).user_name == "Asha Rao"


@journey
async def test_a_vendor_asks_for_changes(shop: Shop) -> None:
    page = await loaded(tab_of(shop.vendor, AccountState))
    assert page.page.is_vendor
    assert "please ask" in await answers(page.save_details(FORM))
    assert read(lambda session: session.get_one(User, shop.vendor.id)).name == shop.vendor.name


@journey
async def test_a_password_is_changed_and_this_tab_goes_on(shop: Shop) -> None:
    page, elsewhere = await tab_of(shop.customer, AccountState), token_of(shop.customer)
    session = await page.get_state(SessionState)
    await answers(page.load())
    before = session.token
    assert "current-password" in await answers(page.change_password({"current": "", "password": NEW}))
    assert "current-password" in await answers(page.change_password({"current": "x", "password": NEW}))
    assert "new-password" in await answers(page.change_password({"current": PASSWORD, "password": "short"}))
    assert session.token == before
    await answers(page.change_password({"current": PASSWORD, "password": NEW}))
    assert session.token not in (before, elsewhere)
    assert read(sessions.authenticate, VISITOR, session.token).id == shop.customer.id
    assert page.page.password_note.startswith("Changed ")
    assert [row.is_current for row in page.page.devices] == [True]


@journey
async def test_another_device_is_logged_out(shop: Shop) -> None:
    page = await tab_of(shop.customer, AccountState)
    token_of(shop.customer)
    await answers(page.load())
    (other,) = (row.id for row in page.page.devices if not row.is_current)
    assert "That device is logged out" in await answers(page.end_session(other))
    assert [row.is_current for row in page.page.devices] == [True]
    assert "not logged in" in await answers(page.end_session(other))


@journey
async def test_logging_out_everywhere_ends_this_one_too(shop: Shop) -> None:
    page = await tab_of(shop.customer, AccountState)
    session = await page.get_state(SessionState)
    await answers(page.load())
    assert "logout" in await answers(page.log_out_everywhere())
    await answers(session.logout())
    assert page.page is None


@journey
async def test_an_email_is_confirmed_and_changed(shop: Shop) -> None:
    page = await tab_of(unconfirmed(shop.customer), AccountState)
    link = await tab_of(None, MailedLinkState)
    await answers(page.load())
    assert not page.page.email_verified
    assert "A link is on its way" in await answers(page.send_link())
    await answers(link.verify({}))
    assert link.errors.keys() == {"token"}
    await answers(link.verify({"token": "x"}))
    assert "no longer works" in link.errors["token"]
    form = {"token": latest_token(Purpose.VERIFY_EMAIL)}
    await answers(link.verify(form))
    assert link.asks_password
    assert link.errors.keys() == {"password"}
    await answers(link.verify(form | {"password": "guessed"}))
    assert link.errors.keys() == {"password"}
    await answers(link.verify(form | {"password": PASSWORD}))
    assert (link.done, link.errors) == (emails.VERIFIED, {})
    await answers(page.load())
    assert page.page.email_verified
    assert "new-email" in await answers(page.change_email({"email": "x", "password": PASSWORD}))
    assert "current-password" in await answers(page.change_email({"email": "other@example.com", "password": "x"}))
    assert emails.LINK_SENT in await answers(page.change_email({"email": "other@example.com", "password": PASSWORD}))
    undo = latest_token(Purpose.UNDO_EMAIL)
    link = await tab_of(shop.customer, MailedLinkState)
    await answers(link.confirm({"token": latest_token(Purpose.CHANGE_EMAIL)}))
    assert link.done == emails.CHANGED, "it is the account that is logged in here"
    await answers(link.undo({"token": undo}))
    assert link.done == emails.UNDONE
    await answers(link.begin())
    assert link.done == ""


@journey
async def test_a_vendor_asks_for_a_change_on_the_page(shop: Shop) -> None:
    page = await tab_of(shop.vendor, AccountState)
    form = {"field": "bank", "value": "State Bank of India, 30012345678, SBIN0001234", "why": "", "password": PASSWORD}
    await answers(page.load())
    assert "asked-value" in await answers(page.ask_change(form | {"value": "x"}))
    assert "current-password" in await answers(page.ask_change(form | {"password": "x"}))
    assert requests.REQUEST_SENT in await answers(page.ask_change(form))
    (row,) = page.page.requests
    assert row.is_open
    assert row.title.startswith("Another bank account: State Bank of India")
    assert "asked-field" in await answers(page.ask_change(form))
    assert requests.WITHDRAWN in await answers(page.withdraw(row.id))
    assert [one.is_open for one in page.page.requests] == [False]
    assert "no such request" in await answers(page.withdraw(row.id))
    stranger = await loaded(tab_of(shop.customer, AccountState))
    assert "Only vendors" in await answers(stranger.ask_change(form))


def code_for(purpose: Purpose) -> dict[str, str]:
    return {"code": latest_token(purpose)}


@journey
async def test_the_mobile_number_is_confirmed_by_a_code(shop: Shop) -> None:
    page = await loaded(tab_of(shop.vendor, AccountState))
    assert not page.page.phone_verified
    assert phones.SENT in await answers(page.send_code())
    assert page.code_sent
    assert "one-time-code" in await answers(page.verify_phone({"code": "12"}))
    assert page.errors.keys() == {"code"}
    assert phones.VERIFIED in await answers(page.verify_phone(code_for(Purpose.VERIFY_PHONE)))
    assert (page.page.phone_verified, page.page.phone_opens) == (True, True)
    # Numbers are given to others.
    alter(User, shop.vendor.id, phone_used_at=clock.now() - phones.TRUSTED_FOR)
    await answers(page.load())
    assert (page.page.phone_verified, page.page.phone_opens) == (True, False)


@journey
async def test_an_app_is_set_up_and_turned_off(shop: Shop) -> None:
    page, own = await tab_of(shop.customer, AccountState), {"password": PASSWORD}
    await answers(page.load())
    assert "current-password" in await answers(page.set_up_step({"password": "wrong"}))
    assert page.key == ""
    await answers(page.set_up_step(own))
    assert page.key_picture.startswith("data:image/svg")
    assert page.key_link.startswith("otpauth://totp/")
    app = pyotp.TOTP(page.key)
    await answers(page.confirm_step({"code": "x"}))
    assert page.errors.keys() == {"code"}
    await answers(page.confirm_step({"code": app.at(clock.now())}))
    assert (len(page.codes), page.key, page.key_link, page.key_picture) == (10, "", "", "")
    assert page.page.second_step
    elsewhere = await tab_of(shop.customer, AccountState)
    await answers(elsewhere.load())
    assert second_step.OFF in await answers(page.end_step(own | {"code": page.codes[0]}))
    assert not page.page.second_step
    # A page that does not know it yet offers no codes once its dialog is opened.
    assert elsewhere.page.second_step
    await answers(elsewhere.show_codes())
    assert not elsewhere.page.second_step


@journey
async def test_recovery_codes_are_shown_until_they_are_kept_and_renewed(shop: Shop) -> None:
    page, own = await tab_of(shop.customer, AccountState), {"password": PASSWORD}
    await answers(page.load())
    await answers(page.set_up_step(own))
    app = pyotp.TOTP(page.key)
    await answers(page.confirm_step({"code": app.at(clock.now())}))
    codes = page.codes
    # A closed dialog leaves none in the browser, and opens with them again.
    await answers(page.hide_codes())
    assert (page.codes, page.page.codes_wait) == ([], True)
    await answers(page.show_codes())
    assert page.codes == codes
    # A reload closes the dialog without a word; a new connection does not.
    assert "data-prints" in await answers(page.load())
    await answers(page.hide_codes_unless(True))
    assert page.codes == codes
    await answers(page.hide_codes_unless(False))
    assert page.codes == []
    await answers(page.show_codes())
    assert second_step.CODES_KEPT in await answers(page.keep_codes())
    await answers(page.show_codes())
    assert (page.codes, page.page.codes_wait, page.page.codes_note) == ([], False, "10 of 10 left")
    assert "current-password" in await answers(page.renew_codes({"password": "wrong", "code": codes[0]}))
    assert "one-time-code" in await answers(page.renew_codes(own | {"code": "x"}))
    assert second_step.RENEWED in await answers(page.renew_codes(own | {"code": codes[0]}))
    assert len(set(page.codes) - set(codes)) == 10
    assert page.page.codes_wait


@journey
async def test_a_session_by_a_code_is_asked_for_the_password(shop: Shop) -> None:
    page = await tab_of(shop.customer, AccountState)
    token = (await page.get_state(SessionState)).token
    jti = read(sessions.authenticate, VISITOR, token).jti
    write(lambda session: setattr(session.get_one(LoginSession, jti), "by_code", True))
    await answers(page.load())
    assert page.page.by_code
    assert "current-password" in await answers(page.confirm_password({"password": "wrong"}))
    assert login.CONFIRMED in await answers(page.confirm_password({"password": PASSWORD}))
    assert not page.page.by_code


@journey
async def test_a_passkey_is_added_and_removed_on_the_page(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    page, options = await tab_of(shop.customer, AccountState), []
    await answers(page.load())
    monkeypatch.setattr(state, "ask_authenticator", lambda _, asked, __: options.append(asked))
    assert "passkey-name" in await answers(page.make_passkey({"name": "", "password": PASSWORD}))
    assert "current-password" in await answers(page.make_passkey({"name": "My phone", "password": "x"}))
    await answers(page.make_passkey({"name": "My phone", "password": PASSWORD}))
    assert "already" in await answers(page.add_passkey('{"refused": "known"}'))
    assert page.page.passkeys == []
    made = json.dumps(device().make(options[0]))
    assert passkeys.ADDED in await answers(page.add_passkey(made))
    assert [row.name for row in page.page.passkeys] == ["My phone"]
    await answers(page.remove_passkey(page.page.passkeys[0].id + 1))
    assert passkeys.REMOVED in await answers(page.remove_passkey(page.page.passkeys[0].id))
    assert page.page.passkeys == []


def test_an_email_breaks_between_its_parts_alone() -> None:
    assert email_parts("asha.rao@mail.example.in") == ["asha", ".rao", "@mail", ".example", ".in"]
