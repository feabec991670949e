"""The success responses of vendor calls: dashboard, listing, editing and switching, the avatar."""

import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from sqlmodel import col, select

from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.db import read
from rental_app.models import User
from rental_app.schemas.vehicles import REQUIRED_FIELDS, VehicleData
from tests.conftest import forget
from tests.support.booking_steps import book, decide
from tests.support.rest_helpers import Files, add, bearer, form, jpeg, listing, ok, papers, part, refused, stored
from tests.support.shop import Shop, add_vehicle, wanted
from tests.support.wire_shapes import PAGED, VENDOR_BOOKING, VENDOR_PRICE, VENDOR_VEHICLE, answer, check

# Left out of `listing`: the vehicle is at its vendor's.
PLACE = {"service_location", "address", "landmark", "zipCode", "state", "google_maps_link"}


def latest(client: TestClient, shop: Shop) -> dict[str, Any]:
    """The vehicle that the vendor listed last, as they see it."""
    return dict(ok(client.get("/api/vendor/vehicles", headers=bearer(shop.vendor)))["vehicles"][-1])


def edit(client: TestClient, shop: Shop, files: Files | None = None, **changes: Any) -> Response:
    """Edit the shop's vehicle as its vendor."""
    data = ("vehicleData", (None, json.dumps(listing(id=shop.vehicle.id) | changes)))
    return client.post("/api/vendor/edit-vehicle", files=[data, *(files or [])], headers=bearer(shop.vendor))


def test_the_dashboard(client: TestClient, shop: Shop) -> None:
    figures = {"totalCars": int, "totalBookings": int, "pendingBookings": int, "completedBookings": int}
    made, headers = book(shop.customer, wanted(shop.vehicle)), bearer(shop.vendor)
    body = ok(client.get("/api/vendor/dashboard", headers=headers))
    more = {"recentBookings": [VENDOR_BOOKING], "monthlyRevenue": int, "monthlyReceived": int}
    check(body, answer(dashboardData=figures | more))
    decide(shop.vendor, made.id, "confirmed")
    data = ok(client.get("/api/vendor/dashboard", headers=headers))["dashboardData"]
    assert [data[name] for name in figures] == [1, 1, 0, 1]
    assert data["monthlyRevenue"] == 500


