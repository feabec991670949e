"""Calls that parse their parameters by hand respond as FastAPI would, which parses those of all other calls."""

from typing import Any

import pytest
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient
from httpx2 import Response

from rental_app.api.straight import Straight
from rental_app.db import read, write
from rental_app.services import accounts, bearers
from tests.api.helpers import bearer, refused
from tests.helpers import VISITOR, Shop, moment, token_of, wire

SEARCH, BOOK = "/api/bookings/check-availability", "/api/bookings/create"
JSON = {"content-type": "application/json"}
DATES = f'"pickupDate": "{wire(moment(3))}", "returnDate": "{wire(moment(4))}"'
BODIES: list[tuple[str | bytes, dict[str, str]]] = [
    ("", JSON),
    ("null", JSON),
    ("[1, 2]", JSON),
    ('"text"', JSON),
    ("{", JSON),
    ("[" * 100_000, JSON),
    (b"\xff\xfe\xff", JSON),
    (f"{{{DATES}}}", {"content-type": "text/plain"}),
    (f"{{{DATES}}}", {}),
    (f"{{{DATES}}}", {"content-type": "application/vnd.api+json; charset=utf-8"}),
    (" " * 300_000, JSON),
    (f'{{"car": 0, "location": 5, "min_price": -1, {DATES}}}', JSON),
    (f'{{"car": 1, "extras": ["boat"], "expectedTotal": "much", "type": [1], {DATES}}}', JSON),
    (f'{{"car": 1.0, "car": true, "limit": 999, "facets": "perhaps", {DATES}}}', JSON),
    (f'{{"car": 999999, {DATES}}}', JSON),
]
ADDRESSES = (SEARCH, f"{SEARCH}?limit=0&cursor=x", f"{SEARCH}?limit=2&limit=1", f"{SEARCH}?limit=", BOOK)
METHODS = ("GET", "PUT", "HEAD", "OPTIONS")


def said(response: Response) -> tuple[Any, ...]:
    """Return all of a response but what differs every time."""
    body = response.json() if response.content else {}
    body.pop("requestId", None)
    kept = {name: response.headers.get(name) for name in ("content-type", "cache-control", "www-authenticate", "allow")}
    return response.status_code, body, kept


def over(shop: Shop) -> dict[str, str]:
    """Return the header of a user whose session has ended."""
    token = token_of(shop.customer)
    write(accounts.sign_out, read(bearers.authenticate, VISITOR, token))
    return {"authorization": f"Bearer {token}"}


def everything(client: TestClient, shop: Shop) -> list[tuple[Any, ...]]:
    """Return the responses to all inputs; nothing is booked, as no caller may book the vehicle."""
    callers: list[dict[str, str]] = [{}, {"authorization": "Bearer forged"}, {"authorization": "Basic a"}]
    callers += [bearer(shop.vendor), bearer(shop.vendor) | {"idempotency-key": "k" * 201}, over(shop)]
    answers = [
        client.post(address, content=content, headers=kind | caller)
        for address in ADDRESSES
        for caller in callers
        for content, kind in [*BODIES, (f'{{"car": {shop.vehicle.id}, {DATES}}}', JSON)]
    ]
    answers += [client.request(method, address) for method in METHODS for address in (SEARCH, BOOK)]
    return [said(answer) for answer in answers]


def test_what_is_read_by_hand_is_refused_as_fastapi_would(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    by_hand = everything(client, shop)
    assert {answer[0] for answer in by_hand} == {200, 400, 401, 403, 404, 405, 413, 415, 422}
    monkeypatch.setattr(Straight, "handle", APIRoute.handle)
    for mine, theirs in zip(by_hand, everything(client, shop), strict=True):
        assert mine == theirs


def test_an_ended_session_is_reported_before_errors_of_the_body(client: TestClient, shop: Shop) -> None:
    headers = over(shop)
    for body in ({"car": "no number"}, {}):
        refused(client.post(BOOK, json=body, headers=headers), 401, "session_ended")
    refused(client.post(BOOK, content=b"text", headers=headers), 401, "session_ended")
