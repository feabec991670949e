"""Clients that are no browser: every handler can be called by anybody, with any payload and any storage."""

import http.client
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import jwt
import pytest

from rental_app.db import write
from rental_app.rules import clock
from rental_app.security import ALGORITHM, AUDIENCE
from rental_app.services import bookings
from tests.e2e.app import App
from tests.e2e.socket_client import ROOT, SESSION, Tab
from tests.helpers import Shop, actor, count, moment, token_of, wanted, wire

pytestmark = pytest.mark.e2e
Open = Callable[..., Tab]


@pytest.fixture
def tab(app: App) -> Iterator[Open]:
    """Opens connections to the running app."""
    opened: list[Tab] = []

    def start(**options: Any) -> Tab:
        opened.append(Tab(app.url, **options))
        return opened[-1]

    yield start
    for one in opened:
        one.close()


def forged(shop: Shop) -> str:
    """A token for the shop's customer that another key signed."""
    claims = {"sub": str(shop.customer.id), "jti": "x", "iat": clock.now(), "exp": clock.now() + timedelta(days=1)}
    return jwt.encode(claims | {"aud": AUDIENCE, "iss": AUDIENCE}, "another key" * 5, algorithm=ALGORITHM)


def test_a_genuine_token_shows_the_bookings(tab: Open, shop: Shop) -> None:
    """What the refusals below are measured against."""
    book(shop)
    heard = tab(storage={"token": token_of(shop.customer)}, path="/my-bookings").heard()
    assert '"logged_in_rx_state_":true' in heard
    assert "Honda Activa 6G" in heard


def book(shop: Shop) -> None:
    """A booking of the shop's vehicle by its customer."""
    write(bookings.create, actor(shop.customer), wanted(shop.vehicle))


def test_a_forged_token_shows_nothing(tab: Open, shop: Shop) -> None:
    book(shop)
    client = tab(storage={"token": forged(shop), "selected_location": "Gachibowli"}, path="/my-bookings")
    client.send("my_bookings.my_bookings_state", "load")
    client.send("my_bookings.my_bookings_state", "show_more")
    heard = client.heard()
    assert "Please log in" in heard
    assert '"logged_in_rx_state_":true' not in heard
    assert "Honda Activa 6G" not in heard


def test_a_forged_token_books_nothing(tab: Open, shop: Shop) -> None:
    before = count("booking")
    ends = f"pickupDate={wire(moment(4))}&returnDate={wire(moment(5))}".replace("+", "%2B")
    client = tab(storage={"token": forged(shop)}, path=f"/vehicle-details/{shop.vehicle.id}?{ends}")
    for token in (forged(shop), token_of(shop.customer)[:-4] + "AAAA"):
        client.send_raw(
            f"{ROOT}.reflex___state____update_vars_internal_state.update_vars_internal",
            vars={f"{SESSION}.token_rx_state_": token},
        )
        client.send("detail.detail_state", "book")
    heard = client.heard()
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
    client.send("base.session_state", "setvar", var_name="is_vendor", value=True)
    client.send("base.session_state", "_remember", token="x")
    client.send("vendor.dashboard.dashboard_state", "load")
    client.send("vendor.manage_bookings.manage_bookings_state", "load")
    heard = client.heard()
    assert '"is_vendor_rx_state_":true' not in heard
    assert '"logged_in_rx_state_":true' not in heard


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
    assert "locations" in tab().heard()


@pytest.mark.parametrize(
    ("origin", "status"), [("https://evil.example", 403), ("null", 403), ("http://localhost:1", 403), ("", 101)]
)
def test_foreign_origins_get_no_websocket(app: App, origin: str, status: int) -> None:
    connection = http.client.HTTPConnection(urlsplit(app.url).netloc, timeout=10)
    headers = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        "Origin": origin or app.url,
    }
    connection.request("GET", "/_event/?EIO=4&transport=websocket&token=x", headers=headers)
    assert connection.getresponse().status == status
    connection.close()
