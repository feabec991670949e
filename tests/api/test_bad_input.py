"""Nonsense of every kind is refused with a 4xx in the product's words, on both databases, and leaves nothing behind."""

import itertools
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.rest_helpers import PERSON, PROFILE, bearer, form, listing, ok, papers, refused
from tests.support.rows import each
from tests.support.shop import Shop, moment, wire

NOT_IDS = ["abc", "", -1, 0, 2**31, 2**63, 10**30, True, 1.5, None, [1], {"id": 1}, "1 OR 1=1", "\u0661"]
NOT_IDS += ["1_0", "true", 1.0, "1.0", " 1", "+1", "\uff11"]
NUMBERS = {"NaN": "NaN", "Infinity": "Infinity", "1e400": "1e400", "many digits": "9" * 5000}


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def booking(shop: Shop, **changes: Any) -> dict[str, Any]:
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    return wish | changes


def block(shop: Shop) -> dict[str, Any]:
    return {"vehicle": shop.vehicle.id, "from": wire(moment(3)), "to": wire(moment(4)), "reason": "service"}


def calls(shop: Shop) -> dict[str, tuple[dict[str, Any], dict[str, str]]]:
    """Return every JSON call with a valid body and a header that authorizes it."""
    customer, vendor = bearer(shop.customer), bearer(shop.vendor)
    search = {key: value for key, value in booking(shop, location=shop.place.name).items() if key != "car"}
    return {
        "POST /get_location_by_pincode": ({"pincode": "500032"}, {}),
        "POST /api/user/login": ({"email": "nobody@example.com", "password": "x"}, {}),
        "POST /api/user/register": (PERSON, {}),
        "PUT /api/user/update": (PROFILE, customer),
        "POST /api/bookings/create": (booking(shop), customer),
        "POST /api/bookings/check-availability": (search, {}),
        "POST /api/bookings/change-status": ({"bookingId": 1, "status": "confirmed"}, vendor),
        "POST /api/vendor/toggle-vehicle": ({"vehicleId": shop.vehicle.id}, vendor),
        "POST /api/vendor/blocks": (block(shop), vendor),
        "PUT /api/vendor/buffer": ({"hours": 3}, vendor),
        "POST /api/vendor/prices/copy": ({"from": shop.vehicle.id, "to": [shop.vehicle.id + 1]}, vendor),
    }


RAW = {
    "no JSON": (b"{nope", 400, "malformed_json"),
    "cut": (b'{"pincode": "5', 400, "malformed_json"),
    "not UTF-8": (b'{"pincode": "\xff\xfe"}', 400, "malformed_body"),
    "deep": (b"[" * 100_000, 400, "malformed_body"),
    "a list": (b"[]", 422, "invalid_input"),
    "a text": (b'"text"', 422, "invalid_input"),
    "a number": (b"12", 422, "invalid_input"),
    "null": (b"null", 422, "invalid_input"),
    "nothing": (b"", 422, "invalid_input"),
    "too large": (b'{"pincode": "' + b"5" * 300_000 + b'"}', 413, "too_large"),
}


@pytest.mark.usefixtures("nothing_changes")
def test_bodies_of_the_wrong_shape(client: TestClient, shop: Shop) -> None:
    for call, (_, headers) in calls(shop).items():
        method, path = call.split()
        for name, (body, status, code) in RAW.items():
            sent = {"Content-Type": "application/json"} | headers
            answer = client.request(method, path, content=body, headers=sent)
            assert (answer.status_code, answer.json()["code"]) == (status, code), (call, name, answer.text)


@pytest.mark.usefixtures("nothing_changes")
def test_bodies_that_are_no_json(client: TestClient, shop: Shop) -> None:
    for call, (body, headers) in calls(shop).items():
        method, path = call.split()
        refused(client.request(method, path, data={"a": "b"}, headers=headers), 415, "unsupported_type")
        for other in ("text/plain", "application/jsonx", "application/x-json; charset=utf-8", "text/json", "json"):
            sent = {"Content-Type": other} | headers
            refused(client.request(method, path, content=json.dumps(body), headers=sent), 415, "unsupported_type")
        for own in ("Application/JSON", "application/json;charset=utf-8", "application/problem+json"):
            sent = {"Content-Type": own} | headers
            assert client.request(method, path, content="[]", headers=sent).status_code == 422


