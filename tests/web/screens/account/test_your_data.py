"""What people do about their own data on the account's page: a copy, and deleting the account."""

from datetime import timedelta

import pytest
from sqlalchemy import update
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.models import LoginSession
from rental_app.services.accounts import erasure, login
from rental_app.web.screens.account.state import AccountState
from rental_app.web.session.base import SessionState
from rental_app.web.session.login import LoginState
from tests.support.accounts import user_of
from tests.support.shop import PASSWORD, Shop, add_user
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.trips import confirmed


def _lapse(session: Session) -> None:
    """Let what was given to log in count no more."""
    session.execute(update(LoginSession).values(proved_at=clock.now() - timedelta(hours=1)))


@journey
async def test_a_copy_takes_the_password_again(shop: Shop) -> None:
    page = await tab_of(shop.customer, AccountState)
    write(_lapse)
    await answers(page.load())
    assert page.page.data.asks_password
    assert "password" in await answers(page.unlock_copy({"password": "not it, surely"}))
    assert page.errors.keys() == {"password"}
    await answers(page.unlock_copy({"password": PASSWORD}))
    assert (page.errors, page.page.data.asks_password) == ({}, False)


@journey
async def test_what_is_in_the_way_of_a_deletion_is_shown_with_links(shop: Shop) -> None:
    booking = confirmed(shop)
    page = await loaded(tab_of(shop.customer, AccountState))
    (one,) = page.page.data.obstacles
    assert (one.text, one.href) == (booking.reference, f"/my-bookings/{booking.reference}")
    assert one.note.startswith("The trip is not over")
    assert page.page.data.deleting == f"Waits until {booking.reference} is settled"
    assert erasure.OPEN in await answers(page.delete_account({"password": PASSWORD}))
    assert (page.erased_on, user_of(shop.customer.id).erase_asked_at) == ("", None)
    vendors = await loaded(tab_of(shop.vendor, AccountState))
    assert vendors.page.data.obstacles[0].href == f"/vendor/bookings/{booking.reference}"


@journey
async def test_an_account_is_deleted_by_its_password_and_kept_by_a_login(shop: Shop) -> None:
    page = await loaded(tab_of(shop.customer, AccountState))
    assert "password" in await answers(page.delete_account({"password": "not it, surely"}))
    assert user_of(shop.customer.id).erase_asked_at is None
    told = await answers(page.delete_account({"password": PASSWORD}))
    asked_at = user_of(shop.customer.id).erase_asked_at
    assert asked_at
    assert page.erased_on == clock.full_day(erasure.erase_on(asked_at))
    session = await page.get_state(SessionState)
    assert (session.logged_in, session.token, page.page) == (False, "", None)
    # Every tab of this browser shows nothing private any more.
    assert "logout" in told
    # Twice.
    await answers(page.delete_account({"password": PASSWORD}))
    back = await tab_of(None, LoginState)
    told = await answers(back.log_in({"email": shop.customer.email, "password": PASSWORD}))
    assert login.STAYS in told
    assert user_of(shop.customer.id).erase_asked_at is None
    again = await tab_of(None, LoginState)
    told = await answers(again.log_in({"email": shop.customer.email, "password": PASSWORD}))
    assert login.STAYS not in told


@pytest.mark.usefixtures("shop")
@journey
async def test_operators_have_no_data_of_their_own_here() -> None:
    operator = add_user("Operator")
    page = await loaded(tab_of(operator, AccountState))
    assert page.page.data is None
    assert "Operators are unmade" in await answers(page.delete_account({"password": PASSWORD}))


@pytest.mark.usefixtures("shop")
@journey
async def test_the_notice_comes_with_the_dialog_and_its_version_with_the_account() -> None:
    tab = await tab_of(None, LoginState)
    assert tab.notice == []
    await answers(tab.begin())
    assert "Digital Personal Data Protection Act" in tab.notice[0]
    form = {
        "name": "Asha Rao",
        "email": "asha.rao@example.com",
        "phoneNumber": "9876543299",
        "password": "a quite different secret",
        "address": "7 Lake Road",
        "landmark": "",
        "pincode": "500081",
        "city": "Hyderabad",
    }
    await answers(tab.sign_up(form))
    session = await tab.get_state(SessionState)
    assert session.logged_in
    assert user_of(session.account).notice_version
