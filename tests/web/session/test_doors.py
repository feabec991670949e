"""Every public handler of every state, called with what no page would send, without a valid token."""

import asyncio
import itertools
from typing import Any

import reflex as rx

from rental_app.infrastructure.db import read
from rental_app.services.accounts import sessions
from rental_app.web.session.base import SessionState
from tests.support.handlers import EVERY_HANDLER, HANDLERS, IDS, NONSENSE, arguments, call, fingerprint, opened
from tests.support.shop import VISITOR, Shop, token_of
from tests.support.state_tabs import answers

FORGED = ["", "forged", "a.b.c", 5, {"sub": "1"}, ["x"], None, "\x00"]


def test_the_walk_sees_every_handler() -> None:
    assert len(set(IDS)) == len(HANDLERS)
    assert len(HANDLERS) >= 220, "the walk looks past handlers that it saw before"


@EVERY_HANDLER
def test_nonsense_neither_raises_nor_stores(shop: Shop, owner: type[rx.State], handler: Any) -> None:
    tokens = ["", token_of(shop.customer), token_of(shop.vendor)]
    # Whatever the handlers before have been called with, both are still who they were.
    assert [read(sessions.authenticate, VISITOR, token).is_vendor for token in tokens[1:]] == [False, True]
    before = fingerprint()

    async def try_all() -> None:
        for token, value in itertools.product(tokens, NONSENSE if arguments(handler, "") else [None]):
            state = await call(owner, handler, arguments(handler, value), token)
            assert not getattr(state, "busy", False)

    asyncio.run(try_all())
    assert fingerprint() == before


@EVERY_HANDLER
def test_forged_storage_gives_nothing(shop: Shop, owner: type[rx.State], handler: Any) -> None:
    before = fingerprint()

    async def try_all() -> None:
        for forged in FORGED:
            state = await call(owner, handler, arguments(handler, "1"), forged, forged)
            session = await state.get_state(SessionState)
            assert (session.logged_in, session.is_vendor, session.user_name) == (False, False, "")

    asyncio.run(try_all())
    assert fingerprint() == before


def test_a_wrong_number_of_arguments_is_refused(shop: Shop) -> None:
    token = token_of(shop.vendor)
    before = fingerprint()

    async def told(owner: type[rx.State], handler: Any) -> str:
        return await answers(handler.fn(await opened(owner, token), *"abcdefgh"))

    for state, name, owner, handler in HANDLERS:
        assert "This request could not be understood" in asyncio.run(told(owner, handler)), f"{state}.{name}"
    assert fingerprint() == before
