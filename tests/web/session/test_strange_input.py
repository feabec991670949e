"""Text that no database can hold and invalid ids, sent to every handler: refused or not found, nothing stored."""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import pytest
import reflex as rx
from reflex.istate.data import ReflexURL, RouterData
from reflex.state import State

from rental_app.infrastructure.db import read
from rental_app.models import Vehicle
from rental_app.web.screens.city.state import CityState
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from rental_app.web.vendor.manage_vehicles.dialogs_state import EditVehicleState
from rental_app.web.vendor.manage_vehicles.state import FleetState
from tests.support.handlers import ANSWER, FORM, HANDLERS, arguments, fingerprint
from tests.support.rows import each
from tests.support.shop import Shop, add_user, moment, token_of, wire
from tests.support.state_tabs import answers, journey, loaded, tab_of
from tests.support.vendor_requests import book

UNSTORABLE = ["\x00", "a\x00b", "a\ud800b"]
NO_IDS: list[Any] = ["1_0", "{id}.0", "+{id}", " {id}", True, "true", "１"]


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


def payloads(text: str) -> Iterator[Any]:
    """Yield a text by itself and in everything a handler takes."""
    yield from (text, [text], dict.fromkeys(FORM, text), ANSWER | {"message": text}, {text: text})


def address_of(text: str) -> RouterData:
    """Return an address with a text wherever pages look for one."""
    window = f"pickupDate={wire(moment(3))}&returnDate={wire(moment(5))}".replace("+", "%2B")
    query = f"pickupLocation={text}&{window}&status={text}&booking={text}"
    return RouterData(url=ReflexURL(f"http://localhost:3000/{text}?{query}"))


@pytest.mark.long
@each("text", UNSTORABLE[1:])
def test_no_handler_fails_over_what_databases_cannot_hold(shop: Shop, text: str) -> None:
    people = (shop.customer, shop.vendor, add_user("Operator"))
    before = fingerprint()

    async def call(token: str, owner: type[rx.State], handler: Any, value: Any) -> None:
        root = State(_reflex_internal_init=True)
        root.router = address_of(text)
        session = await root.get_state(SessionState)
        session.token, session.selected_location = token, text
        await answers(handler.fn(await root.get_state(owner), *arguments(handler, value)))

    async def walk() -> None:
        tokens = [text, *map(token_of, people)]
        for token, (_, _, owner, handler) in itertools.product(tokens, HANDLERS):
            for value in payloads(text) if arguments(handler, "") else [None]:
                await call(token, owner, handler, value)

    asyncio.run(walk())
    after = fingerprint()
    assert after | {"login_session": 0} == before | {"login_session": 0}


@journey
async def test_a_locality_no_database_can_hold_is_missing(shop: Shop) -> None:
    for text in UNSTORABLE:
        page = await tab_of(None, CityState)
        page._get_root_state().router = address_of(f"testpur{text}")
        await answers(page.load())
        assert page.missing


@pytest.fixture
def asked(shop: Shop) -> Shop:
    """A shop whose customer has requested its vehicle."""
    book(shop)
    return shop


@each("given", NO_IDS)
@journey
async def test_handlers_take_ids_only(asked: Shop, given: Any) -> None:
    wrong = given.format(id=asked.vehicle.id) if isinstance(given, str) else given
    fleet = await tab_of(asked.vendor, FleetState)
    assert "toast" in await answers(fleet.toggle(wrong, False))
    form = await tab_of(asked.vendor, EditVehicleState)
    assert "toast" in await answers(form.edit(wrong))
    assert not form.vehicle_id
    bookings = await loaded(tab_of(asked.vendor, ManageBookingsState))
    assert "toast" in await answers(bookings.decide(wrong, None, "confirmed"))
    assert bookings.rows[0].status == "pending"
    assert read(lambda session: session.get(Vehicle, asked.vehicle.id)).is_active


@each("digits", ["1_0", "１", "+1", "%201", "1.0", "9" * 30])
@journey
async def test_addresses_take_ids_only(shop: Shop, digits: str) -> None:
    page = await tab_of(None, DetailState)
    page._get_root_state().router = RouterData(url=ReflexURL(f"http://localhost:3000/vehicle-details/{digits}"))
    await answers(page.load())
    assert page.missing