def test_a_blank_filter_is_none(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    book(shop.customer, wanted(shop.vehicle))
    for path, names in (
        ("/api/bookings/vendor", ("booking", "status", "from", "to", "month", "vehicle", "q", "sort")),
        ("/api/vendor/bookings.csv", ("status", "from", "to")),
        ("/api/vendor/earnings", ("from", "to", "by")),
        ("/api/vendor/calendar", ("from", "to")),
        (f"/api/vehicles/{shop.vehicle.id}/calendar", ("from", "to")),
    ):
        blank = client.get(path, params=dict.fromkeys(names, ""), headers=headers)
        assert (blank.status_code, blank.content) == (200, client.get(path, headers=headers).content), path


def test_listing_editing_and_switching_a_vehicle(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    check(ok(add(client, shop, papers())), answer())
    body = ok(client.get("/api/vendor/vehicles", headers=headers))
    check(body, PAGED | {"vehicles": [VENDOR_VEHICLE]})
    mine = body["vehicles"][-1]
    sent = listing()
    wanted = {field.alias or name for name, field in VehicleData.model_fields.items()} - PLACE
    assert wanted <= set(sent), "add it to listing() in rest_helpers.py"
    same = set(sent) & set(mine) - {"prices", "odometer_reading", "late_penalty_per_hour", "pick_up_payment"}
    assert {name: mine[name] for name in same} == {name: sent[name] for name in same}
    assert mine["prices"] == [{"price_name": "Full Day", "price": 499.5, "kms_limit": 120, "status": "Active"}]
    assert {file["group"] for file in mine["files"]} == set(FILE_GROUPS)
    check(mine["files"], [{"id": int, "group": str, "url": str, "content_type": str, "size": int}])
    assert mine["isActive"]
    assert mine["isAvaliable"]
    assert mine["image"].startswith("/media/public/")

    written = {"odometer_reading": f"{mine['odometer_reading']:,} km", "security_deposit": "₹2,000"}
    change = form(id=mine["id"], color="Red", **written)
    edited = client.post("/api/vendor/edit-vehicle", data=change, files=[part("", b"")], headers=headers)
    assert ok(edited)["message"] == "Vehicle updated successfully!"
    again = latest(client, shop)
    assert again == mine | {"color": "Red", "asset_model": again["asset_model"]}

    for active in (False, True):
        switched = client.post("/api/vendor/toggle-vehicle", json={"vehicleId": mine["id"]}, headers=headers)
        check(ok(switched), answer(bookings=list))
        assert latest(client, shop)["isActive"] is active

    assets = client.get("/api/vendor/my-assets", headers=headers).json()
    asset = {"id": int, "asset_manufacturer": str, "asset_model": {"name": str}, "rc_number": str}
    check(assets, [asset | {"prices": [VENDOR_PRICE]}])
    assert [found["id"] for found in assets] == [mine["id"], shop.vehicle.id]


def test_every_listed_vehicle_can_be_sent_back_as_it_is(client: TestClient, shop: Shop) -> None:
    add_vehicle(shop.vendor, None, address="Yard 1", city="Hyderabad", state="Telangana", zip_code="500039")
    for vendor in read(lambda session: session.scalars(select(User).where(col(User.role) == "Vendor")).all()):
        headers = bearer(vendor)
        before = ok(client.get("/api/vendor/vehicles", headers=headers))["vehicles"]
        assert all(car["year"] == car["year_of_manufacture"] for car in before)
        for car in before:
            sent = {"vehicleData": json.dumps(car)}
            ok(client.post("/api/vendor/edit-vehicle", data=sent, files=[part("", b"")], headers=headers))
        assert ok(client.get("/api/vendor/vehicles", headers=headers))["vehicles"] == before


def test_editing_replaces_only_the_groups_sent(client: TestClient, shop: Shop) -> None:
    ok(add(client, shop, papers()))
    before, kept, headers = latest(client, shop), stored(), bearer(shop.vendor)
    new = [part("Front", jpeg((80, 60))), part("RC", jpeg()), part("RC", jpeg())]
    ok(client.post("/api/vendor/edit-vehicle", data=form(id=before["id"]), files=new, headers=headers))
    after = latest(client, shop)
    assert [file["group"] for file in after["files"]].count("RC") == 2
    untouched = [file for file in before["files"] if file["group"] not in ("Front", "RC")]
    assert [file for file in after["files"] if file["group"] not in ("Front", "RC")] == untouched
    assert client.get(before["image"]).status_code == 404
    assert client.get(after["image"]).status_code == 200
    assert (len(kept - stored()), len(stored())) == (3, len(kept) + 1)


def test_files_alone_leave_the_data_as_edited_meanwhile(client: TestClient, shop: Shop) -> None:
    ok(add(client, shop, papers()))
    opened, headers = latest(client, shop), bearer(shop.vendor)
    elsewhere = form(id=opened["id"], color="Red", security_deposit=3000)
    ok(client.post("/api/vendor/edit-vehicle", data=elsewhere, files=[part("", b"")], headers=headers))
    tyre = next(file["id"] for file in opened["files"] if file["group"] == "Tyre")
    sent = {"vehicleData": json.dumps({"id": opened["id"], "drop_files": [tyre]})}
    ok(client.post("/api/vendor/edit-vehicle", data=sent, files=[part("Tyre", jpeg())], headers=headers))
    after = latest(client, shop)
    assert (after["color"], after["security_deposit"], after["prices"]) == ("Red", 3000, opened["prices"])
    assert [file["group"] for file in after["files"]].count("Tyre") == 1
    assert tyre not in [file["id"] for file in after["files"]]


def test_an_edit_without_data_and_files_is_refused(client: TestClient, shop: Shop) -> None:
    sent = {"vehicleData": json.dumps({"id": shop.vehicle.id})}
    empty = [part("", b"")]
    answered = client.post("/api/vendor/edit-vehicle", data=sent, files=empty, headers=bearer(shop.vendor))
    refused(answered, 422, "missing_fields", *REQUIRED_FIELDS)


def test_a_booked_vehicle_keeps_its_year_and_says_so_at_the_field(client: TestClient, shop: Shop) -> None:
    book(shop.customer, wanted(shop.vehicle))
    refused(edit(client, shop, year=listing()["year"] - 14), 409, "vehicle_booked", "year")


def test_a_vendor_is_told_that_changes_wait_for_approval(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ok(edit(client, shop, files=[part("Front", jpeg())]))["message"] == "Vehicle updated successfully!"
    monkeypatch.setenv("RENTAL_LISTING_APPROVAL", "manual")
    forget()
    body = ok(edit(client, shop, files=[part("Insurance", jpeg())]))
    assert body["message"].startswith("Vehicle updated successfully! It waits for approval again")
    own = ok(client.get("/api/vendor/vehicles", headers=bearer(shop.vendor)))["vehicles"]
    assert [vehicle["isAvaliable"] for vehicle in own] == [False]


def test_a_new_avatar_replaces_the_old_one(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    for _ in range(2):
        ok(client.post("/api/vendor/update-image", files=[part("image", jpeg())], headers=headers))
    image = ok(client.get("/api/user/data", headers=headers))["user"]["image"]
    assert client.get(image).headers["content-type"] == "image/jpeg"
    assert len(stored()) == 2
