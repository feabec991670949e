"""Impossible people, profiles and vehicles are refused field by field; merely unusual values are kept as they are."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.rest_helpers import PERSON, PROFILE, bearer, form, ok, papers, refused, stored
from tests.support.rows import each
from tests.support.shop import Shop, add_vehicle, count

HOSTILE = [
    "Robert'); DROP TABLE user;--",
    '" OR ""="',
    "<script>alert(1)</script>",
    "{{7*7}} ${7*7} %s %n",
    "नमस्ते 🛵 Zoë క్\u200cష 👩\u200d🔧",
    "line one\nline two",
]


IMPOSSIBLE: list[tuple[dict[str, Any], str]] = [
    ({"year": 1990}, "year"),
    ({"year": 2099}, "year"),
    ({"model": 2**31 - 1}, "model"),
    ({"manufacturer": 2**31 - 1}, "model"),
    ({"rc_number": "XX09EA1234"}, "rc_number"),
    ({"rc_number": "hello"}, "rc_number"),
    ({"chassis_number": "SHORT"}, "chassis_number"),
    ({"engine_number": "!"}, "engine_number"),
    ({"odometer_reading": -1}, "odometer_reading"),
    ({"last_serviced_date": "2099-01-01"}, "last_serviced_date"),
    ({"insurance_expiry_date": "1764547200"}, "insurance_expiry_date"),
    ({"insurance_expiry_date": "31/12/2026"}, "insurance_expiry_date"),
    ({"pollution_expiry_date": "2026-02-30"}, "pollution_expiry_date"),
    ({"speed_limit_kmph": 0}, "speed_limit_kmph"),
    ({"late_penalty_per_hour": -1}, "late_penalty_per_hour"),
    ({"security_deposit": 10**9}, "security_deposit"),
    ({"drop_off_payment": "free"}, "drop_off_payment"),
    ({"color": "a\x85b"}, "color"),
    ({"owner_name_as_per_rc": "42"}, "owner_name_as_per_rc"),
    ({"owner_name_as_per_rc": "Ravi\u2067Rao"}, "owner_name_as_per_rc"),
    ({"color": "x" * 201}, "color"),
    ({"terms": "x" * 5001}, "terms"),
    ({"service_location": "Atlantis"}, "service_location"),
    ({"prices": "free"}, "prices"),
    ({"prices": [{"price_name": "Hour", "price": 1}]}, "prices.0.price_name"),
    ({"prices": [{"price_name": "Full Day", "price": -1}]}, "prices.0.price"),
    ({"prices": [{"price_name": "Full Day", "price": 1, "status": "Maybe"}]}, "prices.0.status"),
    ({"prices": [{"price_name": "Full Day", "price": 1}] * 2}, "prices"),
    ({"prices": [{"price_name": "Full Day", "price": 1, "kms_limit": "1_0"}]}, "prices.0.kms_limit"),
]


# A model is looked up for its type and maker, so of these only one can be told to be wrong.
TOGETHER = {"vehicleType", "manufacturer", "model", "year"}


def at_once(rows: list[tuple[dict[str, Any], str]]) -> list[tuple[dict[str, Any], set[str]]]:
    """Return as few bodies as have all these faults, with one fault a field: checking the files takes longest."""
    bodies: list[tuple[dict[str, Any], set[str]]] = []
    for changes, field in rows:
        taken = TOGETHER if changes.keys() & TOGETHER else changes.keys()
        body = next((body for body in bodies if not taken & body[0].keys()), None)
        if body is None:
            bodies.append(body := ({}, set()))
        body[0].update(changes)
        body[1].add(field)
    return bodies


@pytest.mark.long
@pytest.mark.usefixtures("nothing_changes")
@each(("changes", "fields"), at_once(IMPOSSIBLE))
def test_what_no_vehicle_can_be(client: TestClient, shop: Shop, changes: dict[str, Any], fields: set[str]) -> None:
    headers = bearer(shop.vendor)
    # Form parts without a file name, and no files.
    edit = {name: (None, value) for name, value in form(id=shop.vehicle.id, **changes).items()}
    for answer in (
        client.post("/api/vendor/add-vehicle", data=form(**changes), files=papers(), headers=headers),
        client.post("/api/vendor/edit-vehicle", files=edit, headers=headers),
    ):
        assert answer.status_code == 422, answer.text
        assert {error["field"] for error in answer.json()["errors"]} == fields


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
@each(
    ("changes", "code"),
    [
        ({"name": ""}, "invalid_input"),
        ({"name": "12345"}, "invalid_input"),
        ({"name": "\u200d\u200c"}, "invalid_input"),
        ({"name": "Ravi\u202eivaR"}, "invalid_input"),
        ({"name": "Ravi\nRao"}, "invalid_input"),
        ({"name": "Ravi\x85Rao"}, "invalid_input"),
        ({"email": "r\u0430vi@example.com"}, "invalid_input"),
        ({"email": "ravi@ex\u0430mple.com"}, "invalid_input"),
        ({"email": "not an e-mail"}, "invalid_input"),
        ({"email": "a\x00@example.com"}, "invalid_input"),
        ({"phoneNumber": "90000000a1"}, "invalid_input"),
        ({"phoneNumber": "1234567890"}, "invalid_input"),
        ({"phoneNumber": "+971501234567"}, "invalid_input"),
        ({"phoneNumber": "00971 50 123 4567"}, "invalid_input"),
        ({"phoneNumber": "90000000011"}, "invalid_input"),
        ({"pincode": "50003"}, "invalid_input"),
        ({"pincode": "\u0665\u0660\u0660\u0660\u0663\u0662"}, "invalid_input"),
        ({"pincode": "5000\n2"}, "invalid_input"),
        ({"password": "short"}, "weak_password"),
        ({"password": "Password123"}, "weak_password"),
        ({"password": "Password1!"}, "weak_password"),
        ({"password": "Pahiya123"}, "weak_password"),
        ({"password": " " * 8}, "weak_password"),
        ({"password": "NEW@example.com"}, "weak_password"),
        ({"password": "x" * 73}, "weak_password"),
        ({"password": "\u20b9" * 25}, "weak_password"),
    ],
)
def test_whom_we_do_not_register(client: TestClient, changes: dict[str, Any], code: str) -> None:
    answer = client.post("/api/user/register", json=PERSON | changes)
    refused(answer, 422, code, *changes)


@pytest.mark.usefixtures("nothing_changes")
def test_what_is_wrong_with_an_address_is_said_in_words(client: TestClient) -> None:
    answer = client.post("/api/user/register", json=PERSON | {"email": "ravi@example"})
    told = "The part after the @-sign is not valid. It should have a period."
    assert refused(answer, 422, "invalid_input", "email")["message"] == f"Email: {told}"


@pytest.mark.usefixtures("nothing_changes")
def test_pincodes_that_exist_nowhere(client: TestClient, shop: Shop) -> None:
    refused(client.post("/api/user/register", json=PERSON | {"pincode": "999999"}), 404, "unknown_pincode", "pincode")
    profile = PROFILE | {"zipCode": "999999"}
    for zip_code, code in (("999999", "unknown_pincode"), ("12", "invalid_input"), ("", "invalid_input")):
        answer = client.put("/api/user/update", json=profile | {"zipCode": zip_code}, headers=bearer(shop.vendor))
        refused(answer, 422, code, "zipCode")
    whole = ok(client.get("/api/user/data", headers=bearer(shop.vendor)))["user"] | {"zipCode": "999999"}
    refused(client.put("/api/user/update", json=whole, headers=bearer(shop.vendor)), 422, "unknown_pincode", "zipCode")
    for pincode, status, code in (
        ("999999", 404, "unknown_pincode"),
        ("\u0665\u0660\u0660\u0660\u0663\u0662", 422, "bad_pincode"),
    ):
        refused(client.post("/get_location_by_pincode", json={"pincode": pincode}), status, code, "pincode")


@pytest.mark.usefixtures("nothing_changes")
@each(
    ("changes", "field"),
    [
        ({"open_time": "08:00 PM", "close_time": "09:00 AM"}, "close_time"),
        ({"open_time": "09:00 AM", "close_time": "09:00 AM"}, "close_time"),
        ({"open_time": "09:00 PM"}, "close_time"),
        ({"close_time": "08:00 AM"}, "close_time"),
        ({"open_time": "25:00"}, "open_time"),
        ({"open_time": "09:00"}, "open_time"),
        ({"closing_days": "Someday"}, "closing_days"),
        ({"closing_days": 5}, "closing_days"),
        ({"website": "javascript:alert(1)"}, "website"),
        ({"google_maps_link": "data:text/html,x"}, "google_maps_link"),
        ({"google_maps_link": "https://maps.example/x"}, "google_maps_link"),
        ({"google_maps_link": "https://me:secret@www.google.com/maps"}, "google_maps_link"),
        ({"google_maps_link": "https://www.google.com/url?q=https://evil.example"}, "google_maps_link"),
        ({"google_maps_link": "https://www.goo\ngle.com/maps"}, "google_maps_link"),
        ({"website": "https://exam\nple.com"}, "website"),
        ({"gst_name": "42"}, "gst_name"),
        ({"gst_name": "Ravi\u202eivaR"}, "gst_name"),
        ({"gst_number": "36AQTPR4817K1Z2"}, "gst_number"),
        ({"booking_contact_no": "12"}, "booking_contact_no"),
        ({"booking_contact_no": "+971 50 123 4567"}, "booking_contact_no"),
        ({"booking_whatsapp_no": "+1 900 000 1002"}, "booking_whatsapp_no"),
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


@each(
    ("text", "name"),
    [
        *((text, text) for text in HOSTILE[:4]),
        (HOSTILE[4], "नमस्ते 🛵 Zoë"),
        (HOSTILE[5], "नरसिंह O'Reilly-Ng"),
        (HOSTILE[4], "क्‍ष న్‌"),
    ],
)
def test_hostile_text_comes_back_unchanged(client: TestClient, shop: Shop, text: str, name: str) -> None:
    headers = bearer(shop.vendor)
    own = dict.fromkeys(("address", "landmark", "city", "notes"), text) | {"gst_name": name}
    ok(client.put("/api/user/update", json=PROFILE | own, headers=headers))
    user = ok(client.get("/api/user/data", headers=headers))["user"]
    assert {field: user[field] for field in own} == own
    fields = {"id": shop.vehicle.id, "color": text, "terms": text, "owner_name_as_per_rc": name}
    edit = {part: (None, value) for part, value in form(**fields).items()}
    ok(client.post("/api/vendor/edit-vehicle", files=edit, headers=headers))
    mine = ok(client.get("/api/vendor/vehicles", headers=headers))["vehicles"][-1]
    assert {field: mine[field] for field in fields} == fields
    public = ok(client.get("/api/user/vehicles"))["vehicles"][-1]
    assert (public["vehicle_specific_terms"], public["color"]) == (text, text)
    written = dict.fromkeys(("address", "landmark", "city"), text) | {"name": name}
    person = PERSON | written | {"email": f"new{count('user')}@example.com", "phoneNumber": f"90001000{count('user')}"}
    token = ok(client.post("/api/user/register", json=person))["token"]
    told = ok(client.get("/api/user/data", headers={"Authorization": f"Bearer {token}"}))["user"]
    assert {field: told[field] for field in written} == written


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


def test_numbers_and_codes_as_people_copy_them(client: TestClient, shop: Shop) -> None:
    person = PERSON | {"phoneNumber": "+91 90000-00001", "pincode": "500 032"}
    token = ok(client.post("/api/user/register", json=person))["token"]
    user = ok(client.get("/api/user/data", headers={"Authorization": f"Bearer {token}"}))["user"]
    assert (user["phoneNumber"], user["zipCode"]) == ("9000000001", "500032")
    copied = {
        "booking_contact_no": "0 90000 00002",
        "booking_whatsapp_no": "\u202a+91\u00a090000\u201100003\u202c",
        "upi_id": "Kiran\u200b\u2011rentals@YBL\ufeff",
        "gst_number": "27\u200eAAPFU0939F\u00ad1ZV",
        "website": "www.shop.in",
        "google_maps_link": "Kiran Rentals\nhttps://maps.app.goo.gl/abc?g_st=ic",
    }
    ok(client.put("/api/user/update", json=PROFILE | copied, headers=bearer(shop.vendor)))
    user = ok(client.get("/api/user/data", headers=bearer(shop.vendor)))["user"]
    assert {name: user[name] for name in copied} == {
        "booking_contact_no": "9000000002",
        "booking_whatsapp_no": "9000000003",
        "upi_id": "kiran-rentals@ybl",
        "gst_number": "27AAPFU0939F1ZV",
        "website": "https://www.shop.in",
        "google_maps_link": "https://maps.app.goo.gl/abc?g_st=ic",
    }
