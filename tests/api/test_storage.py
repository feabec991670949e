"""What one account may keep in files and vehicles, and send in an hour, whichever way the bytes come in."""

import io
import os
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from PIL import Image
from sqlmodel import Session, col, update

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError
from rental_app.domain.retention import period
from rental_app.domain.uploads import (
    AVATAR,
    DAMAGE_GROUP,
    MEGABYTE,
    TRIP_GROUPS,
    TRIP_UPLOADS,
    trip_upload,
)
from rental_app.infrastructure.db import read, write
from rental_app.infrastructure.settings import settings
from rental_app.models import User
from rental_app.schemas.readings import PAPERS, HandoverData, Noted, ReturnData
from rental_app.schemas.validation import validated
from rental_app.services import maintenance
from rental_app.services.accounts.actor import at_the_machine
from rental_app.services.files import limits, storage, uploads
from rental_app.services.files.storage import CheckedFile
from rental_app.services.trips import drafts, readings
from tests.conftest import Clock, forget
from tests.support.rest_helpers import add, bearer, form, jpeg, ok, papers, part, pdf, refused, stored
from tests.support.shop import Shop, actor, add_user, add_vehicle, count
from tests.support.trips import at_pickup, confirmed

HERE = "/api/vendor/uploads"
# More than fits beside another of its kind below a limit of a megabyte.
LARGE = 600 * 1024


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@pytest.fixture
def small(shop: Shop, monkeypatch: pytest.MonkeyPatch) -> Shop:
    """A shop whose vendor may keep a megabyte and list three vehicles."""
    monkeypatch.setenv("RENTAL_MAX_STORED_MB", "1")
    monkeypatch.setenv("RENTAL_MAX_VEHICLES", "3")
    forget()
    return shop


def noise(pixels: int) -> bytes:
    """A photo that hardly compresses."""
    out = io.BytesIO()
    Image.frombytes("RGB", (pixels, pixels), os.urandom(pixels * pixels * 3)).save(out, "JPEG", quality=82)
    return out.getvalue()


def large_pdf() -> bytes:
    return pdf() + b"\n%" + b"x" * LARGE


def send(client: TestClient, who: User, group: str, data: bytes) -> Response:
    return client.post(HERE, data={"group": group}, files={"file": ("x", data, "image/jpeg")}, headers=bearer(who))


def in_store() -> int:
    """Return the bytes of all stored objects."""
    return sum(item["size"] for chunk in storage.store().list() for item in chunk)


def kept_by(vendor: User) -> int:
    return read(limits.bytes_of, vendor.id or 0)


def edit(client: TestClient, shop: Shop, vehicle: int, data: bytes) -> Response:
    return client.post(
        "/api/vendor/edit-vehicle",
        data={"vehicleData": f'{{"id": {vehicle}}}'},
        files=[part("RC", data)],
        headers=bearer(shop.vendor),
    )


def avatar(client: TestClient, shop: Shop, data: bytes) -> Response:
    return client.post("/api/vendor/update-image", files=[part(AVATAR, data)], headers=bearer(shop.vendor))


@pytest.mark.long
def test_what_is_counted_is_what_the_store_holds(client: TestClient, shop: Shop) -> None:
    """With the smaller copies of photos, and given back when a file is replaced, removed or left to lapse."""
    photo = noise(400)
    ok(add(client, shop, papers(Front=photo)))
    ok(avatar(client, shop, photo))
    first = ok(send(client, shop.vendor, "Left", photo))["upload"]["id"]
    ok(send(client, shop.vendor, TRIP_UPLOADS[0], photo))
    assert kept_by(shop.vendor) == in_store() > 3 * len(photo)
    ok(avatar(client, shop, jpeg()))
    ok(client.delete(f"{HERE}/{first}", headers=bearer(shop.vendor)))
    ok(edit(client, shop, count("vehicle"), large_pdf()))
    ok(edit(client, shop, count("vehicle"), pdf()))
    assert kept_by(shop.vendor) == in_store()
    waiting = ok(send(client, shop.vendor, AVATAR, photo))["upload"]["id"]
    write(uploads.claim_avatar, actor(shop.vendor), waiting)
    write(maintenance.sweep, clock.now() + 2 * period("unclaimed_file").lasts)
    assert kept_by(shop.vendor) < in_store()


