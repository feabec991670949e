"""Bookings at the counter over REST, and a guest's page and its files, by their link."""

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from rental_app.domain import clock
from rental_app.domain import counter as rules
from rental_app.infrastructure.headers import with_headers
from tests.conftest import Clock
from tests.support import trip_codes
from tests.support.guests import secret_of, texts
from tests.support.rest_helpers import asked, bearer, ok, refused
from tests.support.shop import DAILY_PAISE, Shop, add_vehicle, moment, wire
from tests.support.site import meta, page, words
from tests.support.trips import give_up, walk_in_broken_down
from tests.support.wire_shapes import INDIAN, VENDOR_BOOKING, answer, check

SECRETLY = {"cache-control": "no-store", "referrer-policy": "no-referrer", "x-robots-tag": "noindex"}


def test_a_booking_is_made_at_the_counter(client: TestClient, shop: Shop) -> None:
    vendor = bearer(shop.vendor)
    window = {name: asked(shop)[name] for name in ("pickupDate", "returnDate")}
    free = ok(client.get("/api/vendor/bookings/choices", params=window, headers=vendor))["vehicles"]
    shape = {"id": int, "title": str, "rcNumber": str, "image": str, "total": int, "deposit": int}
    check(free, [shape | {"freeUntil": None, "takenUntil": None, "extras": list}])
    key = vendor | {"Idempotency-Key": "one"}
    made = ok(client.post("/api/vendor/bookings", json=asked(shop), headers=key))
    contact = {"phone": str, "whatsapp": str, "address": str, "maps": str}
    check(made, answer(booking=VENDOR_BOOKING | {"contact": contact, "customerRating": None}))
    assert (made["booking"]["source"], made["booking"]["status"]) == ("counter", "confirmed")
    assert ok(client.post("/api/vendor/bookings", json=asked(shop), headers=key)) == made
    body = client.post("/api/vendor/bookings", json=asked(shop), headers=vendor).json()
    assert (body["code"], bool(body["nearest"])) == ("dates_taken", True)
    taken = ok(client.get("/api/vendor/bookings/choices", params=window, headers=vendor))["vehicles"]
    assert INDIAN.fullmatch(taken[0]["takenUntil"])


def test_a_booking_goes_on_with_a_trip_that_broke_down(stopped_clock: Clock, client: TestClient, shop: Shop) -> None:
    ref, vendor, post = walk_in_broken_down(shop), bearer(shop.vendor), "/api/vendor/bookings"
    body = asked(shop, vehicle=add_vehicle(shop.vendor).id, continues=ref)
    body |= {"pickupDate": wire(stopped_clock.instant), "returnDate": wire(moment(5))}
    refused(client.post(post, json=body, headers=vendor), 422, "invalid_input", "customer")
    del body["customer"]
    refused(client.post(post, json=body | {"continues": ""}, headers=vendor), 422, "invalid_input", "customer")
    made = ok(client.post(post, json=body, headers=vendor))["booking"]["reference"]
    refused(client.post(post, json=body, headers=vendor), 409, "already_continued")
    before, after = (ok(client.get(f"/api/bookings/{one}", headers=vendor))["booking"] for one in (ref, made))
    assert before["followedBy"] == {"reference": made, "page": f"/vendor/bookings/{made}"}
    assert after["follows"] == {"reference": ref, "page": f"/vendor/bookings/{ref}"}
    assert (after["price"], before["return"]["reason"]) == (0, "breakdown")


