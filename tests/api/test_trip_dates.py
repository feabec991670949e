"""Changing a booking's dates over REST: each refusal has its code, field and status, and changes nothing."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.domain import clock
from rental_app.models import Vehicle
from tests.conftest import Clock
from tests.support.booking_steps import alter, ask
from tests.support.rest_helpers import Sides, bearer, ok, refused, window
from tests.support.shop import DAILY_PAISE, Shop, add_user, moment, wire
from tests.support.trips import at_return, seen

RUPEES = DAILY_PAISE // 100


@pytest.fixture
def sides(client: TestClient, shop: Shop) -> Sides:
    """A client of a one-day booking, four days from now."""
    return Sides(client, shop)


def take(sides: Sides, day: int) -> None:
    """Let another customer book a day."""
    wish = {"car": sides.shop.vehicle.id, **window(day)}
    ok(sides.client.post("/api/bookings/create", json=wish, headers=bearer(add_user())))


def test_a_request_moves_or_stays_as_it_is(sides: Sides) -> None:
    take(sides, 9)
    before = ok(sides.get())
    wrong: list[tuple[dict[str, Any], int, str, list[str]]] = [
        ({}, 422, "dates_missing", ["pickupDate", "returnDate"]),
        ({"pickupDate": "soon", "returnDate": wire(moment(6))}, 422, "bad_date", ["pickupDate"]),
        (window(6, 0), 422, "return_before_pickup", ["returnDate"]),
        (window(6, 31), 422, "too_long", ["returnDate"]),
        (window(91), 422, "too_far", ["pickupDate"]),
        ({"pickupDate": wire(moment(6, 6)), "returnDate": wire(moment(7, 10))}, 422, "outside_hours", ["pickupDate"]),
        (window(6) | {"expectedTotal": "much"}, 422, "invalid_input", ["expectedTotal"]),
    ]
    for body, status, code, fields in wrong:
        refused(sides.post("/change", body), status, code, *fields)
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
    sides.confirm()
    refused(sides.post("/change", window(4)), 409, "already_decided")


def test_a_vendor_may_say_which_request_is_answered(sides: Sides) -> None:
    shown = ok(sides.get())["booking"]
    ends = {"expectedPickupDate": shown["pickupDate"], "expectedReturnDate": shown["returnDate"]}
    answer = {"bookingId": shown["id"], "status": "confirmed", "expectedTotal": shown["price"]} | ends
    ok(sides.post("/change", window(6, 2)))

    def answered(body: dict[str, Any]) -> Any:
        return sides.client.post("/api/bookings/change-status", json=body, headers=sides.vendor)

    refused(answered(answer), 409, "request_changed")
    refused(answered(answer | {"expectedPickupDate": "soon"}), 422, "bad_date", "expectedPickupDate")
    refused(answered(answer | {"expectedTotal": "much"}), 422, "invalid_input", "expectedTotal")
    assert ok(sides.get())["booking"]["status"] == "pending"
    by_now = {"expectedPickupDate": wire(moment(6)), "expectedReturnDate": wire(moment(8)), "expectedTotal": 2 * RUPEES}
    ok(answered(answer | by_now))


def test_an_extension_keeps_to_the_rules_and_to_its_preview(stopped_clock: Clock, sides: Sides) -> None:
    refused(sides.get("/extension", returnDate=wire(moment(7))), 409, "not_confirmed")
    sides.confirm()
    take(sides, 9)
    wrong: list[tuple[Any, int, str, list[str]]] = [
        ("", 422, "dates_missing", ["returnDate"]),
        ("tomorrow", 422, "bad_date", ["returnDate"]),
        (wire(moment(5)), 422, "not_later", ["returnDate"]),
        (wire(moment(4)), 422, "not_later", ["returnDate"]),
        (wire(moment(34, 11)), 422, "too_long", ["returnDate"]),
        (wire(moment(6, 22)), 422, "outside_hours", ["returnDate"]),
        (wire(moment(9, 11)), 409, "dates_taken", []),
    ]
    before = ok(sides.get())
    for return_at, status, code, fields in wrong:
        _refused_dates(sides.get("/extension", returnDate=return_at), status, code, fields)
        if code != "not_later":
            _refused_dates(sides.post("/extend", {"returnDate": return_at}), status, code, fields)
    alter(Vehicle, sides.shop.vehicle.id, insurance_expiry_date=clock.indian(moment(6)).date())
    refused(sides.post("/extend", {"returnDate": wire(moment(7))}), 409, "papers_expire")
    assert ok(sides.get()) == before
    shown = ok(sides.get("/extension", returnDate=wire(moment(6))))
    assert (shown["extra"], shown["total"], shown["returnDate"]) == (RUPEES, 2 * RUPEES, wire(moment(6)))
    assert shown["kmsIncluded"] == 200
    cheaper = sides.post("/extend", {"returnDate": wire(moment(6)), "expectedExtra": 1})
    assert (cheaper.status_code, cheaper.json()["code"]) == (409, "price_changed")
    figures = ("extra", "total", "returnDate", "kmsIncluded")
    assert cheaper.json()["extension"] == {name: shown[name] for name in figures}
    for kms in (199, 201, None):
        fewer = {"returnDate": wire(moment(6)), "expectedExtra": shown["extra"], "expectedKmsIncluded": kms}
        assert sides.post("/extend", fewer).json()["code"] == "price_changed"
    longer = fewer | {"expectedKmsIncluded": shown["kmsIncluded"]}
    done = ok(sides.post("/extend", longer))
    assert ok(sides.post("/extend", longer)) == done
    assert [line["kind"] for line in done["booking"]["ledger"]] == ["rental", "extension"]
    at_return(stopped_clock, seen(sides.shop.customer, sides.ref), hours=-23)
    alter(Vehicle, sides.shop.vehicle.id, insurance_expiry_date=clock.indian(moment(60)).date())
    next_day = {"returnDate": wire(seen(sides.shop.customer, sides.ref).return_at + clock.MIN_LENGTH)}
    refused(sides.post("/extend", next_day), 409, "too_late_to_extend")
    refused(sides.client.post(f"/api/vendor/bookings/{sides.ref}/extend", json=next_day), 401, "token_missing")
    dearer = ok(sides.vendor_post("/extend", next_day))["booking"]
    assert (dearer["proposal"]["kind"], dearer["proposal"]["extra"]) == ("extension", RUPEES)
    assert dearer["returnDate"] != next_day["returnDate"]
    refused(sides.vendor_post("/extend", next_day), 409, "proposal_open")
    ask(sides.shop.vehicle, 100)
    assert ok(sides.vendor_post("/extend", next_day))["booking"]["returnDate"] == next_day["returnDate"]


def _refused_dates(response: Any, status: int, code: str, fields: list[str]) -> None:
    body = response.json()
    assert (response.status_code, body["code"]) == (status, code), body
    assert [error["field"] for error in body["errors"]] == fields
