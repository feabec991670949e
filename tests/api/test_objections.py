"""Objections over REST: photos of both sides, the vendor's one answer, and who may load what."""

import io
from typing import Any

import pytest
from fastapi.testclient import TestClient
from PIL import Image
from sqlmodel import col, select

from rental_app.domain.uploads import ANSWER_GROUP, MAX_UNCLAIMED_OBJECTION, OBJECTION, trip_upload
from rental_app.infrastructure.db import read
from rental_app.models import Outbox, User
from rental_app.services.files import orphans
from tests.support.booking_steps import book
from tests.support.rest_helpers import Sides, bearer, hire, jpeg, ok, part, pdf, refused, stored
from tests.support.shop import Shop, add_user, count, wanted

ANSWER = trip_upload(ANSWER_GROUP)


@pytest.fixture
def sides(client: TestClient, shop: Shop) -> Sides:
    """A confirmed booking, with lines in its account that can be objected to."""
    made = Sides(client, shop)
    made.confirm()
    ok(made.pay(100))
    return made


def sent(client: TestClient, who: User, group: str = OBJECTION, data: bytes | None = None) -> Any:
    path = "/api/uploads" if group == OBJECTION else "/api/vendor/uploads"
    file = part("file", jpeg() if data is None else data)
    return client.post(path, data={"group": group}, files=[file], headers=bearer(who))


def photo(client: TestClient, who: User, group: str = OBJECTION) -> int:
    upload: int = ok(sent(client, who, group))["upload"]["id"]
    return upload


def objected(sides: Sides, photos: int = 2) -> dict[str, Any]:
    """Object to the last line of the account with photos; returns the event."""
    ids = [photo(sides.client, sides.shop.customer) for _ in range(photos)]
    body = {"entry": lines(sides)[-1], "note": "I paid more", "photos": ids}
    event: dict[str, Any] = ok(sides.post("/object", body))["booking"]["timeline"][-1]
    return event


def lines(sides: Sides) -> list[int]:
    """The ids of the account's lines."""
    return [line["id"] for line in ok(sides.get())["booking"]["ledger"]]


def test_both_sides_see_the_objection_its_answer_and_all_photos(sides: Sides) -> None:
    objection = objected(sides)
    assert (objection["what"], objection["about"], len(objection["photos"])) == ("objected", None, 2)
    member = hire(sides.shop)
    answer = {"objection": objection["id"], "note": "It was there", "photos": [photo(sides.client, member, ANSWER)]}
    url = f"/api/vendor/bookings/{sides.ref}/answer-objection"
    ok(sides.client.post(url, json=answer, headers=bearer(member)))
    for headers in (sides.customer, sides.vendor, bearer(add_user("Operator"))):
        timeline = ok(sides.client.get(f"/api/bookings/{sides.ref}", headers=headers))["booking"]["timeline"]
        asked, told = timeline[-2:]
        assert (asked["id"], told["what"], told["about"]) == (objection["id"], "objection_answered", objection["id"])
        assert (told["note"], told["by"], len(told["photos"])) == ("It was there", "vendor", 1)
        for address in asked["photos"] + told["photos"]:
            loaded = sides.client.get(address, headers=headers)
            assert (loaded.status_code, loaded.headers["content-type"]) == (200, "image/jpeg")
            assert loaded.headers["cache-control"] == "no-store"
    kinds = read(lambda session: session.execute(select(Outbox.kind, Outbox.user_id)).all())
    assert ("objected", sides.shop.vendor.id) in [tuple(row) for row in kinds]
    assert ("objection_answered", sides.shop.customer.id) in [tuple(row) for row in kinds]


def test_nobody_else_loads_a_photo(sides: Sides, client: TestClient) -> None:
    address = objected(sides, 1)["photos"][0]
    for stranger in (add_user(), add_user("Vendor", location_id=sides.shop.place.id)):
        refused(client.get(address, headers=bearer(stranger)), 404, "unknown_booking")
    refused(client.get(address), 401, "token_missing")
    # Nor by way of a booking of one's own.
    own = book(sides.shop.customer, wanted(sides.shop.vehicle, 7)).reference
    refused(client.get(address.replace(sides.ref, own), headers=sides.customer), 404, "not_found")


