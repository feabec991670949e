"""Over REST: the price a client was shown, and which edits are refused or wait."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.conftest import forget
from tests.support.booking_steps import ask, book
from tests.support.rest_helpers import Files, bearer, jpeg, listing, ok, part, refused, window
from tests.support.rows import each
from tests.support.shop import DAILY_PAISE, Shop, count, wanted

CREATE = "/api/bookings/create"


def test_another_price_than_expected_is_answered_with_the_new_quote(client: TestClient, shop: Shop) -> None:
    wish, headers, before = {"car": shop.vehicle.id} | window(), bearer(shop.customer), count("booking")
    shown = ok(client.get("/api/bookings/quote", params=wish))["quote"]
    order = wish | {"expectedTotal": shown["total"], "expectedDeposit": shown["deposit"]}
    ask(shop.vehicle, 5_000_050)
    body = client.post(CREATE, json=order, headers=headers)
    assert (body.status_code, count("booking")) == (409, before)
    now = ok(client.get("/api/bookings/quote", params=wish))["quote"]
    assert now["total"] == 50_000.5
    assert body.json() == {
        "success": False,
        "code": "price_changed",
        "message": "The price has changed from ₹500 to ₹50,000.50",
        "errors": [],
        "requestId": body.headers["x-request-id"],
        "quote": now,
    }
    made = ok(client.post(CREATE, json=order | {"expectedTotal": "50000.50"}, headers=headers))["booking"]
    assert made["price"] == 50_000.5


@pytest.mark.usefixtures("nothing_changes")
@each("value", [-1, "much", True, [], {}, 1e300, "NaN"])
def test_a_price_that_is_no_amount_is_refused(client: TestClient, shop: Shop, value: Any) -> None:
    for field in ("expectedTotal", "expectedDeposit"):
        body = {"car": shop.vehicle.id, field: value} | window()
        refused(client.post(CREATE, json=body, headers=bearer(shop.customer)), 422, "invalid_input", field)


def test_a_blank_price_is_not_compared_and_a_months_total_can_be_expected(client: TestClient, shop: Shop) -> None:
    headers, wish = bearer(shop.customer), {"car": shop.vehicle.id, "expectedDeposit": None}
    blank = wish | {"expectedTotal": ""} | window()
    assert ok(client.post(CREATE, json=blank, headers=headers))["booking"]["price"] == DAILY_PAISE / 100
    ask(shop.vehicle, 50_000_000)
    month = wish | {"expectedTotal": 15_000_000} | window(5, 30)
    assert ok(client.post(CREATE, json=month, headers=headers))["booking"]["price"] == 15_000_000


def edit(client: TestClient, shop: Shop, files: Files | None = None, **changes: Any) -> Response:
    data = ("vehicleData", (None, json.dumps(listing(id=shop.vehicle.id) | changes)))
    return client.post("/api/vendor/edit-vehicle", files=[data, *(files or [])], headers=bearer(shop.vendor))


def test_a_booked_vehicle_keeps_its_year_and_says_so_at_the_field(client: TestClient, shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle))
    refused(edit(client, shop, year=listing()["year"] - 14), 409, "vehicle_booked", "year")


def test_a_vendor_is_told_that_changes_wait_for_approval(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ok(edit(client, shop, files=[part("Front", jpeg())]))["message"] == "Vehicle updated successfully!"
    monkeypatch.setenv("RENTAL_LISTING_APPROVAL", "manual")
    forget()
    body = ok(edit(client, shop, files=[part("Insurance", jpeg())]))
    assert body["message"].startswith("Vehicle updated successfully! It waits for approval again")
    own = ok(client.get("/api/vendor/vehicles", headers=bearer(shop.vendor)))["vehicles"]
    assert [vehicle["isAvaliable"] for vehicle in own] == [False]