@pytest.mark.long
def test_an_account_that_is_full_takes_nothing_more_on_any_way(client: TestClient, small: Shop) -> None:
    vehicle = small.vehicle.id or 0
    ok(edit(client, small, vehicle, large_pdf()))
    before = stored(), count("vehicle"), count("unclaimed_file")
    for answer in (
        send(client, small.vendor, "RC", large_pdf()),
        send(client, small.vendor, TRIP_UPLOADS[0], noise(1600)),
        add(client, small, papers(RC=large_pdf())),
    ):
        body = refused(answer, 409, "storage_full")
        assert "1 MB" in body["message"]
        assert settings().support_email in body["message"]
    assert (stored(), count("vehicle"), count("unclaimed_file")) == before
    # What makes room, or takes no more of it, goes on.
    ok(edit(client, small, vehicle, large_pdf()))
    ok(edit(client, small, vehicle, pdf()))
    ok(send(client, small.vendor, "RC", large_pdf()))


def test_an_account_past_a_limit_that_was_lowered_may_replace_by_less(client: TestClient, small: Shop) -> None:
    ok(avatar(client, small, jpeg((320, 320))))
    full = update(User).where(col(User.id) == small.vendor.id).values(trip_bytes=5 * MEGABYTE)
    write(Session.execute, full)
    refused(send(client, small.vendor, "RC", pdf()), 409, "storage_full")
    refused(avatar(client, small, noise(320)), 409, "storage_full")
    ok(avatar(client, small, jpeg()))


@pytest.mark.long
def test_uploads_at_the_same_time_do_not_overshoot(client: TestClient, small: Shop) -> None:
    data = pdf() + b"\n%" + b"x" * (MEGABYTE // 4)
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda _: send(client, small.vendor, "RC", data).status_code, range(8)))
    assert sorted(answers) == [200] * 3 + [409] * 5
    assert kept_by(small.vendor) == in_store() <= MEGABYTE


@pytest.mark.databases
def test_processes_that_store_at_the_same_time_do_not_overshoot(small: Shop) -> None:
    """Nothing but the account's lock makes them wait for each other."""
    keys = [f"private/{number}" for number in range(8)]

    def store(key: str) -> bool:
        with suppress(ConflictError):
            write(
                uploads.store,
                actor(small.vendor),
                CheckedFile("RC", key, "application/pdf", LARGE, {key: bytes(LARGE)}),
            )
            return True
        return False

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(store, keys)) == 1


def test_an_account_lists_so_many_vehicles(client: TestClient, small: Shop) -> None:
    add_vehicle(small.vendor)
    ok(add(client, small, papers()))
    body = refused(add(client, small, papers()), 409, "too_many_vehicles")
    assert "You have listed 3 vehicles" in body["message"]


def test_the_operator_lifts_both_limits(client: TestClient, small: Shop) -> None:
    for _ in range(2):
        add_vehicle(small.vendor)
    write(limits.approve, at_the_machine(), small.vendor.email.upper())
    ok(client.post("/api/vendor/add-vehicle", data=form(), files=papers(RC=large_pdf()), headers=bearer(small.vendor)))
    ok(send(client, small.vendor, "RC", large_pdf()))


