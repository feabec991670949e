"""Favourites and photos over REST: listed once, at most 200, bookable vehicles only; unavailable ones stay listed."""

import io
import os
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlmodel import select

from rental_app.infrastructure.db import read, write
from rental_app.models import User, Vehicle
from rental_app.services import favourites
from rental_app.services.accounts.actor import Actor
from tests.support.booking_steps import alter
from tests.support.rest_helpers import Files, add, bearer, jpeg, ok, papers, part, refused
from tests.support.shop import Shop, actor, add_user, add_vehicle, add_vehicles, count, moment
from tests.support.wire_shapes import INDIAN, PUBLIC_VEHICLE, check

PATH = "/api/user/favourites"
BOTH = ["sqlite", "postgresql"]


def mine(client: TestClient, user: User) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = ok(client.get(PATH, headers=bearer(user)))["favourites"]
    return found


@pytest.mark.parametrize("kind", BOTH)
def test_favourites_come_and_go_and_are_told_when_gone(client: TestClient, shop: Shop, kind: str) -> None:
    other, headers = add_vehicle(shop.vendor), bearer(shop.customer)
    for car in (shop.vehicle, other, shop.vehicle):
        ok(client.put(f"{PATH}/{car.id}", headers=headers))
    found = mine(client, shop.customer)
    assert [each["vehicleId"] for each in found] == [other.id, shop.vehicle.id]
    for one in found:
        check(one, {"vehicleId": int, "name": str, "addedAt": INDIAN, "freeNow": bool, "vehicle": PUBLIC_VEHICLE})
    assert mine(client, add_user()) == []
    ok(client.post("/api/vendor/toggle-vehicle", json={"vehicleId": other.id}, headers=bearer(shop.vendor)))
    gone, there = mine(client, shop.customer)
    assert (gone["vehicleId"], gone["vehicle"], gone["freeNow"]) == (other.id, None, False)
    assert gone["name"] == there["name"]
    for _ in range(2):
        ok(client.delete(f"{PATH}/{other.id}", headers=headers))
    assert [each["vehicleId"] for each in mine(client, shop.customer)] == [shop.vehicle.id]


def test_who_has_a_vehicle_now_makes_it_not_free(client: TestClient, shop: Shop, stopped_clock: Any) -> None:
    ok(client.put(f"{PATH}/{shop.vehicle.id}", headers=bearer(shop.customer)))
    wish = {"car": shop.vehicle.id, "pickupDate": moment(3).isoformat(), "returnDate": moment(4).isoformat()}
    made = ok(client.post("/api/bookings/create", json=wish, headers=bearer(add_user())))["booking"]
    change = {"bookingId": made["id"], "status": "confirmed"}
    ok(client.post("/api/bookings/change-status", json=change, headers=bearer(shop.vendor)))
    person = actor(shop.customer)
    assert read(favourites.list_favourites, person)[0].free_now
    stopped_clock.instant = moment(3, 12)
    assert not read(favourites.list_favourites, person)[0].free_now


def test_what_is_no_vehicle_cannot_be_marked(client: TestClient, shop: Shop) -> None:
    headers, hidden = bearer(shop.customer), add_vehicle(shop.vendor, is_approved=False)
    for poison in ("abc", "0", "1 OR 1=1", str(2**31), "%00"):
        for call in (client.put, client.delete):
            refused(call(f"{PATH}/{poison}", headers=headers), 422, "invalid_input", "vehicleId")
    for unknown in (hidden.id, 2**31 - 1):
        refused(client.put(f"{PATH}/{unknown}", headers=headers), 404, "unknown_vehicle")
    assert count("favourite") == 0


@pytest.mark.long
@pytest.mark.databases
@pytest.mark.parametrize("kind", BOTH)
def test_two_hundred_are_enough(client: TestClient, shop: Shop, kind: str) -> None:
    add_vehicles(shop.vendor, 200)
    own = select(Vehicle.id).where(Vehicle.vendor_id == shop.vendor.id)
    every = read(lambda session: [each or 0 for each in session.exec(own)])
    person: Actor = actor(shop.customer)
    assert not write(favourites.merge_after_login, person, [*every, 2**31 - 1])
    assert count("favourite") == 200
    assert read(favourites.ids, person) == every[:200]
    last = every[200]
    refused(client.put(f"{PATH}/{last}", headers=bearer(shop.customer)), 409, "too_many_favourites")
    ok(client.put(f"{PATH}/{every[0]}", headers=bearer(shop.customer)))
    ok(client.delete(f"{PATH}/{every[0]}", headers=bearer(shop.customer)))
    ok(client.put(f"{PATH}/{last}", headers=bearer(shop.customer)))


def photos_of(client: TestClient, shop: Shop, files: Files) -> tuple[str, list[dict[str, str]]]:
    """List a vehicle with these files; returns its picture and its photos as everybody sees them."""
    ok(add(client, shop, files))
    car = photographed(client, shop)
    return car["image"], car["photos"]


def photographed(client: TestClient, shop: Shop) -> dict[str, Any]:
    every: list[dict[str, Any]] = ok(client.get("/api/user/vehicles"))["vehicles"]
    (car,) = (each for each in every if each["photos"] and each["vendor_name"] == shop.vendor.name)
    return car


def test_photos_of_the_four_sides_are_public_the_one_of_the_card_first(client: TestClient, shop: Shop) -> None:
    image, photos = photos_of(client, shop, [*papers(), part("Left", jpeg((80, 60))), part("Engine", jpeg())])
    assert [photo["side"] for photo in photos] == ["Front", "Left", "Left", "Right", "Back"]
    assert photos[0]["src"] == image
    alter(Vehicle, photographed(client, shop)["id"], image=photos[3]["src"])
    assert photographed(client, shop)["photos"][0] == photos[3]
    for photo in photos:
        assert set(photo) == {"side", "src", "card"}
        for path, kind in ((photo["src"], "image/jpeg"), (photo["card"], "image/webp")):
            assert client.get(path).headers["content-type"] == kind


def test_a_photo_on_a_card_has_at_most_60_kilobytes(client: TestClient, shop: Shop) -> None:
    noise = io.BytesIO()
    # Every pixel of the card has a random colour: nothing compresses worse.
    Image.frombytes("RGB", (640, 480), os.urandom(640 * 480 * 3)).save(noise, "PNG")
    _, photos = photos_of(client, shop, papers(Front=noise.getvalue()))
    card = client.get(photos[0]["card"])
    assert len(card.content) <= 60_000
    assert Image.open(io.BytesIO(card.content)).size == (640, 480)
