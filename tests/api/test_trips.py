"""Trips over REST: the responses, their shape, what is refused, and the files that customers take along."""

import io
from typing import Any

import pytest
from fastapi.testclient import TestClient
from icalendar import Calendar
from pypdf import PdfReader

from rental_app.domain.money import format_rupees
from rental_app.models import User
from tests.support.booking_steps import alter, book
from tests.support.guests import at_counter
from tests.support.pdfs import NAMES
from tests.support.rest_helpers import Sides, bearer, ok, refused, window
from tests.support.shop import DAILY_PAISE, DEPOSIT_PAISE, Shop, add_user, add_vehicle, moment, wanted, wire
from tests.support.trips import at_pickup, at_return, hand_over, pay, seen, take_back
from tests.support.wire_shapes import BOOKING, INDIAN, VENDOR_BOOKING, answer, check, of

RUPEES, DEPOSIT = DAILY_PAISE // 100, DEPOSIT_PAISE // 100
CONTACT = of(str, "phone whatsapp address maps")
LEDGER = of(str, "kind method note") | {"id": int, "amount": (int, float), "at": INDIAN}
LEDGER |= {"reverses": None, "objected": bool, "photo": None, "paidOn": None}
EVENT = of(str, "what by who note") | {"id": int, "at": INDIAN, "yours": bool, "photos": list}
EVENT |= of((int, type(None)), "entry about") | {"happenedAt": None}
TRIP = (
    BOOKING
    | of(str, "customerName vendorName terms vendorTerms")
    | of(None, "handover return depositBack receiptNumber proposal follows followedBy")
    | {"contact": CONTACT, "hours": of(str, "open_time close_time"), "closed": list, "latePenalty": (int, float)}
    | {
        "ledger": [LEDGER],
        "invoices": list,
        "timeline": [EVENT],
        "bring": [str],
        "reviews": of(None, "until mine theirs customer"),
    }
)


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
    read = ["", "/equals", "/cancellation", "/extension", "/calendar.ics", "/receipt.pdf", "/photos/1"]
    read += ["/invoice.pdf", "/notes/1.pdf", "/agreement.pdf"]
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
                query = None if path.endswith("/settlement") else later
                answer = sides.client.request(method, path, json=body, params=query, headers=headers)
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
    """Object as the customer; the vendor takes the line back."""
    body, path = {"entry": fine, "note": "Not me"}, f"/api/bookings/{sides.ref}/object"
    refused(sides.post("/object", body | {"entry": 2**31 - 1}), 404, "unknown_entry")
    refused(sides.client.post(path, json=body, headers=sides.vendor), 403, "customers_only")
    account = ok(sides.post("/object", body))["booking"]["ledger"]
    assert [line["id"] for line in account if line["objected"]] == [fine]
    after = ok(sides.vendor_post("/reverse", body))["booking"]
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


def test_a_request_moves_or_stays_as_it_is(sides: Sides) -> None:
    book(add_user(), wanted(sides.shop.vehicle, 9))
    before = ok(sides.get())
    wrong: list[tuple[dict[str, Any], str, list[str]]] = [
        ({}, "dates_missing", ["pickupDate", "returnDate"]),
        ({"pickupDate": "soon", "returnDate": wire(moment(6))}, "bad_date", ["pickupDate"]),
        (window(6, 0), "return_before_pickup", ["returnDate"]),
        (window(6) | {"expectedTotal": "much"}, "invalid_input", ["expectedTotal"]),
    ]
    for body, code, fields in wrong:
        refused(sides.post("/change", body), 422, code, *fields)
    taken = sides.post("/change", window(8, 2))
    assert (taken.status_code, taken.json()["code"]) == (409, "dates_taken")
    dearer = sides.post("/change", window(6) | {"expectedTotal": RUPEES - 1})
    assert (dearer.status_code, dearer.json()["code"]) == (409, "price_changed")
    assert dearer.json()["quote"]["total"] == RUPEES
    less = {"expectedDeposit": before["booking"]["securityDeposit"] - 1}
    assert sides.post("/change", window(6) | less).json()["code"] == "price_changed"
    assert ok(sides.get()) == before
    answered = ok(sides.post("/change", window(6, 2) | {"expectedTotal": 2 * RUPEES}))
    assert answered["message"] == "Your request has been moved: the vendor will answer it soon"
    moved = answered["booking"]
    assert (moved["pickupDate"], moved["returnDate"]) == (wire(moment(6)), wire(moment(8)))


def test_a_vendor_may_say_which_request_is_answered(sides: Sides) -> None:
    shown = ok(sides.get())["booking"]
    ends = {"expectedPickupDate": shown["pickupDate"], "expectedReturnDate": shown["returnDate"]}
    answer = {"bookingId": shown["id"], "status": "confirmed", "expectedTotal": shown["price"]} | ends
    ok(sides.post("/change", window(6, 2)))

    def answered(**changes: Any) -> Any:
        return sides.client.post("/api/bookings/change-status", json=answer | changes, headers=sides.vendor)

    refused(answered(), 409, "request_changed")
    refused(answered(expectedPickupDate="soon"), 422, "bad_date", "expectedPickupDate")
    refused(answered(expectedTotal="much"), 422, "invalid_input", "expectedTotal")
    by_now = {"expectedPickupDate": wire(moment(6)), "expectedReturnDate": wire(moment(8)), "expectedTotal": 2 * RUPEES}
    ok(answered(**by_now))


