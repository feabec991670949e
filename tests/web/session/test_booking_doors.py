"""Manage Bookings gives nothing to anyone but the vendor, and a page that loses its access says so."""

import asyncio
from pathlib import Path

import pytest

from rental_app.infrastructure.db import read, write
from rental_app.services.accounts import sessions, tokens
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from tests.conftest import use
from tests.support.shop import VISITOR, Shop, open_shop
from tests.support.state_tabs import is_asked, journey, tab_of, told
from tests.support.vendor_requests import book, stored_status


@journey
async def test_a_foreign_booking_is_neither_asked_about_nor_decided(shop: Shop) -> None:
    other = open_shop("Elsewhere")
    foreign = book(other)
    page = await tab_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    await told(page.ask(foreign, "cancelled"))
    assert page.asked_id == 0
    page.asked_id, page.asked_status = foreign, "cancelled"
    assert "no such booking" in (await told(page.decide()))[-1]
    assert stored_status(foreign) == "pending"


FORGED = {
    "load": (),
    "refresh": (),
    "filter_status": ("pending",),
    "filter_from": ("2020-01-01",),
    "filter_to": ("2030-01-01",),
    "filter_text": ("PH-",),
    "filter_vehicle": ("1",),
    "choose_sorting": ("pickup",),
    "clear_filters": (),
    "drop_month": (),
    "next_page": (),
    "previous_page": (),
    "ask": (1, "confirmed"),
    "decide": (),
}


def test_every_handler_is_among_those_tried() -> None:
    own = {name for name in ManageBookingsState.event_handlers if name in vars(ManageBookingsState)}
    assert own - {"setvar"} == set(FORGED)


@pytest.mark.parametrize("handler", sorted(FORGED))
@pytest.mark.parametrize("who", ["customer", "visitor"])
def test_others_than_vendors_get_nothing_and_change_nothing(shop: Shop, handler: str, who: str) -> None:
    booking = book(shop)

    async def attack() -> None:
        page = await tab_of(shop.customer if who == "customer" else None, ManageBookingsState)
        page.asked_id, page.asked_status = booking, "confirmed"
        await told(getattr(page, handler)(*FORGED[handler]))
        assert (page.rows, page.total, page.waiting, page.asked_about) == ([], 0, 0, "")

    asyncio.run(attack())
    assert stored_status(booking) == "pending"


@journey
async def test_a_revoked_token_ends_the_updates_until_the_browser_shows_another(shop: Shop) -> None:
    book(shop)
    page = await tab_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    token = (await page.get_state(SessionState)).token
    write(sessions.sign_out, read(tokens.authenticate, VISITOR, token))
    book(shop, 6)
    assert is_asked(await told(page.refresh()))
    assert len(page.rows) == 1


@journey
async def test_without_the_database_the_list_stays_and_says_so(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    book(shop)
    page = await tab_of(shop.vendor, ManageBookingsState)
    late = await tab_of(shop.vendor, ManageBookingsState)
    await told(page.load())
    use(monkeypatch, "postgresql://nobody@127.0.0.1:1/nothing", tmp_path)
    assert await told(page.refresh()) == []
    assert (len(page.rows), bool(page.problem)) == (1, True)
    await told(late.load())
    assert (late.rows, late.loading, late.problem) == ([], False, page.problem)
