"""What the tests of the REST edge send, and how they read the responses."""

import io
import json
from typing import Any

import pikepdf
from fastapi.testclient import TestClient
from httpx2 import Response
from PIL import Image

from rental_app.domain import clock
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.models import User
from rental_app.services.files import storage
from tests.support.shop import Shop, a_model, moment, token_of, wire

Files = list[tuple[str, tuple[str, bytes, str]]]
DAY = "%Y-%m-%d"
PERSON = {
    "name": "New Person",
    "email": "new@example.com",
    "password": "a long enough one",
    "address": "1 Test Road",
    "landmark": "",
    "pincode": "500032",
    "city": "Hyderabad",
    "phoneNumber": "9000000001",
    "isVendor": False,
}
PROFILE = {"address": "1 Test Road", "zipCode": "500032", "city": "Hyderabad"}


def bearer(user: User) -> dict[str, str]:
    """The header a logged-in user sends."""
    return {"Authorization": f"Bearer {token_of(user)}"}


def ok(response: Response) -> dict[str, Any]:
    """Return the body of a response that must be a success."""
    assert response.status_code == 200, response.text
    body: dict[str, Any] = response.json()
    assert body["success"] is True
    assert isinstance(body["message"], str)
    return body


def refused(response: Response, status: int, code: str, *fields: str) -> dict[str, Any]:
    """Return the body of a response that must be a refusal and blame exactly these fields."""
    assert (response.status_code, response.headers["content-type"]) == (status, "application/json"), response.text
    body: dict[str, Any] = response.json()
    assert set(body) == {"success", "message", "code", "errors", "requestId"}
    assert (body["success"], body["code"]) == (False, code)
    assert body["message"]
    assert body["requestId"] == response.headers["x-request-id"]
    assert {error["field"] for error in body["errors"]} == set(fields)
    assert all(set(error) == {"field", "message"} and error["message"] for error in body["errors"])
    return body


def jpeg(size: tuple[int, int] = (64, 48), **extra: Any) -> bytes:
    """A small photo."""
    out = io.BytesIO()
    Image.new("RGB", size, "teal").save(out, "JPEG", **extra)
    return out.getvalue()


def png(size: tuple[int, int] = (64, 48)) -> bytes:
    """A small drawing."""
    out = io.BytesIO()
    Image.new("1", size).save(out, "PNG")
    return out.getvalue()


def pdf(pages: int = 1, **options: Any) -> bytes:
    """A PDF of blank pages; `options` are pikepdf's for saving."""
    document = pikepdf.new()
    for _ in range(pages):
        document.add_blank_page()
    return saved(document, **options)


def saved(document: pikepdf.Pdf, **options: Any) -> bytes:
    """A PDF's bytes."""
    out = io.BytesIO()
    document.save(out, **options)
    return out.getvalue()


def part(group: str, data: bytes, name: str = "scan.pdf") -> tuple[str, tuple[str, bytes, str]]:
    """Return one file of a multipart body; its name and type are the sender's claims."""
    return group, (name, data, "application/octet-stream")


def papers(**replaced: bytes) -> Files:
    """A file for each of the ten groups."""
    return [part(group, replaced.get(group, jpeg())) for group in FILE_GROUPS]


def listing(**changes: Any) -> dict[str, Any]:
    """A vehicle as the form submits it."""
    type_id, manufacturer, model = a_model()
    today = clock.indian_today(clock.now())
    return {
        "vehicleType": type_id,
        "manufacturer": manufacturer,
        "model": model,
        "year": today.year,
        "color": "White",
        "rc_number": "TS09EA1234",
        "engine_number": "JF50E1234567",
        "chassis_number": "ME4JF501AJT123456",
        "odometer_reading": "12000",
        "owner_name_as_per_rc": "Hidden Owner",
        "last_serviced_date": f"{today:{DAY}}",
        "insurance_expiry_date": f"{moment(300):{DAY}}",
        "pollution_expiry_date": f"{moment(200):{DAY}}",
        "speed_limit_kmph": 70,
        "late_penalty_per_hour": "50",
        "distance_penalty_per_km": 4.5,
        "security_deposit": 2000,
        "drop_off_pick_extra_payment": True,
        "drop_off_payment": 150,
        "pick_up_payment": "100",
        "terms": "Helmet on\nNo racing",
        "prices": [{"price_name": "Full Day", "price": "499.50", "kms_limit": "120", "status": "Active"}],
    } | changes


def form(**changes: Any) -> dict[str, str]:
    """The text part of the multipart form."""
    return {"vehicleData": json.dumps(listing(**changes))}


def stored() -> set[str]:
    """The keys of all stored files."""
    return {item["path"] for chunk in storage.store().list() for item in chunk}


def add(client: TestClient, shop: Shop, files: Files) -> Response:
    """List a vehicle with these files and return the response."""
    return client.post("/api/vendor/add-vehicle", data=form(), files=files, headers=bearer(shop.vendor))


def window(days: int = 3, length: int = 1) -> dict[str, str]:
    """Return pickup and return: `days` from now, `length` days apart."""
    return {"pickupDate": wire(moment(days)), "returnDate": wire(moment(days + length))}