@pytest.mark.usefixtures("nothing_changes")
@each("poison", ["\x00", "a\x00b", "\ud800", {"a": 1}, ["a"], [None], [["\ud800"]], 0.5, True, 10**30, "x" * 6000])
def test_every_field_of_every_body_survives_poison(client: TestClient, shop: Shop, poison: Any) -> None:
    for call, (body, headers) in calls(shop).items():
        method, path = call.split()
        for field in body if "update" not in path else [*body, *OPTIONAL_PROFILE]:
            content = json.dumps(body | {field: poison})
            sent = {"Content-Type": "application/json"} | headers
            if path.endswith("register") and field in ("landmark", "isVendor", "password"):
                continue
            if path.endswith(("toggle-vehicle", "update")):
                assert client.request(method, path, content=content, headers=sent).status_code < 500, (call, field)
                continue
            answer = client.request(method, path, content=content, headers=sent)
            assert 400 <= answer.status_code < 500, (call, field, answer.text)
            assert answer.json()["success"] is False


OPTIONAL_PROFILE = (
    "landmark",
    "service_location",
    "delivery_supported",
    "open_time",
    "close_time",
    "closing_days",
    "website",
    "google_maps_link",
    "gst_name",
    "gst_number",
    "booking_contact_no",
    "booking_whatsapp_no",
    "upi_id",
    "no_of_staff",
    "no_of_years",
    "notes",
)


@pytest.mark.usefixtures("nothing_changes")
@each(("field", "poison"), itertools.product(["name", "email", "landmark", "password"], ["\ud800", {"a": 1}, 5]))
def test_text_must_be_text(client: TestClient, field: str, poison: Any) -> None:
    content = json.dumps(PERSON | {field: poison})
    answer = client.post("/api/user/register", content=content, headers={"Content-Type": "application/json"})
    refused(answer, 422, "invalid_input", field)


@pytest.mark.usefixtures("nothing_changes")
@each("value", NOT_IDS)
def test_what_is_no_id(client: TestClient, shop: Shop, value: Any) -> None:
    customer, vendor = bearer(shop.customer), bearer(shop.vendor)
    post = client.post
    refused(post("/api/bookings/create", json=booking(shop, car=value), headers=customer), 422, "invalid_input", "car")
    change = {"bookingId": value, "status": "confirmed"}
    refused(post("/api/bookings/change-status", json=change, headers=vendor), 422, "invalid_input", "bookingId")
    toggle = {"vehicleId": value}
    refused(post("/api/vendor/toggle-vehicle", json=toggle, headers=vendor), 422, "invalid_input", "vehicleId")
    edit = post("/api/vendor/edit-vehicle", data=form(id=value), files={"RC": b""}, headers=vendor)
    refused(edit, 422, "invalid_input", "id")


@pytest.mark.usefixtures("nothing_changes")
@each(
    "value",
    ["abc", "-1", "0", str(2**31), "9" * 5000, "1.5", "%00", "true", "1_0", "1.0", "%201", "%2B1", "%EF%BC%91"],
)
def test_what_is_no_id_in_an_address(client: TestClient, shop: Shop, value: str) -> None:
    get = client.get
    refused(get(f"/api/pubilc/get_asset_models?manufacturer_id={value}"), 422, "invalid_input", "manufacturer_id")
    refused(get(f"/api/pubilc/get_asset_manufacturers?asset_type_id={value}"), 422, "invalid_input", "asset_type_id")
    refused(get(f"/api/vendor/files/{value}", headers=bearer(shop.vendor)), 422, "invalid_input", "file_id")
    refused(get(f"/api/user/vehicles?limit={value}"), 422, "invalid_input", "limit")
    if value != "0":
        refused(get(f"/api/user/vehicles?limit=1&cursor={value}"), 422, "invalid_input", "cursor")
    quote = get(f"/api/bookings/quote?car={value}&pickupDate=2030-01-01&returnDate=2030-01-02")
    refused(quote, 422, "invalid_input", "car")


def test_unknown_things_are_not_found(client: TestClient, shop: Shop) -> None:
    customer, vendor, none = bearer(shop.customer), bearer(shop.vendor), 2**31 - 1
    refused(client.get(f"/api/pubilc/get_asset_models?manufacturer_id={none}"), 404, "not_found")
    refused(client.get(f"/api/pubilc/get_asset_manufacturers?asset_type_id={none}"), 404, "not_found")
    refused(client.get(f"/api/vendor/files/{none}", headers=vendor), 404, "not_found")
    create = client.post("/api/bookings/create", json=booking(shop, car=none), headers=customer)
    refused(create, 404, "unknown_vehicle")
    refused(client.get("/api/bookings/quote", params=booking(shop, car=none)), 404, "unknown_vehicle")
    for path in ("/api/nothing", "/api/user/", "/api/", "/api", "/api/user/data/", "/nothing"):
        refused(client.get(path), 404, "not_found")


