"""Documents of customers over REST: sent, looked at, decided, withdrawn; what is refused leaves nothing behind."""

import io
import json
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from PIL import Image

from rental_app.domain.uploads import MEGABYTE
from rental_app.infrastructure.settings import settings
from rental_app.models import User
from tests.support.identity import LICENCE, PAN, WHOLE_AADHAAR, clear, written_pdf
from tests.support.rest_helpers import Sides, bearer, hire, jpeg, ok, part, pdf, refused, stored
from tests.support.rows import each
from tests.support.shop import Shop, add_user, count

URL = "/api/user/papers"


@pytest.fixture(autouse=True)
def no_documents(database: str) -> None:
    clear()


def sent(client: TestClient, who: User, kind: str = "licence", *files: bytes, **data: Any) -> Response:
    typed = {"licence": LICENCE, "id": PAN}.get(kind, {"name": "Asha Rao"}) | data
    form = {"kind": kind, "data": json.dumps(typed)}
    return client.post(URL, data=form, files=[part("file", file) for file in files or (jpeg(),)], headers=bearer(who))


def of(client: TestClient, who: User) -> dict[str, Any]:
    return ok(client.get(URL, headers=bearer(who)))


def picture(response: Response) -> Image.Image:
    assert (response.status_code, response.headers["content-type"]) == (200, "image/jpeg"), response.text
    assert response.headers["cache-control"] == "no-store"
    return Image.open(io.BytesIO(response.content))


def test_a_document_is_sent_checked_seen_and_withdrawn(client: TestClient, shop: Shop) -> None:
    nothing = of(client, shop.customer)
    assert (nothing["mode"], nothing["papers"]) == ("optional", [])
    assert nothing["missing"] == ["id", "licence", "work", "residence"]
    paper = ok(sent(client, shop.customer, "licence", jpeg(), pdf(6)))["paper"]
    assert (paper["state"], paper["numberEnds"], paper["classes"]) == ("sent", "2345", ["MCWG"])
    # The photo, and the first four pages.
    assert (paper["files"], paper["pictures"], len(stored())) == (2, 5, 5)
    operator = add_user("Operator")
    url = f"/api/operator/papers/{paper['id']}/decision"
    row = ok(client.get(f"/api/operator/papers/{paper['id']}", headers=bearer(operator)))
    decision = {"decision": "accept", "expected": row["version"]}
    ok(client.post(url, json=decision, headers=bearer(operator)))
    assert of(client, shop.customer)["papers"][0]["state"] == "accepted"
    assert of(client, shop.customer)["missing"] == ["id", "work", "residence"]
    picture(client.get(f"{URL}/{paper['id']}/pictures/5", headers=bearer(shop.customer)))
    refused(client.get(f"{URL}/{paper['id']}/pictures/6", headers=bearer(shop.customer)), 404, "unknown_picture")
    ok(client.delete(f"{URL}/{paper['id']}", headers=bearer(shop.customer)))
    assert (of(client, shop.customer)["papers"], stored(), count("identity_paper_file")) == ([], set(), 0)
    refused(client.post(url, json=decision, headers=bearer(operator)), 409, "changed_meanwhile")


