"""The page of one's own account, behind the browser."""

from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.services.accounts import tokens
from rental_app.web.screens.account.state import AccountState
from rental_app.web.session.base import SessionState
from tests.support.shop import PASSWORD, VISITOR, Shop, token_of
from tests.support.state_tabs import answers, journey, tab_of

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
async def test_a_visitor_sees_nothing_and_changes_nothing(shop: Shop) -> None:
    page = await tab_of(None, AccountState)
    await answers(page.load())
    assert (page.page, page.problem, page.loading) == (None, "", False)
    for press in (page.save_details(FORM), page.change_password({}), page.end_session("x"), page.log_out_everywhere()):
        assert "Please log in" in await answers(press)


@journey
async def test_details_are_shown_and_saved(shop: Shop) -> None:
    page = await tab_of(shop.customer, AccountState)
    await answers(page.load())
    assert page.page
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
    page = await tab_of(shop.vendor, AccountState)
    await answers(page.load())
    assert page.page
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
    assert read(tokens.authenticate, VISITOR, session.token).id == shop.customer.id
    assert page.page
    assert page.page.password_note.startswith("Changed ")
    assert [row.is_current for row in page.page.devices] == [True]


@journey
async def test_another_device_is_logged_out(shop: Shop) -> None:
    page = await tab_of(shop.customer, AccountState)
    token_of(shop.customer)
    await answers(page.load())
    assert page.page
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
