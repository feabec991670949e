"""Trips over REST: the responses, their shape, and what is refused."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.guests import at_counter
from tests.support.rest_helpers import Sides, bearer, ok, refused, window
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, add_user, add_vehicle, moment, wire
from tests.support.trips import at_pickup, at_return, hand_over, seen, take_back
from tests.support.wire_shapes import BOOKING, INDIAN, VENDOR_BOOKING, answer, check

RUPEES, DEPOSIT = DAILY_PAISE // 100, DEPOSIT_PAISE // 100
CONTACT = {"phone": str, "whatsapp": str, "address": str, "maps": str}
LEDGER = {
    "id": int,
    "kind": str,
    "amount": (int, float),
    "at": INDIAN,
    "method": str,
    "note": str,
    "reverses": None,
    "objected": bool,
    "photo": None,
}
TRIP = BOOKING | {
    "contact": CONTACT,
    "customerName": str,
    "vendorName": str,
    "hours": {"open_time": str, "close_time": str},
    "closed": list,
    "latePenalty": (int, float),
    "terms": str,
    "vendorTerms": str,
    "ledger": [LEDGER],
    "timeline": [
        {
            "id": int,
            "what": str,
            "at": INDIAN,
            "by": str,
            "who": str,
            "yours": bool,
            "note": str,
            "entry": (int, type(None)),
            "about": (int, type(None)),
            "photos": list,
        }
    ],
    "bring": [str],
    "handover": None,
    "return": None,
    "depositBack": None,
    "receiptNumber": None,
    "proposal": None,
    "follows": None,
    "followedBy": None,
    "reviews": {"until": None, "mine": None, "theirs": None, "customer": None},
}


@pytest.fixture
def sides(client: TestClient, shop: Shop) -> Sides:
    """A client of a one-day booking, four days from now."""
    return Sides(client, shop)


def test_a_booking_is_answered_by_id_and_by_reference(sides: Sides) -> None:
    sides.confirm()
    by_reference = ok(sides.get())
    check(by_reference, answer(booking=TRIP))
    by_id = ok(sides.client.get(f"/api/bookings/{sides.id}", headers=sides.customer))
    assert by_id == by_reference
    booking = by_reference["booking"]
    assert booking["dueAtPickup"] == RUPEES + DEPOSIT
    assert booking["balance"] == {"rent": RUPEES, "deposit": DEPOSIT, "held": 0}
    assert [(line["kind"], line["amount"]) for line in booking["ledger"]] == [("rental", RUPEES)]
    theirs = ok(sides.client.get("/api/bookings/vendor", headers=sides.vendor))["bookings"][0]
    check(theirs, VENDOR_BOOKING | {"contact": CONTACT})
    assert theirs["contact"]["phone"] == sides.shop.customer.phone_number


def test_strangers_find_nothing_and_change_nothing(sides: Sides) -> None:
    before = ok(sides.get())
    customer, vendor = bearer(add_user()), bearer(add_user("Vendor", location_id=sides.shop.place.id))
    later = {"returnDate": wire(moment(7))}
    bodies: dict[str, Any] = {"/cancel": {"kept": 0}, "/object": {"note": "No"}, "/acknowledge": None}
    bodies |= {"/change": window(6), "/extend": later, "/replacement": {"vehicle": sides.shop.vehicle.id}}
    bodies |= {"/proposal": {"id": 1, "answer": "yes"}}
    for ref in (sides.id, sides.ref):
        for headers in (customer, vendor):
            for path in ("", "/equals", "/cancellation", "/extension", "/calendar.ics", "/receipt.pdf", "/photos/1"):
                url = f"/api/bookings/{ref}{path}"
                refused(sides.client.get(url, params=later, headers=headers), 404, "unknown_booking")
            for path, body in bodies.items():
                answered = sides.client.post(f"/api/bookings/{ref}{path}", json=body, headers=headers)
                refused(answered, 404, "unknown_booking")
        payment = {"amount": 1, "method": "cash", "of": "rent", "direction": "in"}
        theirs: dict[str, Any] = {
            "/payment": payment,
            "/no-show": None,
            "/reverse": {"entry": 1, "note": "No"},
            "/extend": later,
        }
        theirs |= {"/cancel": {"reason": "sold"}, "/move": {"vehicle": sides.shop.vehicle.id}}
        for path, body in theirs.items():
            answered = sides.client.post(f"/api/vendor/bookings/{ref}{path}", json=body, headers=vendor)
            refused(answered, 404, "unknown_booking")
        url = f"/api/vendor/bookings/{ref}/settlement"
        refused(sides.client.get(url, headers=vendor), 404, "unknown_booking")
    assert ok(sides.get()) == before


def test_cancelling_carries_what_was_previewed(sides: Sides) -> None:
    sides.confirm()
    ok(sides.pay(RUPEES))
    shown = ok(sides.get("/cancellation"))
    assert {name: shown[name] for name in ("kept", "returned", "deposit", "percent")} == {
        "kept": RUPEES // 4, "returned": RUPEES * 3 // 4, "deposit": 0, "percent": 25,
    }  # fmt: skip
    assert INDIAN.fullmatch(shown["dearerAt"])
    wrong = sides.post("/cancel", {"kept": 0})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "terms_changed")
    assert wrong.json()["cancellation"] == {
        name: shown[name] for name in ("kept", "returned", "deposit", "percent", "dearerAt")
    }
    done = ok(sides.post("/cancel", {"kept": shown["kept"]}))["booking"]
    assert (done["status"], done["balance"]) == ("cancelled", {"rent": -RUPEES * 3 // 4, "deposit": 0, "held": 0})
    refused(sides.post("/cancel", {"kept": shown["kept"]}), 409, "already_decided")
    refused(sides.get("/cancellation"), 409, "already_decided")


def test_amounts_that_cannot_be_are_refused_by_name(sides: Sides) -> None:
    sides.confirm()
    for amount in (-1, 0, "", None, "x", 1e30, "NaN", 0.001, "10.005", True, [1], 16_500_001):
        refused(sides.pay(amount), 422, "invalid_input", "amount")
    refused(sides.pay(RUPEES + 1), 409, "more_than_owed", "amount")
    refused(sides.pay(1, direction="out"), 409, "more_than_owed", "amount")
    refused(sides.pay(1, of="wallet"), 422, "invalid_input", "of")
    refused(sides.pay(1, method="gold"), 422, "invalid_input", "method")
    refused(sides.pay(1, note="x" * 201), 422, "invalid_input", "note")
    refused(sides.post("/cancel", {}), 422, "invalid_input", "kept")
    refused(sides.post("/cancel", {"kept": -1}), 422, "invalid_input", "kept")
    refused(sides.vendor_post("/reverse", {"entry": 0, "note": "x"}), 422, "invalid_input", "entry")
    refused(sides.vendor_post("/reverse", {"entry": 1, "note": " "}), 422, "invalid_input", "note")
    refused(sides.post("/object", {"note": ""}), 422, "invalid_input", "note")
    assert ok(sides.get())["booking"]["balance"] == {"rent": RUPEES, "deposit": DEPOSIT, "held": 0}
    assert ok(sides.pay("₹250.50"))["booking"]["balance"]["rent"] == RUPEES - 250.5


def test_a_payment_sent_again_with_its_key_is_noted_once(sides: Sides) -> None:
    sides.confirm()
    body = {"amount": 100, "method": "cash", "of": "rent", "direction": "in"}
    for _ in range(3):
        noted = ok(sides.vendor_post("/payment", body, **{"Idempotency-Key": "one press"}))
    assert noted["booking"]["balance"]["rent"] == RUPEES - 100
    other = sides.vendor_post("/payment", body | {"amount": 200}, **{"Idempotency-Key": "one press"})
    refused(other, 409, "idempotency_key_reused")


def test_a_trip_over_rest(stopped_clock: Any, sides: Sides) -> None:
    sides.confirm()
    trip = seen(sides.shop.vendor, sides.ref)
    at_pickup(stopped_clock, trip)
    ok(sides.pay(RUPEES))
    ok(sides.pay(DEPOSIT, "deposit"))
    hand_over(sides.shop, sides.ref)
    shown = ok(sides.post("/acknowledge"))["booking"]
    assert (shown["stage"], shown["handover"]["odometer"]) == ("out", 1300)
    at_return(stopped_clock, trip, hours=1)
    url = f"/api/vendor/bookings/{sides.ref}/settlement?odometer=1450&speedings=1"
    settlement = ok(sides.client.get(url, headers=sides.vendor))
    assert [(line["kind"], line["amount"]) for line in settlement["lines"]] == [
        ("late", 50), ("kilometres", 250), ("speeding", 100),
    ]  # fmt: skip
    assert (settlement["total"], settlement["keptOfDeposit"]) == (400, 400)
    assert settlement["balance"] == {"rent": 0, "deposit": 400 - DEPOSIT, "held": DEPOSIT - 400}
    assert settlement["fuelMissing"] == 0
    assert ok(sides.client.get(f"{url}&fuelEighths=5", headers=sides.vendor)) == settlement | {"fuelMissing": 3}
    low = f"/api/vendor/bookings/{sides.ref}/settlement?odometer=1299"
    refused(sides.client.get(low, headers=sides.vendor), 422, "odometer_below", "odometer")
    take_back(sides.shop, sides.ref, 1450, speedings=1)
    back = ok(sides.get())["booking"]
    assert back["balance"] == settlement["balance"]
    assert back["depositBack"] == settlement["depositBack"]
    fine = next(line for line in back["ledger"] if line["kind"] == "speeding")
    marked = ok(sides.post("/object", {"entry": fine["id"], "note": "Not me"}))["booking"]
    assert [line["kind"] for line in marked["ledger"] if line["objected"]] == ["speeding"]
    refused(sides.post("/object", {"entry": 2**31 - 1, "note": "x"}), 404, "unknown_entry")
    # The objection stays open for both sides and the operator until the vendor reverses the line.
    for headers in (sides.customer, sides.vendor):
        account = ok(sides.client.get(f"/api/bookings/{sides.ref}", headers=headers))["booking"]["ledger"]
        assert [line["id"] for line in account if line["objected"]] == [fine["id"]]
        assert not any(line["reverses"] for line in account)
    # Their sessions have ended by then.
    for_operator = seen(add_user("Operator"), sides.ref).ledger
    assert [line.id for line in for_operator if line.objected] == [fine["id"]]
    wrong = {"entry": fine["id"], "note": "No"}
    refused(
        sides.client.post(f"/api/bookings/{sides.ref}/object", json=wrong, headers=sides.vendor), 403, "customers_only"
    )
    url = f"/api/vendor/bookings/{sides.ref}/reverse"
    refused(sides.client.post(url, json=wrong, headers=sides.customer), 403, "vendors_only")
    ok(sides.vendor_post("/reverse", wrong))
    after = ok(sides.get())["booking"]
    assert (after["ledger"][-1]["reverses"], after["balance"]["rent"]) == (fine["id"], -100)
    ok(sides.pay(100, direction="out"))
    settled = ok(sides.pay(DEPOSIT - 400, "deposit", "out"))["booking"]
    assert (settled["stage"], settled["balance"]) == ("settled", {"rent": 0, "deposit": 0, "held": 0})


def test_what_waits_for_the_customer_is_not_said_to_be_done(client: TestClient, shop: Shop) -> None:
    # For less than a day, so that more time costs nothing at first.
    made = at_counter(shop.vendor, shop.vehicle, moment(4, 12), moment(5), total="300", reason="Bargained")
    url, vendor = f"/api/vendor/bookings/{made.reference}", bearer(shop.vendor)
    asked = "The customer is asked: nothing changes unless they agree"

    def said(path: str, **body: object) -> str:
        message: str = ok(client.post(url + path, json=body, headers=vendor))["message"]
        return message

    assert said("/extend", returnDate=wire(moment(6))) == asked
    assert said("/extend", returnDate=wire(moment(5, 11))) == "Booking extended"
    paid = {"amount": 100, "of": "rent", "method": "cash", "direction": "in"}
    assert said("/payment", **paid) == "Noted"
    ledger = seen(shop.vendor, made.reference).ledger
    discount, payment = (next(line.id for line in ledger if line.kind == kind) for kind in ("discount", "payment"))
    assert said("/reverse", entry=discount, note="Wrong") == asked
    # What waits is about another line.
    assert said("/reverse", entry=payment, note="Wrong") == "Line reversed"


def test_a_vendor_gives_a_booking_up_and_the_customer_takes_another_vehicle(sides: Sides) -> None:
    refused(sides.vendor_post("/cancel", {"reason": "sold"}), 409, "not_confirmed")
    sides.confirm()
    refused(sides.get("/equals"), 409, "not_cancelled")
    ok(sides.pay(RUPEES))
    answered = sides.vendor_post("/cancel", {"reason": "tired"})
    assert (answered.status_code, [each["field"] for each in answered.json()["errors"]]) == (422, ["reason"])
    answered = sides.vendor_post("/cancel", {"reason": "other"})
    assert (answered.status_code, [each["field"] for each in answered.json()["errors"]]) == (422, ["note"])
    done = ok(sides.vendor_post("/cancel", {"reason": "papers", "note": "The insurance"}))["booking"]
    assert (done["status"], done["cancelledBy"], done["balance"]["rent"]) == ("cancelled", "vendor", -RUPEES)
    refused(sides.vendor_post("/cancel", {"reason": "papers"}), 409, "not_confirmed")
    equal = add_vehicle(sides.shop.vendor, daily=2 * DAILY_PAISE)
    one = next(each for each in ok(sides.get("/equals"))["equals"] if each["id"] == equal.id)
    kinds = {"id": int, "title": str, "image": str, "year": int, "location": str, "vendorName": str, "total": int}
    check(one, kinds | {"deposit": int, "atOnce": bool})
    assert (one["total"], one["atOnce"]) == (RUPEES, True)
    refused(sides.post("/replacement", {"vehicle": 10**6}), 409, "no_equal")
    made = ok(sides.post("/replacement", {"vehicle": equal.id}))["booking"]
    assert (made["status"], made["price"], made["car"]["id"]) == ("confirmed", RUPEES, equal.id)
    refused(sides.post("/replacement", {"vehicle": equal.id}), 409, "already_replaced")