def test_a_walk_in_of_the_day_before_is_noted_after_midnight(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    left, noted = moment(1, 23, 30), moment(2, 0, 10)
    monkeypatch.setattr(clock, "now", lambda: noted)
    vendor = bearer(shop.vendor)
    body = asked(shop) | {"pickupDate": wire(left), "returnDate": wire(left + timedelta(days=1))}
    ref = ok(client.post("/api/vendor/bookings", json=body, headers=vendor))["booking"]["reference"]
    last = ok(client.get(f"/api/bookings/{ref}", headers=vendor))["booking"]["timeline"][-1]
    assert (last["happenedAt"], last["at"], last["who"]) == (wire(left), wire(noted), shop.vendor.name)
    # Two days ago, with a reason that both sides read.
    body = asked(shop, reason="The shop had no network") | {"vehicle": add_vehicle(shop.vendor).id}
    body |= {"pickupDate": wire(noted - timedelta(days=2)), "returnDate": wire(noted - timedelta(hours=1))}
    ref = ok(client.post("/api/vendor/bookings", json=body, headers=vendor))["booking"]["reference"]
    last = ok(client.get(f"/api/bookings/{ref}", headers=vendor))["booking"]["timeline"][-1]
    assert last["note"] == "The shop had no network"


def test_bad_input_names_its_field(client: TestClient, shop: Shop) -> None:
    rupees = DAILY_PAISE // 100
    wrong: list[tuple[dict[str, Any], int, str, list[str]]] = [
        (asked(shop, -8), 422, "pickup_in_past", ["pickupDate"]),
        (asked(shop, -2), 422, "pickup_in_past", ["reason"]),
        (asked(shop, customer={"phone": "9000020288"}), 422, "invalid_input", ["customer.name"]),
        (asked(shop, total=f"{3 * rupees}.01", reason="Festival"), 422, "bad_total", ["total"]),
        (asked(shop, total=rupees - 1), 422, "invalid_input", ["reason"]),
        (asked(shop, vehicle=10**6), 404, "unknown_vehicle", []),
        (asked(shop, extras=["drop_off"]), 422, "address_missing", ["address"]),
    ]
    for body, status, code, fields in wrong:
        answered = client.post("/api/vendor/bookings", json=body, headers=bearer(shop.vendor))
        refused(answered, status, code, *fields)


@pytest.fixture
def made(client: TestClient, shop: Shop, stopped_clock: Clock) -> dict[str, Any]:
    """A booking at the counter."""
    answer = ok(client.post("/api/vendor/bookings", json=asked(shop), headers=bearer(shop.vendor)))
    booking: dict[str, Any] = answer["booking"]
    return booking


def test_whoever_has_the_link_reads_the_booking(
    client: TestClient, shop: Shop, built_pages: Path, made: dict[str, Any]
) -> None:
    path = f"/trip/{secret_of(texts()[0])}"
    html = page(client, path)
    told = words(html)
    for said in (made["reference"], f"₹{DAILY_PAISE // 100:,}", "Your vendor", "Call "):
        assert said in told, said
    assert f'href="{path}/calendar.ics"' in html
    assert f'href="{path}/receipt.pdf"' in html
    assert meta(html)["robots"] == "noindex"
    assert client.get(f"{path}/receipt.pdf").content.startswith(b"%PDF")
    assert made["reference"] in client.get(f"{path}/calendar.ics").text
    give_up(shop.vendor, made["reference"])
    told = words(page(client, path))
    assert ("Cancelled by the vendor" in told, "Call " in told) == (True, False)


def test_nothing_there_is_kept_or_told_to_other_sites(
    app: FastAPI, database: str, built_pages: Path, made: dict[str, Any]
) -> None:
    path = f"/trip/{secret_of(texts()[0])}"
    outside = TestClient(with_headers(app))
    for at in (path, f"{path}/", f"{path}/receipt.pdf", f"{path}/calendar.ics", f"{path}/x", "/trip/wrong"):
        sent = outside.get(at).headers
        assert {name: sent.get(name) for name in SECRETLY} == SECRETLY, at
    assert outside.get("/vehicles").headers["referrer-policy"] != SECRETLY["referrer-policy"]


def test_a_link_that_is_wrong_or_has_ended_is_not_found(
    client: TestClient, shop: Shop, built_pages: Path, stopped_clock: Clock, made: dict[str, Any]
) -> None:
    def gone(secret: str) -> None:
        html = page(client, f"/trip/{secret}", 404)
        assert "There is nothing at this address" in words(html)
        assert made["reference"] not in html
        refused(client.get(f"/trip/{secret}/receipt.pdf"), 404, "unknown_booking")
        refused(client.get(f"/trip/{secret}/calendar.ics"), 404, "unknown_booking")

    first = secret_of(texts()[0])
    for wrong in ("wrong", first[:-1], f"{first}x", first.swapcase(), "%C3%A9"):
        gone(wrong)
    again = f"/api/vendor/bookings/{made['reference']}/guest-link"
    ok(client.post(again, headers=bearer(shop.vendor)))
    gone(first)
    second = secret_of(texts()[1])
    page(client, f"/trip/{second}")
    stopped_clock.move(days=2 + rules.LINK_LASTS.days)
    gone(second)


def test_the_vendor_sends_the_link_again(
    client: TestClient, shop: Shop, made: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    again, mine = f"/api/vendor/bookings/{made['reference']}/guest-link", bearer(shop.vendor)
    answer = ok(client.post(again, headers=mine | {"Idempotency-Key": "one"}))
    assert ok(client.post(again, headers=mine | {"Idempotency-Key": "one"})) == answer
    assert len(texts()) == 2
    monkeypatch.setattr(rules, "MOST_TEXTS_DAILY", 2)
    late = client.post(again, headers=mine)
    refused(late, 429, "texts_used_up")
    assert late.headers["Retry-After"] == str(24 * 3600 + 1)


def test_the_customer_agrees_by_the_code_that_they_read_out(
    client: TestClient, shop: Shop, made: dict[str, Any]
) -> None:
    at, mine = f"/api/vendor/bookings/{made['reference']}", bearer(shop.vendor)
    refused(client.post(f"{at}/proposal/code", headers=mine), 409, "no_proposal")
    later = {"returnDate": wire(datetime.fromisoformat(made["returnDate"]) + timedelta(days=1))}
    ok(client.post(f"{at}/extend", json=later, headers=mine))
    key = {"Idempotency-Key": "code"}
    sent = ok(client.post(f"{at}/proposal/code", headers=mine | key))
    assert ok(client.post(f"{at}/proposal/code", headers=mine | key)) == sent
    right = trip_codes.code()
    assert (sent["sentTo"], len(trip_codes.texted()), right in str(sent)) == ("90xxxxxx88", 1, False)
    for wrong in ("12345", None, [right]):
        refused(client.post(f"{at}/proposal/yes", json={"code": wrong}, headers=mine), 422, "invalid_input", "code")
    guess = {"code": trip_codes.another(right)}
    refused(client.post(f"{at}/proposal/yes", json=guess, headers=mine), 422, "wrong_code", "code")
    key = {"Idempotency-Key": "yes"}
    spelt = {"code": f"{right[:3]} {right[3:]}"}
    agreed = ok(client.post(f"{at}/proposal/yes", json=spelt, headers=mine | key))
    assert (agreed["booking"]["price"], agreed["booking"]["proposal"]) == (2 * DAILY_PAISE // 100, None)
    # The code is used up, and yet a call that is repeated gets its answer.
    assert ok(client.post(f"{at}/proposal/yes", json=spelt, headers=mine | key)) == agreed
