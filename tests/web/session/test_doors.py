"""Every public handler of every state, called with what no page would send, and by whom no page would let."""

import asyncio
import itertools
from typing import Any

import pytest
import reflex as rx

from rental_app.infrastructure.db import read
from rental_app.services.accounts import sessions
from rental_app.web.session.base import SessionState
from tests.support.handlers import (
    EVERY_HANDLER,
    HANDLERS,
    IDS,
    NONSENSE,
    arguments,
    call,
    every_row,
    fingerprint,
    opened,
)
from tests.support.shop import VISITOR, Shop, token_of
from tests.support.state_tabs import answers, content, journey
from tests.support.vendor_requests import book

# The states of the pages that are vendors' alone.
VENDORS = [
    (owner, handler)
    for _, _, owner, handler in HANDLERS
    if owner.__module__.startswith(("rental_app.web.vendor.", "rental_app.web.frame.vendor_state"))
]
FORGED = ["", "forged", "a.b.c", 5, {"sub": "1"}, ["x"], None, "\x00"]


def test_the_walk_sees_every_handler() -> None:
    assert len(set(IDS)) == len(HANDLERS)
    assert len(HANDLERS) >= 220, "the walk looks past handlers that it saw before"


@pytest.mark.long
@EVERY_HANDLER
@journey
async def test_nonsense_neither_raises_nor_stores(shop: Shop, owner: type[rx.State], handler: Any) -> None:
    tokens = ["", token_of(shop.customer), token_of(shop.vendor)]
    # Whatever the handlers before have been called with, both are still who they were.
    assert [read(sessions.authenticate, VISITOR, token).is_vendor for token in tokens[1:]] == [False, True]
    before = fingerprint()
    for token, value in itertools.product(tokens, NONSENSE if arguments(handler, "") else [None]):
        state = await call(owner, handler, arguments(handler, value), token)
        assert not getattr(state, "busy", False)
    assert fingerprint() == before


@pytest.mark.long
@EVERY_HANDLER
@journey
async def test_forged_storage_gives_nothing(shop: Shop, owner: type[rx.State], handler: Any) -> None:
    before = fingerprint()
    for forged in FORGED:
        state = await call(owner, handler, arguments(handler, "1"), forged, forged)
        session = await state.get_state(SessionState)
        assert (session.logged_in, session.is_vendor, session.user_name) == (False, False, "")
    assert fingerprint() == before


def test_a_wrong_number_of_arguments_is_refused(shop: Shop) -> None:
    token = token_of(shop.vendor)
    before = fingerprint()

    async def told(owner: type[rx.State], handler: Any) -> str:
        return await answers(handler.fn(await opened(owner, token), *"abcdefgh"))

    for state, name, owner, handler in HANDLERS:
        assert "This request could not be understood" in asyncio.run(told(owner, handler)), f"{state}.{name}"
    assert fingerprint() == before


def shown(state: rx.State) -> dict[str, Any]:
    """What a state holds, except for which press was answered and that the page is not there."""
    told = {"answered", "loading", "missing", "busy", "problem"}
    return {name: value for name, value in content(state).items() if name not in told}


@pytest.mark.parametrize("who", ["customer", "nobody"])
@journey
async def test_the_vendors_pages_show_and_change_nothing_for_others(shop: Shop, who: str) -> None:
    booking, token = book(shop), token_of(shop.customer) if who == "customer" else ""
    before, vehicle = every_row(), shop.vehicle.id
    form = {"vehicle": str(vehicle), "id": booking, "price": "1", "address": "7 Hill Road", "amount": "1"}
    for (owner, handler), value in itertools.product(VENDORS, (1, "1", booking, vehicle, form)):
        untouched = shown(await opened(owner, ""))
        state = await call(owner, handler, arguments(handler, value), token)
        assert shown(state) == untouched, handler
    assert every_row() == before
