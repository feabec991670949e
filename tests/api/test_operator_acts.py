"""Operators' calls: for operators alone, with a second step in production, in sessions of twelve hours."""

from datetime import timedelta

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlalchemy import update

from rental_app.domain import clock
from rental_app.infrastructure.db import write
from rental_app.infrastructure.settings import settings
from rental_app.models import Booking, LoginSession, User
from rental_app.services.accounts import operators
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.accounts.proofs import Purpose
from tests.support.accounts import latest_token
from tests.support.booking_steps import alter
from tests.support.catalogue_entries import MODEL, OFFER
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.shop import Shop, add_user, moment, wire

FEATURED = {"on": True}


def feature(client: TestClient, shop: Shop, headers: dict[str, str]) -> Response:
    return client.put(f"/api/operator/listings/{shop.vehicle.id}/featured", json=FEATURED, headers=headers)


def test_everybody_else_is_refused_before_the_body_is_read(client: TestClient, shop: Shop) -> None:
    path = f"/api/operator/listings/{shop.vehicle.id}/decision"
    for somebody in (shop.customer, shop.vendor):
        refused(client.post(path, json={"decision": "nonsense"}, headers=bearer(somebody)), 403, "operators_only")
    refused(client.post(path, json={}), 401, "token_missing")


def test_production_asks_for_the_second_step_of_this_session(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = bearer(add_user("Operator"))
    assert ok(feature(client, shop, headers))
    monkeypatch.setattr(settings(), "env", "production")
    refused(feature(client, shop, headers), 403, "second_step_required")
    write(lambda session: session.execute(update(LoginSession).values(stepped_at=clock.now())))
    assert ok(feature(client, shop, headers))


def test_an_operators_session_ends_after_twelve_hours(client: TestClient, shop: Shop) -> None:
    operator, vendor = bearer(add_user("Operator")), bearer(shop.vendor)
    begun = clock.now() - timedelta(hours=12, minutes=1)
    write(lambda session: session.execute(update(LoginSession).values(created_at=begun)))
    refused(feature(client, shop, operator), 401, "session_ended")
    ok(client.get("/api/user/data", headers=vendor))


def test_an_operator_unmade_with_an_open_tab_is_refused(client: TestClient, shop: Shop) -> None:
    operator = add_user("Operator")
    headers = bearer(operator)
    write(operators.unmake, at_the_machine(), operator.email)
    refused(feature(client, shop, headers), 401, "session_ended")


def test_reasons_have_an_end(client: TestClient, shop: Shop) -> None:
    body = {"decision": "take_down", "reason": "x" * 10_000}
    path = f"/api/operator/listings/{shop.vehicle.id}/decision"
    refused(client.post(path, json=body, headers=bearer(add_user("Operator"))), 422, "invalid_input", "reason")


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
    refused(client.post(path, json=wish | {"checked": ""}, headers=headers), 422, "invalid_input", "checked")
    refused(client.post(path, json=wish | {"email": "nobody"}, headers=headers), 422, "invalid_input", "email")
    refused(client.post(path, json=wish, headers=bearer(shop.vendor)), 403, "operators_only")
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
    refused(client.get(theirs, headers=bearer(shop.customer)), 403, "operators_only")
    refused(client.get("/api/operator/people/99999/as-they-see-it", headers=headers), 404, "unknown_person")


def test_a_note_is_added_and_listed(client: TestClient, shop: Shop) -> None:
    headers, path = bearer(add_user("Operator")), f"/api/operator/people/{shop.customer.id}/notes"
    refused(client.post(path, json={"text": "x" * 10_000}, headers=headers), 422, "invalid_input", "text")
    refused(client.post(path, json={"text": "Mine"}, headers=bearer(shop.vendor)), 403, "operators_only")
    ok(client.post(path, json={"text": "Called twice"}, headers=headers))
    found = ok(client.get(f"/api/operator/notes?person={shop.customer.id}", headers=headers))
    assert [row["cells"]["text"] for row in found["rows"]] == ["Called twice"]
