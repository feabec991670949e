"""How many files a call passes from its endpoint to its row: whoever mends it has to read them."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

import rental_app
from tests.support.rest_helpers import bearer, ok
from tests.support.shop import Shop, search_for, wanted

PRODUCT = f"{Path(rental_app.__file__).parent}/"
Call = Callable[[TestClient, Shop, int], Response]


def booking(client: TestClient, shop: Shop, number: int) -> Response:
    wish = wanted(shop.vehicle, 3 * number).model_dump(by_alias=True, exclude_unset=True)
    return client.post("/api/bookings/create", json=wish, headers=bearer(shop.customer))


def search(client: TestClient, shop: Shop, number: int) -> Response:
    dates = search_for(shop.place, 3 * number).model_dump(by_alias=True, exclude_unset=True)
    return client.post("/api/bookings/check-availability", json=dates)


def price(client: TestClient, shop: Shop, number: int) -> Response:
    plan = {"vehicle": shop.vehicle.id, "price_name": "Full Day", "price": 600 + number, "kms_limit": 120}
    return client.put("/api/vendor/prices", json=[plan], headers=bearer(shop.vendor))


@contextmanager
def noted() -> Iterator[set[str]]:
    """The product's files of which a function runs, in threads that are started within."""
    files: set[str] = set()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename.startswith(PRODUCT):
            files.add(frame.f_code.co_filename.removeprefix(PRODUCT))

    threading.setprofile(note)
    try:
        yield files
    finally:
        threading.setprofile(None)


@pytest.mark.parametrize(
    ("call", "endpoint", "most"),
    [(booking, "api/bookings.py", 25), (search, "api/bookings.py", 15), (price, "api/prices.py", 15)],
)
def test_a_call_passes_few_files(app: FastAPI, shop: Shop, call: Call, endpoint: str, most: int) -> None:
    with noted() as files, TestClient(app) as client:
        # What is worked out once and kept is not on the road.
        ok(call(client, shop, 1))
        files.clear()
        client.get("/healthz")
        # Routes of bookings are matched with every request; only the endpoint beside them is on the road.
        of_every_call = files - {endpoint}
        files.clear()
        ok(call(client, shop, 2))
    passed = sorted(files - of_every_call)
    assert len(passed) <= most, f"join what is one subject, or take a detour out: {passed}"