def test_bytes_an_hour_are_counted_for_an_account_and_for_an_address(
    client: TestClient, shop: Shop, rate_limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENTAL_UPLOAD_MB_AN_HOUR", "1")
    monkeypatch.setenv("RENTAL_ADDRESS_UPLOAD_MB_AN_HOUR", "2")
    forget()
    others = [add_user(role="Vendor") for _ in range(3)]
    ok(send(client, shop.vendor, "RC", large_pdf()))
    for answer in (
        send(client, shop.vendor, "RC", large_pdf()),
        edit(client, shop, shop.vehicle.id or 0, large_pdf()),
        add(client, shop, papers(RC=large_pdf())),
        avatar(client, shop, large_pdf()),
    ):
        refused(answer, 429, "too_many_requests")
        assert 0 < int(answer.headers["retry-after"]) <= 3600
    answers = [send(client, other, "RC", large_pdf()).status_code for other in others]
    assert answers == [200, 200, 429]


def test_a_body_of_unknown_length_is_counted_once_it_is_here(
    client: TestClient, shop: Shop, rate_limits: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENTAL_UPLOAD_MB_AN_HOUR", "1")
    forget()
    head = b'--b\r\nContent-Disposition: form-data; name="image"; filename="x"\r\n\r\n'
    headers = bearer(shop.vendor) | {"Content-Type": "multipart/form-data; boundary=b"}
    pieces = iter([head, b"x" * 2 * MEGABYTE, b"\r\n--b--\r\n"])
    refused(client.post("/api/vendor/update-image", content=pieces, headers=headers), 429, "too_many_requests")


def test_the_databases_reserve_is_left_alone(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_DISK_RESERVE_MB", str(10**9))
    forget()
    for answer in (
        send(client, shop.vendor, "RC", pdf()),
        edit(client, shop, shop.vehicle.id or 0, pdf()),
        add(client, shop, papers()),
        avatar(client, shop, jpeg()),
    ):
        refused(answer, 503, "disk_reserve")
    assert stored() == set()
    ok(client.get("/api/user/vehicles"))


def trip_photos(size: int, *groups: str) -> list[CheckedFile]:
    """Photos of a handover or return, of a size each, that have just been sent."""
    keys = {f"private/{uuid.uuid4().hex}.jpg": group for group in (*TRIP_GROUPS, *groups)}
    return [CheckedFile(group, key, "image/jpeg", size, {key: bytes(size)}) for key, group in keys.items()]


def test_photos_of_trips_and_of_damage_count(small: Shop, stopped_clock: Clock) -> None:
    made = confirmed(small)
    at_pickup(stopped_clock, made)
    out = HandoverData(odometer=1300, fuel_eighths=8, papers_seen=list(PAPERS), helmets=1, unpaid_reason="Later")
    with pytest.raises(ConflictError) as full:
        write(readings.hand_over, actor(small.vendor), made.reference, out, trip_photos(LARGE))
    assert full.value.code == "storage_full"
    assert kept_by(small.vendor) == 0
    write(readings.hand_over, actor(small.vendor), made.reference, out, trip_photos(100_000))
    assert kept_by(small.vendor) == len(TRIP_GROUPS) * 100_000
    stopped_clock.move(hours=20)
    back = ReturnData.model_validate({"odometer": 1400, "fuelEighths": 6, "damages": [{"amount": 100, "note": "Dent"}]})
    with pytest.raises(ConflictError):
        write(readings.take_back, actor(small.vendor), made.reference, back, trip_photos(LARGE, DAMAGE_GROUP))
    write(readings.take_back, actor(small.vendor), made.reference, back, trip_photos(1_000, DAMAGE_GROUP))
    assert kept_by(small.vendor) == len(TRIP_GROUPS) * 101_000 + 1_000


def test_photos_uploaded_ahead_are_not_counted_twice(client: TestClient, small: Shop, stopped_clock: Clock) -> None:
    """Nor refused at the handover: they have been counted when they came."""
    ahead = {group: ok(send(client, small.vendor, trip_upload(group), noise(200)))["upload"] for group in TRIP_GROUPS}
    before = kept_by(small.vendor)
    made = confirmed(small)
    at_pickup(stopped_clock, made)
    photos = {group: [{"id": upload["id"], "name": "x.jpg"}] for group, upload in ahead.items()}
    step = {"odometer": 1300, "fuelEighths": 8, "helmets": 1, "papersSeen": list(PAPERS), "photos": photos}
    write(drafts.note, actor(small.vendor), made.reference, "handover", validated(Noted, step))
    write(drafts.hand_over, actor(small.vendor), made.reference, "Pays later")
    assert kept_by(small.vendor) == before == in_store()
