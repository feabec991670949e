"""Members, who answer and hand over for a vendor: what they may and may not do, and that removal acts at once."""

from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from rental_app.domain.staff import MemberRole
from rental_app.domain.uploads import AVATAR
from rental_app.infrastructure.db import read
from rental_app.models import Member, User
from rental_app.services.accounts.proofs import Purpose
from tests.support.accounts import latest_token
from tests.support.booking_steps import alter, book
from tests.support.rest_calls import CUSTOMERS, PUBLIC, call, documented
from tests.support.rest_helpers import bearer, hire, jpeg, ok, part, refused, window, wish
from tests.support.shop import Shop, add_user, open_shop, put, statements, wanted
from tests.support.staff import invited, join

MEMBERS, DECIDE = "/api/vendor/members", "/api/bookings/change-status"
# The calls open to all of a vendor's members.
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
    ("get", "/api/vendor/bookings/{ref}/papers"),
    ("get", "/api/vendor/bookings/{ref}/papers/{id}/pictures/{n}"),
}
# Those open to the members who manage for the vendor, too; every other vendor call must refuse all members.
MANAGED = {
    ("get", "/api/vendor/dashboard"),
    ("get", "/api/vendor/my-assets"),
    ("post", "/api/vendor/add-vehicle"),
    ("get", "/api/vendor/vehicles"),
    ("post", "/api/vendor/toggle-vehicle"),
    ("post", "/api/vendor/edit-vehicle"),
    ("get", "/api/vendor/files/{file_id}"),
    ("get", "/api/vendor/prices"),
    ("put", "/api/vendor/prices"),
    ("post", "/api/vendor/prices/copy"),
    ("get", "/api/vendor/price-rules"),
    ("post", "/api/vendor/price-rules"),
    ("post", "/api/vendor/price-rules/preview"),
    ("put", "/api/vendor/price-rules/{rule_id}"),
    ("delete", "/api/vendor/price-rules/{rule_id}"),
    ("get", "/api/vendor/ical"),
    ("post", "/api/vendor/ical"),
    ("delete", "/api/vendor/ical"),
    ("get", "/api/vendor/ical-imports"),
    ("post", "/api/vendor/ical-imports"),
    ("delete", "/api/vendor/ical-imports/{import_id}"),
    ("put", "/api/vendor/buffer"),
    ("put", "/api/vendor/vehicles/bulk"),
    ("post", "/api/vendor/vehicles/{vehicle_id}/renew"),
    ("post", "/api/vendor/vehicles/{vehicle_id}/retire"),
    ("post", "/api/vendor/vehicles/{vehicle_id}/bring-back"),
    ("get", "/api/vendor/vehicles/{vehicle_id}/maintenance"),
    ("post", "/api/vendor/vehicles/{vehicle_id}/maintenance"),
    ("put", "/api/vendor/vehicles/{vehicle_id}/maintenance/{entry_id}"),
    ("delete", "/api/vendor/vehicles/{vehicle_id}/maintenance/{entry_id}"),
    ("get", "/api/vendor/drafts"),
    ("post", "/api/vendor/drafts"),
    ("post", "/api/vendor/drafts/import"),
    ("get", "/api/vendor/drafts/{draft_id}"),
    ("put", "/api/vendor/drafts/{draft_id}"),
    ("delete", "/api/vendor/drafts/{draft_id}"),
    ("get", "/api/vendor/confirm-at-once"),
    ("put", "/api/vendor/confirm-at-once"),
    ("get", "/api/vendor/earnings"),
    ("post", "/api/reviews/{review_id}/answer"),
}
BOTH = list(MemberRole)


def closed_calls(app: FastAPI, role: MemberRole | None) -> list[tuple[str, str]]:
    """The calls that must refuse a member; those of everybody and of operators are not among them."""
    may = {None: set(), MemberRole.COUNTER: OPEN, MemberRole.MANAGER: OPEN | MANAGED}[role]
    others = PUBLIC | CUSTOMERS
    return [
        (method, path)
        for method, path in sorted(documented(app) - may)
        if path not in others and not path.startswith(("/api/pubilc/", "/api/bookings/{ref}"))
    ]


