"""Bookings at the counter over REST."""

from typing import Any

from fastapi.testclient import TestClient

from tests.conftest import Clock
from tests.support.rest_helpers import GUEST, asked, bearer, ok, refused
from tests.support.shop import DAILY_PAISE, Shop, add_vehicle, moment, wire
from tests.support.trips import walk_in_broken_down
from tests.support.wire_shapes import INDIAN, VENDOR_BOOKING, answer, check


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
    ref, vendor = walk_in_broken_down(shop), bearer(shop.vendor)
    body = asked(shop, vehicle=add_vehicle(shop.vendor).id, continues=ref)
    del body["customer"]
    body |= {"pickupDate": wire(stopped_clock.instant), "returnDate": wire(moment(5))}
    post = "/api/vendor/bookings"
    refused(client.post(post, json=body | {"customer": GUEST}, headers=vendor), 422, "invalid_input", "customer")
    refused(client.post(post, json=body | {"continues": ""}, headers=vendor), 422, "invalid_input", "customer")
    made = ok(client.post(post, json=body, headers=vendor))["booking"]
    refused(client.post(post, json=body, headers=vendor), 409, "already_continued")
    before = ok(client.get(f"/api/bookings/{ref}", headers=vendor))["booking"]
    after = ok(client.get(f"/api/bookings/{made['reference']}", headers=vendor))["booking"]
    assert before["followedBy"] == {
        "reference": made["reference"], "page": f"/vendor/bookings/{made['reference']}"
    }  # fmt: skip
    assert after["follows"] == {"reference": ref, "page": f"/vendor/bookings/{ref}"}
    assert (after["price"], before["return"]["reason"]) == (0, "breakdown")


def test_bad_input_names_its_field(client: TestClient, shop: Shop) -> None:
    rupees = DAILY_PAISE // 100
    wrong: list[tuple[dict[str, Any], int, str, list[str]]] = [
        (asked(shop, -1), 422, "pickup_in_past", ["pickupDate"]),
        (asked(shop, customer={"phone": "9000020288"}), 422, "invalid_input", ["customer.name"]),
        (asked(shop, total=f"{3 * rupees}.01", reason="Festival"), 422, "bad_total", ["total"]),
        (asked(shop, total=rupees - 1), 422, "invalid_input", ["reason"]),
        (asked(shop, vehicle=10**6), 404, "unknown_vehicle", []),
        (asked(shop, extras=["drop_off"]), 422, "address_missing", ["address"]),
    ]
    for body, status, code, fields in wrong:
        answered = client.post("/api/vendor/bookings", json=body, headers=bearer(shop.vendor))
        refused(answered, status, code, *fields)
