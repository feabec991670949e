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
    later, other = {"returnDate": wire(moment(7))}, {"vehicle": sides.shop.vehicle.id}
    read = ("", "/equals", "/cancellation", "/extension", "/calendar.ics", "/receipt.pdf", "/photos/1")
    write: dict[str, Any] = {"/cancel": {"kept": 0}, "/object": {"note": "No"}, "/acknowledge": None}
    write |= {"/change": window(6), "/extend": later, "/replacement": other, "/proposal": {"id": 1, "answer": "yes"}}
    payment = {"amount": 1, "method": "cash", "of": "rent", "direction": "in"}
    of_vendors: dict[str, Any] = {"/payment": payment, "/no-show": None, "/reverse": {"entry": 1, "note": "No"}}
    of_vendors |= {"/extend": later, "/cancel": {"reason": "sold"}, "/move": other}
    for ref in (sides.id, sides.ref):
        calls: list[tuple[str, str, Any]] = [("GET", f"/api/bookings/{ref}{path}", None) for path in read]
        calls += [("POST", f"/api/bookings/{ref}{path}", body) for path, body in write.items()]
        theirs: list[tuple[str, str, Any]] = [("GET", f"/api/vendor/bookings/{ref}/settlement", None)]
        theirs += [("POST", f"/api/vendor/bookings/{ref}{path}", body) for path, body in of_vendors.items()]
        for headers, tried in ((customer, calls), (vendor, calls + theirs)):
            for method, path, body in tried:
                answer = sides.client.request(method, path, json=body, params=later, headers=headers)
                refused(answer, 404, "unknown_booking")
    assert ok(sides.get()) == before