@pytest.mark.parametrize("role", BOTH)
def test_every_vendor_call_is_open_or_closed_to_members(
    app: FastAPI, client: TestClient, shop: Shop, role: MemberRole
) -> None:
    headers = bearer(hire(shop, role))
    closed = closed_calls(app, role)
    for method, path in closed:
        with statements() as sent:
            answer = call(client, method, path, headers=headers)
        needed = "take CurrentManager or CurrentVendor, or add it to OPEN or MANAGED if members may"
        assert answer.status_code == 403, f"{method} {path}: {needed}"
        code = "managers_only" if (method, path) in MANAGED else "vendors_only"
        refused(answer, 403, "operators_only" if path.startswith("/api/operator/") else code)
        seen = [statement for statement in sent if "JOIN login_session" not in statement]
        assert seen == [], f"{method} {path} reads something before it refuses"
    for method, path in sorted(OPEN | MANAGED if role == MemberRole.MANAGER else OPEN):
        answer = call(client, method, path, headers=headers)
        assert answer.status_code not in (401, 403), (method, path, answer.text)
    assert documented(app) >= OPEN | MANAGED
    assert len(closed) > 40


def test_nothing_is_open_to_who_is_no_member_any_more(app: FastAPI, client: TestClient, shop: Shop) -> None:
    person = hire(shop, MemberRole.MANAGER)
    headers = bearer(person)
    ok(client.delete(f"{MEMBERS}/{person.id}", headers=headers))
    for method, path in closed_calls(app, None):
        # Customers upload photos for their objections there.
        if path.startswith("/api/vendor/uploads"):
            continue
        answer = call(client, method, path, headers=headers)
        refused(answer, 403, "operators_only" if path.startswith("/api/operator/") else "vendors_only")


def test_a_manager_runs_the_business_of_their_vendor(client: TestClient, shop: Shop) -> None:
    manager = bearer(hire(shop, MemberRole.MANAGER))
    (listed,) = ok(client.get("/api/vendor/vehicles", headers=manager))["vehicles"]
    assert listed["id"] == shop.vehicle.id
    rule = {"weekday": "Saturday", "percent": 20}
    made = ok(client.post("/api/vendor/price-rules", json=rule, headers=manager))["rule"]
    for whose in (manager, bearer(shop.vendor)):
        assert ok(client.get("/api/vendor/price-rules", headers=whose))["rules"] == [made]
    ok(client.put("/api/vendor/buffer", json={"hours": 3}, headers=manager))
    assert read(lambda session: session.get_one(User, shop.vendor.id).buffer_hours) == 3
    ok(client.post("/api/vendor/toggle-vehicle", json={"vehicle_id": shop.vehicle.id}, headers=manager))
    paper = client.post(
        "/api/vendor/uploads", data={"group": "RC"}, files=[part("file", jpeg())], headers=manager
    ).json()["upload"]["id"]
    assert client.get(f"/api/vendor/uploads/{paper}", headers=bearer(shop.vendor)).status_code == 200
    picture = client.post("/api/vendor/uploads", data={"group": AVATAR}, files=[part("file", jpeg())], headers=manager)
    refused(picture, 403, "vendors_only")


def test_another_role_acts_at_once(client: TestClient, shop: Shop) -> None:
    person = hire(shop)
    theirs = bearer(person)
    refused(client.get("/api/vendor/prices", headers=theirs), 403, "managers_only")
    alter(Member, person.id, role="manager")
    ok(client.get("/api/vendor/prices", headers=theirs))
    alter(User, shop.vendor.id, status="blocked")
    refused(client.get("/api/vendor/prices", headers=theirs), 403, "vendors_only")
    alter(User, shop.vendor.id, status="active")
    alter(Member, person.id, role="counter")
    refused(client.get("/api/vendor/prices", headers=theirs), 403, "managers_only")
    ok(client.get("/api/bookings/vendor", headers=theirs))


