"""Whom a token belongs to when a tab connects, and how much may wait until a tab has shown one."""

import pytest
from limits import parse

from rental_app.infrastructure.db import write
from rental_app.services import throttle
from rental_app.services.accounts import sessions
from rental_app.services.throttle import Limit
from rental_app.web.session.base import SessionState
from rental_app.web.session.connection import account_of
from tests.support.shop import Shop, actor, token_of
from tests.support.state_tabs import journey, tab_of


@journey
async def test_a_token_is_an_accounts_until_its_session_ends(shop: Shop) -> None:
    token = token_of(shop.vendor)
    assert await account_of("10.0.0.1", token) == shop.vendor.id
    write(sessions.sign_out_everywhere, actor(shop.vendor))
    assert [await account_of("10.0.0.1", each) for each in (token, "forged", "")] == [0, 0, 0]


@pytest.mark.usefixtures("rate_limits")
@journey
async def test_a_genuine_token_is_counted_for_itself_and_not_for_its_full_address(
    shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(throttle.LIMITS, "call", Limit(parse("3 per hour"), parse("2 per hour")))
    mine, yours = token_of(shop.vendor), token_of(shop.customer)
    for _ in range(4):
        assert await account_of("10.0.0.1", "forged") == 0
    assert [await account_of("10.0.0.1", mine) for _ in range(4)] == [shop.vendor.id] * 3 + [0]
    assert await account_of("10.0.0.1", yours) == shop.customer.id


@journey
async def test_what_waits_is_bounded_in_number_and_in_length(shop: Shop) -> None:
    session = await tab_of(shop.vendor, SessionState)
    large = ("save", {"text": "x" * 150_000})
    for event in (large, large, *[("load", {})] * 20):
        session._keep_waiting("a connection", event)
    assert [name for name, _ in session._waiting] == ["save", *["load"] * 9]
