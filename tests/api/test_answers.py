"""The success response of every call has the field names of the specification."""

from datetime import datetime, timedelta

import pytest
from fastapi.testclient import TestClient

from rental_app.domain import clock
from rental_app.infrastructure.version import version
from rental_app.models import User
from tests.support.booking_steps import book
from tests.support.rest_helpers import bearer, ok, window
from tests.support.shop import Shop, a_model, add_user, add_vehicle, moment, wanted, wire
from tests.support.wire_shapes import (
    BOOKING,
    FOUND_VEHICLE,
    INDIAN,
    LINE,
    NAMED,
    PAGED,
    PUBLIC_VEHICLE,
    USER,
    VENDOR_BOOKING,
    answer,
    check,
)


@pytest.mark.long
def test_the_process_and_its_parts_answer(client: TestClient) -> None:
    health = ok(client.get("/healthz"))
    assert abs(clock.now() - datetime.fromisoformat(health.pop("now"))) < timedelta(minutes=1)
    assert health == {"success": True, "message": "ok", "version": version()}
    assert ok(client.get("/readyz")) == {"success": True, "message": "ready"}


def test_the_catalogue(client: TestClient) -> None:
    type_id, manufacturer, _ = a_model()
    calls = {
        "get_locations": NAMED | {"slug": str, "latitude": float, "longitude": float},
        "get_bank_names": NAMED,
        "get_asset_types": NAMED,
        f"get_asset_manufacturers?asset_type_id={type_id}": NAMED,
        f"get_asset_models?manufacturer_id={manufacturer}": NAMED
        | {"prices": [{"price_name": str, "recommended_price": int, "max_price": int}]},
    }
    for call, item in calls.items():
        check(ok(client.get(f"/api/pubilc/{call}")), answer(data=[item]), call)


def test_a_pincode(client: TestClient) -> None:
    body = ok(client.post("/get_location_by_pincode", json={"pincode": "500032"}))
    check(body, answer(data={"pincode": str, "city": str, "state": {"name": str}, "county": {"name": str}}))
    assert body["data"]["state"]["name"] == "Telangana"
    assert ok(client.post("/get_location_by_pincode", json={"pincode": " 500032 "}))["data"] == body["data"]


def test_everyone_sees_the_vehicles(client: TestClient, shop: Shop) -> None:
    body = ok(client.get("/api/user/vehicles"))
    electric = [vehicle for vehicle in body["vehicles"] if vehicle["asset_model"]["vehicle_cc"] is None]
    assert {vehicle["asset_type"] for vehicle in electric} <= {"Electric", "Car"}
    for vehicle in electric:
        vehicle["asset_model"]["vehicle_cc"] = 0
    check(body, PAGED | {"facets": None, "vehicles": [PUBLIC_VEHICLE]})
    assert len(body["vehicles"]) == 58
    mine = body["vehicles"][-1]
    assert (mine["vendor_open_time"], mine["vendor_close_time"]) == ("09:00 AM", "08:00 PM")
    assert mine["prices"] == [{"price_name": "Full Day", "price": 500, "kms_limit": 100}]
    assert client.get(mine["image"]).headers["content-type"] == "image/svg+xml"


def test_a_page_of_vehicles_follows_another(client: TestClient, shop: Shop) -> None:
    everything = [vehicle["id"] for vehicle in ok(client.get("/api/user/vehicles"))["vehicles"]]
    seen, cursor = [], 0
    while cursor is not None:
        page = ok(client.get(f"/api/user/vehicles?limit=20&cursor={cursor}"))
        assert page["total"] == len(everything)
        seen += [vehicle["id"] for vehicle in page["vehicles"]]
        cursor = page["next_cursor"]
    assert seen == everything