def test_from_the_first_answer_to_the_last_call(client: TestClient, shop: Shop) -> None:
    vendor, person, made = bearer(shop.vendor), add_user(), book(shop.customer, wanted(shop.vehicle))
    helper, decision = bearer(person), {"bookingId": made.id, "status": "confirmed"}
    refused(client.post(DECIDE, json=decision, headers=helper), 403, "vendors_only")
    wanted_person = {"email": person.email.upper(), "role": "counter"}
    answered = ok(client.post(MEMBERS, json=wanted_person, headers=vendor))
    assert answered["message"] == f"An invitation is on its way to {person.email}: it works for 7 days"
    invitation = answered["invitation"]
    assert invitation.keys() == {"id", "email", "role", "expiresAt"}
    assert ok(client.get(MEMBERS, headers=vendor)) | {"members": [], "invitations": [invitation]} == ok(
        client.get(MEMBERS, headers=vendor)
    )
    refused(client.post(DECIDE, json=decision, headers=helper), 403, "vendors_only")
    link = {"token": latest_token(Purpose.INVITATION)}
    offered = ok(client.post("/api/members/invitation", json=link))["invitation"]
    assert (offered["vendor"], offered["role"]) == (shop.vendor.name, "counter")
    refused(client.post("/api/members/accept", json=link), 401, "token_missing")
    refused(client.post("/api/members/accept", json=link, headers=bearer(add_user())), 403, "other_account", "token")
    accepted = ok(client.post("/api/members/accept", json=link, headers=helper))
    assert (accepted["message"], accepted["invitation"]) == (f"You now work for {shop.vendor.name}", offered)
    answered = ok(client.get(MEMBERS, headers=vendor))
    (added,), invitations = answered["members"], answered["invitations"]
    assert (added["id"], added["name"], added["email"], added["role"]) == (
        person.id,
        person.name,
        person.email,
        "counter",
    )
    assert invitations == []

    (listed,) = ok(client.get("/api/bookings/vendor", headers=helper))["bookings"]
    assert listed["id"] == made.id
    ok(client.post(DECIDE, json=decision, headers=helper))
    trip = ok(client.get(f"/api/bookings/{made.reference}", headers=helper))["booking"]
    assert trip["contact"]["phone"] == shop.customer.phone_number
    payment = {"of": "rent", "direction": "in", "amount": 100, "method": "cash"}
    path = f"/api/vendor/bookings/{made.reference}/payment"
    ok(client.post(path, json=payment, headers=helper))
    block = ok(client.post("/api/vendor/blocks", json=wish(shop, 8), headers=helper))["block"]["id"]

    ok(client.delete(f"{MEMBERS}/{person.id}", headers=vendor))
    assert ok(client.get(MEMBERS, headers=vendor))["members"] == []
    refused(client.get("/api/bookings/vendor", headers=helper), 403, "vendors_only")
    refused(client.post(path, json=payment, headers=helper), 403, "vendors_only")
    refused(client.delete(f"/api/vendor/blocks/{block}", headers=helper), 403, "vendors_only")
    refused(client.get(f"/api/bookings/{made.reference}", headers=helper), 404, "unknown_booking")
    ok(client.get("/api/user/data", headers=helper))


def test_a_member_sees_the_business_of_their_employer_alone_while_that_is_open(client: TestClient, shop: Shop) -> None:
    other, helper = open_shop("Otherpur"), bearer(hire(shop))
    foreign = book(add_user(), wanted(other.vehicle))
    refused(client.get(f"/api/bookings/{foreign.reference}", headers=helper), 404, "unknown_booking")
    decision = {"bookingId": foreign.id, "status": "cancelled"}
    refused(client.post(DECIDE, json=decision, headers=helper), 404, "unknown_booking")
    refused(client.post("/api/vendor/blocks", json=wish(other, 8), headers=helper), 404, "unknown_vehicle")
    ok(client.get("/api/bookings/vendor", headers=helper))
    alter(User, shop.vendor.id, status="blocked")
    refused(client.get("/api/bookings/vendor", headers=helper), 403, "vendors_only")


def test_nobody_answers_their_own_request(client: TestClient, shop: Shop) -> None:
    made = book(shop.customer, wanted(shop.vehicle))
    put(Member(user_id=shop.customer.id or 0, vendor_id=shop.vendor.id or 0))
    own, decision = bearer(shop.customer), {"bookingId": made.id, "status": "confirmed"}
    refused(client.post(DECIDE, json=decision, headers=own), 404, "unknown_booking")
    refused(client.post(f"/api/vendor/bookings/{made.reference}/no-show", headers=own), 403, "vendors_only")
    again = {"car": shop.vehicle.id} | window(9)
    refused(client.post("/api/bookings/create", json=again, headers=own), 403, "own_vehicle")


def test_photos_of_trips_are_shared_and_papers_are_not(client: TestClient, shop: Shop) -> None:
    vendor, helper, path = bearer(shop.vendor), bearer(hire(shop)), "/api/vendor/uploads"

    def send(group: str, headers: dict[str, str]) -> Any:
        return client.post(path, data={"group": group}, files=[part("file", jpeg())], headers=headers)

    paper = ok(send("RC", vendor))["upload"]["id"]
    refused(send("RC", helper), 403, "managers_only")
    for method in ("GET", "DELETE"):
        refused(client.request(method, f"{path}/{paper}", headers=helper), 404, "unknown_upload")
    photo = ok(send("Trip Front", helper))["upload"]["id"]
    for headers in (vendor, helper):
        assert client.get(f"{path}/{photo}", headers=headers).status_code == 200