def test_the_vendor_sees_how_it_stands_and_pictures_with_a_mark_for_a_while(client: TestClient, shop: Shop) -> None:
    paper = ok(sent(client, shop.customer))["paper"]
    sides = Sides(client, shop)
    url = f"/api/vendor/bookings/{sides.ref}/papers"
    waiting = ok(client.get(url, headers=sides.vendor))
    assert [(one["kind"], one["state"], one["pictures"]) for one in waiting["papers"]] == [
        ("id", "missing", 0),
        ("licence", "sent", 0),
        ("work", "missing", 0),
        ("residence", "missing", 0),
    ]
    address = f"{url}/{paper['id']}/pictures/1"
    refused(client.get(address, headers=sides.vendor), 404, "unknown_paper")
    sides.confirm()
    shown = ok(client.get(url, headers=sides.vendor))["papers"][1]
    assert (shown["id"], shown["pictures"], shown["classesCover"]) == (paper["id"], 1, True)
    marked = picture(client.get(address, headers=bearer(hire(shop))))
    own = picture(client.get(f"{URL}/{paper['id']}/pictures/1", headers=sides.customer))
    # The text is on the vendor's alone; on a picture too small for it, it is made larger.
    assert (len(own.getcolors() or ()), max(marked.size)) == (1, 720)
    assert len(marked.getcolors(720 * 720) or ()) > 100
    picture(client.get(address, headers=sides.vendor))
    picture(client.get(address, headers=sides.vendor))
    looks = of(client, shop.customer)["looks"]
    assert [(look["who"], look["role"], look["kind"]) for look in looks] == [
        (shop.vendor.name, "vendor", "licence")
    ] * 2
    for stranger in (add_user("Vendor", location_id=shop.place.id), shop.customer):
        refused(client.get(address, headers=bearer(stranger)), *NOT_THEIRS[stranger.role])
    ok(
        sides.vendor_post("/cancel", {"reason": "broken"})
        if False
        else client.delete(f"{URL}/{paper['id']}", headers=sides.customer)
    )
    refused(client.get(address, headers=sides.vendor), 404, "unknown_paper")


NOT_THEIRS = {"Vendor": (404, "unknown_booking"), "Customer": (403, "vendors_only")}


@pytest.mark.parametrize("who", ["Vendor", "Operator"])
def test_only_customers_have_documents(client: TestClient, who: str) -> None:
    refused(sent(client, add_user(who)), 403, "customers_only")
    refused(client.get(URL, headers=bearer(add_user(who))), 403, "customers_only")
    assert not stored()


def test_a_whole_aadhaar_is_refused_and_nothing_of_it_stored(client: TestClient, shop: Shop) -> None:
    masked = {"document": "aadhaar", "name": "Asha Rao", "number": "2346"}
    refused(
        sent(client, shop.customer, "id", written_pdf(f"Number {WHOLE_AADHAAR}"), **masked), 400, "unmasked", "file"
    )
    refused(sent(client, shop.customer, "id", **(masked | {"number": WHOLE_AADHAAR})), 400, "unmasked", "number")
    ahead = {"group": "Identity document"}
    file = part("file", written_pdf(WHOLE_AADHAAR.replace(" ", "")))
    refused(
        client.post("/api/uploads", data=ahead, files=[file], headers=bearer(shop.customer)),
        400,
        "unmasked",
        ahead["group"],
    )
    assert (stored(), count("identity_paper"), count("unclaimed_file")) == (set(), 0, 0)
    ok(sent(client, shop.customer, "id", written_pdf("XXXX XXXX 2346 VID 9123 4567 8901 2345"), **masked))
    assert of(client, shop.customer)["papers"][0]["numberEnds"] == "2346"


def test_files_uploaded_ahead_become_a_document_once(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.customer)
    upload = ok(
        client.post("/api/uploads", data={"group": "Identity document"}, files=[part("file", pdf(2))], headers=headers)
    )
    form = {"kind": "licence", "data": json.dumps(LICENCE | {"uploads": [upload["upload"]["id"]]})}
    assert ok(client.post(URL, data=form, files=[("x", ("", b"", ""))], headers=headers))["paper"]["pictures"] == 2
    refused(client.post(URL, data=form, files=[("x", ("", b"", ""))], headers=headers), 422, "upload_gone", "uploads")
    assert of(client, shop.customer)["papers"][0]["pictures"] == 2


def test_the_same_call_is_done_once_and_another_one_replaces_the_document(client: TestClient, shop: Shop) -> None:
    key = {"Idempotency-Key": "send-licence"} | bearer(shop.customer)
    form = {"kind": "licence", "data": json.dumps(LICENCE)}
    file = jpeg()
    first = ok(client.post(URL, data=form, files=[part("file", file)], headers=key))["paper"]
    assert ok(client.post(URL, data=form, files=[part("file", file)], headers=key))["paper"] == first
    before = stored()
    assert len(before) == 1
    again = ok(sent(client, shop.customer))["paper"]
    assert (again["id"] != first["id"], count("identity_paper"), len(stored())) == (True, 1, 1)
    assert not stored() & before


