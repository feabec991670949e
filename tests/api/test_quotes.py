"""What a booking costs, over REST: extras, offers, taken dates, the price shown, and vendors' price rules."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.domain import clock
from rental_app.models import User, Vehicle
from tests.support.booking_steps import alter, ask, book, decide
from tests.support.rest_helpers import bearer, ok, refused, window
from tests.support.rows import each
from tests.support.shop import DAILY_PAISE, Shop, add_user, add_vehicle, count, moment, wanted, wire
from tests.support.trips import seen

CREATE, QUOTE, RULES = "/api/bookings/create", "/api/bookings/quote", "/api/vendor/price-rules"


def test_extras_and_an_offer_are_lines_of_quote_and_booking(client: TestClient, shop: Shop) -> None:
    alter(User, shop.vendor.id, delivery_supported=True)
    alter(Vehicle, shop.vehicle.id, drop_off_pick_extra_payment=True, drop_off_paise=15_000)
    wish = {"car": shop.vehicle.id, "offer": "weeklong"} | window(length=7)
    quote = ok(client.get(QUOTE, params=wish | {"extras": "helmet, drop_off"}))["quote"]
    figures = ("kind", "label", "quantity", "rate", "amount")
    assert [tuple(line[name] for name in figures) for line in quote["lines"]] == [
        ("plan", "Full Day", 7, 500, 3500),
        ("extra", "Second helmet", 2, 200, 400),
        ("extra", "Deliver to me", 1, 150, 150),
        ("discount", "Offer WEEKLONG", 1, -300, -300),
    ]
    assert (quote["total"], quote["saving"], quote["cheaper"]) == (3750, 0, None)
    order = wish | {"extras": ["helmet", "drop_off"], "address": "12 Lake Road", "expectedTotal": quote["total"]}
    made = ok(client.post(CREATE, json=order, headers=bearer(shop.customer)))["booking"]
    assert made["lines"] == quote["lines"]
    assert (made["price"], made["extras"], made["offer"]) == (3750, ["helmet", "drop_off"], "WEEKLONG")
    assert made["address"] == "12 Lake Road"
    decide(shop.vendor, made["id"], "confirmed")
    account = ok(client.get(f"/api/bookings/{made['reference']}", headers=bearer(shop.customer)))["booking"]
    charged = [(line["kind"], line["amount"]) for line in account["ledger"]]
    assert charged == [("rental", 3500), ("extra", 400), ("extra", 150), ("discount", -300)]
    assert account["dueAtPickup"] == quote["total"] + quote["deposit"]


@pytest.mark.usefixtures("nothing_changes")
def test_wishes_that_cannot_be_are_refused_by_field(client: TestClient, shop: Shop) -> None:
    headers, wish = bearer(shop.customer), {"car": shop.vehicle.id} | window()
    for extras in (["helmet", "helmet"], "helmet,helmet", [1], {"helmet": 1}, ["x" * 5000]):
        refused(client.post(CREATE, json=wish | {"extras": extras}, headers=headers), 422, "invalid_input", "extras")
    for query in ("sidecar", "helmet,helmet"):
        refused(client.get(QUOTE, params=wish | {"extras": query}), 422, "invalid_input", "extras")
    for code, status, name in (
        ("NOSUCH", 422, "offer_unknown"),
        ("festive26", 409, "offer_not_in_force"),
        ("x" * 5000, 422, "invalid_input"),
    ):
        refused(client.post(CREATE, json=wish | {"offer": code}, headers=headers), status, name, "offer")
        refused(client.get(QUOTE, params=wish | {"offer": code}), status, name, "offer")
    delivered = wish | {"extras": ["drop_off"], "address": " "}
    refused(client.post(CREATE, json=delivered, headers=headers), 422, "address_missing", "address")
    brought = delivered | {"address": "12 Lake Road"}
    refused(client.post(CREATE, json=brought, headers=headers), 422, "extra_not_offered", "extras")


def test_an_address_that_nothing_is_brought_to_is_not_kept(client: TestClient, shop: Shop) -> None:
    alone = {"car": shop.vehicle.id, "address": "12 Lake Road"} | window()
    assert ok(client.post(CREATE, json=alone, headers=bearer(shop.customer)))["booking"]["address"] == ""


def test_taken_dates_come_with_the_nearest_free_ones_and_a_calendar(client: TestClient, shop: Shop) -> None:
    path, wish = f"/api/vehicles/{shop.vehicle.id}/calendar", {"car": shop.vehicle.id} | window(5)
    book(shop.customer, wanted(shop.vehicle, 4, 2))
    for answer in (client.get(QUOTE, params=wish), client.post(CREATE, json=wish, headers=bearer(add_user()))):
        body = answer.json()
        assert (answer.status_code, body["code"], len(body["nearest"])) == (409, "dates_taken", 3)
        assert body["nearest"][0] == window(6)
    # The calendar says when, and nothing of whom.
    hours = {"open_time": "09:00 AM", "close_time": "08:00 PM"}
    said = {"success": True, "message": "", "busy": [window(4, 2)], "closed": [], "hours": hours}
    assert ok(client.get(path)) == said
    today = clock.indian_today(clock.now()).isoformat()
    assert ok(client.get(path, params={"from": today, "to": today}))["busy"] == []
    for first, last in (("2026-01-01", "2030-01-01"), (today, "2020-01-01")):
        refused(client.get(path, params={"from": first, "to": last}), 422, "invalid_input", "to")
    alter(Vehicle, shop.vehicle.id, is_active=False)
    refused(client.get(path), 404, "unknown_vehicle")


def test_another_price_than_expected_is_answered_with_the_new_quote(client: TestClient, shop: Shop) -> None:
    wish, headers, before = {"car": shop.vehicle.id} | window(), bearer(shop.customer), count("booking")
    shown = ok(client.get(QUOTE, params=wish))["quote"]
    order = wish | {"expectedTotal": shown["total"], "expectedDeposit": shown["deposit"]}
    ask(shop.vehicle, 5_000_050)
    body = client.post(CREATE, json=order, headers=headers)
    assert (body.status_code, count("booking")) == (409, before)
    now = ok(client.get(QUOTE, params=wish))["quote"]
    assert now["total"] == 50_000.5
    told = {"code": "price_changed", "message": "The price has changed from ₹500 to ₹50,000.50", "quote": now}
    assert body.json() == told | {"success": False, "errors": [], "requestId": body.headers["x-request-id"]}
    made = ok(client.post(CREATE, json=order | {"expectedTotal": "50000.50"}, headers=headers))["booking"]
    assert made["price"] == 50_000.5


@pytest.mark.usefixtures("nothing_changes")
@each("value", [-1, "much", True, [], {}, 1e300, "NaN"])
def test_a_price_that_is_no_amount_is_refused(client: TestClient, shop: Shop, value: Any) -> None:
    for field in ("expectedTotal", "expectedDeposit"):
        body = {"car": shop.vehicle.id, field: value} | window()
        refused(client.post(CREATE, json=body, headers=bearer(shop.customer)), 422, "invalid_input", field)


def test_a_blank_price_is_not_compared_and_a_months_total_can_be_expected(client: TestClient, shop: Shop) -> None:
    headers, wish = bearer(shop.customer), {"car": shop.vehicle.id, "expectedDeposit": None}
    blank = wish | {"expectedTotal": ""} | window()
    assert ok(client.post(CREATE, json=blank, headers=headers))["booking"]["price"] == DAILY_PAISE / 100
    ask(shop.vehicle, 50_000_000)
    month = wish | {"expectedTotal": 15_000_000} | window(5, 30)
    assert ok(client.post(CREATE, json=month, headers=headers))["booking"]["price"] == 15_000_000


def test_a_rule_is_tried_made_changed_and_removed(client: TestClient, shop: Shop) -> None:
    headers, vehicle = bearer(shop.vendor), shop.vehicle.id
    booked = book(shop.customer, wanted(shop.vehicle, 10))
    weekday, day = f"{clock.indian(moment(3)):%A}", clock.indian(moment(3)).date().isoformat()
    rule = {"weekday": weekday, "percent": "20"}
    asked = {"car": vehicle} | window(3, 2)

    def tried(**wish: Any) -> tuple[int, int]:
        found = ok(client.post(f"{RULES}/preview", json=asked | wish, headers=headers))["preview"]
        assert found["total"] == sum(line["amount"] for line in found["lines"])
        return found["before"], found["total"]

    assert tried(**rule) == (1000, 1100)
    assert ok(client.get(RULES, headers=headers))["rules"] == []
    made = ok(client.post(RULES, json=rule, headers=headers))["rule"]
    assert made == {
        "id": made["id"],
        "vehicle": None,
        "weekday": weekday,
        "weekdays": [weekday],
        "from": None,
        "to": None,
        "percent": 20,
    }
    assert ok(client.get(QUOTE, params=asked))["quote"]["total"] == 1100
    # Rules for dates override those for weekdays, one vehicle's override the fleet's; another vehicle's have no effect.
    assert tried(**{"from": day, "to": day, "percent": -10}) == (1100, 950)
    assert tried(**rule, vehicle=vehicle) == (1100, 1100)
    assert tried(**rule | {"percent": 50, "vehicle": add_vehicle(shop.vendor).id}) == (1100, 1100)
    assert tried(**rule | {"percent": 50}, rule=made["id"]) == (1100, 1250)
    # Almost a year ahead, on another weekday than the rule's.
    begin, end = (f"{clock.indian(moment(3 + 7 * 49 + days)):%Y-%m-%d}" for days in (2, 3))
    far = {"car": vehicle, "pickupDate": begin, "returnDate": end}
    assert tried(**{"from": begin, "to": begin, "percent": 100}, **far) == (500, 1000)

    path = f"{RULES}/{made['id']}"
    changed = ok(client.put(path, json={"from": day, "to": day, "percent": 50, "vehicle": vehicle}, headers=headers))
    assert changed["rule"] == made | {
        "weekday": None,
        "weekdays": [],
        "from": day,
        "to": day,
        "percent": 50,
        "vehicle": vehicle,
    }
    assert ok(client.get(QUOTE, params=asked))["quote"]["total"] == 1250
    assert ok(client.get(RULES, headers=headers))["rules"] == [changed["rule"]]
    ok(client.delete(path, headers=headers))
    refused(client.delete(path, headers=headers), 404, "unknown_rule")
    assert ok(client.get(QUOTE, params=asked))["quote"]["total"] == 1000
    assert seen(shop.customer, booked.id).price == booked.price


@pytest.mark.usefixtures("nothing_changes")
def test_price_rules_that_cannot_be_are_refused_by_field(client: TestClient, shop: Shop) -> None:
    headers, good = bearer(shop.vendor), {"weekday": "Monday", "percent": 10}
    tried = good | {"car": shop.vehicle.id} | window(3)
    dates = {"weekday": None, "from": "2026-12-02", "to": "2026-12-02"}
    for wrong, field in (
        ({"weekday": None}, "from"),
        (dates | {"weekday": "Monday"}, "weekday"),
        (dates | {"to": None}, "to"),
        (dates | {"to": "2026-12-01"}, "to"),
        ({"percent": 0}, "percent"),
        ({"percent": -51}, "percent"),
        ({"percent": 201}, "percent"),
        ({"percent": 1.5}, "percent"),
        ({"weekday": "Someday"}, "weekday"),
        ({"vehicle": "x"}, "vehicle"),
    ):
        refused(client.post(RULES, json=good | wrong, headers=headers), 422, "invalid_input", field)
        refused(client.post(f"{RULES}/preview", json=tried | wrong, headers=headers), 422, "invalid_input", field)
    refused(client.put(f"{RULES}/1", json=good | {"percent": 201}, headers=headers), 422, "invalid_input", "percent")
    refused(client.put(f"{RULES}/999", json=good, headers=headers), 404, "unknown_rule")
    others = tried | {"vehicle": 1, "car": 1}
    for method, path, body in (
        ("POST", RULES, good | {"vehicle": 1}),
        ("PUT", f"{RULES}/1", good | {"vehicle": 1}),
        ("POST", f"{RULES}/preview", others),
    ):
        refused(client.request(method, path, json=body, headers=headers), 404, "unknown_vehicle")


@pytest.mark.usefixtures("nothing_changes")
def test_what_cannot_be_tried_is_refused_by_field(client: TestClient, shop: Shop) -> None:
    good = {"car": shop.vehicle.id, "weekday": "Monday", "percent": 10} | window(3)
    for wrong, status, code, *fields in (
        ({"pickupDate": ""}, 422, "dates_missing", "pickupDate"),
        ({"returnDate": good["pickupDate"]}, 422, "return_before_pickup", "returnDate"),
        ({"returnDate": wire(moment(400))}, 422, "too_long", "returnDate"),
        ({"rule": 999}, 404, "unknown_rule"),
    ):
        answer = client.post(f"{RULES}/preview", json=good | wrong, headers=bearer(shop.vendor))
        refused(answer, status, code, *fields)