def test_what_is_wrong_with_an_invitation_is_said_at_its_field(client: TestClient, shop: Shop) -> None:
    vendor = bearer(shop.vendor)

    def invite(**fields: Any) -> Any:
        return client.post(MEMBERS, json={"email": "a@example.com", "role": "counter"} | fields, headers=vendor)

    for wrong in ("", "nobody", "x" * 400 + "@example.com", None, "a\x00@example.com"):
        refused(invite(email=wrong), 422, "invalid_input", "email")
    for role in ("", "owner", None, 3):
        refused(invite(role=role), 422, "invalid_input", "role")
    refused(client.post(MEMBERS, json={"email": "a@example.com"}, headers=vendor), 422, "invalid_input", "role")
    refused(invite(email=shop.vendor.email), 409, "own_email", "email")
    for path in ("invitation", "accept"):
        answer = client.post(f"/api/members/{path}", json={"token": "never"}, headers=bearer(shop.customer))
        refused(answer, 400, "link_invalid", "token")


def test_the_answer_is_the_same_whether_or_not_there_is_an_account(client: TestClient, shop: Shop) -> None:
    other, vendor = open_shop("Otherpur"), bearer(shop.vendor)
    for email in ("nobody@example.com", shop.customer.email, other.vendor.email, hire(other).email):
        answer = ok(client.post(MEMBERS, json={"email": email, "role": "manager"}, headers=vendor))
        assert answer["invitation"].keys() == {"id", "email", "role", "expiresAt"}


def test_a_repeated_acceptance_gets_its_first_answer(client: TestClient, shop: Shop) -> None:
    link = invited(shop.vendor, shop.customer.email).model_dump()
    headers = bearer(shop.customer) | {"Idempotency-Key": "accept-once"}
    answers = [client.post("/api/members/accept", json=link, headers=headers).json() for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0]["success"]


def test_roles_and_invitations_are_changed_by_the_vendor_alone(client: TestClient, shop: Shop) -> None:
    person, vendor = hire(shop, MemberRole.MANAGER), bearer(shop.vendor)
    path, theirs = f"{MEMBERS}/{person.id}", bearer(person)
    refused(client.put(path, json={"role": "counter"}, headers=theirs), 403, "vendors_only")
    assert ok(client.put(path, json={"role": "counter"}, headers=vendor))["member"]["role"] == "counter"
    refused(client.get("/api/vendor/prices", headers=theirs), 403, "managers_only")
    refused(client.put(path, json={"role": "chief"}, headers=vendor), 422, "invalid_input", "role")
    refused(
        client.put(f"{MEMBERS}/{shop.customer.id}", json={"role": "counter"}, headers=vendor), 404, "unknown_member"
    )
    made = ok(client.post(MEMBERS, json={"email": "a@example.com", "role": "counter"}, headers=vendor))["invitation"]
    path = f"{MEMBERS}/invitations/{made['id']}"
    refused(client.delete(path, headers=theirs), 403, "vendors_only")
    ok(client.delete(path, headers=vendor))
    refused(client.delete(path, headers=vendor), 404, "unknown_invitation")


def test_a_member_leaves_by_themselves_and_removes_nobody_else(client: TestClient, shop: Shop) -> None:
    one, two, vendor = hire(shop), hire(shop, MemberRole.MANAGER), bearer(shop.vendor)
    refused(client.delete(f"{MEMBERS}/{two.id}", headers=bearer(one)), 404, "unknown_member")
    refused(client.delete(f"{MEMBERS}/{one.id}", headers=bearer(two)), 404, "unknown_member")
    ok(client.delete(f"{MEMBERS}/{one.id}", headers=bearer(one)))
    refused(client.get("/api/bookings/vendor", headers=bearer(one)), 403, "vendors_only")
    assert [member["id"] for member in ok(client.get(MEMBERS, headers=vendor))["members"]] == [two.id]
    # Whoever left decides again.
    join(shop.vendor, one)
    ok(client.get("/api/bookings/vendor", headers=bearer(one)))


def test_mailboxes_are_not_flooded(client: TestClient, shop: Shop, rate_limits: None) -> None:
    vendor = bearer(shop.vendor)
    wishes = [{"email": f"p{number}@example.com", "role": "counter"} for number in range(22)]
    answers = [client.post(MEMBERS, json=wish, headers=vendor).status_code for wish in wishes]
    assert answers == [200] * 20 + [429] * 2
