"""Members, who answer and hand over for a vendor: what they may and may not do, and that removal acts at once."""

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from sqlalchemy import update
from sqlmodel import col

from rental_app.infrastructure.db import write
from rental_app.models import Member, User
from rental_app.services.accounts import members
from tests.support.rest_calls import CUSTOMERS, PUBLIC, call, documented
from tests.support.rest_helpers import bearer, hire, jpeg, ok, part, refused
from tests.support.rows import each
from tests.support.shop import Shop, add_user, moment, open_shop, put, wire

MEMBERS, DECIDE = "/api/vendor/members", "/api/bookings/change-status"
# The calls open to a vendor's members; every other vendor call must refuse them.
OPEN = {
    ("get", "/api/bookings/vendor"),
    ("post", "/api/bookings/change-status"),
    ("get", "/api/vendor/calendar"),
    ("post", "/api/vendor/blocks"),
    ("delete", "/api/vendor/blocks/{block_id}"),
    ("delete", "/api/vendor/members/{member_id}"),
    ("post", "/api/vendor/uploads"),
    ("get", "/api/vendor/uploads/{upload_id}"),
    ("delete", "/api/vendor/uploads/{upload_id}"),
    ("post", "/api/vendor/bookings/{ref}/payment"),
    ("post", "/api/vendor/bookings/{ref}/handover"),
    ("post", "/api/vendor/bookings/{ref}/return"),
    ("post", "/api/vendor/bookings/{ref}/reverse"),
    ("get", "/api/vendor/bookings/{ref}/settlement"),
    ("post", "/api/vendor/bookings/{ref}/no-show"),
    ("post", "/api/vendor/bookings/{ref}/extend"),
    ("post", "/api/vendor/bookings/{ref}/charge"),
    ("post", "/api/vendor/bookings/{ref}/cancel"),
    ("post", "/api/vendor/bookings/{ref}/answer-objection"),
    ("post", "/api/vendor/bookings/{ref}/move"),
    ("post", "/api/vendor/bookings/{ref}/proposal/code"),
    ("post", "/api/vendor/bookings/{ref}/proposal/yes"),
    ("post", "/api/vendor/bookings"),
    ("post", "/api/vendor/bookings/{ref}/guest-link"),
    ("get", "/api/vendor/bookings/choices"),
}


def booked(client: TestClient, shop: Shop, who: User | None = None) -> dict[str, Any]:
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    sent = client.post("/api/bookings/create", json=wish, headers=bearer(who or shop.customer))
    made: dict[str, Any] = ok(sent)["booking"]
    return made


def test_every_vendor_call_is_open_or_closed_to_members(app: FastAPI, client: TestClient, shop: Shop) -> None:
    headers = bearer(hire(shop))
    for method, path in sorted(documented(app)):
        if path in PUBLIC | CUSTOMERS or path.startswith(("/api/pubilc/", "/api/bookings/{ref}")):
            continue
        answer = call(client, method, path, headers=headers)
        if (method, path) in OPEN:
            assert answer.status_code not in (401, 403), (method, path, answer.text)
        else:
            assert answer.status_code == 403, f"{method} {path}: take CurrentVendor, or add it to OPEN if members may"
            refused(answer, 403, "operators_only" if path.startswith("/api/operator/") else "vendors_only")
    assert documented(app) >= OPEN


