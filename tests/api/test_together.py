"""Calls that come at the same time are answered by one transaction, and each still by itself."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from rental_app.served.together import Together, reading
from tests.api.helpers import bearer, ok, refused
from tests.helpers import Shop, moment, wanted, wire
from tests.services.steps import book


def at_once(calls: list[Callable[[], Response]]) -> list[Response]:
    """What all of the calls are answered, made by threads of their own."""
    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(lambda call: call(), calls))


def test_searches_find_or_are_refused_each_for_itself(client: TestClient, shop: Shop) -> None:
    def search(location: str) -> Callable[[], Response]:
        window = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))}
        return lambda: client.post("/api/bookings/check-availability", json=window | {"location": location})

    answers = at_once([search(place) for place in (shop.place.name, "Atlantis") * 8])
    for found, nowhere in zip(answers[::2], answers[1::2], strict=True):
        assert {car["service_location"] for car in ok(found)["availableCars"]} == {shop.place.name}
        refused(nowhere, 422, "unknown_location", "location")


def test_everyone_is_who_their_own_token_says(client: TestClient, shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle))

    def mine(headers: dict[str, Any]) -> Callable[[], Response]:
        return lambda: client.get("/api/bookings/user", headers=headers)

    tokens = [bearer(shop.customer), bearer(shop.vendor), {"Authorization": "Bearer nobody"}] * 6
    answers = at_once([mine(token) for token in tokens])
    assert [len(ok(answer)["bookings"]) for answer in answers[::3]] == [1] * 6
    assert [len(ok(answer)["bookings"]) for answer in answers[1::3]] == [0] * 6
    for answer in answers[2::3]:
        refused(answer, 401, "invalid_token")


@pytest.mark.usefixtures("database")
def test_what_goes_wrong_for_one_leaves_the_others_alone() -> None:
    async def ask() -> list[float | BaseException]:
        halved: Together[tuple[Any, ...], float] = reading(lambda _session, number: 1 / number)
        return await asyncio.gather(*(halved((number,)) for number in (2, 0, 4)), return_exceptions=True)

    half, wrong, quarter = asyncio.run(ask())
    assert (half, quarter) == (0.5, 0.25)
    assert isinstance(wrong, ZeroDivisionError)
