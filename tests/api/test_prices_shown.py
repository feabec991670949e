"""Over REST: the price a client was shown, how much one customer may hold, and which edits a booked vehicle refuses."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response

from tests.conftest import forget
from tests.support.booking_steps import ask
from tests.support.rest_helpers import Files, bearer, jpeg, listing, ok, part, refused, window
from tests.support.shop import DAILY_PAISE, Shop, add_vehicle, count

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


@pytest.mark.parametrize("blank", [None, ""])
def test_a_price_not_given_is_not_compared(client: TestClient, shop: Shop, blank: Any) -> None:
    body = {"car": shop.vehicle.id, "expectedTotal": blank, "expectedDeposit": blank} | window()
    assert ok(client.post(CREATE, json=body, headers=bearer(shop.customer)))["booking"]["price"] == DAILY_PAISE / 100


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("field", ["expectedTotal", "expectedDeposit"])
@pytest.mark.parametrize("value", [-1, "much", True, [], {}, 1e300, "NaN"])
def test_a_price_that_is_no_amount_is_refused(client: TestClient, shop: Shop, field: str, value: Any) -> None:
    body = {"car": shop.vehicle.id, field: value} | window()
    refused(client.post(CREATE, json=body, headers=bearer(shop.customer)), 422, "invalid_input", field)


def test_a_months_total_can_be_expected(client: TestClient, shop: Shop) -> None:
    ask(shop.vehicle, 50_000_000)
    body = {"car": shop.vehicle.id, "expectedTotal": 15_000_000} | window(length=30)
    assert ok(client.post(CREATE, json=body, headers=bearer(shop.customer)))["booking"]["price"] == 15_000_000


def test_the_document_tells_of_the_expected_price(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    schemas = document["components"]["schemas"]
    assert {"expectedTotal", "expectedDeposit"} <= set(schemas["BookingRequest"]["properties"])
    assert "expectedTotal" not in schemas["BookingRequest"].get("required", [])
    conflict = document["paths"][CREATE]["post"]["responses"]["409"]["content"]["application/json"]["schema"]
    assert "quote" in schemas[conflict["$ref"].rpartition("/")[2]]["properties"]
    asked = {parameter["name"] for parameter in document["paths"]["/api/bookings/quote"]["get"]["parameters"]}
    assert asked == {"car", "pickupDate", "returnDate", "extras", "offer"}


@pytest.mark.usefixtures("rate_limits")
def test_a_customer_holds_three_requests_at_most(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.customer)
    for vehicle in (shop.vehicle, add_vehicle(shop.vendor), add_vehicle(shop.vendor)):
        ok(client.post(CREATE, json={"car": vehicle.id} | window(), headers=headers))
    body = {"car": add_vehicle(shop.vendor).id} | window(20)
    refused(client.post(CREATE, json=body, headers=headers), 409, "too_many_unanswered")


def edit(client: TestClient, shop: Shop, files: Files | None = None, **changes: Any) -> Response:
    data = ("vehicleData", (None, json.dumps(listing(id=shop.vehicle.id) | changes)))
    return client.post("/api/vendor/edit-vehicle", files=[data, *(files or [])], headers=bearer(shop.vendor))


def test_a_booked_vehicle_keeps_its_year_and_says_so_at_the_field(client: TestClient, shop: Shop) -> None:
    customer = bearer(shop.customer)
    ok(client.post(CREATE, json={"car": shop.vehicle.id} | window(), headers=customer))
    before = ok(client.get("/api/bookings/user", headers=customer))["bookings"]
    refused(edit(client, shop, year=listing()["year"] - 14), 409, "vehicle_booked", "year")
    ok(edit(client, shop, color="Red", service_location="Uppal", address="Yard 7", zipCode="500039"))
    assert ok(client.get("/api/bookings/user", headers=customer))["bookings"] == before


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
