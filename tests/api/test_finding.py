"""Finding a vehicle over REST: invalid searches are refused at their field, on both calls."""

from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.support.rest_helpers import ok, refused
from tests.support.rows import each
from tests.support.shop import Shop, moment, wire

LIST, FREE = "/api/user/vehicles", "/api/bookings/check-availability"
LONG = "x" * 5000


def window() -> dict[str, str]:
    return {"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))}


def both(client: TestClient, asked: dict[str, Any]) -> tuple[Response, Response]:
    """Send the same search to both calls, with dates to the second one."""
    return client.get(LIST, params=asked), client.post(FREE, json=window() | asked)


NO_CHOICES: dict[str, list[Any]] = {
    "location": ["Atlantis", "gachibowli", "%", LONG],
    "near": ["Atlantis", "Testpur ' OR 1=1 --", "%"],
    "type": ["Boat", "scooter", "%", LONG, ["Scooter", "Boat"], [f"Kind {number}" for number in range(21)]],
    "transmission": ["Magic", "_"],
    "fuel": ["Coal", LONG],
    "model": ["Batmobile", "%"],
    "q": [LONG, ["a", "b"], "a\x00b", "\x1b[2J"],
    "seats": ["0", "-1", "13", "2.5", "many", LONG],
    "min_price": ["-1", "0.5", "1e3", "cheap", "NaN", "9" * 40],
    "max_price": ["-1", "0.5", "Infinity"],
    "max_deposit": ["-1", "none", "9" * 40],
    "rating": ["0", "5.1", "-4", "NaN", "inf", "best", "1_0"],
    "within_km": ["0", "101", "1_0", "NaN"],
    "delivery": ["perhaps", "2"],
    "unlimited": ["perhaps"],
    "facets": ["perhaps"],
    "sort": ["sideways", "Price", "price,rating", LONG, "distance"],
    "limit": ["0", "-1", "201", "all"],
    "cursor": ["12", "!!", LONG, "WyJhIl0"],
}


@pytest.mark.usefixtures("nothing_changes")
@each(("field", "value"), [(field, value) for field, values in NO_CHOICES.items() for value in values])
def test_what_is_no_choice_is_refused_at_its_field(client: TestClient, field: str, value: Any) -> None:
    near = {"near": "Testpur"} if field == "within_km" else {}
    for answer in both(client, near | {field: value}):
        body = answer.json()
        assert (answer.status_code, body["success"]) == (422, False), (field, answer.text[:200])
        assert {error["field"].partition(".")[0] for error in body["errors"]} == {field}
        assert len(answer.content) < 2_000, "what was sent is not sent back"


@each("blank", ["", " ", ["", " "], []])
def test_no_type_is_every_type(client: TestClient, shop: Shop, blank: str | list[str]) -> None:
    listed, free = both(client, {"type": blank})
    assert ok(listed)["vehicles"]
    assert ok(free)["availableCars"]


@pytest.mark.usefixtures("nothing_changes")
def test_what_contradicts_is_refused_at_its_field(client: TestClient) -> None:
    for asked, field in (
        ({"min_price": 900, "max_price": 800}, "max_price"),
        ({"within_km": 3}, "within_km"),
        ({"within_km": 3, "location": "Testpur"}, "within_km"),
    ):
        for answer in both(client, asked):
            refused(answer, 422, "invalid_input", field)
    for field in ("q", "pickupDate", "seats", "within_km"):
        refused(client.get(LIST, params={field: ["", ""]}), 422, "invalid_input", field)


def test_filters_that_nothing_fits_give_nothing_and_no_failure(client: TestClient, shop: Shop) -> None:
    for asked in (
        {"q": "%"},
        {"q": "_"},
        {"q": "' OR 1=1 --"},
        {"max_price": 0},
    ):
        listed, free = both(client, asked | {"limit": 5})
        assert (ok(listed)["vehicles"], ok(listed)["total"]) == ([], 0), asked
        assert (ok(free)["availableCars"], ok(free)["message"]) == ([], "No cars available"), asked


def test_unknown_parameters_change_nothing_and_blank_ones_ask_for_nothing(client: TestClient, shop: Shop) -> None:
    whole = ok(client.get(LIST))
    blank = dict.fromkeys(("location", "q", "transmission", "seats", "min_price", "rating", "delivery", "sort"), "")
    unknown: list[dict[str, Any]] = [{"wheels": "3"}, {"wheels": ["3", "4"]}, {"_": "1"}]
    for asked in (*unknown, blank):
        assert ok(client.get(LIST, params=asked)) == whole
    free = ok(client.post(FREE, json=window()))
    for asked in (*unknown, blank, dict.fromkeys((*NO_CHOICES, "within_km"))):
        assert ok(client.post(FREE, json=window() | asked)) == free


@pytest.mark.usefixtures("shop")
def test_filters_price_sort_and_pages_are_the_same_on_both_calls(client: TestClient) -> None:
    asked = {"type": ["Scooter", "Electric"], "near": "Madhapur", "within_km": 12, "max_price": 3_000, "sort": "-price"}
    listed = ok(client.get(LIST, params=asked | window() | {"facets": 1}))
    free = ok(client.post(FREE, json=asked | window() | {"facets": True}))
    assert listed["vehicles"] == free["availableCars"]
    assert listed["facets"] == free["facets"]
    totals = [car["total"] for car in free["availableCars"]]
    assert totals == sorted(totals, reverse=True)
    assert max(totals) <= 3_000
    seen: list[int] = []
    cursor: str | None = ""
    while cursor is not None:
        part = ok(client.post(FREE, params={"limit": 3, "cursor": cursor}, json=asked | window()))
        assert part["total"] == len(totals)
        seen, cursor = seen + [car["id"] for car in part["availableCars"]], part["next_cursor"]
    assert seen == [car["id"] for car in free["availableCars"]]
    for name in ("type", "transmission", "fuel", "location", "model", "seats", "rating", "delivery", "unlimited"):
        assert free["facets"][name], name
