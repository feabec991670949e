"""Refused uploads leave no row and no file."""

import resource
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pikepdf
import pytest
from fastapi.testclient import TestClient

from rental_app.domain.uploads import FILE_GROUPS, MAX_FILE_BYTES
from rental_app.services.files import pdf_check
from tests.support.pdfs import ACTIVE, bomb, made
from tests.support.rest_helpers import add, bearer, form, jpeg, ok, papers, part, pdf, png, refused, stored
from tests.support.shop import Shop, count

SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'
HTML = b"<!doctype html><script>alert(1)</script>"


@pytest.fixture
def nothing_is_left(client: TestClient, shop: Shop) -> Iterator[None]:
    """Check that the test adds no vehicles, files or stored objects."""
    before = count("vehicle"), count("vehicle_file"), stored()
    yield
    assert (count("vehicle"), count("vehicle_file"), stored()) == before


BAD_ANYWHERE = {
    "svg": SVG,
    "html": HTML,
    "program": b"MZ\x90\x00" * 100,
    "gif": b"GIF89a\x01\x00\x01\x00\x00\x00\x00;",
    "text": b"hello",
    "cut jpeg": jpeg((800, 600))[:900],
    "jpeg head only": b"\xff\xd8\xff\xe0\x00\x10JFIF",
    "html after a jpeg head": b"\xff\xd8\xff\xe0" + HTML,
    "cut png": png()[:40],
    "pdf far from the start": b"\n" * 1025 + pdf(),
}
BAD_PAPERS = {
    "pdf head only": (b"%PDF-1.7\n" + HTML, "cannot be read"),
    "51 pages": (pdf(51), "at most 50 pages"),
}
CLEANED_PAPERS = {
    "pdf not at the start": b"\n" + pdf(),
    "encrypted for nobody": pdf(encryption=pikepdf.Encryption(owner="owner", user="")),
    "form that is sent": made(ACTIVE["form that is sent"]),
}


@pytest.mark.long
@pytest.mark.usefixtures("nothing_is_left")
@pytest.mark.parametrize("name", BAD_ANYWHERE)
def test_what_is_neither_picture_nor_pdf(client: TestClient, shop: Shop, name: str) -> None:
    headers = bearer(shop.vendor)
    for group in ("Front", "RC"):
        refused(add(client, shop, papers(**{group: BAD_ANYWHERE[name]})), 415, "unsupported_type", group)
        edit = [part(group, BAD_ANYWHERE[name])]
        answer = client.post("/api/vendor/edit-vehicle", data=form(id=shop.vehicle.id), files=edit, headers=headers)
        refused(answer, 415, "unsupported_type", group)
    avatar = client.post("/api/vendor/update-image", files=[part("image", BAD_ANYWHERE[name])], headers=headers)
    assert "PDF" not in refused(avatar, 415, "unsupported_type", "image")["message"]


@pytest.mark.usefixtures("nothing_is_left")
def test_files_of_one_fault_are_refused_for_that_fault(client: TestClient, shop: Shop) -> None:
    large = bytes(MAX_FILE_BYTES + 1)
    refused(add(client, shop, papers(RC=HTML, Front=HTML)), 415, "unsupported_type", "RC", "Front")
    refused(add(client, shop, papers(RC=large, Front=large)), 413, "too_large", "RC", "Front")
    refused(add(client, shop, papers(RC=HTML, Front=large)), 422, "invalid_input", "RC", "Front")


@pytest.mark.usefixtures("nothing_is_left")
@pytest.mark.parametrize("name", BAD_PAPERS)
def test_pdfs_that_cannot_be_kept(client: TestClient, shop: Shop, name: str) -> None:
    paper, cause = BAD_PAPERS[name]
    assert cause in refused(add(client, shop, papers(RC=paper)), 415, "unsupported_type", "RC")["message"]


@pytest.mark.parametrize("name", CLEANED_PAPERS)
def test_pdfs_that_do_more_than_show_are_stored_without_that(client: TestClient, shop: Shop, name: str) -> None:
    headers, files = bearer(shop.vendor), [part("file", CLEANED_PAPERS[name])]
    upload = ok(client.post("/api/vendor/uploads", data={"group": "RC"}, files=files, headers=headers))["upload"]
    kept = client.get(f"/api/vendor/uploads/{upload['id']}", headers=headers).content
    assert (upload["size"], upload["contentType"]) == (len(kept), "application/pdf")
    assert pdf_check.check(kept) is None


