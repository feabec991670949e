"""All prices of a fleet in one table: they change all or not at all, and bookings keep their price."""

from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.models import VehiclePrice
from tests.support.booking_steps import book
from tests.support.rest_helpers import bearer, ok, refused, window
from tests.support.shop import Shop, add_user, add_vehicle, put, wanted
from tests.support.trips import seen

PRICES = "/api/vendor/prices"


def plan(vehicle: int | str | None, name: str = "Full Day", price: Any = 600, **more: Any) -> dict[str, Any]:
    return {"vehicle": vehicle, "price_name": name, "price": price, "kms_limit": 120, "status": "Active"} | more


def shown(client: TestClient, shop: Shop) -> list[tuple[Any, ...]]:
    rows = ok(client.get(PRICES, headers=bearer(shop.vendor)))["prices"]
    return [(row["vehicle"], row["price_name"], row["price"], row["kms_limit"], row["status"]) for row in rows]


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_plans_of_several_vehicles_change_at_once_and_bookings_keep_theirs(
    client: TestClient, shop: Shop, kind: str
) -> None:
    second, vendor = add_vehicle(shop.vendor), bearer(shop.vendor)
    before = book(shop.customer, wanted(shop.vehicle, 3))
    wanted_now = [plan(shop.vehicle.id), plan(second.id, price="1,00,000"), plan(second.id, "Week", 2500, kms_limit="")]
    assert ok(client.put(PRICES, json=wanted_now, headers=vendor))["message"] == "3 prices saved"
    assert shown(client, shop) == [
        (shop.vehicle.id, "Full Day", 600, 120, "Active"),
        (second.id, "Full Day", 100_000, 120, "Active"),
        (second.id, "Week", 2500, 0, "Active"),
    ]
    assert seen(shop.customer, before.id).price == before.price
    quote = ok(client.get("/api/bookings/quote", params={"car": shop.vehicle.id, **window(7)}))["quote"]
    assert quote["total"] == 600
    ok(client.post(f"{PRICES}/copy", json={"from": second.id, "to": [shop.vehicle.id, second.id]}, headers=vendor))
    assert [row[1:] for row in shown(client, shop)[:2]] == [row[1:] for row in shown(client, shop)[2:]]


def test_what_nobody_could_book_is_not_copied(client: TestClient, shop: Shop) -> None:
    before, priced = shown(client, shop), {"price_name": "Full Day", "price_paise": 100, "status": "Active"}
    for left in (None, {"status": "Inactive"}, {"price_paise": 0}, {"price_name": "Week"}):
        bare = add_vehicle(shop.vendor, None)
        if left:
            put(VehiclePrice(vehicle_id=bare.id or 0, **priced | left))
        copied = {"from": bare.id, "to": [shop.vehicle.id]}
        refused(client.post(f"{PRICES}/copy", json=copied, headers=bearer(shop.vendor)), 409, "not_priced")
    assert [row for row in shown(client, shop) if row[0] == shop.vehicle.id] == before


def test_one_wrong_price_changes_none(client: TestClient, shop: Shop) -> None:
    vendor, before = bearer(shop.vendor), shown(client, shop)
    foreign = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    wrong: list[tuple[dict[str, Any], str]] = [
        *((plan(shop.vehicle.id, price=price), "price") for price in (-1, 0, "", 500_001, "much")),
        (plan(shop.vehicle.id, kms_limit=-5), "kms_limit"),
        (plan(shop.vehicle.id, "Hour"), "price_name"),
        (plan("x"), "vehicle"),
    ]
    for row, field in wrong:
        answer = client.put(PRICES, json=[plan(shop.vehicle.id, "Month", 9000), row], headers=vendor)
        refused(answer, 422, "invalid_input", f"1.{field}")
    both = [plan(shop.vehicle.id, price=700), plan(foreign.id)]
    refused(client.put(PRICES, json=both, headers=vendor), 404, "unknown_vehicle")
    assert client.put(PRICES, json=[plan(shop.vehicle.id)] * 2, headers=vendor).status_code == 422
    copied = {"from": shop.vehicle.id, "to": [foreign.id]}
    refused(client.post(f"{PRICES}/copy", json=copied, headers=vendor), 404, "unknown_vehicle")
    itself = {"from": shop.vehicle.id, "to": [shop.vehicle.id]}
    refused(client.post(f"{PRICES}/copy", json=itself, headers=vendor), 422, "invalid_input", "to")
    assert shown(client, shop) == before


