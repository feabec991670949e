"""With Reflex's own markers in people's texts and in addresses, every handler still responds, and at once."""

import asyncio
import functools
import itertools
from collections.abc import Callable, Coroutine
from typing import Any
from urllib.parse import quote

import pytest
import reflex as rx
from reflex.istate.data import ReflexURL, RouterData
from reflex.state import State
from sqlmodel import Session, SQLModel

from rental_app.infrastructure.db import write
from rental_app.models import AssetModel, Location, Manufacturer, Offer, User, Vehicle
from rental_app.web.parts.presenters.links import wall_text
from rental_app.web.parts.search_form.state import SearchState
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.screens.vehicles.state import VehiclesState
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from tests.support.handlers import ANSWER, EVERY_HANDLER, FORM, TAG, arguments
from tests.support.shop import Shop, moment, token_of, wire
from tests.support.state_tabs import answers, tab_of
from tests.support.vendor_requests import book, decide_elsewhere
from tests.support.within import TAGS, within

SECONDS = 2


@pytest.fixture
def marked(shop: Shop) -> Shop:
    """A shop whose people, places and things are all named with a marker."""
    person = {"name": TAG, "address": TAG, "landmark": TAG, "city": TAG, "notes": TAG, "gst_name": TAG}
    named: list[tuple[type[SQLModel], int | None, dict[str, str]]] = [
        (User, shop.vendor.id, person),
        (User, shop.customer.id, person),
        (Location, shop.place.id, {"name": TAG}),
        (Manufacturer, 1, {"name": TAG}),
        (AssetModel, shop.vehicle.model_id, {"name": TAG}),
        (Vehicle, shop.vehicle.id, {"color": TAG, "owner_name_as_per_rc": TAG}),
        (Offer, 1, {"title": TAG, "terms": TAG}),
    ]
    for table, row, values in named:
        write(_rename, table, row, values)
    return shop


def _rename(session: Session, table: type[SQLModel], row: int | None, values: dict[str, str]) -> None:
    found = session.get(table, row)
    assert found
    for name, value in values.items():
        assert hasattr(found, name)
        setattr(found, name, value)


def run(steps: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run a tab's steps, which must not block the event loop."""
    with within(SECONDS):
        asyncio.run(steps())


def search_at(place: str) -> RouterData:
    """Return the address of a search for a place, two days long."""
    window = f"pickupDate={quote(wire(moment(3)))}&returnDate={quote(wire(moment(5)))}"
    return RouterData(
        url=ReflexURL(f"http://localhost:3000/vehicles?pickupLocation={quote(place)}&{window}&status={TAG}")
    )


@pytest.fixture
def asked(marked: Shop) -> Shop:
    """The same shop, whose customer has requested its vehicle."""
    book(marked)
    return marked


@pytest.mark.long
@EVERY_HANDLER
def test_every_handler_answers(asked: Shop, owner: type[rx.State], handler: Any) -> None:
    async def call(token: str, value: Any) -> None:
        root = State(_reflex_internal_init=True)
        root.router = search_at(TAG)
        (await root.get_state(SessionState)).token = token
        events = handler.fn(await root.get_state(owner), *arguments(handler, value))
        await answers(events)

    tokens = ["", token_of(asked.customer), token_of(asked.vendor)]
    for token, value in itertools.product(tokens, [*TAGS, FORM, ANSWER, [TAG]] if arguments(handler, "") else [None]):
        run(functools.partial(call, token, value))


@pytest.mark.parametrize("text", TAGS)
def test_an_address_with_a_marker_is_told_to_be_no_location(shop: Shop, text: str) -> None:
    async def steps() -> None:
        page = await tab_of(None, VehiclesState)
        page._get_root_state().router = search_at(text)
        told = await answers(page.load())
        assert "is not one of our locations" in told

    run(steps)


def test_a_search_for_a_marker_goes_to_its_address(shop: Shop) -> None:
    async def steps() -> None:
        page = await tab_of(None, SearchState)
        session = await page.get_state(SessionState)
        session.locations, session.selected_location = [TAG], TAG
        await answers(page.choose_pickup(wall_text(moment(4))))
        assert "%3Creflex.Var%3E" in await answers(page.submit())

    run(steps)


def test_a_decided_booking_of_a_marked_customer_is_told_to_both(marked: Shop) -> None:
    booking = book(marked)

    async def steps() -> None:
        fleet = await tab_of(marked.vendor, ManageBookingsState)
        mine = await tab_of(marked.customer, MyBookingsState)
        await answers(fleet.load())
        await answers(mine.load())
        decide_elsewhere(marked, booking, "confirmed")
        for told in (await answers(fleet.refresh()), await answers(mine.refresh())):
            assert "reflex.Var" in told
            assert "confirmed" in told

    run(steps)
