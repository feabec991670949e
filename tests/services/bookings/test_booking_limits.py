"""How much one customer may hold at once, even when it is requested in many tabs."""

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier

import pytest

from rental_app.domain.errors import ConflictError
from rental_app.models import User, Vehicle
from tests.conftest import Clock, forget
from tests.support.booking_steps import book, decide
from tests.support.races import at_once
from tests.support.shop import Shop, add_user, add_vehicle, wanted

pytestmark = pytest.mark.usefixtures("rate_limits")


@pytest.fixture
def fleet(shop: Shop) -> list[Vehicle]:
    return [shop.vehicle, *(add_vehicle(shop.vendor) for _ in range(7))]


def told(user: User, vehicle: Vehicle, days: int = 3, length: int = 1) -> str:
    """Return the status of a new booking, or the code of its refusal."""
    try:
        return book(user, wanted(vehicle, days, length)).status
    except ConflictError as error:
        return error.code


def confirmed(shop: Shop, vehicle: Vehicle, days: int = 3, length: int = 1) -> None:
    decide(shop.vendor, book(shop.customer, wanted(vehicle, days, length)).id, "confirmed")


def test_a_fourth_unanswered_request_waits_for_an_answer(shop: Shop, fleet: list[Vehicle]) -> None:
    made = [book(shop.customer, wanted(vehicle, days=3 + 2 * n)) for n, vehicle in enumerate(fleet[:3])]
    with pytest.raises(ConflictError, match="3 requests without an answer") as refused:
        book(shop.customer, wanted(fleet[3], days=20))
    assert refused.value.code == "too_many_unanswered"
    assert told(add_user(), fleet[3], 20) == "pending"
    decide(shop.vendor, made[0].id, "cancelled")
    assert told(shop.customer, fleet[3], 30) == "pending"


def test_requests_nobody_answered_in_time_do_not_count(shop: Shop, fleet: list[Vehicle], stopped_clock: Clock) -> None:
    assert [told(shop.customer, vehicle) for vehicle in fleet[:4]] == ["pending"] * 3 + ["too_many_unanswered"]
    stopped_clock.move(hours=8)
    assert told(shop.customer, fleet[3]) == "pending"


def test_a_fourth_booking_at_the_same_time_is_refused(shop: Shop, fleet: list[Vehicle]) -> None:
    for vehicle in fleet[:3]:
        confirmed(shop, vehicle, 3, 2)
    with pytest.raises(ConflictError, match="3 bookings at once on these dates") as refused:
        book(shop.customer, wanted(fleet[3], 4))
    assert refused.value.code == "too_many_overlapping"
    assert told(shop.customer, fleet[3], 5) == "pending", "a window that only touches them"
    assert told(add_user(), fleet[4], 4) == "pending"


def test_the_limits_are_settings_and_lifted_with_the_rates(
    shop: Shop, fleet: list[Vehicle], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENTAL_MAX_UNANSWERED", "5")
    monkeypatch.setenv("RENTAL_MAX_OVERLAPPING", "4")
    forget()
    answers = [told(shop.customer, vehicle) for vehicle in fleet[:5]]
    assert answers == ["pending"] * 4 + ["too_many_overlapping"]
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "off")
    forget()
    assert [told(shop.customer, vehicle) for vehicle in fleet[4:]] == ["pending"] * 4


@pytest.mark.databases
@pytest.mark.parametrize("answered", [False, True])
def test_requests_sent_at_once_are_counted_one_by_one(shop: Shop, fleet: list[Vehicle], answered: bool) -> None:
    for vehicle in fleet[: 2 * answered]:
        confirmed(shop, vehicle)
    codes = at_once(*[partial(book, shop.customer, wanted(vehicle)) for vehicle in fleet[2:]])
    refused = ["too_many_overlapping"] * 5 if answered else ["too_many_unanswered"] * 3
    assert sorted(codes) == [""] * (6 - len(refused)) + refused


@pytest.mark.databases
def test_two_customers_after_the_same_vehicles_never_wait_for_each_other(shop: Shop, fleet: list[Vehicle]) -> None:
    """Customers who request the same vehicles in opposite orders do not deadlock, as locking vehicles first would."""
    people, start = [shop.customer, add_user()], Barrier(4)

    def attempt(number: int) -> list[str]:
        start.wait()
        order = fleet if number % 2 else fleet[::-1]
        return [told(people[number // 2], vehicle) for vehicle in order]

    with ThreadPoolExecutor(4) as pool:
        answers = [answer for several in pool.map(attempt, range(4)) for answer in several]
    assert answers.count("pending") == 6
