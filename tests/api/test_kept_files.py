"""Stored uploads: public ones carry no metadata, file names cannot escape the store, damage causes no failure."""

import asyncio
import hashlib
import io
import os
from collections.abc import AsyncIterator
from typing import Any

import obstore
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from PIL import Image

from rental_app.domain.pictures import Picture
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.headers import with_headers
from rental_app.services.files import storage
from tests.support.rest_helpers import add, bearer, form, jpeg, ok, papers, part, refused, stored
from tests.support.rows import each
from tests.support.shop import Shop, count


def test_public_pictures_tell_nothing_of_where_they_were_taken(client: TestClient, shop: Shop) -> None:
    exif = Image.Exif()
    exif[0x010F] = "SecretCamera"
    exif.get_ifd(0x8825)[2] = (17.0, 26.0, 24.0)
    marked = jpeg(exif=exif, comment=b"secret comment", xmp=b"<x:xmpmeta>secret xmp</x:xmpmeta>")
    assert b"Secret" in marked
    assert b"secret" in marked
    ok(add(client, shop, papers(Front=marked)))
    ok(client.post("/api/vendor/update-image", files=[part("image", marked)], headers=bearer(shop.vendor)))
    public = [key for key in stored() if key.startswith("public/")]
    assert len(public) == 10
    for key in public:
        content = client.get(f"/media/{key}").content
        assert b"ecret" not in content
        picture = Image.open(io.BytesIO(content))
        assert not picture.getexif()
        assert not {"exif", "xmp", "comment"} & set(picture.info)


def test_pictures_are_turned_upright_and_made_small(app: FastAPI, client: TestClient, shop: Shop) -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    ok(add(client, shop, papers(Front=jpeg((3000, 2000), exif=exif))))
    image = ok(client.get("/api/user/vehicles"))["vehicles"][-1]["image"]
    sizes = {
        kind: Image.open(io.BytesIO(client.get(image.replace("jpg", kind)).content)).size for kind in ("jpg", "webp")
    }
    assert sizes == {"jpg": (1600, 2400), "webp": (320, 480)}
    answer = TestClient(with_headers(app)).get(image)
    assert (answer.headers["content-type"], answer.headers["x-content-type-options"]) == ("image/jpeg", "nosniff")


def test_a_large_photo_has_smaller_ones_of_each_width_beside_it(client: TestClient, shop: Shop) -> None:
    drawn = Image.radial_gradient("L").resize((2400, 1500)).convert("RGB")
    out = io.BytesIO()
    drawn.save(out, "JPEG", quality=95)
    ok(add(client, shop, papers(Front=out.getvalue())))
    full = Picture(ok(client.get("/api/user/vehicles"))["vehicles"][-1]["image"])
    told = [entry.split(" ") for entry in full.sizes.split(", ")]
    assert [width for _, width in told] == ["640w", "800w", "1600w"]
    largest = len(client.get(full.full).content)
    for path, width in told:
        answer = client.get(path)
        assert (answer.status_code, answer.headers["content-type"]) == (200, "image/webp")
        assert Image.open(io.BytesIO(answer.content)).width == int(width.removesuffix("w"))
        assert len(answer.content) < largest
    # The vehicle's other photos are small here: drawing them larger would gain nothing.
    assert len([key for key in stored() if key.startswith("public/")]) == 2 * 4 + 2
    storage.remove(storage.objects_of(full.full.removeprefix("/media/")))
    assert len([key for key in stored() if key.startswith("public/")]) == 2 * 3


def test_photos_of_every_age_say_the_sizes_they_have() -> None:
    def sizes(name: str) -> str:
        return Picture(name).sizes

    assert sizes("/media/public/a.jpg") == "/media/public/a.webp 640w, /media/public/a.jpg 1600w"
    assert sizes("/media/public/a.avif") == "/media/public/a.avif 960w"
    beside = "/media/public/a-w.webp 640w, /media/public/a-w800.webp 800w, /media/public/a-w1600.webp 1600w"
    assert sizes("/media/public/a-w.jpg") == beside


@pytest.mark.long
@each("mode", ["L", "P", "RGBA", "CMYK", "1", "I;16", "LA"])
def test_every_kind_of_pixel_is_understood(client: TestClient, shop: Shop, mode: str) -> None:
    out = io.BytesIO()
    Image.new(mode, (20, 20)).save(out, "JPEG" if mode == "CMYK" else "PNG")
    ok(client.post("/api/vendor/update-image", files=[part("image", out.getvalue())], headers=bearer(shop.vendor)))


def test_a_picture_is_named_after_its_content_and_kept_for_good(client: TestClient, shop: Shop) -> None:
    ok(add(client, shop, papers()))
    image = ok(client.get("/api/user/vehicles"))["vehicles"][-1]["image"]
    answer = client.get(image)
    assert image.removeprefix("/media/public/").startswith(hashlib.sha256(answer.content).hexdigest()[:24])
    assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    # The ten photos are identical, yet each has its own name.
    assert len([key for key in stored() if key.endswith(".jpg")]) == len([key for key in stored() if "webp" in key]) > 1


def test_a_file_is_sent_in_pieces(client: TestClient) -> None:
    whole = os.urandom(3 * storage.PIECE_BYTES)
    obstore.put(storage.store(), "private/large", whole)
    sent = storage.stored("private/large")
    pieces = asyncio.run(collected(sent.pieces))
    assert (b"".join(pieces), sent.size) == (whole, len(whole))
    assert len(pieces) > 1


async def collected(pieces: AsyncIterator[bytes]) -> list[bytes]:
    return [piece async for piece in pieces]


def test_names_of_files_lead_nowhere(client: TestClient, shop: Shop) -> None:
    named = [(group, (f"../../{group}.php", jpeg(), "text/html")) for group in FILE_GROUPS]
    ok(add(client, shop, named))
    assert len(stored()) == 14
    assert all(key.count("/") == 1 and "php" not in key for key in stored())


@each("name", ["x", "0" * 32 + ".png", "..%2f..%2fsigning.key", "0" * 32 + ".jpg", "%00.jpg"])
def test_pictures_nobody_uploaded(client: TestClient, name: str) -> None:
    refused(client.get(f"/media/public/{name}"), 404, "not_found")
    refused(client.get(f"/media/art/scooter/{name}.svg"), 404, "not_found")


def test_a_file_store_that_fails_leaves_no_row(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    import obstore

    whole, calls = obstore.put, list[tuple[Any, ...]]()

    def fail_at_last(*args: Any, **options: Any) -> object:
        calls.append(args)
        if len(calls) == 12:
            raise OSError("no space left on device")
        return whole(*args, **options)

    monkeypatch.setattr(obstore, "put", fail_at_last)
    before = count("vehicle")
    refused(add(client, shop, papers()), 503, "unavailable")
    assert (count("vehicle"), stored()) == (before, set())


def test_data_sent_as_a_file_are_taken_as_text_within_the_limit_of_texts(client: TestClient, shop: Shop) -> None:
    data, headers = form()["vehicleData"], bearer(shop.vendor)
    for text, status in ((data, 200), ("x" * 1_048_577, 413), ("\xff", 400)):
        blob = ("vehicleData", ("blob", text.encode("latin-1"), "application/json"))
        answer = client.post("/api/vendor/add-vehicle", files=[blob, *papers()], headers=headers)
        assert answer.status_code == status, answer.text