def test_from_the_first_answer_to_the_last_call(client: TestClient, shop: Shop) -> None:
    vendor, person = bearer(shop.vendor), add_user()
    helper, made = bearer(person), booked(client, shop)
    decision = {"bookingId": made["id"], "status": "confirmed"}
    refused(client.post(DECIDE, json=decision, headers=helper), 403, "vendors_only")
    answered = ok(client.post(MEMBERS, json={"email": person.email.upper()}, headers=vendor))
    assert answered["message"] == f"{person.email} can now answer and hand over for you, and is told so by email"
    added = answered["member"]
    assert (added["id"], added["name"], added["email"]) == (person.id, "", person.email)
    assert person.name not in str(answered)
    assert ok(client.get(MEMBERS, headers=vendor))["members"] == [added]

    listed = ok(client.get("/api/bookings/vendor", headers=helper))["bookings"]
    assert [one["id"] for one in listed] == [made["id"]]
    ok(client.post(DECIDE, json=decision, headers=helper))
    trip = ok(client.get(f"/api/bookings/{made['reference']}", headers=helper))["booking"]
    assert trip["contact"]["phone"] == shop.customer.phone_number
    payment = {"of": "rent", "direction": "in", "amount": 100, "method": "cash"}
    path = f"/api/vendor/bookings/{made['reference']}"
    ok(client.post(f"{path}/payment", json=payment, headers=helper))
    block = {"vehicle": shop.vehicle.id, "from": wire(moment(8)), "to": wire(moment(9)), "reason": "service"}
    kept = ok(client.post("/api/vendor/blocks", json=block, headers=helper))["block"]
    # Whoever has done something for the vendor is known to them.
    assert ok(client.get(MEMBERS, headers=vendor))["members"] == [added | {"name": person.name}]
    vehicles = ok(client.get("/api/vendor/calendar", headers=helper))["vehicles"]
    assert [entry["kind"] for entry in vehicles[0]["entries"]] == ["booking", "block"]

    ok(client.delete(f"{MEMBERS}/{person.id}", headers=vendor))
    assert ok(client.get(MEMBERS, headers=vendor))["members"] == []
    refused(client.get("/api/bookings/vendor", headers=helper), 403, "vendors_only")
    refused(client.post(f"{path}/payment", json=payment, headers=helper), 403, "vendors_only")
    refused(client.delete(f"/api/vendor/blocks/{kept['id']}", headers=helper), 403, "vendors_only")
    refused(client.get(f"/api/bookings/{made['reference']}", headers=helper), 404, "unknown_booking")
    ok(client.get("/api/user/data", headers=helper))


def test_a_vendor_who_is_stopped_stops_their_members(client: TestClient, shop: Shop) -> None:
    helper = bearer(hire(shop))
    ok(client.get("/api/bookings/vendor", headers=helper))
    blocked = update(User).where(col(User.id) == shop.vendor.id).values(status="blocked")
    write(lambda session: session.execute(blocked))
    refused(client.get("/api/bookings/vendor", headers=helper), 403, "vendors_only")


def test_a_member_sees_the_business_of_their_employer_alone(client: TestClient, shop: Shop) -> None:
    other = open_shop("Otherpur")
    foreign, helper = booked(client, other), bearer(hire(shop))
    refused(client.get(f"/api/bookings/{foreign['reference']}", headers=helper), 404, "unknown_booking")
    decision = {"bookingId": foreign["id"], "status": "cancelled"}
    refused(client.post(DECIDE, json=decision, headers=helper), 404, "unknown_booking")
    block = {"vehicle": other.vehicle.id, "from": wire(moment(8)), "to": wire(moment(9)), "reason": "service"}
    refused(client.post("/api/vendor/blocks", json=block, headers=helper), 404, "unknown_vehicle")


def test_nobody_answers_their_own_request(client: TestClient, shop: Shop) -> None:
    person = add_user()
    made = booked(client, shop, person)
    put(Member(user_id=person.id or 0, vendor_id=shop.vendor.id or 0))
    decision = {"bookingId": made["id"], "status": "confirmed"}
    refused(client.post(DECIDE, json=decision, headers=bearer(person)), 404, "unknown_booking")
    path = f"/api/vendor/bookings/{made['reference']}/no-show"
    refused(client.post(path, headers=bearer(person)), 403, "vendors_only")
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(9)), "returnDate": wire(moment(10))}
    refused(client.post("/api/bookings/create", json=wish, headers=bearer(person)), 403, "own_vehicle")


