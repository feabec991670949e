"""Many vehicles at once, renewed papers, retired vehicles and maintenance over REST."""

import json
from typing import Any

from fastapi.testclient import TestClient
from httpx2 import Response

from tests.support.rest_helpers import bearer, ok, part, pdf, png, refused
from tests.support.shop import Shop, add_vehicle, moment, open_shop
from tests.support.trips import confirmed

VEHICLES = "/api/vendor/vehicles"


def conflict(response: Response, code: str) -> dict[str, Any]:
    """Return the body of a conflict, which may say more than other refusals."""
    body: dict[str, Any] = response.json()
    assert (response.status_code, body["code"]) == (409, code), response.text
    return body


def test_many_vehicles_change_at_once_and_a_refusal_names_them(client: TestClient, shop: Shop) -> None:
    headers, other = bearer(shop.vendor), add_vehicle(shop.vendor)

    def change(*ids: Any, **more: Any) -> Response:
        return client.put(f"{VEHICLES}/bulk", json={"ids": [*ids], **more}, headers=headers)

    both = (shop.vehicle.id, other.id)
    preview = ok(change(*both, action="price", percent=10, preview=True))["prices"]
    assert preview[0] == {
        "vehicle": shop.vehicle.id,
        "rc_number": shop.vehicle.rc_number,
        "title": "Honda Activa 6G",
        "price_name": "Full Day",
        "before": 500,
        "after": 550,
    }
    shown = [{key: price[key] for key in ("vehicle", "price_name")} | {"price": price["before"]} for price in preview]
    assert ok(change(*both, action="price", percent=10, shown=shown))["prices"] == preview
    changed = conflict(change(*both, action="price", percent=10, shown=shown), "prices_changed")
    assert [price["price"] for price in changed["prices"]] == [550, 550]
    back = [{**each, "shown": {"price": price["after"]}} for each, price in zip(shown, preview, strict=True)]
    ok(client.put("/api/vendor/prices", json=back, headers=headers))
    trip = confirmed(shop)
    days = {"from": f"{moment(3):%Y-%m-%d}", "to": f"{moment(4):%Y-%m-%d}", "reason": "service"}
    booked = conflict(change(*both, action="block", **days), "booked")
    assert (booked["reference"], shop.vehicle.rc_number in booked["message"]) == (trip.reference, True)
    refused(change(*both, both[0], action="pause"), 422, "invalid_input", "ids")
    refused(change(*both, open_shop("Otherpur").vehicle.id, action="pause"), 404, "unknown_vehicle")
    assert [each["reference"] for each in ok(change(*both, action="pause"))["bookings"]] == [trip.reference]


def test_a_paper_is_renewed_with_files_sent_along_or_ahead(client: TestClient, shop: Shop) -> None:
    headers, url = bearer(shop.vendor), f"{VEHICLES}/{shop.vehicle.id}/renew"

    def renew(*files: Any, **given: Any) -> Response:
        data = {"paper": "Insurance", "validUntil": "2028-03-31", "shown": f"{shop.vehicle.insurance_expiry_date}"}
        return client.post(url, files=[("data", (None, json.dumps(data | given))), *files], headers=headers)

    refused(renew(), 422, "missing_documents", "Insurance")
    refused(renew(part("Pollution", pdf())), 422, "missing_documents", "Insurance", "Pollution")
    assert "31 Mar 2028" in ok(renew(part("Insurance", pdf())))["message"]
    refused(renew(part("Insurance", pdf())), 409, "paper_renewed")
    ahead = [part("file", png(), "policy.png"), ("group", (None, "Insurance"))]
    upload = ok(client.post("/api/vendor/uploads", files=ahead, headers=headers))["upload"]["id"]
    ok(renew(uploads=[upload], shown="2028-03-31", validUntil="2029-03-31"))
    (vehicle,) = ok(client.get(VEHICLES, headers=headers))["vehicles"]
    assert (len(vehicle["files"]), len(vehicle["replaced_files"])) == (1, 1)
    assert client.get(vehicle["replaced_files"][0]["url"], headers=headers).content.startswith(b"%PDF")


def test_a_vehicle_is_retired_and_brought_back(client: TestClient, shop: Shop) -> None:
    headers, url = bearer(shop.vendor), f"{VEHICLES}/{shop.vehicle.id}"
    trip = confirmed(shop)
    in_use = conflict(client.post(f"{url}/retire", headers=headers), "vehicle_in_use")
    assert [each["reference"] for each in in_use["bookings"]] == [trip.reference]
    other = add_vehicle(shop.vendor)
    ok(client.post(f"{VEHICLES}/{other.id}/retire", headers=headers))
    (gone,) = ok(client.get(VEHICLES, params={"retired": True}, headers=headers))["vehicles"]
    assert (gone["id"], gone["retiredAt"][:4]) == (other.id, f"{moment(0):%Y}")
    assert other.id not in [each["id"] for each in ok(client.get("/api/user/vehicles"))["vehicles"]]
    ok(client.post(f"{VEHICLES}/{other.id}/bring-back", headers=headers))
    refused(client.post(f"{VEHICLES}/{other.id}/bring-back", headers=headers), 409, "not_retired")


def test_maintenance_is_noted_changed_and_removed(client: TestClient, shop: Shop) -> None:
    headers, url = bearer(shop.vendor), f"{VEHICLES}/{shop.vehicle.id}/maintenance"
    done = {"kind": "service", "doneOn": "2026-10-02", "odometer": 1100, "cost": 850.5, "nextKm": 1200}
    entry = ok(client.post(url, json=done, headers=headers))["entry"]
    assert entry == done | {"id": entry["id"], "note": "", "nextOn": None, "isDue": True}
    refused(client.post(url, json=done | {"cost": "12.345"}, headers=headers), 422, "invalid_input", "cost")
    changed = ok(client.put(f"{url}/{entry['id']}", json=done | {"cost": 900}, headers=headers))["entry"]
    assert changed["cost"] == 900
    listed = ok(client.get(url, headers=headers))
    assert (listed["years"], listed["odometer"]) == ([{"year": 2026, "cost": 900}], 1200)
    ok(client.delete(f"{url}/{entry['id']}", headers=headers))
    refused(client.delete(f"{url}/{entry['id']}", headers=headers), 404, "unknown_entry")


def test_a_rule_of_several_weekdays_is_one_rule(client: TestClient, shop: Shop) -> None:
    headers, rules = bearer(shop.vendor), "/api/vendor/price-rules"
    days = {"weekdays": ["Thursday", "Monday", "Tuesday", "Wednesday"], "percent": 20}
    rule = ok(client.post(rules, json=days, headers=headers))["rule"]
    assert (rule["weekday"], rule["weekdays"]) == ("Monday", ["Monday", "Tuesday", "Wednesday", "Thursday"])
    # As a client sends back what it was given.
    sent = {name: value for name, value in rule.items() if name != "id"}
    assert ok(client.put(f"{rules}/{rule['id']}", json=sent, headers=headers))["rule"] == rule
    one = ok(client.put(f"{rules}/{rule['id']}", json={"weekday": "Friday", "percent": 20}, headers=headers))["rule"]
    assert one["weekdays"] == ["Friday"]
    refused(client.post(rules, json=days | {"weekday": "Friday"}, headers=headers), 422, "invalid_input", "weekday")
    dated = days | {"from": "2026-12-01", "to": "2026-12-02"}
    refused(client.post(rules, json=dated, headers=headers), 422, "invalid_input", "weekdays")
    unknown = days | {"weekdays": ["Someday"]}
    refused(client.post(rules, json=unknown, headers=headers), 422, "invalid_input", "weekdays.0")