def test_an_objection_is_answered_once_and_by_the_vendor_alone(sides: Sides) -> None:
    objection = objected(sides, 0)
    body = {"objection": objection["id"], "note": "No"}
    requested = ok(sides.get())["booking"]["timeline"][0]["id"]
    for unknown in (requested, 2**31 - 1):
        refused(sides.vendor_post("/answer-objection", body | {"objection": unknown}), 404, "unknown_objection")
    refused(sides.vendor_post("/answer-objection", body | {"note": " "}), 422, "invalid_input", "note")
    refused(sides.vendor_post("/answer-objection", body | {"photos": [1] * 5}), 422, "invalid_input", "photos")
    first = ok(sides.vendor_post("/answer-objection", body, **{"Idempotency-Key": "once"}))
    assert ok(sides.vendor_post("/answer-objection", body, **{"Idempotency-Key": "once"})) == first
    refused(sides.vendor_post("/answer-objection", body), 409, "already_answered")


def test_only_photos_of_ones_own_that_still_wait_are_taken(sides: Sides, client: TestClient) -> None:
    used = photo(client, sides.shop.customer)
    ok(sides.post("/object", {"entry": lines(sides)[-1], "note": "x", "photos": [used]}))
    before = (count("booking_event"), count("event_photo"))
    for gone in (used, photo(client, add_user()), photo(client, sides.shop.vendor, ANSWER), 2**31 - 1):
        body = {"entry": lines(sides)[0], "note": "x", "photos": [gone]}
        refused(sides.post("/object", body), 422, "upload_gone", "photos")
    assert (count("booking_event"), count("event_photo")) == before


def test_a_photo_waits_for_its_sender_alone_and_tells_no_place(sides: Sides, client: TestClient) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    upload = ok(sent(client, sides.shop.customer, data=jpeg(exif=exif)))["upload"]
    place = f"/api/uploads/{upload['id']}"
    loaded = client.get(place, headers=sides.customer)
    assert not Image.open(io.BytesIO(loaded.content)).getexif()
    for stranger in (sides.shop.vendor, add_user()):
        for method in ("GET", "DELETE"):
            refused(client.request(method, place, headers=bearer(stranger)), 404, "unknown_upload")
    refused(sent(client, sides.shop.customer, data=pdf()), 415, "unsupported_type", OBJECTION)
    wrong = client.post("/api/uploads", data={"group": "RC"}, files=[part("file", jpeg())], headers=sides.customer)
    refused(wrong, 422, "unknown_group", "group")
    refused(sent(client, sides.shop.customer, ANSWER), 403, "vendors_only")
    ok(client.delete(place, headers=sides.customer))
    assert count("unclaimed_file") == 0
    # Nor is a member's own photo their vendor's.
    member = hire(sides.shop)
    place = f"/api/uploads/{photo(client, member)}"
    for path in (place, place.replace("/api/", "/api/vendor/")):
        refused(client.get(path, headers=sides.vendor), 404, "unknown_upload")
    assert client.get(place, headers=bearer(member)).status_code == 200


@pytest.mark.long
def test_few_photos_wait_and_those_that_are_kept_count(sides: Sides, client: TestClient) -> None:
    ids = [photo(client, sides.shop.customer) for _ in range(MAX_UNCLAIMED_OBJECTION)]
    refused(sent(client, sides.shop.customer), 409, "too_many_unclaimed", OBJECTION)
    assert count("unclaimed_file") == MAX_UNCLAIMED_OBJECTION == len(stored())
    ok(sides.post("/object", {"entry": lines(sides)[-1], "note": "x", "photos": ids[:4]}))
    kept = read(lambda session: session.scalars(select(col(User.trip_bytes)).where(User.id == sides.shop.customer.id)))
    assert kept.one() > 0
    # The sweep of files that no row names leaves them.
    assert read(orphans.orphaned, stored()) == []
