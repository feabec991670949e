"""Clients other than browsers: anybody can call every handler, with any payload and any storage."""

import http.client
import inspect
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import jwt
import pytest
import reflex as rx
from sqlalchemy import text
from sqlmodel import Session

from rental_app.domain import clock
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.security import ALGORITHM, AUDIENCE
from rental_app.services.bookings import requests
from rental_app.web.screens.my_bookings.state import MyBookingsState
from rental_app.web.screens.vehicle_details.state import DetailState
from rental_app.web.session.base import SessionState
from rental_app.web.vendor.dashboard.state import DashboardState
from rental_app.web.vendor.manage_bookings.state import ManageBookingsState
from tests.support.app import App
from tests.support.handlers import HANDLERS
from tests.support.shop import Shop, actor, count, moment, token_of, wanted, wire
from tests.support.socket_client import ROOT, SESSION, Tab

pytestmark = pytest.mark.e2e
Open = Callable[..., Tab]


@pytest.fixture
def tab(app: App) -> Iterator[Open]:
    """Open connections to the running app."""
    opened: list[Tab] = []

    def start(**options: Any) -> Tab:
        opened.append(Tab(app.url, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def forged(shop: Shop) -> str:
    """Return a token for the shop's customer signed with another key."""
    claims = {"sub": str(shop.customer.id), "jti": "x", "iat": clock.now(), "exp": clock.now() + timedelta(days=1)}
    return jwt.encode(claims | {"aud": AUDIENCE, "iss": AUDIENCE}, "another key" * 5, algorithm=ALGORITHM)


def test_a_genuine_token_shows_the_bookings(tab: Open, shop: Shop) -> None:
    """A genuine token shows the bookings: the control for the refusals below."""
    reference = book(shop)
    heard = tab(storage={"token": token_of(shop.customer)}, path="/my-bookings").heard(
        expected=['"logged_in_rx_state_":true', reference]
    )
    assert '"logged_in_rx_state_":true' in heard
    assert reference in heard


def test_a_token_that_proves_nothing_sends_home_once_and_shows_nothing(tab: Open, shop: Shop) -> None:
    reference = book(shop)
    for path, sent_home in (("/my-bookings", True), ("/", False)):
        client = tab(storage={"token": forged(shop), "selected_location": "Gachibowli"}, path=path)
        client.send(MyBookingsState, "load")
        client.send(MyBookingsState, "show_more")
        heard = client.heard(expected=["Please log in", *["_redirect"] * sent_home])
        assert "Please log in" in heard
        assert ("_redirect" in heard) == sent_home
        assert '"logged_in_rx_state_":true' not in heard
        assert reference not in heard


def book(shop: Shop) -> str:
    """Book the shop's vehicle as its customer; returns the reference."""
    return write(requests.create, actor(shop.customer), wanted(shop.vehicle)).reference


def test_a_forged_token_books_nothing(tab: Open, shop: Shop) -> None:
    before = count("booking")
    ends = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(5))}".replace("+", "%2B")
    client = tab(storage={"token": forged(shop)}, path=f"/vehicle-details/{shop.vehicle.id}?{ends}")
    for token in (forged(shop), token_of(shop.customer)[:-4] + "AAAA"):
        client.send_raw(
            f"{ROOT}.reflex___state____update_vars_internal_state.update_vars_internal",
            vars={f"{SESSION}.token_rx_state_": token},
        )
        client.send(DetailState, "book")
    heard = client.heard(expected=["Honda Activa 6G"])
    assert "Honda Activa 6G" in heard
    assert "/my-bookings" not in heard
    assert count("booking") == before


def test_only_storage_can_be_forged(tab: Open, shop: Shop) -> None:
    client = tab(path="/vendor")
    client.heard()
    client.send_raw(
        f"{ROOT}.reflex___state____update_vars_internal_state.update_vars_internal",
        vars={f"{SESSION}.{name}_rx_state_": True for name in ("is_vendor", "logged_in", "ready")},
    )
    client.send(SessionState, "setvar", var_name="is_vendor", value=True)
    client.send(SessionState, "_remember", token="x")
    client.send(DashboardState, "load")
    client.send(ManageBookingsState, "load")
    heard = client.heard()
    assert '"is_vendor_rx_state_":true' not in heard
    assert '"logged_in_rx_state_":true' not in heard


def vendor_handlers() -> list[tuple[type[rx.State], str, dict[str, Any]]]:
    """Return every handler of every state of the vendor area, with a payload a page might send."""
    samples = {"int": 1, "bool": True, "dict": {}, "list": []}
    found = []
    for _, name, owner, handler in HANDLERS:
        if owner.__module__.startswith(("rental_app.web.vendor.", "rental_app.web.session.vendor_auth")):
            parameters = list(inspect.signature(handler.fn).parameters.values())[1:]
            kinds = {p.name: str(getattr(p.annotation, "__name__", p.annotation)) for p in parameters}
            found.append((owner, name, {one: samples.get(kind, "1") for one, kind in kinds.items()}))
    return found


def stored() -> list[list[Any]]:
    """Return every row a vendor could change."""
    tables = ("user", "vehicle", "vehicle_price", "vehicle_file", "booking")
    return [read(_rows, table) for table in tables]


def _rows(session: Session, table: str) -> list[Any]:
    return list(session.execute(text(f'SELECT * FROM "{table}" ORDER BY id')).all())


def test_no_handler_of_the_vendor_area_answers_or_obeys_others(tab: Open, shop: Shop) -> None:
    book(shop)
    before = stored()
    assert len(vendor_handlers()) > 20
    for storage in ({"token": token_of(shop.customer)}, {}):
        client = tab(storage=storage, path="/vendor")
        for owner, name, payload in vendor_handlers():
            client.send(owner, name, **payload)
        heard = client.heard(2)
        assert shop.vehicle.rc_number not in heard
        assert shop.vendor.email not in heard
        assert shop.vendor.phone_number not in heard
        assert stored() == before


def test_garbage_on_the_wire_hurts_nobody(tab: Open, app: App) -> None:
    client = tab()
    for frame in (
        "42/_event,",
        '42/_event,["event",5]',
        '42/_event,["event",{"name":5}]',
        "9",
        "42",
        "\x00",
        "4" * 5000,
    ):
        client.socket.send(frame)
    client.heard(1)
    assert "locations" in tab().heard(until="locations")


def test_a_page_of_another_version_is_told_to_load_itself_anew(tab: Open, app: App) -> None:
    """Its events are called otherwise, or with otherwise named arguments; what they ask for is not done."""
    client = tab()
    client.heard(until="locations")
    for name, payload in (("gone", {}), (f"{DetailState.get_full_name()}.choose_pickup", {"chosen": "x"})):
        client.send_raw(name, **payload)
        assert "state_mismatch" in client.heard(until="state_mismatch")
    client.send(DetailState, "choose_pickup", pickup="x")
    assert "state_mismatch" not in client.heard()


def test_foreign_origins_get_no_websocket(app: App) -> None:
    for origin, status in (("https://evil.example", 403), ("null", 403), ("http://localhost:1", 403), ("", 101)):
        connection = http.client.HTTPConnection(urlsplit(app.url).netloc, timeout=60)
        headers = {
            "Connection": "Upgrade",
            "Upgrade": "websocket",
            "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
            "Origin": origin or app.url,
        }
        connection.request("GET", "/_event/?EIO=4&transport=websocket&token=x", headers=headers)
        assert connection.getresponse().status == status, origin
        connection.close()
