"""Calls repeated with an Idempotency-Key, on both databases: done once, and answered as the first time."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import select
from sqlmodel import col

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, RentalError, TooManyRequestsError, UnavailableError
from rental_app.infrastructure.db import read, write
from rental_app.models import RememberedAnswer, User
from rental_app.services import maintenance, remembered
from rental_app.services.calendar import blocks
from rental_app.services.remembered import EarlierAnswer, KeyUse
from tests.conftest import Clock
from tests.support.rest_helpers import READ, bearer, form, jpeg, ok, papers, part, photos, refused, stored, window
from tests.support.reviews import returned
from tests.support.shop import PASSWORD, Shop, add_user, add_vehicle, count, moment, wire
from tests.support.trips import at_pickup, confirmed, extend, seen

# Calls without the header, and why.
WITHOUT = {
    "/api/user/login": "the answer is a secret",
    "/api/user/register": "the answer is a secret",
    "/api/vendor/ical": "the answer is a secret",
    "/api/user/change-password": "the answer is a secret",
    "/api/user/forgot-password": "of nobody who is logged in",
    "/api/user/login-code": "of nobody who is logged in",
    "/api/user/login-with-code": "the answer is a secret",
    "/api/user/phone-code": "another code ends the one before",
    "/api/user/verify-phone": "its code works once",
    "/api/user/confirm-password": "doing it again changes nothing",
    "/api/user/second-step/setup": "the answer is a secret",
    "/api/user/second-step/confirm": "the answer is a secret",
    "/api/user/second-step/recovery-codes": "the answer is a secret",
    "/api/user/second-step/recovery-codes/kept": "doing it again changes nothing",
    "/api/user/second-step": "the answer is a secret",
    "/api/user/passkeys": "its options work once",
    "/api/user/passkeys/options": "other options end those before",
    "/api/user/login-with-passkey": "the answer is a secret",
    "/api/user/login-with-passkey/options": "of nobody who is logged in",
    "/api/user/verify-email": "its link works once",
    "/api/user/confirm-email": "its link works once",
    "/api/user/undo-email": "of nobody who is logged in, and its link works once",
    "/api/user/decline-email": "of nobody who is logged in, and its link works once",
    "/api/user/not-me": "of nobody who is logged in, and its link works once",
    "/api/user/keep-account": "of nobody who is logged in, and its link works once",
    "/api/user/verify-email/send": "another link ends the one before",
    "/api/user/change-email": "another link ends the one before",
    "/api/user/reset-password": "of nobody who is logged in, and its link works once",
    "/api/user/logout": "its token has ended, so there is nobody to remember an answer for",
    "/api/user/delete": "its token has ended, so there is nobody to remember an answer for",
    "/api/user/logout-everywhere": "its token has ended, so there is nobody to remember an answer for",
    "/api/bookings/check-availability": "changes nothing",
    "/api/members/invitation": "changes nothing",
    "/api/vendor/price-rules/preview": "changes nothing",
    "/get_location_by_pincode": "changes nothing",
}
PAID = {"amount": 100, "method": "cash", "of": "rent", "direction": "in"}
RULE = {"weekday": "Saturday", "percent": 10}


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


class Caller:
    """Makes calls with a key."""

    def __init__(self, client: TestClient, user: User) -> None:
        self.client, self.headers = client, bearer(user)

    def post(self, path: str, body: Any = None, key: str = "one", **more: Any) -> Response:
        headers = self.headers | ({"Idempotency-Key": key} if key else {})
        return self.client.post(f"/api{path}", json=body, headers=headers, **more)

    def twice(self, path: str, body: Any = None, **more: Any) -> dict[str, Any]:
        """Make a call two times, check that both answers are one and that the key is of no other call; return it."""
        first, second = (self.post(path, body, **more) for _ in "ab")
        assert ok(first) == ok(second)
        assert second.headers["cache-control"] == first.headers["cache-control"] == "no-store"
        refused(self.post("/reviews/1/report", {"note": "Spam"}), 409, "idempotency_key_reused")
        return ok(first)


@pytest.fixture
def customer(client: TestClient, shop: Shop) -> Caller:
    return Caller(client, shop.customer)


@pytest.fixture
def vendor(client: TestClient, shop: Shop) -> Caller:
    return Caller(client, shop.vendor)


def block(shop: Shop, days: int = 5) -> dict[str, Any]:
    ends = {"from": wire(moment(days)), "to": wire(moment(days + 1))}
    return {"vehicle": shop.vehicle.id, **ends, "reason": "service"}


def test_every_call_that_changes_something_takes_a_key(app: FastAPI) -> None:
    without = set()
    for path, methods in app.openapi()["paths"].items():
        taken = [each["name"].lower() for each in methods.get("post", {}).get("parameters", [])]
        if "post" in methods and "idempotency-key" not in taken:
            without.add(path)
    assert without == WITHOUT.keys()


def test_a_request_is_made_once_and_answered_as_at_first(customer: Caller, vendor: Caller, shop: Shop) -> None:
    before, body = count("booking"), {"car": shop.vehicle.id} | window()
    made = customer.twice("/bookings/create", body)
    decided = {"bookingId": made["booking"]["id"], "status": "cancelled"}
    assert vendor.twice("/bookings/change-status", decided)["message"]
    assert ok(customer.post("/bookings/create", body)) == made
    assert count("booking") == before + 1
    refused(customer.post("/bookings/create", body | {"extras": ["helmet"]}), 409, "idempotency_key_reused")
    assert ok(customer.post("/bookings/create", body, "two"))["booking"]["id"] != made["booking"]["id"]


def test_a_key_belongs_to_one_account(client: TestClient, customer: Caller, shop: Shop) -> None:
    body = {"car": shop.vehicle.id} | window()
    ok(customer.post("/bookings/create", body))
    answer = Caller(client, add_user()).post("/bookings/create", body)
    assert (answer.status_code, answer.json()["code"]) == (409, "dates_taken")


def test_money_blocks_and_rules_are_noted_once(vendor: Caller, shop: Shop) -> None:
    trip = confirmed(shop)
    vendor.twice(f"/vendor/bookings/{trip.reference}/payment", PAID)
    assert [line.kind for line in seen(shop.vendor, trip.id).ledger].count("payment") == 1
    tables = {table: count(table) for table in ("vehicle_block", "price_rule")}
    ok(vendor.post("/vendor/blocks", block(shop, 20), "block"))
    assert ok(vendor.post("/vendor/blocks", block(shop, 20), "block"))["block"]["id"]
    rules = [vendor.post("/vendor/price-rules", RULE, "rule") for _ in "ab"]
    assert rules[0].json() == rules[1].json()
    assert rules[0].status_code == 200, rules[0].text
    assert {table: count(table) for table in tables} == {table: rows + 1 for table, rows in tables.items()}
    toggled = [vendor.post("/vendor/toggle-vehicle", {"vehicleId": shop.vehicle.id}, "toggle") for _ in "ab"]
    assert ok(toggled[0]) == ok(toggled[1])


def test_a_password_cannot_be_guessed_from_what_is_remembered(vendor: Caller, shop: Shop) -> None:
    wish = {"field": "name", "value": "Another Name", "why": "", "password": PASSWORD}
    made = vendor.post("/user/requests", wish)
    assert ok(vendor.post("/user/requests", wish)) == ok(made)
    refused(vendor.post("/user/requests", wish | {"why": "More"}), 409, "idempotency_key_reused")
    sent = hashlib.sha256(made.request.read()).digest()
    guess = hashlib.sha256(b"POST /api/user/requests" + sent).hexdigest()
    kept = read(lambda session: session.scalars(select(col(RememberedAnswer.digest))).all())
    assert len(kept) == 1
    assert guess not in kept


def test_a_request_is_moved_and_cancelled_once(customer: Caller, shop: Shop) -> None:
    made = ok(customer.post("/bookings/create", {"car": shop.vehicle.id} | window(4), ""))["booking"]
    moved = customer.twice(f"/bookings/{made['reference']}/change", window(8))
    assert moved["booking"]["pickupDate"] != made["pickupDate"]
    cancelled = [customer.post(f"/bookings/{made['reference']}/cancel", {"kept": 0}, "cancel") for _ in "ab"]
    assert ok(cancelled[0]) == ok(cancelled[1])


def test_a_key_belongs_to_one_address(customer: Caller, shop: Shop) -> None:
    made = [ok(customer.post("/bookings/create", {"car": shop.vehicle.id} | window(day), "")) for day in (4, 9)]
    first, second = (f"/bookings/{each['booking']['reference']}/cancel" for each in made)
    ok(customer.post(first, {"kept": 0}))
    refused(customer.post(second, {"kept": 0}), 409, "idempotency_key_reused")


def test_a_trip_is_extended_once(customer: Caller, shop: Shop) -> None:
    trip = confirmed(shop)
    body = {"returnDate": wire(moment(6))}
    customer.twice(f"/bookings/{trip.reference}/extend", body)
    assert [line.kind for line in seen(shop.customer, trip.id).ledger].count("extension") == 1


def test_a_review_is_written_once(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    customer = Caller(client, shop.customer)
    reference = returned(shop, stopped_clock).reference
    before = count("review")
    customer.twice(f"/bookings/{reference}/review", {"stars": 5, "text": "Good"})
    assert count("review") == before + 1


@pytest.mark.long
def test_files_sent_again_are_not_kept_twice(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    vendor, trip = Caller(client, shop.vendor), confirmed(shop)
    at_pickup(stopped_clock, trip)

    def hand_over(data: str, key: str = "one") -> Response:
        path = f"/vendor/bookings/{trip.reference}/handover"
        return vendor.post(path, key=key, data={"data": data}, files=photos())

    first = ok(hand_over(json.dumps(READ)))
    files = stored()
    assert ok(hand_over(json.dumps(READ))) == first
    assert stored() == files
    refused(hand_over(json.dumps(READ | {"odometer": 1301})), 409, "idempotency_key_reused")
    assert stored() == files


def test_a_vehicle_is_listed_once_and_a_picture_set_once(vendor: Caller) -> None:
    before = count("vehicle")
    listed = [vendor.post("/vendor/add-vehicle", data=form(), files=papers(), key="list") for _ in "ab"]
    assert ok(listed[0]) == ok(listed[1])
    assert count("vehicle") == before + 1
    picture = [part("image", jpeg())]
    ok(vendor.post("/vendor/update-image", files=picture, key="picture"))
    files = stored()
    ok(vendor.post("/vendor/update-image", files=picture, key="picture"))
    assert stored() == files
    other = part("image", jpeg((48, 64)))
    refused(vendor.post("/vendor/update-image", files=[other], key="picture"), 409, "idempotency_key_reused")


def test_a_file_sent_ahead_is_kept_once(vendor: Caller) -> None:
    sent = [vendor.post("/vendor/uploads", data={"group": "RC"}, files=[part("file", jpeg())]) for _ in "ab"]
    assert ok(sent[0]) == ok(sent[1])
    assert len(stored()) == 1


@pytest.mark.databases
def test_calls_at_once_are_made_once(customer: Caller, vendor: Caller, shop: Shop) -> None:
    before, body = count("booking"), {"car": shop.vehicle.id} | window()
    trip = confirmed(shop, days=20)
    paid = f"/vendor/bookings/{trip.reference}/payment"
    with ThreadPoolExecutor(6) as pool:
        bookings = list(pool.map(lambda _: customer.post("/bookings/create", body), range(6)))
        payments = list(pool.map(lambda _: vendor.post(paid, PAID), range(6)))
    for answers in (bookings, payments):
        assert [ok(answer) for answer in answers] == [ok(answers[0])] * 6
    assert count("booking") == before + 2
    assert [line.kind for line in seen(shop.vendor, trip.id).ledger].count("payment") == 1


def test_one_key_for_two_vehicles_at_once_makes_one_booking(customer: Caller, shop: Shop) -> None:
    cars = [shop.vehicle.id, add_vehicle(shop.vendor).id]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda car: customer.post("/bookings/create", {"car": car} | window()), cars))
    assert sorted(answer.status_code for answer in answers) == [200, 409]


@pytest.mark.parametrize("refusal", [ConflictError("No"), TooManyRequestsError("No"), UnavailableError("No")])
def test_refusals_are_not_remembered(
    vendor: Caller, shop: Shop, refusal: RentalError, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: Any) -> None:
        raise refusal

    with monkeypatch.context() as patched:
        patched.setattr(blocks, "add", refuse)
        assert vendor.post("/vendor/blocks", block(shop)).status_code == refusal.status
    assert count("remembered_answer") == 0
    ok(vendor.post("/vendor/blocks", block(shop)))


def test_what_fails_at_the_end_has_done_nothing(vendor: Caller, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise OSError

    before = count("vehicle_block")
    with monkeypatch.context() as patched:
        patched.setattr(remembered, "keep", fail)
        assert vendor.post("/vendor/blocks", block(shop)).status_code == 500
    assert (count("vehicle_block"), count("remembered_answer")) == (before, 0)


def test_large_answers_are_read_again_or_refused(
    customer: Caller, vendor: Caller, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(remembered, "MOST_BYTES", 10)
    trip = confirmed(shop)
    paid = [vendor.post(f"/vendor/bookings/{trip.reference}/payment", PAID) for _ in "ab"]
    assert ok(paid[0]) == ok(paid[1])
    extend(shop, trip.id, moment(6))
    again = ok(vendor.post(f"/vendor/bookings/{trip.reference}/payment", PAID))["booking"]
    assert [line["kind"] for line in again["ledger"]].count("extension") == 1
    ok(vendor.post("/vendor/blocks", block(shop, 20), "block"))
    refused(vendor.post("/vendor/blocks", block(shop, 20), "block"), 409, "idempotency_key_used")


def test_an_answer_is_remembered_up_to_16_kilobytes(database: str, shop: Shop) -> None:
    for key, letters, is_kept in (("most", 16 * 1024, True), ("more", 16 * 1024 + 1, False)):
        use = KeyUse(shop.vendor.id or 0, key, "digest")
        assert write(remembered.take, use) is None
        write(remembered.keep, use, "x" * letters)
        assert write(remembered.take, use) == EarlierAnswer("x" * letters if is_kept else None)


def test_answers_are_kept_for_seven_days(vendor: Caller, shop: Shop) -> None:
    ok(vendor.post("/vendor/blocks", block(shop)))
    write(maintenance.sweep, clock.now() + timedelta(days=6, hours=23))
    assert count("remembered_answer") == 1
    write(maintenance.sweep, clock.now() + timedelta(days=7, minutes=1))
    assert count("remembered_answer") == 0