def test_a_cursor_without_a_limit_goes_on_to_the_end(client: TestClient, shop: Shop) -> None:
    second, third = (add_vehicle(shop.vendor) for _ in range(2))
    made = [book(shop.customer, wanted(car)).id for car in (shop.vehicle, second, third)]

    def rest(path: str, name: str, user: User, **asked: str) -> list[int]:
        part = ok(client.get(path, params=asked | {"limit": 1}, headers=bearer(user)))
        whole = ok(client.get(path, params=asked, headers=bearer(user)))[name]
        left = ok(client.get(path, params=asked | {"cursor": part["next_cursor"]}, headers=bearer(user)))
        assert left[name] == whole[1:]
        assert (part[name], left["total"], left["next_cursor"]) == (whole[:1], None, None)
        return [one["id"] for one in left[name]]

    assert rest("/api/bookings/user", "bookings", shop.customer) == made[1::-1]
    assert rest("/api/bookings/vendor", "bookings", shop.vendor) == made[1::-1]
    assert rest("/api/bookings/vendor", "bookings", shop.vendor, sort="pickup") == made[1::-1]
    assert rest("/api/vendor/vehicles", "vehicles", shop.vendor) == [second.id, third.id]
    assert len(rest("/api/user/vehicles", "vehicles", shop.customer)) > 2


def test_registering_and_logging_in(client: TestClient) -> None:
    person = {
        "name": "New Person",
        "email": "New.Person@Example.COM",
        "password": "a long enough one",
        "address": "1 Test Road",
        "landmark": "",
        "pincode": "500032",
        "city": "Hyderabad",
        "phoneNumber": "9000000001",
        "isVendor": True,
    }
    body = ok(client.post("/api/user/register", json=person))
    check(body, answer(token=str))
    user = ok(client.get("/api/user/data", headers={"Authorization": f"Bearer {body['token']}"}))["user"]
    assert (user["role"], user["email"], user["state"]) == ("Vendor", "new.person@example.com", "Telangana")
    login = {"email": "NEW.person@example.com", "password": person["password"]}
    check(ok(client.post("/api/user/login", json=login)), answer(token=str))


def test_ones_own_data(client: TestClient, shop: Shop) -> None:
    for user, role in ((shop.customer, "Customer"), (shop.vendor, "Vendor")):
        body = ok(client.get("/api/user/data", headers=bearer(user)))
        check(body, answer(user=USER))
        assert (body["user"]["role"], body["user"]["fullAddress"]) == (role, f"{user.address}, Hyderabad, 500032")


def test_logging_out_ends_this_session_at_once(client: TestClient, shop: Shop) -> None:
    here, there = bearer(shop.customer), bearer(shop.customer)
    assert ok(client.post("/api/user/logout", headers=here))["message"] == "You have been logged out"
    assert client.get("/api/user/data", headers=here).status_code == 401
    assert client.get("/api/user/data", headers=there).status_code == 200


def test_logging_out_everywhere_ends_them_all(client: TestClient, shop: Shop) -> None:
    sessions, other = [bearer(shop.customer) for _ in range(3)], bearer(shop.vendor)
    ok(client.post("/api/user/logout-everywhere", headers=sessions[0]))
    assert {client.get("/api/user/data", headers=headers).status_code for headers in sessions} == {401}
    assert client.get("/api/user/data", headers=other).status_code == 200


def test_availability(client: TestClient, shop: Shop) -> None:
    where = {"location": shop.place.name} | window()
    body = ok(client.post("/api/bookings/check-availability", json=where))
    check(body, PAGED | {"facets": None, "availableCars": [FOUND_VEHICLE], "nearestOpen": None})
    assert [car["id"] for car in body["availableCars"]] == [shop.vehicle.id]
    ok(client.post("/api/bookings/create", json={"car": shop.vehicle.id} | window(), headers=bearer(shop.customer)))
    body = ok(client.post("/api/bookings/check-availability", json=where))
    assert (body["availableCars"], body["message"], body["nearestOpen"]) == ([], "No cars available", None)


