"""Files uploaded ahead of their form: private to their vendor, claimed once, deleted after a day, limited in number."""

import io
import json
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from limits import parse
from PIL import Image
from sqlmodel import select

from rental_app.domain import clock
from rental_app.domain.errors import ConflictError, InvalidInputError
from rental_app.domain.uploads import FILE_GROUPS, MAX_FILE_BYTES, TRIP_UPLOADS
from rental_app.infrastructure.db import read, write
from rental_app.models import UnclaimedFile, User, Vehicle, VehicleFile
from rental_app.services import maintenance, throttle
from rental_app.services.files import storage, uploads
from rental_app.services.files.checks import CheckedUploads
from rental_app.services.fleet import vehicles
from rental_app.services.throttle import Limit
from tests.support.pictures import photo
from tests.support.rest_helpers import bearer, form, jpeg, listing, ok, papers, part, pdf, refused, stored
from tests.support.shop import Shop, actor, add_user, count
from tests.support.wire_shapes import answer, check

HERE = "/api/vendor/uploads"


def send(client: TestClient, who: User, group: str = "RC", data: bytes | None = None) -> Response:
    file = ("x", jpeg() if data is None else data, "image/jpeg")
    return client.post(HERE, data={"group": group}, files={"file": file}, headers=bearer(who))


def sent(client: TestClient, who: User, group: str = "RC", data: bytes | None = None) -> int:
    upload: int = ok(send(client, who, group, data))["upload"]["id"]
    return upload


def waiting(upload_id: int) -> UnclaimedFile | None:
    return read(lambda session: session.get(UnclaimedFile, upload_id))


def a_file_each(client: TestClient, who: User) -> dict[str, list[int]]:
    return {group: [sent(client, who, group)] for group in FILE_GROUPS}


def submit(shop: Shop, ahead: Mapping[str, list[int]], **changes: Any) -> int:
    return write(vehicles.submit, actor(shop.vendor), listing(**changes), CheckedUploads(ahead=ahead))


def test_photos_of_a_trip_are_private_from_the_first_and_tell_no_place(client: TestClient, shop: Shop) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    for group in TRIP_UPLOADS:
        row = waiting(sent(client, shop.vendor, group, jpeg(exif=exif)))
        assert row
        assert row.key.startswith("private/")
        loaded = client.get(f"{HERE}/{row.id}", headers=bearer(shop.vendor))
        assert not Image.open(io.BytesIO(loaded.content)).getexif()
        assert client.get(f"/media/{row.key}").status_code == 404
    refused(send(client, shop.vendor, TRIP_UPLOADS[0], pdf()), 415, "unsupported_type", TRIP_UPLOADS[0])
    refused(send(client, shop.vendor, "Trip RC"), 422, "unknown_group", "group")
    # A vehicle's form does not accept them.
    taken = {"Front": [sent(client, shop.vendor, TRIP_UPLOADS[0])]}
    with pytest.raises(InvalidInputError):
        submit(shop, a_file_each(client, shop.vendor) | taken)


@pytest.mark.parametrize("group", ["Front", "RC", "image", TRIP_UPLOADS[0]])
def test_a_heic_is_taken_wherever_a_photo_is(client: TestClient, shop: Shop, group: str) -> None:
    upload = ok(send(client, shop.vendor, group, photo("HEIF", (200, 100))))["upload"]
    kept = client.get(f"{HERE}/{upload['id']}", headers=bearer(shop.vendor)).content
    assert (upload["contentType"], upload["size"]) == ("image/jpeg", len(kept))
    assert (Image.open(io.BytesIO(kept)).format, Image.open(io.BytesIO(kept)).size) == ("JPEG", (200, 100))


def test_a_file_waits_for_its_vendor_alone(client: TestClient, shop: Shop) -> None:
    picture = jpeg()
    body = ok(send(client, shop.vendor, "RC", picture))
    check(body, answer(upload={"id": int, "group": str, "size": int, "contentType": str}))
    assert (body["upload"]["group"], body["upload"]["size"], body["upload"]["contentType"]) == (
        "RC",
        len(picture),
        "image/jpeg",
    )
    place = f"{HERE}/{body['upload']['id']}"
    loaded = client.get(place, headers=bearer(shop.vendor))
    assert loaded.content == picture
    assert loaded.headers["content-disposition"].startswith("attachment")
    assert loaded.headers["cache-control"] == "no-store"
    stranger = bearer(add_user("Vendor", location_id=shop.place.id))
    for method in ("GET", "DELETE"):
        refused(client.request(method, place, headers=stranger), 404, "unknown_upload")
    ok(client.delete(place, headers=bearer(shop.vendor)))
    refused(client.delete(place, headers=bearer(shop.vendor)), 404, "unknown_upload")
    assert (count("unclaimed_file"), stored()) == (0, set())


