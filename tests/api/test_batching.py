"""Simultaneous reads share one transaction, yet each gets its own response; so do bookings made at once."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from prometheus_client import REGISTRY
from sqlalchemy import func, select
from sqlmodel import Session

from rental_app.infrastructure import logs
from rental_app.infrastructure.db import Service, read, reading
from rental_app.infrastructure.logs import RequestLog
from rental_app.models import Booking, BookingEvent, Outbox
from tests.support.booking_steps import book
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.shop import Shop, moment, wanted, wire


def at_once(calls: list[Callable[[], Response]]) -> list[Response]:
    """Make all the calls at once, each in its own thread, and return their responses."""
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


def test_bookings_are_made_or_refused_each_for_itself(client: TestClient, shop: Shop) -> None:
    def booking(days: int, **more: Any) -> Callable[[], Response]:
        window = {"car": shop.vehicle.id, "pickupDate": wire(moment(days)), "returnDate": wire(moment(days + 1))}
        return lambda: client.post("/api/bookings/create", json=window | more, headers=bearer(shop.customer))

    before = written_down()
    wishes = [(2, {}), (2, {}), (2, {"extras": ["none such"]}), (4, {"offer": "NO SUCH"}), (4, {}), (4, {"car": 10**6})]
    answers = at_once([booking(days, **more) for days, more in wishes * 2])
    made = [ok(answer)["booking"]["id"] for answer in answers if answer.status_code == 200]
    assert len(set(made)) == 2
    assert sorted({answer.json().get("code") for answer in answers if answer.status_code != 200}) == [
        "dates_taken",
        "invalid_input",
        "offer_unknown",
        "unknown_vehicle",
    ]
    assert [after - ago for after, ago in zip(written_down(), before, strict=True)] == [2, 2, 4, 2]


def written_down() -> list[float]:
    """Return how many bookings, events and messages are stored, and how many bookings the metrics count."""
    tables = (Booking, BookingEvent, Outbox)
    rows = read(lambda session: [session.scalar(select(func.count()).select_from(table)) or 0 for table in tables])
    return [*rows, REGISTRY.get_sample_value("rental_bookings_total", {"outcome": "requested"}) or 0]


def _halved(_session: Session, number: int) -> float:
    return 1 / number


@pytest.mark.usefixtures("database")
def test_what_is_noted_and_logged_belongs_to_the_request_it_is_for() -> None:
    async def call(service: Service[str], user: int) -> tuple[str, RequestLog]:
        logs.request_log.set(asked := RequestLog(f"request {user}"))
        return await service((user,)), asked

    def noted(_session: Session, user: int) -> str:
        logs.note_user(user)
        return logs.request_id()

    async def ask() -> list[tuple[str, RequestLog]]:
        service = reading(noted, 3)
        return await asyncio.gather(*(asyncio.create_task(call(service, user)) for user in range(3)))

    assert asyncio.run(ask()) == [(f"request {user}", RequestLog(f"request {user}", user)) for user in range(3)]


@pytest.mark.usefixtures("database")
def test_what_goes_wrong_for_one_leaves_the_others_alone() -> None:
    async def ask() -> list[float | BaseException]:
        halved: Service[float] = reading(_halved)
        return await asyncio.gather(*(halved((number,)) for number in (2, 0, 4)), return_exceptions=True)

    half, wrong, quarter = asyncio.run(ask())
    assert (half, quarter) == (0.5, 0.25)
    assert isinstance(wrong, ZeroDivisionError)
