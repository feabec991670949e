"""Changing a booking's dates over REST: each refusal has its code, field and status, and changes nothing."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.booking_steps import book
from tests.support.rest_helpers import Sides, ok, refused, window
from tests.support.shop import DAILY_PAISE, Shop, add_user, moment, wanted, wire

RUPEES = DAILY_PAISE // 100


@pytest.fixture
def sides(client: TestClient, shop: Shop) -> Sides:
    """A client of a one-day booking, four days from now."""
    return Sides(client, shop)


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
        for answer in (sides.get("/extension", returnDate=return_at), sides.post("/extend", {"returnDate": return_at})):
            assert (answer.status_code, answer.json()["code"]) == (422, code)
            assert [error["field"] for error in answer.json()["errors"]] == ["returnDate"]
    wish = {"returnDate": wire(moment(6))}
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