@pytest.mark.long
@pytest.mark.usefixtures("nothing_is_left")
def test_a_small_pdf_holds_nobody_up(client: TestClient, shop: Shop) -> None:
    """A PDF bomb, 2 KB that inflate to a gigabyte in two rounds, blocks nobody."""
    file = bomb(1000, 2)
    assert len(file) < 10_000
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with ThreadPoolExecutor() as pool:
        uploaded = pool.submit(add, client, shop, papers(RC=file))
        answered = 0
        while not uploaded.done():
            ok(client.get("/healthz"))
            answered += not uploaded.done()
    refused(uploaded.result(), 415, "unsupported_type", "RC")
    assert answered > 1
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 200_000


@pytest.mark.usefixtures("nothing_is_left")
def test_files_of_the_wrong_kind_or_past_their_size(client: TestClient, shop: Shop) -> None:
    refused(add(client, shop, papers(Front=pdf())), 415, "unsupported_type", "Front")
    large = jpeg() + b"\x00" * MAX_FILE_BYTES
    refused(add(client, shop, papers(RC=large)), 413, "too_large", "RC")
    avatar = client.post("/api/vendor/update-image", files=[part("image", large)], headers=bearer(shop.vendor))
    refused(avatar, 413, "too_large", "image")
    # More than forty megapixels.
    for group in ("Front", "RC"):
        refused(add(client, shop, papers(**{group: png((8000, 5001))})), 413, "too_large", group)


@pytest.mark.usefixtures("nothing_is_left")
def test_more_than_eight_files_in_a_group(client: TestClient, shop: Shop) -> None:
    refused(add(client, shop, papers() + [part("Tyre", jpeg())] * 8), 422, "too_many_files", "Tyre")


def test_eight_files_in_a_group_and_pdfs_are_fine(client: TestClient, shop: Shop) -> None:
    before = count("vehicle_file")
    ok(add(client, shop, papers(RC=pdf(50), Insurance=png()) + [part("Tyre", jpeg())] * 7))
    assert count("vehicle_file") == before + 17


@pytest.mark.usefixtures("nothing_is_left")
def test_missing_documents_are_all_named(client: TestClient, shop: Shop) -> None:
    some = [file for file in papers() if file[0] not in ("Pollution", "Odometer Reading")]
    body = refused(add(client, shop, some), 422, "missing_documents", "Pollution", "Odometer Reading")
    assert body["message"] == "Please upload documents for: Pollution, Odometer Reading"
    empty = refused(
        add(client, shop, [part(group, b"") for group in FILE_GROUPS]), 422, "missing_documents", *FILE_GROUPS
    )
    assert empty["message"] == f"Please upload documents for: {', '.join(FILE_GROUPS)}"


@pytest.mark.usefixtures("nothing_is_left")
def test_parts_nobody_knows(client: TestClient, shop: Shop) -> None:
    refused(add(client, shop, [*papers(), part("Selfie", jpeg())]), 422, "unknown_group", "Selfie")
    refused(add(client, shop, [*papers(), part("../RC", jpeg())]), 422, "unknown_group", "../RC")


@pytest.mark.usefixtures("nothing_is_left")
def test_what_is_no_vehicle_data(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.vendor)
    for path in ("add-vehicle", "edit-vehicle"):
        send = f"/api/vendor/{path}"
        refused(client.post(send, files=papers(), headers=headers), 422, "missing_part", "vehicleData")
        for text, status, code in (("{", 400, "malformed_json"), ("[" * 5000, 400, "malformed_json")):
            answer = client.post(send, data={"vehicleData": text}, files=papers(), headers=headers)
            refused(answer, status, code)
        for text in ("[]", "5", "null", '"x"'):
            answer = client.post(send, data={"vehicleData": text}, files=papers(), headers=headers)
            refused(answer, 422, "invalid_input", "vehicleData")
        refused(client.post(send, json={"vehicleData": "{}"}, headers=headers), 415, "unsupported_type")
        broken = headers | {"Content-Type": "multipart/form-data"}
        refused(client.post(send, content=b"x", headers=broken), 400, "malformed_body")
    refused(client.post("/api/vendor/update-image", headers=headers), 415, "unsupported_type")
    none = client.post("/api/vendor/update-image", files=[part("other", jpeg())], headers=headers)
    refused(none, 422, "missing_part", "image")
    two = [part("image", jpeg())] * 2
    refused(client.post("/api/vendor/update-image", files=two, headers=headers), 422, "missing_part", "image")
