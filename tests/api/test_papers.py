"""Documents of customers over REST: sent, looked at, decided, withdrawn; what is refused leaves nothing behind."""

import io
import json
from typing import Any

import pytest
from fastapi.testclient import TestClient
from httpx2 import Response
from PIL import Image

from rental_app.models import User
from tests.support.identity import LICENCE, PAN, WHOLE_AADHAAR, written_pdf
from tests.support.rest_helpers import Sides, bearer, hire, jpeg, ok, part, pdf, refused, stored
from tests.support.shop import Shop, add_user, count

URL = "/api/user/papers"


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
