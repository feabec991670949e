"""Who may call what: every documented call is tried by every role, and other people's things are protected."""

import pytest
from fastapi import FastAPI
from fastapi.routing import APIRoute
from fastapi.testclient import TestClient

from rental_app.api import Api
from rental_app.infrastructure.headers import with_headers
from tests.support.rest_calls import CUSTOMERS, OURS, PUBLIC, SPECIFIED, call, documented
from tests.support.rest_helpers import bearer, form, jpeg, listing, ok, papers, part, refused, stored
from tests.support.shop import PASSWORD_HASH, Shop, add_user, add_vehicle, count, moment, wire


def test_the_documented_calls_are_the_specified_ones_and_ours(app: FastAPI) -> None:
    assert documented(app) == SPECIFIED | OURS


def test_only_pictures_and_the_feed_are_left_out_of_the_document(app: Api) -> None:
    every = {
        (method.lower(), route.path)
        for included in [*app.pages.routes, *app.routes]
        for route in getattr(getattr(included, "original_router", None), "routes", [included])
        if isinstance(route, APIRoute)
        # HEAD is GET without its body.
        for method in route.methods - {"HEAD"}
    }
    assert documented(app) < every
    undocumented = {path for _, path in every - documented(app)}
    assert undocumented == {
        "/media/art/{shape}/{tint}.svg",
        "/media/city/{version}.svg",
        "/media/public/{name}",
        "/blog/rss.xml",
    }


def test_every_call_refuses_whom_it_should(app: FastAPI, client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.customer)
    for method, path in documented(app):
        if (path in PUBLIC and method != "delete") or path.startswith("/api/pubilc/"):
            assert call(client, method, path).status_code not in (401, 403), path
            continue
        refused(call(client, method, path), 401, "token_missing")
        refused(call(client, method, path, headers={"Authorization": "Bearer x"}), 401, "invalid_token")
        if path not in CUSTOMERS and not path.startswith("/api/bookings/{ref}"):
            code = "operators_only" if path.startswith("/api/operator/") else "vendors_only"
            refused(call(client, method, path, headers=headers), 403, code)


def test_other_vendors_vehicles_do_not_exist(client: TestClient, shop: Shop) -> None:
    stranger = bearer(add_user("Vendor", location_id=shop.place.id))
    ok(client.post("/api/vendor/add-vehicle", data=form(), files=papers(), headers=bearer(shop.vendor)))
    mine = ok(client.get("/api/vendor/vehicles", headers=bearer(shop.vendor)))["vehicles"]
    before, files_before = mine[-1], stored()
    refused(
        client.post("/api/vendor/toggle-vehicle", json={"vehicleId": before["id"]}, headers=stranger),
        404,
        "unknown_vehicle",
    )
    edit = form(id=before["id"], rc_number="TS09EA4321")
    answer = client.post("/api/vendor/edit-vehicle", data=edit, files=[part("RC", jpeg())], headers=stranger)
    refused(answer, 404, "unknown_vehicle")
    assert ok(client.get("/api/vendor/vehicles", headers=bearer(shop.vendor)))["vehicles"][-1] == before
    assert stored() == files_before
    assert ok(client.get("/api/vendor/vehicles", headers=stranger))["vehicles"] == []
    assert client.get("/api/vendor/my-assets", headers=stranger).json() == []


def test_other_vendors_bookings_do_not_exist(client: TestClient, shop: Shop) -> None:
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    made = ok(client.post("/api/bookings/create", json=wish, headers=bearer(shop.customer)))["booking"]
    change = {"bookingId": made["id"], "status": "cancelled"}
    stranger = bearer(add_user("Vendor", location_id=shop.place.id))
    refused(client.post("/api/bookings/change-status", json=change, headers=stranger), 404, "unknown_booking")
    assert ok(client.get("/api/bookings/user", headers=bearer(shop.customer)))["bookings"] == [made]