def test_out_of_hours_the_nearest_open_window_is_named(client: TestClient, shop: Shop) -> None:
    night = {"location": shop.place.name, "pickupDate": wire(moment(3, 22)), "returnDate": wire(moment(5, 22))}
    body = ok(client.post("/api/bookings/check-availability", json=night))
    assert body["message"] == "No cars available"
    check(body["nearestOpen"], {"pickupDate": INDIAN, "returnDate": INDIAN, "count": int})
    assert body["nearestOpen"] == {"pickupDate": wire(moment(3, 20)), "returnDate": wire(moment(5, 20)), "count": 1}
    there = {name: value for name, value in body["nearestOpen"].items() if name != "count"}
    found = ok(client.post("/api/bookings/check-availability", json={"location": shop.place.name} | there))
    assert len(found["availableCars"]) == 1


def test_quoting_booking_listing_and_deciding(client: TestClient, shop: Shop) -> None:
    customer, vendor = bearer(shop.customer), bearer(shop.vendor)
    wish = {"car": shop.vehicle.id} | window(length=2)
    quote = ok(client.get("/api/bookings/quote", params=wish))
    figures = {
        "total": int,
        "deposit": int,
        "days": int,
        "kmsIncluded": int,
        "kmsText": str,
        "numbers": str,
        "confirmedAtOnce": bool,
        "confirmMobileFirst": bool,
        "saving": int,
        "cheaper": None,
    }
    check(quote, answer(quote={"lines": [LINE], "pickupDate": INDIAN, "returnDate": INDIAN} | figures))
    made = ok(client.post("/api/bookings/create", json=wish, headers=customer))
    check(made, answer(booking=BOOKING))
    assert (made["booking"]["price"], made["booking"]["status"]) == (quote["quote"]["total"], "pending")
    assert {name: made["booking"][name] for name in ("pickupDate", "returnDate")} == window(length=2)

    mine = ok(client.get("/api/bookings/user", headers=customer))
    check(mine, PAGED | {"bookings": [BOOKING]})
    assert mine["bookings"] == [made["booking"]]
    theirs = ok(client.get("/api/bookings/vendor", headers=vendor))
    check(theirs, PAGED | {"bookings": [VENDOR_BOOKING]})
    assert theirs["bookings"][0]["customerPhone"] == ""

    change = {"bookingId": made["booking"]["id"], "status": "confirmed"}
    check(ok(client.post("/api/bookings/change-status", json=change, headers=vendor)), answer())
    assert ok(client.get("/api/bookings/user", headers=customer))["bookings"][0]["status"] == "confirmed"
    assert (
        ok(client.get("/api/bookings/vendor", headers=vendor))["bookings"][0]["customerPhone"]
        == shop.customer.phone_number
    )


def test_price_status_and_user_sent_by_a_client_are_ignored(client: TestClient, shop: Shop) -> None:
    other = add_user()
    forged = {"price": 1, "price_paise": 1, "status": "confirmed", "user": other.id, "customer_id": other.id}
    body = {"car": shop.vehicle.id} | window() | forged
    booking = ok(client.post("/api/bookings/create", json=body, headers=bearer(shop.customer)))["booking"]
    assert (booking["price"], booking["status"]) == (500, "pending")
    assert ok(client.get("/api/bookings/user", headers=bearer(other)))["bookings"] == []


def test_updating_ones_profile(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    profile = ok(client.get("/api/user/data", headers=headers))["user"]
    profile |= {"address": "9 New Road", "zipCode": "500081", "open_time": "10:00 AM", "closing_days": "Sunday, monday"}
    body = ok(client.put("/api/user/update", json=profile, headers=headers))
    assert body == {"success": True, "message": "Profile updated successfully"}
    saved = ok(client.get("/api/user/data", headers=headers))["user"]
    assert (saved["address"], saved["open_time"], saved["closing_days"]) == (
        "9 New Road",
        "10:00 AM",
        ["Monday", "Sunday"],
    )