@pytest.mark.usefixtures("nothing_changes")
@pytest.mark.parametrize(
    ("group", "data", "status", "code", "told"),
    [
        ("RC", b"", 422, "empty_file", "RC: this file is empty"),
        ("Tyre", b"GIF89a\x01", 415, "unsupported_type", "Tyre: "),
        ("image", pdf(), 415, "unsupported_type", "Profile picture: "),
        ("RC", jpeg() + bytes(MAX_FILE_BYTES), 413, "too_large", "RC: a file can have at most 12 MB"),
    ],
)
def test_what_cannot_be_used_is_refused_when_it_is_chosen(
    client: TestClient, shop: Shop, group: str, data: bytes, status: int, code: str, told: str
) -> None:
    body = refused(send(client, shop.vendor, group, data), status, code, group)
    assert body["message"].startswith(told)
    assert f"{told.partition(': ')[0]}: {body['errors'][0]['message']}" == body["message"]


@pytest.mark.usefixtures("nothing_changes")
def test_what_is_no_upload(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    refused(send(client, shop.vendor, "Selfie"), 422, "unknown_group", "group")
    refused(client.post(HERE, files=[part("file", jpeg())], headers=headers), 422, "unknown_group", "group")
    for wrong in ([part("RC", jpeg())], [part("file", jpeg())] * 2):
        refused(client.post(HERE, data={"group": "RC"}, files=wrong, headers=headers), 422, "missing_part", "file")
    refused(client.post(HERE, json={"group": "RC"}, headers=headers), 415, "unsupported_type")
    huge = client.post(HERE, data={"group": "RC"}, files=[part("file", bytes(15 * 1024**2))], headers=headers)
    refused(huge, 413, "too_large")


def test_a_vehicle_is_listed_with_them_and_they_wait_no_more(client: TestClient, shop: Shop) -> None:
    ahead = a_file_each(client, shop.vendor)
    ahead["Tyre"].append(sent(client, shop.vendor, "Tyre", pdf()))
    assert count("unclaimed_file") == 11
    kept = stored()
    vehicle = submit(shop, ahead)
    rows = read(lambda session: session.scalars(select(VehicleFile).where(VehicleFile.vehicle_id == vehicle)).all())
    assert sorted(row.group_name for row in rows) == sorted([*FILE_GROUPS, "Tyre"])
    assert (count("unclaimed_file"), stored()) == (0, kept)
    image = read(lambda session: session.get_one(Vehicle, vehicle)).image
    assert client.get(image).status_code == 200
    refused(client.get(f"{HERE}/{ahead['RC'][0]}", headers=bearer(shop.vendor)), 404, "unknown_upload")


def test_nobody_claims_anothers_nor_one_of_another_group(client: TestClient, shop: Shop) -> None:
    ahead = a_file_each(client, shop.vendor)
    other = add_user("Vendor", location_id=shop.place.id)
    foreign = sent(client, other, "RC")
    before = count("vehicle"), stored()
    for wrong in ({"RC": [foreign]}, {"RC": ahead["Tyre"]}, {"RC": [*ahead["RC"], 2**31 - 1]}):
        with pytest.raises(InvalidInputError) as gone:
            submit(shop, ahead | wrong)
        assert gone.value.fields["RC"] == uploads.GONE
    assert (count("vehicle"), stored(), count("unclaimed_file")) == (*before, 11)
    assert submit(shop, ahead)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_two_forms_that_claim_the_same_files_list_one_vehicle(client: TestClient, shop: Shop) -> None:
    ahead, vehicles, held = a_file_each(client, shop.vendor), count("vehicle"), count("vehicle_file")

    def list_one(number: str) -> int:
        try:
            return submit(shop, ahead, rc_number=number)
        except (InvalidInputError, ConflictError):
            return 0

    with ThreadPoolExecutor() as pool:
        listed = [*pool.map(list_one, [f"TS09EA{number}" for number in range(1, 5)])]
    assert len([vehicle for vehicle in listed if vehicle]) == 1
    assert (count("vehicle"), count("vehicle_file"), count("unclaimed_file")) == (vehicles + 1, held + 10, 0)


@pytest.mark.long
def test_a_refused_form_leaves_its_files_waiting(client: TestClient, shop: Shop) -> None:
    ahead = a_file_each(client, shop.vendor)
    with pytest.raises(ConflictError):
        submit(shop, ahead, rc_number=shop.vehicle.rc_number)
    with pytest.raises(InvalidInputError) as refusal:
        submit(shop, ahead, color="", year=1990, rc_number="hello")
    assert list(refusal.value.fields) == ["color", "rc_number", "year"]
    assert refusal.value.message == "Please fill all required fields: color"
    assert count("unclaimed_file") == 10
    assert submit(shop, ahead)


def test_what_nobody_claims_is_swept_after_a_day(client: TestClient, shop: Shop) -> None:
    old, kept = sent(client, shop.vendor, "Front"), sent(client, shop.vendor, "RC")
    storage.remove(write(maintenance.sweep, clock.now() + timedelta(hours=23)))
    assert (count("unclaimed_file"), len(stored())) == (2, 3)
    write(lambda session: setattr(session.get_one(UnclaimedFile, old), "created_at", clock.now() - timedelta(days=1)))
    storage.remove(write(maintenance.sweep, clock.now()))
    assert (count("unclaimed_file"), len(stored())) == (1, 1)
    assert client.get(f"{HERE}/{kept}", headers=bearer(shop.vendor)).status_code == 200


def test_there_is_an_end_to_what_waits(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(uploads, "MAX_UNCLAIMED", 2)
    first, _ = sent(client, shop.vendor), sent(client, shop.vendor)
    before = stored()
    refused(send(client, shop.vendor), 409, "too_many_unclaimed", "RC")
    assert stored() == before
    sent(client, add_user("Vendor", location_id=shop.place.id))
    ok(client.delete(f"{HERE}/{first}", headers=bearer(shop.vendor)))
    sent(client, shop.vendor)


@pytest.mark.usefixtures("rate_limits")
def test_refused_files_are_counted_too(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(throttle.LIMITS, "file", Limit(parse("2 per hour"), parse("9 per hour")))
    for _ in range(2):
        refused(send(client, shop.vendor, "RC", b""), 422, "empty_file", "RC")
    refused(send(client, shop.vendor), 429, "too_many_requests")


def test_an_avatar_is_claimed_like_any_other(client: TestClient, shop: Shop) -> None:
    first, second = sent(client, shop.vendor, "image"), sent(client, shop.vendor, "image")
    for upload in (first, second):
        storage.remove(write(uploads.claim_avatar, actor(shop.vendor), upload))
    assert (len(stored()), count("unclaimed_file")) == (2, 0)
    with pytest.raises(InvalidInputError):
        write(uploads.claim_avatar, actor(shop.vendor), first)
    paper = sent(client, shop.vendor, "RC")
    with pytest.raises(InvalidInputError):
        write(uploads.claim_avatar, actor(shop.vendor), paper)
    image = read(lambda session: session.get_one(User, shop.vendor.id)).image
    assert client.get(image).headers["content-type"] == "image/jpeg"


@pytest.mark.long
@pytest.mark.usefixtures("nothing_changes")
def test_a_listing_over_rest_is_told_all_that_is_wrong_with_it(client: TestClient, shop: Shop) -> None:
    prices = [{"price_name": "Full Day", "price": -1}]
    wrong = form(rc_number="hello", year=1990, model=2**31 - 1, service_location="Atlantis", prices=prices)
    wanted = {"rc_number", "year", "model", "service_location", "prices.0.price", "RC", "Front"}
    some = papers(RC=b"%PDF-1.7 cut", Front=pdf())
    answered = client.post("/api/vendor/add-vehicle", data=wrong, files=some, headers=bearer(shop.vendor))
    told = refused(answered, 422, "invalid_input", *wanted)["message"]
    for label in ("RC Number: ", "Year: ", "Model: ", "Service location: ", "Pricing 1 Price: ", "RC: ", "Front: "):
        assert label in told
    edit = json.loads(wrong["vehicleData"]) | {"id": shop.vehicle.id, "color": ""}
    sent_along = [file for file in some if file[0] in ("RC", "Front")]
    data = {"vehicleData": json.dumps(edit)}
    answered = client.post("/api/vendor/edit-vehicle", data=data, files=sent_along, headers=bearer(shop.vendor))
    body = refused(answered, 422, "missing_fields", *wanted, "color")
    assert body["message"] == "Please fill all required fields: color"
    without = [file for file in some if file[0] != "Tyre"]
    answered = client.post("/api/vendor/add-vehicle", data=wrong, files=without, headers=bearer(shop.vendor))
    body = refused(answered, 422, "missing_documents", *wanted, "Tyre")
    assert body["message"] == "Please upload documents for: Tyre"


def test_only_what_still_waits_is_ones_own(client: TestClient, shop: Shop) -> None:
    ids = [sent(client, shop.vendor, "Tyre") for _ in range(3)]
    views = read(uploads.of_ids, actor(shop.vendor), [ids[2], ids[0], 2**31 - 1])
    assert [view.id for view in views] == [ids[0], ids[2]]
    assert read(uploads.of_ids, actor(add_user("Vendor")), ids) == []