def test_cancelling_carries_what_was_previewed(sides: Sides) -> None:
    sides.confirm()
    ok(sides.pay(RUPEES))
    shown = ok(sides.get("/cancellation"))
    told = {name: shown[name] for name in ("kept", "returned", "deposit", "percent")}
    assert told == {"kept": RUPEES // 4, "returned": RUPEES * 3 // 4, "deposit": 0, "percent": 25}
    assert INDIAN.fullmatch(shown["dearerAt"])
    wrong = sides.post("/cancel", {"kept": 0})
    assert (wrong.status_code, wrong.json()["code"]) == (409, "terms_changed")
    assert wrong.json()["cancellation"] == told | {"dearerAt": shown["dearerAt"]}
    done = ok(sides.post("/cancel", {"kept": shown["kept"]}))["booking"]
    assert (done["status"], done["balance"]) == ("cancelled", {"rent": -RUPEES * 3 // 4, "deposit": 0, "held": 0})
    refused(sides.get("/cancellation"), 409, "already_decided")


def test_amounts_that_cannot_be_are_refused_by_name(sides: Sides) -> None:
    sides.confirm()
    for amount in (-1, 0, "", None, "x", 1e30, "NaN", 0.001, "10.005", True, 16_500_001):
        refused(sides.pay(amount), 422, "invalid_input", "amount")
    refused(sides.pay(RUPEES + 1), 409, "more_than_owed", "amount")
    for name, value in (("of", "wallet"), ("method", "gold"), ("note", "x" * 201)):
        body = {"amount": 1, "method": "cash", "of": "rent", "direction": "in"} | {name: value}
        refused(sides.vendor_post("/payment", body), 422, "invalid_input", name)
    refused(sides.post("/cancel", {}), 422, "invalid_input", "kept")
    refused(sides.post("/cancel", {"kept": -1}), 422, "invalid_input", "kept")
    refused(sides.vendor_post("/reverse", {"entry": 0, "note": "x"}), 422, "invalid_input", "entry")
    refused(sides.vendor_post("/reverse", {"entry": 1, "note": " "}), 422, "invalid_input", "note")
    refused(sides.post("/object", {"note": ""}), 422, "invalid_input", "note")
    assert ok(sides.get())["booking"]["balance"] == {"rent": RUPEES, "deposit": DEPOSIT, "held": 0}
    assert ok(sides.pay("₹250.50"))["booking"]["balance"]["rent"] == RUPEES - 250.5


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
    url = f"/api/vendor/bookings/{sides.ref}/settlement"
    asked = {"odometer": 1450, "speedings": 1}
    settlement = ok(sides.client.get(url, params=asked, headers=sides.vendor))
    charged = {line["kind"]: line["amount"] for line in settlement["lines"]}
    assert charged == {"late": 50, "kilometres": 250, "speeding": 100}
    assert (settlement["total"], settlement["keptOfDeposit"]) == (400, 400)
    assert settlement["balance"] == {"rent": 0, "deposit": 400 - DEPOSIT, "held": DEPOSIT - 400}
    assert settlement["fuelMissing"] == 0
    fuel = sides.client.get(url, params=asked | {"fuelEighths": 5}, headers=sides.vendor)
    assert ok(fuel) == settlement | {"fuelMissing": 3}
    low = sides.client.get(url, params={"odometer": 1299}, headers=sides.vendor)
    refused(low, 422, "odometer_below", "odometer")
    take_back(sides.shop, sides.ref, 1450, speedings=1)
    back = ok(sides.get())["booking"]
    assert (back["balance"], back["depositBack"]) == (settlement["balance"], settlement["depositBack"])
    _object_and_reverse(sides, next(line["id"] for line in back["ledger"] if line["kind"] == "speeding"))
    ok(sides.pay(100, direction="out"))
    settled = ok(sides.pay(DEPOSIT - 400, "deposit", "out"))["booking"]
    assert (settled["stage"], settled["balance"]) == ("settled", {"rent": 0, "deposit": 0, "held": 0})


def _object_and_reverse(sides: Sides, fine: int) -> None:
    """Object as the customer; the objection stays open for both sides until the vendor reverses the line."""
    body, path = {"entry": fine, "note": "Not me"}, f"/api/bookings/{sides.ref}"
    refused(sides.post("/object", body | {"entry": 2**31 - 1}), 404, "unknown_entry")
    refused(sides.client.post(f"{path}/object", json=body, headers=sides.vendor), 403, "customers_only")
    ok(sides.post("/object", body))
    for headers in (sides.customer, sides.vendor):
        account = ok(sides.client.get(path, headers=headers))["booking"]["ledger"]
        assert [line["id"] for line in account if line["objected"]] == [fine]
        assert not any(line["reverses"] for line in account)
    ok(sides.vendor_post("/reverse", body))
    after = ok(sides.get())["booking"]
    assert (after["ledger"][-1]["reverses"], after["balance"]["rent"]) == (fine, -100)


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
    sides.confirm()
    refused(sides.get("/equals"), 409, "not_cancelled")
    ok(sides.pay(RUPEES))
    refused(sides.vendor_post("/cancel", {"reason": "tired"}), 422, "invalid_input", "reason")
    refused(sides.vendor_post("/cancel", {"reason": "other"}), 422, "invalid_input", "note")
    done = ok(sides.vendor_post("/cancel", {"reason": "papers", "note": "The insurance"}))["booking"]
    assert (done["status"], done["cancelledBy"], done["balance"]["rent"]) == ("cancelled", "vendor", -RUPEES)
    equal = add_vehicle(sides.shop.vendor, daily=2 * DAILY_PAISE)
    one = next(each for each in ok(sides.get("/equals"))["equals"] if each["id"] == equal.id)
    kinds = {"id": int, "title": str, "image": str, "year": int, "location": str, "vendorName": str, "total": int}
    check(one, kinds | {"deposit": int, "atOnce": bool})
    assert (one["total"], one["atOnce"]) == (RUPEES, True)
    refused(sides.post("/replacement", {"vehicle": 10**6}), 409, "no_equal")
    made = ok(sides.post("/replacement", {"vehicle": equal.id}))["booking"]
    assert (made["status"], made["price"], made["car"]["id"]) == ("confirmed", RUPEES, equal.id)
