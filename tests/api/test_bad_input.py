"""Nonsense of every kind is refused with a 4xx in the product's words, on both databases, and leaves nothing behind."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.api.helpers import bearer, form, listing, ok, papers, refused, stored
from tests.helpers import Shop, add_vehicle, count, moment, wire

TABLES = ("user", "login_session", "vehicle", "vehicle_price", "vehicle_file", "booking", "idempotency_key")
PERSON = {
    "name": "New Person",
    "email": "new@example.com",
    "password": "a long enough one",
    "address": "1 Test Road",
    "landmark": "",
    "pincode": "500032",
    "city": "Hyderabad",
    "phoneNumber": "9000000001",
    "isVendor": False,
}
PROFILE = {"address": "1 Test Road", "zipCode": "500032", "city": "Hyderabad"}
NOT_IDS = ["abc", "", -1, 0, 2**31, 2**63, 10**30, True, 1.5, None, [1], {"id": 1}, "1 OR 1=1", "\u0661"]
NUMBERS = {"NaN": "NaN", "Infinity": "Infinity", "1e400": "1e400", "many digits": "9" * 5000}
HOSTILE = [
    "Robert'); DROP TABLE user;--",
    '" OR ""="',
    "<script>alert(1)</script>",
    "{{7*7}} ${7*7} %s %n",
    "नमस्ते 🛵 Zoë\u200d",
    "line one\nline two",
]


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.fixture
def nothing_changes(client: TestClient, shop: Shop) -> Iterator[None]:
    """After the test every table and the file store hold what they held before."""
    headers = bearer(shop.customer), bearer(shop.vendor)
    assert headers
    before = {table: count(table) for table in TABLES if table != "login_session"}
    files = stored()
    yield
    assert {table: count(table) for table in TABLES if table != "login_session"} == before
    assert stored() == files


def booking(shop: Shop, **changes: Any) -> dict[str, Any]:
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    return wish | changes


def calls(shop: Shop) -> dict[str, tuple[dict[str, Any], dict[str, str]]]:
    """Every JSON call with a body it takes and a header that allows it."""
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
        plain = {"Content-Type": "text/plain"} | headers
        refused(client.request(method, path, content=json.dumps(body), headers=plain), 415, "unsupported_type")


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    "poison", ["\x00", "a\x00b", "\ud800", {"a": 1}, ["a"], [None], [["\ud800"]], 0.5, True, 10**30, "x" * 6000]
)
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
    "no_of_staff",
    "no_of_years",
    "notes",
)


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("field", ["landmark", "password"])
@pytest.mark.parametrize("poison", ["\ud800", {"a": 1}, 5])
def test_text_must_be_text(client: TestClient, field: str, poison: Any) -> None:
    content = json.dumps(PERSON | {field: poison})
    answer = client.post("/api/user/register", content=content, headers={"Content-Type": "application/json"})
    refused(answer, 422, "invalid_input", field)


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("value", NOT_IDS)
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
@pytest.mark.parametrize("value", ["abc", "-1", "0", str(2**31), "9" * 30, "9" * 5000, "1.5", "%00", "true"])
def test_what_is_no_id_in_an_address(client: TestClient, shop: Shop, value: str) -> None:
    get = client.get
    refused(get(f"/api/pubilc/get_asset_models?manufacturer_id={value}"), 422, "invalid_input", "manufacturer_id")
    refused(get(f"/api/pubilc/get_asset_manufacturers?asset_type_id={value}"), 422, "invalid_input", "asset_type_id")
    refused(get(f"/api/vendor/files/{value}", headers=bearer(shop.vendor)), 422, "invalid_input", "file_id")
    refused(get(f"/api/user/vehicles?limit={value}"), 422, "invalid_input", "limit")


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
    for method, path in (("DELETE", "/api/user/data"), ("GET", "/api/user/login"), ("GET", "/get_location_by_pincode")):
        refused(client.request(method, path), 405, "method_not_allowed")


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("number", NUMBERS)
def test_numbers_beyond_numbers(client: TestClient, shop: Shop, number: str) -> None:
    vendor = bearer(shop.vendor)
    for field in ("year", "odometer_reading", "security_deposit", "late_penalty_per_hour", "speed_limit_kmph", "model"):
        data = json.dumps(listing(**{field: "HERE"})).replace('"HERE"', NUMBERS[number])
        answer = client.post("/api/vendor/add-vehicle", data={"vehicleData": data}, files=papers(), headers=vendor)
        assert answer.status_code in (400, 422), (field, answer.text)
    raw = json.dumps(booking(shop, car="HERE")).replace('"HERE"', NUMBERS[number])
    headers = bearer(shop.customer) | {"Content-Type": "application/json"}
    assert client.post("/api/bookings/create", content=raw, headers=headers).status_code in (400, 422)


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"year": 1990}, "year"),
        ({"year": 2099}, "year"),
        ({"model": 2**31 - 1}, "model"),
        ({"manufacturer": 2**31 - 1}, "model"),
        ({"rc_number": "XX09EA1234"}, "rc_number"),
        ({"rc_number": "hello"}, "rc_number"),
        ({"chassis_number": "SHORT"}, "chassis_number"),
        ({"engine_number": "!"}, "engine_number"),
        ({"odometer_reading": -1}, "odometer_reading"),
        ({"odometer_reading": "a lot"}, "odometer_reading"),
        ({"last_serviced_date": "2099-01-01"}, "last_serviced_date"),
        ({"last_serviced_date": 5}, "last_serviced_date"),
        ({"insurance_expiry_date": "1764547200"}, "insurance_expiry_date"),
        ({"insurance_expiry_date": "31/12/2026"}, "insurance_expiry_date"),
        ({"pollution_expiry_date": "2026-02-30"}, "pollution_expiry_date"),
        ({"speed_limit_kmph": 0}, "speed_limit_kmph"),
        ({"late_penalty_per_hour": -1}, "late_penalty_per_hour"),
        ({"security_deposit": 10**9}, "security_deposit"),
        ({"security_deposit": True}, "security_deposit"),
        ({"drop_off_payment": "free"}, "drop_off_payment"),
        ({"color": "a\x00b"}, "color"),
        ({"color": "\ud800"}, "color"),
        ({"color": "x" * 201}, "color"),
        ({"terms": "x" * 5001}, "terms"),
        ({"service_location": "Atlantis"}, "service_location"),
        ({"service_location": "a\x00b"}, "service_location"),
        ({"prices": "free"}, "prices"),
        ({"prices": [{"price_name": "Hour", "price": 1}]}, "prices.0.price_name"),
        ({"prices": [{"price_name": "Full Day", "price": -1}]}, "prices.0.price"),
        ({"prices": [{"price_name": "Full Day", "price": 1, "status": "Maybe"}]}, "prices.0.status"),
        ({"prices": [{"price_name": "Full Day", "price": 1}] * 2}, "prices"),
    ],
)
def test_what_no_vehicle_can_be(client: TestClient, shop: Shop, changes: dict[str, Any], field: str) -> None:
    vendor = bearer(shop.vendor)
    added = client.post("/api/vendor/add-vehicle", data=form(**changes), files=papers(), headers=vendor)
    assert added.status_code == 422, added.text
    assert [error["field"] for error in added.json()["errors"]] == [field]
    edit = form(id=shop.vehicle.id, **changes)
    edited = client.post("/api/vendor/edit-vehicle", data=edit, files=papers(), headers=vendor)
    assert edited.status_code == 422, edited.text
    assert [error["field"] for error in edited.json()["errors"]] == [field]


@pytest.mark.usefixtures("nothing_changes")
def test_missing_fields_are_all_named(client: TestClient, shop: Shop) -> None:
    blank = form(color=" ", rc_number=None, year="")
    answer = client.post("/api/vendor/add-vehicle", data=blank, files=papers(), headers=bearer(shop.vendor))
    body = refused(answer, 422, "missing_fields", "color", "rc_number", "year")
    assert body["message"] == "Please fill all required fields: year, color, rc_number"
    empty = client.post(
        "/api/vendor/add-vehicle", data={"vehicleData": "{}"}, files=papers(), headers=bearer(shop.vendor)
    )
    assert len(empty.json()["errors"]) == 17


@pytest.mark.usefixtures("nothing_changes")
def test_missing_dates_are_asked_for(client: TestClient, shop: Shop) -> None:
    words = "Please select Pickup and Return date/time"
    headers = bearer(shop.customer)
    for missing in (("pickupDate",), ("returnDate",), ("pickupDate", "returnDate")):
        for wish in (
            booking(shop, **dict.fromkeys(missing, "")),
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
@pytest.mark.parametrize(
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
@pytest.mark.parametrize("location", ["Atlantis", "", "a\x00b", "' OR 1=1 --", "testpur"])
def test_unknown_locations(client: TestClient, shop: Shop, location: str) -> None:
    body = booking(shop, location=location)
    assert "location" in [
        error["field"] for error in client.post("/api/bookings/check-availability", json=body).json()["errors"]
    ]


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"name": ""}, "invalid_input"),
        ({"name": "   "}, "invalid_input"),
        ({"email": "not an e-mail"}, "invalid_input"),
        ({"email": "a\x00@example.com"}, "invalid_input"),
        ({"phoneNumber": "90000000a1"}, "invalid_input"),
        ({"phoneNumber": "9000\uff10\uff10\uff10\uff10\uff10\uff10"}, "invalid_input"),
        ({"phoneNumber": "1234567890"}, "invalid_input"),
        ({"phoneNumber": "+919000000001"}, "invalid_input"),
        ({"pincode": "50003"}, "invalid_input"),
        ({"pincode": "\u0665\u0660\u0660\u0660\u0663\u0662"}, "invalid_input"),
        ({"pincode": "5000\n2"}, "invalid_input"),
        ({"password": "short"}, "weak_password"),
        ({"password": "Password123"}, "weak_password"),
        ({"password": "NEW@example.com"}, "weak_password"),
        ({"password": "x" * 73}, "weak_password"),
        ({"password": "\u20b9" * 25}, "weak_password"),
        ({"isVendor": "perhaps"}, "invalid_input"),
    ],
)
def test_whom_we_do_not_register(client: TestClient, changes: dict[str, Any], code: str) -> None:
    answer = client.post("/api/user/register", json=PERSON | changes)
    refused(answer, 422, code, *changes)


@pytest.mark.usefixtures("nothing_changes")
def test_pincodes_that_exist_nowhere(client: TestClient, shop: Shop) -> None:
    refused(client.post("/api/user/register", json=PERSON | {"pincode": "999999"}), 404, "unknown_pincode", "pincode")
    profile = PROFILE | {"zipCode": "999999"}
    refused(
        client.put("/api/user/update", json=profile, headers=bearer(shop.vendor)), 404, "unknown_pincode", "pincode"
    )
    for pincode, status, code in (
        ("999999", 404, "unknown_pincode"),
        ("\u0665\u0660\u0660\u0660\u0663\u0662", 422, "bad_pincode"),
    ):
        refused(client.post("/get_location_by_pincode", json={"pincode": pincode}), status, code, "pincode")


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"open_time": "08:00 PM", "close_time": "09:00 AM"}, "close_time"),
        ({"open_time": "09:00 AM", "close_time": "09:00 AM"}, "close_time"),
        ({"open_time": "09:00 PM"}, "close_time"),
        ({"close_time": "08:00 AM"}, "close_time"),
        ({"open_time": "25:00"}, "open_time"),
        ({"open_time": "09:00"}, "open_time"),
        ({"closing_days": "Someday"}, "closing_days"),
        ({"closing_days": ["\ud800"]}, "closing_days"),
        ({"closing_days": 5}, "closing_days"),
        ({"closing_days": True}, "closing_days"),
        ({"website": "javascript:alert(1)"}, "website"),
        ({"google_maps_link": "data:text/html,x"}, "google_maps_link"),
        ({"gst_number": "36AQTPR4817K1Z2"}, "gst_number"),
        ({"booking_contact_no": "12"}, "booking_contact_no"),
        ({"no_of_staff": -1}, "no_of_staff"),
        ({"no_of_years": 10**12}, "no_of_years"),
        ({"service_location": "Atlantis"}, "service_location"),
        ({"address": ""}, "address"),
        ({"notes": "x" * 5001}, "notes"),
    ],
)
def test_what_no_profile_can_be(client: TestClient, shop: Shop, changes: dict[str, Any], field: str) -> None:
    headers = bearer(shop.vendor) | {"Content-Type": "application/json"}
    before = ok(client.get("/api/user/data", headers=headers))
    answer = client.put("/api/user/update", content=json.dumps(PROFILE | changes), headers=headers)
    assert answer.status_code == 422, answer.text
    assert [error["field"] for error in answer.json()["errors"]] == [field]
    assert ok(client.get("/api/user/data", headers=headers)) == before


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_comes_back_unchanged(client: TestClient, shop: Shop, text: str) -> None:
    headers = bearer(shop.vendor)
    own = ("address", "landmark", "city", "gst_name", "notes")
    ok(client.put("/api/user/update", json=PROFILE | dict.fromkeys(own, text), headers=headers))
    user = ok(client.get("/api/user/data", headers=headers))["user"]
    assert [user[name] for name in own] == [text] * len(own)
    fields = dict.fromkeys(("color", "owner_name_as_per_rc", "terms"), text)
    ok(client.post("/api/vendor/add-vehicle", data=form(**fields), files=papers(), headers=headers))
    mine = ok(client.get("/api/vendor/vehicles", headers=headers))["vehicles"][-1]
    assert {name: mine[name] for name in fields} == fields
    public = ok(client.get("/api/user/vehicles"))["vehicles"][-1]
    assert (public["vehicle_specific_terms"], public["color"]) == (text, text)
    person = PERSON | dict.fromkeys(("name", "address", "landmark", "city"), text)
    token = ok(client.post("/api/user/register", json=person))["token"]
    assert ok(client.get("/api/user/data", headers={"Authorization": f"Bearer {token}"}))["user"]["name"] == text


def test_one_registration_number_is_one_however_typed(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    ok(client.post("/api/vendor/add-vehicle", data=form(rc_number="TS09EA0123"), files=papers(), headers=headers))
    rows, files = count("vehicle"), stored()
    for typed in ("ts 09 ea 123", "TS-09-EA-0123", " ts9ea123 "):
        again = client.post("/api/vendor/add-vehicle", data=form(rc_number=typed), files=papers(), headers=headers)
        refused(again, 409, "rc_number_taken", "rc_number")
    other = add_vehicle(shop.vendor)
    for more in ({}, {"service_location": shop.place.name}):
        edit = form(id=other.id, rc_number="ts 09 ea 123", **more)
        answer = client.post("/api/vendor/edit-vehicle", data=edit, files=papers(), headers=headers)
        refused(answer, 409, "rc_number_taken", "rc_number")
    assert (count("vehicle"), stored()) == (rows + 1, files)


def test_one_e_mail_is_one_however_typed(client: TestClient, shop: Shop) -> None:
    before = count("user")
    answer = client.post("/api/user/register", json=PERSON | {"email": shop.customer.email.upper()})
    refused(answer, 409, "email_taken", "email")
    assert count("user") == before


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize("status", ["", "CONFIRMED", "done", None, 1])
def test_what_is_no_status(client: TestClient, shop: Shop, status: Any) -> None:
    change = {"bookingId": 1, "status": status}
    answer = client.post("/api/bookings/change-status", json=change, headers=bearer(shop.vendor))
    refused(answer, 422, "invalid_input", "status")


@pytest.mark.usefixtures("nothing_changes")
def test_a_key_has_a_length(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.customer) | {"Idempotency-Key": "k" * 201}
    answer = client.post("/api/bookings/create", json=booking(shop), headers=headers)
    refused(answer, 422, "invalid_input", "idempotency-key")