@pytest.mark.usefixtures("nothing_changes")
@each("number", NUMBERS)
def test_numbers_beyond_numbers(client: TestClient, shop: Shop, number: str) -> None:
    vendor = bearer(shop.vendor)
    fields = ("year", "odometer_reading", "security_deposit", "late_penalty_per_hour", "speed_limit_kmph", "model")
    for field in fields:
        data = json.dumps(listing(id=shop.vehicle.id, **{field: "HERE"})).replace('"HERE"', NUMBERS[number])
        answer = client.post("/api/vendor/edit-vehicle", files={"vehicleData": (None, data)}, headers=vendor)
        assert answer.status_code in (400, 422), (field, answer.text)
    data = json.dumps(listing(**dict.fromkeys(fields, "HERE"))).replace('"HERE"', NUMBERS[number])
    answer = client.post("/api/vendor/add-vehicle", data={"vehicleData": data}, files=papers(), headers=vendor)
    assert answer.status_code in (400, 422), answer.text
    named = {error["field"] for error in answer.json()["errors"]}
    assert named == (set(fields) if answer.status_code == 422 else set())
    raw = json.dumps(booking(shop, car="HERE")).replace('"HERE"', NUMBERS[number])
    headers = bearer(shop.customer) | {"Content-Type": "application/json"}
    assert client.post("/api/bookings/create", content=raw, headers=headers).status_code in (400, 422)


@pytest.mark.usefixtures("nothing_changes")
def test_missing_dates_are_asked_for(client: TestClient, shop: Shop) -> None:
    words = "Please select Pickup and Return date/time"
    headers = bearer(shop.customer)
    for missing in (("pickupDate",), ("returnDate",), ("pickupDate", "returnDate")):
        for wish in (
            *(booking(shop, **dict.fromkeys(missing, blank)) for blank in ("", None)),
            {k: v for k, v in booking(shop).items() if k not in missing},
        ):
            search = wish | {"location": shop.place.name}
            for answer in (
                client.post("/api/bookings/create", json=wish, headers=headers),
                client.post("/api/bookings/check-availability", json=search),
                client.get("/api/bookings/quote", params=wish),
            ):
                assert refused(answer, 422, "dates_missing", *missing)["message"] == words


@pytest.mark.usefixtures("nothing_changes")
@each(
    "value", ["soon", "2026-13-01", "2026-12-01T25:00", "0001-01-01", "01/12/2026", "2026-12-01T10:00+99:00", "x" * 41]
)
def test_what_is_no_date(client: TestClient, shop: Shop, value: str) -> None:
    for field in ("pickupDate", "returnDate"):
        wish = booking(shop, **{field: value})
        search = wish | {"location": shop.place.name}
        for answer in (
            client.post("/api/bookings/create", json=wish, headers=bearer(shop.customer)),
            client.post("/api/bookings/check-availability", json=search),
            client.get("/api/bookings/quote", params=wish),
        ):
            assert answer.status_code == 422, answer.text
            assert [error["field"] for error in answer.json()["errors"]] == [field]


def test_a_plus_sign_lost_in_an_address_is_found_again(client: TestClient, shop: Shop) -> None:
    wish = booking(shop)
    bare = f"car={wish['car']}&pickupDate={wish['pickupDate']}&returnDate={wish['returnDate']}"
    assert "+" in bare
    assert ok(client.get(f"/api/bookings/quote?{bare}"))["quote"]["pickupDate"] == wish["pickupDate"]


@pytest.mark.usefixtures("nothing_changes")
@each("location", ["Atlantis", "a\x00b", "' OR 1=1 --", "testpur"])
def test_unknown_locations(client: TestClient, shop: Shop, location: str) -> None:
    body = booking(shop, location=location)
    assert "location" in [
        error["field"] for error in client.post("/api/bookings/check-availability", json=body).json()["errors"]
    ]


@pytest.mark.usefixtures("nothing_changes")
@each("status", ["", "CONFIRMED", "done", None, 1])
def test_what_is_no_status(client: TestClient, shop: Shop, status: Any) -> None:
    change = {"bookingId": 1, "status": status}
    answer = client.post("/api/bookings/change-status", json=change, headers=bearer(shop.vendor))
    refused(answer, 422, "invalid_input", "status")


@pytest.mark.usefixtures("nothing_changes")
def test_a_key_has_a_length(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.customer) | {"Idempotency-Key": "k" * 201}
    answer = client.post("/api/bookings/create", json=booking(shop), headers=headers)
    refused(answer, 422, "invalid_input", "idempotency-key")
