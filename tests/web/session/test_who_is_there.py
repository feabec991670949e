"""Whom a token belongs to when a tab connects, and how much may wait until a tab has shown one."""

from rental_app.infrastructure.db import write
from rental_app.services.accounts import sessions
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


@journey
async def test_what_waits_is_bounded_in_number_and_in_length(shop: Shop) -> None:
    session = await tab_of(shop.vendor, SessionState)
    large = ("save", {"text": "x" * 150_000})
    for event in (large, large, *[("load", {})] * 20):
        session._keep_waiting("a connection", event)
    assert [name for name, _ in session._waiting] == ["save", *["load"] * 9]