VIDEO = b"\x00\x00\x00\x18ftypmp42\x00\x00\x00\x00mp42isom" + bytes(2000)
BROKEN_PDF = pdf()[:200]


@each(
    ("data", "status", "code"),
    [
        (bytes(40 * MEGABYTE), 413, "too_large"),
        (VIDEO, 415, "unsupported_type"),
        (BROKEN_PDF, 415, "unsupported_type"),
        (pdf(encryption=pikepdf.Encryption(user="secret", owner="x")), 415, "unsupported_type"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", 415, "unsupported_type"),
        (b"", 422, "missing_documents"),
    ],
)
@pytest.mark.usefixtures("nothing_changes")
def test_a_file_that_is_no_document_is_refused_and_nothing_stored(
    client: TestClient, shop: Shop, data: bytes, status: int, code: str
) -> None:
    refused(sent(client, shop.customer, "work", data), status, code, "file")
    if data:
        # One that is fine beside it is not stored either.
        refused(sent(client, shop.customer, "work", jpeg(), data), status, code, "file")
        file = part("file", data)
        answer = client.post("/api/uploads", data=AHEAD, files=[file], headers=bearer(shop.customer))
        # Larger ones are not received at all.
        refused(answer, status, code, *([AHEAD["group"]] if len(data) < MEGABYTE else []))
    assert (stored(), count("unclaimed_file")) == (set(), 0)


AHEAD = {"group": "Identity document"}


@each(
    ("kind", "typed", "fields"),
    [
        ("passport", {}, {"kind"}),
        ("id", PAN | {"document": ""}, {"document"}),
        ("id", PAN | {"number": "ABCDE1234F"}, {"number"}),
        ("id", PAN | {"document": "aadhaar", "number": "12345"}, {"number"}),
        ("licence", LICENCE | {"classes": []}, {"classes"}),
        ("licence", LICENCE | {"classes": ["HGV"]}, {"classes.0"}),
        ("licence", LICENCE | {"validUntil": ""}, {"validUntil"}),
        ("licence", LICENCE | {"validUntil": "2020-01-31"}, {"validUntil"}),
        ("licence", LICENCE | {"validUntil": "2120-01-31"}, {"validUntil"}),
        ("licence", LICENCE | {"number": "12"}, {"number"}),
        ("licence", {"name": "Asha"}, {"number", "classes", "validUntil"}),
        ("work", {"name": ""}, {"name"}),
        ("work", {"name": "As\0ha"}, {"name"}),
        ("work", {"name": "A" * 201}, {"name"}),
        ("licence", LICENCE | {"number": "TS09\x002011"}, {"number"}),
    ],
)
@pytest.mark.usefixtures("nothing_changes")
def test_what_does_not_belong_to_a_document_is_refused_by_its_field(
    client: TestClient, shop: Shop, kind: str, typed: dict[str, Any], fields: set[str]
) -> None:
    form = {"kind": kind, "data": json.dumps(typed or {"name": "Asha"})}
    answer = client.post(URL, data=form, files=[part("file", jpeg())], headers=bearer(shop.customer))
    assert {error["field"] for error in answer.json()["errors"]} == fields, answer.text
    assert (answer.status_code, stored()) == (422, set())


@pytest.mark.usefixtures("nothing_changes")
def test_the_number_of_files_and_their_names_are_limited(client: TestClient, shop: Shop) -> None:
    refused(sent(client, shop.customer, "work", *[jpeg()] * 5), 422, "too_many_files", "file")
    refused(sent(client, shop.customer, "work", *[jpeg()] * 9), 422, "too_many_files", "file")
    form = {"kind": "work", "data": json.dumps({"name": "Asha"})}
    other = client.post(URL, data=form, files=[part("photo", jpeg())], headers=bearer(shop.customer))
    refused(other, 422, "unknown_group", "photo")
    assert not stored()


def test_a_name_with_a_nul_or_a_path_in_it_is_never_used(client: TestClient, shop: Shop) -> None:
    form = {"kind": "work", "data": json.dumps({"name": "Asha"})}
    for name in ("../../x.jpg", "a\0b.jpg", "x" * 500):
        answer = client.post(URL, data=form, files=[part("file", jpeg(), name)], headers=bearer(shop.customer))
        assert answer.status_code in (200, 400, 422), answer.text
    assert all(key.startswith("private/") and len(key) == 40 for key in stored())


def test_somebody_elses_upload_is_no_file_of_ones_own(client: TestClient, shop: Shop) -> None:
    other = ok(client.post("/api/uploads", data=AHEAD, files=[part("file", jpeg())], headers=bearer(add_user())))
    form = {"kind": "licence", "data": json.dumps(LICENCE | {"uploads": [other["upload"]["id"]]})}
    answer = client.post(URL, data=form, files=[("x", ("", b"", ""))], headers=bearer(shop.customer))
    refused(answer, 422, "upload_gone", "uploads")


@pytest.mark.usefixtures("database")
def test_where_none_are_taken_any_more_its_owner_sees_and_withdraws_what_was_sent(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    paper = ok(sent(client, shop.customer))["paper"]
    monkeypatch.setattr(settings(), "papers", "off")
    answer = of(client, shop.customer)
    assert (answer["mode"], answer["missing"], answer["neededFor"]) == ("off", [], None)
    assert [one["id"] for one in answer["papers"]] == [paper["id"]]
    refused(sent(client, shop.customer), 404, "papers_off")
    picture(client.get(f"{URL}/{paper['id']}/pictures/1", headers=bearer(shop.customer)))
    ok(client.delete(f"{URL}/{paper['id']}", headers=bearer(shop.customer)))
    assert (of(client, shop.customer)["papers"], stored()) == ([], set())


def test_the_next_booking_is_what_documents_are_needed_for(client: TestClient, shop: Shop) -> None:
    assert of(client, shop.customer)["neededFor"] is None
    sides = Sides(client, shop)
    needed = of(client, shop.customer)["neededFor"]
    assert (needed["reference"], needed["vehicle"]) == (sides.ref, "Honda Activa 6G")
    sides.confirm()
    assert of(client, shop.customer)["neededFor"]["reference"] == sides.ref


def test_no_whole_number_is_left_anywhere(
    client: TestClient, shop: Shop, database: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    """Not in the database's file with its log of writes, not in what is logged, not in the store."""
    for kind, typed in (("id", PAN), ("licence", LICENCE), ("id", PAN | {"document": "aadhaar"} | MASKED)):
        form = {"kind": kind, "data": json.dumps(typed)}
        headers = bearer(shop.customer) | {"Idempotency-Key": f"whole {kind} {typed.get('document')}"}
        ok(client.post(URL, data=form, files=[part("file", written_pdf("XXXX XXXX 2346"))], headers=headers))
    whole = {"document": "aadhaar", "name": "Asha Rao", "number": WHOLE_AADHAAR}
    refused(sent(client, shop.customer, "id", **whole), 400, "unmasked", "number")
    refused(sent(client, shop.customer, "work", written_pdf(WHOLE_AADHAAR), name="Asha"), 400, "unmasked", "file")
    ok(sent(client, shop.customer, "id", **PAN))
    file = Path(database.removeprefix("sqlite:///"))
    held = b"".join(path.read_bytes() for path in file.parent.rglob("*") if path.is_file())
    texts = held + caplog.text.encode() + "".join(capfd.readouterr()).encode()
    numbers = (PAN["number"], "20110012345", WHOLE_AADHAAR, WHOLE_AADHAAR.replace(" ", ""))
    assert not [number for number in numbers if number.encode() in texts]
    # What is stored of them is there, so it was looked for in the right place.
    assert b"234F" in texts


MASKED = {"number": "XXXX XXXX 2346"}