def test_an_extension_keeps_to_its_preview(sides: Sides) -> None:
    sides.confirm()
    for return_at, code in (("", "dates_missing"), ("tomorrow", "bad_date"), (wire(moment(6, 22)), "outside_hours")):
        refused(sides.get("/extension", returnDate=return_at), 422, code, "returnDate")
        refused(sides.post("/extend", {"returnDate": return_at}), 422, code, "returnDate")
    wish: dict[str, Any] = {"returnDate": wire(moment(6))}
    shown = ok(sides.get("/extension", **wish))
    figures = {name: shown[name] for name in ("extra", "total", "returnDate", "kmsIncluded")}
    assert figures == wish | {"extra": RUPEES, "total": 2 * RUPEES, "kmsIncluded": 200}
    cheaper = sides.post("/extend", wish | {"expectedExtra": 1})
    assert (cheaper.status_code, cheaper.json()["code"]) == (409, "price_changed")
    assert cheaper.json()["extension"] == figures
    wish |= {"expectedExtra": RUPEES}
    for kms in (199, 201, None):
        assert sides.post("/extend", wish | {"expectedKmsIncluded": kms}).json()["code"] == "price_changed"
    done = ok(sides.post("/extend", wish | {"expectedKmsIncluded": 200}))
    assert ok(sides.post("/extend", wish | {"expectedKmsIncluded": 200})) == done
    assert [line["kind"] for line in done["booking"]["ledger"]] == ["rental", "extension"]
    next_day = {"returnDate": wire(moment(7))}
    dearer = ok(sides.vendor_post("/extend", next_day))["booking"]
    assert (dearer["proposal"]["kind"], dearer["proposal"]["extra"]) == ("extension", RUPEES)
    assert dearer["returnDate"] != next_day["returnDate"]
    refused(sides.vendor_post("/extend", next_day), 409, "proposal_open")


def test_the_calendar_file_is_read_by_calendars_and_follows_the_booking(sides: Sides) -> None:
    asked = _entry(sides)
    sides.confirm()
    confirmed = _entry(sides)
    ok(sides.post("/cancel", {"kept": 0}))
    cancelled = _entry(sides)
    versions = (asked, confirmed, cancelled)
    assert len({entry["UID"] for _, entry in versions}) == 1
    assert [method for method, _ in versions] == ["PUBLISH", "PUBLISH", "CANCEL"]
    assert [entry["STATUS"] for _, entry in versions] == ["TENTATIVE", "CONFIRMED", "CANCELLED"]
    assert [int(entry["SEQUENCE"]) for _, entry in versions] == [0, 1, 2]
    assert (asked[1].start, asked[1].end) == (moment(4), moment(5))


def _entry(sides: Sides) -> tuple[str, Any]:
    file = sides.get("/calendar.ics")
    assert (file.status_code, file.headers["content-type"]) == (200, "text/calendar; charset=utf-8")
    assert file.headers["cache-control"] == "no-store"
    calendar = Calendar.from_ical(file.content)
    return str(calendar["METHOD"]), calendar.events[0]


def test_the_receipt_is_a_page_with_every_line(sides: Sides) -> None:
    refused(sides.get("/receipt.pdf"), 409, "not_confirmed")
    sides.confirm()
    for user in (sides.shop.customer, sides.shop.vendor):
        alter(User, user.id, name=NAMES["noto-sans-devanagari"])
    ok(sides.pay(100, note="पेशगी"))
    file = sides.get("/receipt.pdf")
    assert (file.status_code, file.headers["content-type"]) == (200, "application/pdf")
    assert file.headers["content-disposition"] == 'attachment; filename="receipt.pdf"'
    pdf = PdfReader(io.BytesIO(file.content))
    (page,) = [page.extract_text() for page in pdf.pages]
    assert "?" not in page, "names are shown in their scripts"
    assert sides.ref in str(pdf.metadata)
    amounts = [format_rupees(round(line["amount"] * 100)) for line in ok(sides.get())["booking"]["ledger"]]
    assert len(amounts) >= 2
    assert [amount for amount in amounts if amount not in page] == []
    assert "Nothing held" not in page


def test_a_receipt_with_a_number_is_the_same_file_for_good(sides: Sides) -> None:
    sides.confirm()
    alter(User, sides.shop.vendor.id, gst_name="Old Trade Name", gst_number="36ZZZFZ1001Z1ZT")
    ok(sides.pay(RUPEES))
    ok(sides.post("/cancel", {"kept": RUPEES // 4}))
    number = ok(sides.get())["booking"]["receiptNumber"]
    before = sides.get("/receipt.pdf").content
    alter(User, sides.shop.vendor.id, gst_name="New Trade Name", gst_number="36ZZZCZ2002Z1ZW")
    alter(User, sides.shop.customer.id, name="Renamed Customer")
    ok(sides.pay(RUPEES * 3 // 4, direction="out"))
    assert sides.get("/receipt.pdf").content == before
    assert ok(sides.get())["booking"]["receiptNumber"] == number
    text = PdfReader(io.BytesIO(before)).pages[0].extract_text()
    assert [said for said in ("Old Trade Name", "36ZZZFZ1001Z1ZT", number) if said not in text] == []


def test_the_receipt_says_who_holds_the_deposit_until_when(sides: Sides) -> None:
    sides.confirm()
    pay(sides.shop, sides.ref, DEPOSIT_PAISE, "deposit")
    text = PdfReader(io.BytesIO(sides.get("/receipt.pdf").content)).pages[0].extract_text()
    assert f"₹2,000 held by {sides.shop.vendor.name}, back " in " ".join(text.split())
    assert "Settled" not in text
