"""Events are limited like calls: those over a limit do not reach the database, and the user is told."""

import asyncio
from typing import Any

import pytest
import reflex as rx
from limits import parse
from reflex.istate.data import RouterData

from rental_app.services import throttle
from rental_app.services.throttle import Kind, Limit
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session.base import SessionState
from rental_app.web.session.login import LoginState
from rental_app.web.vendor.profile.state import ProfileState
from tests.support.handlers import EVERY_HANDLER, call, payload
from tests.support.shop import Shop, moment, statements, token_of
from tests.support.state_tabs import answers, journey, tab_of

pytestmark = pytest.mark.usefixtures("rate_limits")
NOTHING = Limit(parse("0 per hour"), parse("0 per hour"))


@pytest.mark.long
@EVERY_HANDLER
def test_with_nothing_left_no_handler_reaches_the_database(
    shop: Shop, owner: type[rx.State], handler: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    token = token_of(shop.vendor)
    with monkeypatch.context() as patch:
        for kind in throttle.LIMITS.keys() - {"call"}:
            patch.setitem(throttle.LIMITS, kind, NOTHING)
        with statements() as sent:
            asyncio.run(call(owner, handler, payload(handler), token))
        # Only the token's owner was looked up, which has its own limit.
        assert [statement for statement in sent if "JOIN login_session" not in statement] == []
        patch.setitem(throttle.LIMITS, "call", NOTHING)
        with statements() as sent:
            asyncio.run(call(owner, handler, payload(handler), token))
        assert sent == []


def few(monkeypatch: pytest.MonkeyPatch, kind: Kind, many: int = 3) -> None:
    """Allow only a few calls of a kind."""
    monkeypatch.setitem(throttle.LIMITS, kind, Limit(parse(f"{many} per hour"), parse(f"{many} per hour")))


async def vehicle_tab(shop: Shop) -> DetailState:
    """Open the page of the shop's vehicle in its customer's browser."""
    tab = await tab_of(shop.customer, DetailState)
    path = f"/vehicle-details/{shop.vehicle.id}"
    tab._get_root_state().router = RouterData.from_router_data({"pathname": path, "asPath": path})
    await answers(tab.load())
    return tab


def local(days: int) -> str:
    return f"{moment(days):%Y-%m-%d}T10:00"


@journey
async def test_a_live_price_past_the_limit_says_so_in_its_place(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await vehicle_tab(shop)
    await answers(tab.choose_pickup(local(4)))
    few(monkeypatch, "quote")
    for days in (6, 7, 8):
        await answers(tab.choose_return(local(days)))
        assert (tab.price is not None, tab.refusal) == (True, "")
    await answers(tab.choose_return(local(9)))
    assert tab.price is None
    assert tab.refusal.startswith("Too many attempts")
    # The page offers to try again.
    assert tab.unavailable


@journey
async def test_the_filter_of_the_results_has_an_end(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await tab_of(None, VehiclesState)
    few(monkeypatch, "look")
    for _ in range(3):
        assert "Too many" not in await answers(tab.filter("activa"))
        assert tab.results.cards
    assert "Too many attempts" in await answers(tab.filter("activ"))
    assert (tab.loading, tab.results.problem[:17]) == (False, "Too many attempts")


@journey
async def test_bookings_past_the_limit_are_not_said_to_be_none(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    tab = await tab_of(shop.customer, MyBookingsState)
    few(monkeypatch, "list", 0)
    assert "Too many attempts" in await answers(tab.load())
    assert (tab.loading, tab.problem[:17]) == (False, "Too many attempts")
    # A toast at every beat would add nothing.
    assert await answers(tab.refresh()) == ""


@journey
async def test_pincodes_are_counted_in_both_forms(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, "lookup")
    login = await tab_of(None, LoginState)
    profile = await tab_of(shop.vendor, ProfileState)
    await answers(profile.edit())
    for pincode in ("500081", "500032", "500001"):
        assert "Failed" not in await answers(login.look_up_pincode(pincode))
    assert "Failed to fetch location" in await answers(login.look_up_pincode("500081"))
    assert login.errors["pincode"].startswith("Too many attempts")
    assert "Failed to fetch location" in await answers(profile.look_up_pincode(profile.opening, "500081"))


@journey
async def test_forged_tokens_are_counted_too(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    few(monkeypatch, "call")
    told = []
    for number in range(5):
        session = await tab_of(None, SessionState)
        session.token = f"forged {number}"
        told.append("Too many attempts" in await answers(session.start()))
    assert told == [False, False, False, True, True]