def test_private_papers_are_their_vendors_only(app: FastAPI, client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    photo = jpeg()
    ok(client.post("/api/vendor/add-vehicle", data=form(), files=papers(RC=photo), headers=headers))
    mine = ok(client.get("/api/vendor/vehicles", headers=headers))["vehicles"][-1]["files"]
    paper = next(file for file in mine if file["group"] == "RC")
    answer = TestClient(with_headers(app)).get(paper["url"], headers=headers)
    assert answer.content == photo
    assert answer.headers["content-disposition"] == f'attachment; filename="rc-{paper["id"]}"'
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-content-type-options"] == "nosniff"
    stranger = bearer(add_user("Vendor", location_id=shop.place.id))
    refused(client.get(paper["url"], headers=stranger), 404, "not_found")
    refused(client.get(paper["url"]), 401, "token_missing")
    private = [key for key in stored() if key.startswith("private/")]
    assert private
    for key in private:
        assert client.get(f"/media/{key}").status_code == 404
        assert client.get(f"/media/public/..%2F{key}").status_code == 404


def test_public_answers_hold_nothing_private(client: TestClient, shop: Shop) -> None:
    ok(client.post("/api/vendor/add-vehicle", data=form(), files=papers(), headers=bearer(shop.vendor)))
    window = {"pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    search = {"location": shop.place.name} | window
    public = client.get("/api/user/vehicles").text + client.post("/api/bookings/check-availability", json=search).text
    sent = listing()
    secrets = [sent[name] for name in ("rc_number", "engine_number", "chassis_number", "owner_name_as_per_rc")]
    for secret in [*secrets, shop.vendor.phone_number, shop.vendor.email, "private/", "$2b$"]:
        assert secret not in public


def test_no_answer_holds_a_hash(app: FastAPI, client: TestClient, shop: Shop) -> None:
    for method, path in documented(app):
        if method == "get":
            assert PASSWORD_HASH[:7] not in call(client, method, path, headers=bearer(shop.vendor)).text


def test_locked_fields_of_the_profile_stay_as_they_are(client: TestClient, shop: Shop) -> None:
    locked = {
        "id": 1,
        "name": "Other",
        "email": "other@example.com",
        "phoneNumber": "9111111111",
        "status": "blocked",
        "image": "/media/public/x.jpg",
        "wallet": 99,
        "wallet_paise": 9900,
        "bank_name": "Other Bank",
        "bank_account_no": "1",
        "bank_ifsc": "X",
        "commission_percentage": 1,
        "commission_bps": 1,
        "commission_settle": "never",
        "role": "Operator",
        "created_at": "2020-01-01T00:00:00+05:30",
        "isDeleted": True,
        "is_deleted": True,
        "password": "something else",
        "password_hash": "x",
        "state": "Goa",
        "county": "Goa",
        "location_id": 1,
    }
    for user in (shop.customer, shop.vendor):
        headers = bearer(user)
        before = ok(client.get("/api/user/data", headers=headers))["user"]
        ok(client.put("/api/user/update", json=before, headers=headers))
        settled = ok(client.get("/api/user/data", headers=headers))["user"]
        ok(client.put("/api/user/update", json=before | locked, headers=headers))
        assert ok(client.get("/api/user/data", headers=headers))["user"] == settled
        assert {name: settled[name] for name in set(settled) & set(locked) - {"state", "county"}} == {
            name: before[name] for name in set(settled) & set(locked) - {"state", "county"}
        }


@pytest.mark.parametrize("role", ["Operator", "Admin"])
def test_registering_never_gives_more_than_vendor(client: TestClient, role: str) -> None:
    person = {
        "name": "New Person",
        "email": f"new.{role}@example.com",
        "password": "a long enough one",
        "address": "1 Test Road",
        "pincode": "500032",
        "city": "Hyderabad",
        "phoneNumber": "9000000001",
    }
    forged = {"role": role, "status": "active", "wallet_paise": 100, "is_admin": True, "id": 1}
    token = ok(client.post("/api/user/register", json=person | forged))["token"]
    user = ok(client.get("/api/user/data", headers={"Authorization": f"Bearer {token}"}))["user"]
    assert (user["role"], user["wallet"]) == ("Customer", 0)


def test_nobody_sees_a_second_vehicle_of_somebody(client: TestClient, shop: Shop) -> None:
    other = add_user("Vendor", location_id=shop.place.id)
    add_vehicle(other)
    assert len(ok(client.get("/api/vendor/vehicles", headers=bearer(other)))["vehicles"]) == 1
    # The demo has 61, one of them retired.
    assert count("vehicle") == 63
