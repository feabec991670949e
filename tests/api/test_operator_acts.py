"""Operators' acts over REST, and what somebody blocked or a read-only shop is answered."""

import pytest
from fastapi.testclient import TestClient

from rental_app.infrastructure.db import read, write
from rental_app.models import Booking, User
from rental_app.schemas.operating import Blocking, FeatureRequest
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.accounts.proofs import Purpose
from rental_app.services.operating import listings, people
from rental_app.services.search import listings as search_listings
from tests.support.accounts import latest_token
from tests.support.booking_steps import alter
from tests.support.catalogue_entries import MODEL, OFFER
from tests.support.races import at_once
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.shop import VISITOR, Shop, actor, add_user, moment, wire


def test_an_operator_unmade_with_an_open_tab_is_refused(client: TestClient) -> None:
    operator = add_user("Operator")
    headers = bearer(operator)
    write(operators.unmake, at_the_machine(), operator.email)
    refused(client.get("/api/operator/work", headers=headers), 401, "session_ended")


def test_a_blocked_vendors_token_is_good_for_their_open_trips_alone(client: TestClient, shop: Shop) -> None:
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    made = ok(client.post("/api/bookings/create", json=wish, headers=bearer(shop.customer)))["booking"]["id"]
    alter(Booking, made, status="confirmed", stage="out")
    alter(User, shop.vendor.id, status="blocked")
    headers = bearer(shop.vendor)
    assert ok(client.get(f"/api/bookings/{made}", headers=headers))["booking"]["stage"] == "out"
    paid = {"of": "deposit", "direction": "in", "amount": 100, "method": "cash"}
    ok(client.post(f"/api/vendor/bookings/{made}/payment", json=paid, headers=headers))
    for method, path in (
        ("GET", "/api/vendor/vehicles"),
        ("GET", "/api/bookings/vendor"),
        ("POST", f"/api/vendor/bookings/{made}/extend"),
        ("POST", "/api/bookings/create"),
        ("PUT", "/api/user/update"),
    ):
        refused(client.request(method, path, headers=headers), 403, "account_blocked")
    alter(Booking, made, stage="settled")
    refused(client.get(f"/api/bookings/{made}", headers=headers), 401, "session_ended")


def test_a_read_only_shop_answers_503_with_the_banners_words(client: TestClient, shop: Shop) -> None:
    operator, customer = bearer(add_user("Operator")), bearer(shop.customer)
    ok(client.put("/api/operator/read-only", json={"on": True, "message": "Back at five"}, headers=operator))
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    refusal = refused(client.post("/api/bookings/create", json=wish, headers=customer), 503, "read_only")
    assert refusal["message"] == "Back at five"
    ok(client.get("/api/bookings/user", headers=customer))
    ok(client.post("/api/user/logout", headers=customer))
    ok(client.put("/api/operator/read-only", json={"on": False}, headers=operator))


def test_what_is_wrong_with_an_entry_is_said_of_its_field(client: TestClient, shop: Shop) -> None:
    headers = bearer(add_user("Operator"))
    wrong = {"offers": (OFFER | {"percent": 0}, "percent"), "models": (MODEL | {"shape": "spaceship"}, "shape")}
    wrong["locations"] = ({"name": "Nowhere", "latitude": 17.4}, "longitude")
    for kind, (entry, field) in wrong.items():
        refused(client.post(f"/api/operator/{kind}", json=entry, headers=headers), 422, "invalid_input", field)
    ok(client.post("/api/operator/offers", json=OFFER, headers=headers))


def test_lost_mail_and_phone_are_replaced_by_calls_and_stopped_by_the_link(client: TestClient, shop: Shop) -> None:
    headers, path = bearer(add_user("Operator")), f"/api/operator/people/{shop.customer.id}/recovery"
    wish = {"email": "new.address@example.com", "checked": "Called the employer"}
    for field, value in (("checked", ""), ("email", "nobody")):
        refused(client.post(path, json=wish | {field: value}, headers=headers), 422, "invalid_input", field)
    seen = ok(client.get(f"/api/operator/people/{shop.customer.id}", headers=headers))
    ok(client.post(path, json=wish | {"expected": seen["version"]}, headers=headers))
    refused(client.post(path, json=wish, headers=headers), 409, "recovery_open")
    waits = ok(client.get(f"/api/operator/people/{shop.customer.id}", headers=headers))["row"]["cells"]
    assert (waits["state"], waits["recovery"] is None) == ("Lost mail or phone", False)
    token = latest_token(Purpose.RECOVER)
    ok(client.post("/api/user/keep-account", json={"token": token}))
    refused(client.post("/api/user/keep-account", json={"token": token}), 400, "link_invalid", "token")
    refused(client.post(f"{path}/stop", json={}, headers=headers), 409, "no_recovery")


def test_parts_of_a_row_and_what_people_see_are_told_over_rest(client: TestClient, shop: Shop) -> None:
    headers = bearer(add_user("Operator"))
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    made = ok(client.post("/api/bookings/create", json=wish, headers=bearer(shop.customer)))["booking"]
    trail = ok(client.get(f"/api/operator/bookings/{made['id']}/trail", headers=headers))
    assert [row["cells"]["what"] for row in trail["rows"]] == ["Requested"]
    devices = ok(client.get(f"/api/operator/people/{shop.customer.id}/devices", headers=headers))
    assert {row["cells"]["state"] for row in devices["rows"]} == {"Logged in"}
    refused(client.get(f"/api/operator/people/{shop.customer.id}/nonsense", headers=headers), 404, "unknown_part")
    theirs = f"/api/operator/people/{shop.customer.id}/as-they-see-it"
    seen = ok(client.get(theirs, headers=headers))
    assert [booking["reference"] for booking in seen["bookings"]] == [made["reference"]]
    refused(client.get("/api/operator/people/99999/as-they-see-it", headers=headers), 404, "unknown_person")


def test_a_note_is_added_and_listed(client: TestClient, shop: Shop) -> None:
    headers, path = bearer(add_user("Operator")), f"/api/operator/people/{shop.customer.id}/notes"
    ok(client.post(path, json={"text": "Called twice"}, headers=headers))
    found = ok(client.get(f"/api/operator/notes?person={shop.customer.id}", headers=headers))
    assert [row["cells"]["text"] for row in found["rows"]] == ["Called twice"]


@pytest.mark.databases
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_vendor_is_blocked_while_a_vehicle_of_theirs_is_featured(shop: Shop, kind: str) -> None:
    one, other = actor(add_user("Operator")), actor(add_user("Operator"))
    told = at_once(
        lambda: write(people.block, one, shop.vendor.id or 0, Blocking(reason="Three complaints")),
        lambda: write(listings.feature, other, shop.vehicle.id or 0, FeatureRequest(on=True)),
    )
    assert told[0] == ""
    assert shop.vehicle.id not in [car.id for car in read(search_listings.featured, VISITOR, 10)]