def test_what_somebody_else_has_changed_meanwhile_is_not_overwritten(client: TestClient, shop: Shop) -> None:
    vendor, vehicle = bearer(shop.vendor), shop.vehicle.id
    seen_by_both = {"price": "500", "kms_limit": 100, "status": "Active"}
    nothing = {"price": 0, "kms_limit": 0, "status": "Inactive"}
    ok(client.put(PRICES, json=[plan(vehicle, price=600, shown=seen_by_both)], headers=vendor))
    late = [plan(vehicle, "Week", 3000, shown=nothing), plan(vehicle, price=700, shown=seen_by_both)]
    answer = client.put(PRICES, json=late, headers=vendor)
    assert (answer.status_code, answer.json()["code"]) == (409, "prices_changed")
    assert answer.json()["prices"] == [plan(vehicle)]
    message = "Changed elsewhere in the meantime: now ₹600, 120 km, Active"
    assert answer.json()["errors"] == [{"field": "1.price", "message": message}]
    assert shown(client, shop) == [(vehicle, "Full Day", 600, 120, "Active")]
    # Only what was shown is compared, and only what is sent is changed.
    sent = {"vehicle": vehicle, "price_name": "Full Day", "price": "Rs 1,00,000", "shown": {"price": 600}}
    ok(client.put(PRICES, json=[sent], headers=vendor))
    assert shown(client, shop) == [(vehicle, "Full Day", 100_000, 120, "Active")]
    less = {"vehicle": vehicle, "price_name": "Full Day", "kms_limit": 90}
    ok(client.put(PRICES, json=[less], headers=vendor))
    assert shown(client, shop) == [(vehicle, "Full Day", 100_000, 90, "Active")]
    ok(client.put(PRICES, json=[{"vehicle": vehicle, "price_name": "Week", "price": 3000}], headers=vendor))
    again = plan(vehicle, "Week", 3500, shown=nothing)
    assert client.put(PRICES, json=[again], headers=vendor).status_code == 409


def test_a_first_price_puts_a_plan_on_offer_and_one_switched_off_stays_off(client: TestClient, shop: Shop) -> None:
    vendor, vehicle = bearer(shop.vendor), shop.vehicle.id
    ok(client.put(PRICES, json=[plan(vehicle, price=0, status="Inactive")], headers=vendor))
    for price in (600, 700):
        ok(client.put(PRICES, json=[{"vehicle": vehicle, "price_name": "Full Day", "price": price}], headers=vendor))
        assert shown(client, shop) == [(vehicle, "Full Day", price, 120, "Active" if price == 600 else "Inactive")]
        ok(client.put(PRICES, json=[plan(vehicle, price=price, status="Inactive")], headers=vendor))
    ok(client.put(PRICES, json=[plan(vehicle, price=0, status="Inactive")], headers=vendor))
    ok(client.put(PRICES, json=[plan(vehicle, price=600, status="Inactive")], headers=vendor))
    assert shown(client, shop) == [(vehicle, "Full Day", 600, 120, "Inactive")]


def test_a_refused_price_is_named_by_plan_and_vehicle(client: TestClient, shop: Shop) -> None:
    vehicle = shop.vehicle.id
    told: dict[str, object] = {
        f"Week Price of {shop.vehicle.rc_number}: Enter more than 0, or switch": plan(vehicle, "Week", price=0),
        f"Week Price of vehicle {vehicle}: Enter an amount between": plan(vehicle, "Week", price=-1),
        f"Plan of vehicle {vehicle}: Choose": plan(vehicle, "Hour"),
        "Week Vehicle: Enter a whole number": plan("x", "Week"),
        "Price 1: Send a JSON object": 5,
    }
    for message, row in told.items():
        answer = client.put(PRICES, json=[row], headers=bearer(shop.vendor))
        assert answer.status_code == 422
        assert answer.json()["message"].startswith(message)
