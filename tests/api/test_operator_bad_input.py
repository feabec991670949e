"""What a list of the console is asked that no page of ours asks: refused as bad input, on both databases."""

import base64

import orjson
import pytest
from fastapi.testclient import TestClient

from tests.support.console import operator
from tests.support.rest_helpers import bearer
from tests.support.rows import each
from tests.support.shop import Shop


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@each(
    ("table", "sort", "value", "key", "status"),
    [
        ("people", "since", "0001-01-01T00:00:00+14:00", 1, 422),
        ("people", "since", "9999-12-31T23:59:59-14:00", 1, 422),
        ("people", "name", "A", 2**31, 200),
        ("people", "name", "A", -(2**31) - 1, 200),
        ("bookings", "price", 10**15, 1, 200),
        ("bookings", "price", -(10**15), 1, 200),
        ("messages", "tries", 2**31, 1, 200),
    ],
)
def test_a_forged_cursor_breaks_no_list(
    client: TestClient, shop: Shop, table: str, sort: str, value: object, key: int, status: int
) -> None:
    forged = base64.urlsafe_b64encode(orjson.dumps([sort, False, 0, value, key])).decode().rstrip("=")
    headers = bearer(operator())
    answer = client.get(f"/api/operator/{table}", params={"sort": sort, "cursor": forged}, headers=headers)
    assert answer.status_code == status, answer.text


@each("address", ["people", "people.csv", "listings", "audit"])
def test_a_nul_is_found_nowhere(client: TestClient, shop: Shop, address: str) -> None:
    headers = bearer(operator())
    for text in ("\x00", "a\x00b"):
        answer = client.get(f"/api/operator/{address}", params={"q": text}, headers=headers)
        assert answer.status_code == 200, answer.text
        bad = client.get(f"/api/operator/{address}", params={"state": text}, headers=headers)
        assert bad.status_code == 422