def test_photos_of_trips_are_shared_and_papers_are_not(client: TestClient, shop: Shop) -> None:
    vendor, helper = bearer(shop.vendor), bearer(hire(shop))

    def send(group: str, headers: dict[str, str]) -> Any:
        return client.post("/api/vendor/uploads", data={"group": group}, files=[part("file", jpeg())], headers=headers)

    paper = ok(send("RC", vendor))["upload"]["id"]
    refused(send("RC", helper), 403, "vendors_only")
    refused(client.get(f"/api/vendor/uploads/{paper}", headers=helper), 404, "unknown_upload")
    refused(client.delete(f"/api/vendor/uploads/{paper}", headers=helper), 404, "unknown_upload")
    photo = ok(send("Trip Front", helper))["upload"]["id"]
    assert client.get(f"/api/vendor/uploads/{photo}", headers=vendor).status_code == 200
    assert client.get(f"/api/vendor/uploads/{photo}", headers=helper).status_code == 200


@each("email", ["", "nobody", "a@b", "x" * 400 + "@example.com", 5, None, ["a@example.com"], "a\x00@example.com"])
def test_what_is_no_e_mail(client: TestClient, shop: Shop, email: Any) -> None:
    refused(client.post(MEMBERS, json={"email": email}, headers=bearer(shop.vendor)), 422, "invalid_input", "email")


def test_who_cannot_be_added(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    other, vendor = open_shop("Otherpur"), bearer(shop.vendor)

    def add(person: User, headers: dict[str, str] = vendor) -> Any:
        return client.post(MEMBERS, json={"email": person.email}, headers=headers)

    answer = client.post(MEMBERS, json={"email": "nobody@example.com"}, headers=vendor)
    assert "create an account first" in refused(answer, 404, "unknown_person", "email")["message"]
    refused(add(add_user(status="blocked")), 404, "unknown_person", "email")
    for person in (shop.vendor, other.vendor, add_user("Operator")):
        refused(add(person), 409, "is_vendor", "email")
    taken = hire(other)
    refused(add(taken), 409, "already_member", "email")
    refused(client.delete(f"{MEMBERS}/{taken.id}", headers=vendor), 404, "unknown_member")
    ok(add(shop.customer))
    refused(add(shop.customer), 409, "already_member", "email")
    monkeypatch.setattr(members, "MOST", 1)
    refused(add(add_user()), 409, "too_many_members")


def test_a_member_leaves_by_themselves_and_removes_nobody_else(client: TestClient, shop: Shop) -> None:
    one, two = hire(shop), hire(shop)
    refused(client.delete(f"{MEMBERS}/{two.id}", headers=bearer(one)), 404, "unknown_member")
    ok(client.delete(f"{MEMBERS}/{one.id}", headers=bearer(one)))
    refused(client.get("/api/bookings/vendor", headers=bearer(one)), 403, "vendors_only")
    left = ok(client.get(MEMBERS, headers=bearer(shop.vendor)))["members"]
    assert [member["id"] for member in left] == [two.id]


def test_nobody_is_added_again_who_left_by_themselves(client: TestClient, shop: Shop) -> None:
    person, vendor, other = hire(shop), bearer(shop.vendor), open_shop("Otherpur")
    again = {"email": person.email}
    ok(client.delete(f"{MEMBERS}/{person.id}", headers=vendor))
    ok(client.post(MEMBERS, json=again, headers=vendor))
    ok(client.delete(f"{MEMBERS}/{person.id}", headers=bearer(person)))
    answer = client.post(MEMBERS, json=again, headers=vendor)
    assert "at their own wish" in refused(answer, 409, "has_left", "email")["message"]
    refused(client.get("/api/bookings/vendor", headers=bearer(person)), 403, "vendors_only")
    ok(client.post(MEMBERS, json=again, headers=bearer(other.vendor)))


def test_an_e_mail_is_not_probed(client: TestClient, shop: Shop, rate_limits: None) -> None:
    vendor = bearer(shop.vendor)
    answers = [
        client.post(MEMBERS, json={"email": f"p{number}@example.com"}, headers=vendor).status_code
        for number in range(22)
    ]
    assert answers == [404] * 20 + [429] * 2
