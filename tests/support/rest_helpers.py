"""What the tests of the REST edge send, and how they read the responses."""

import io
import json
from typing import Any

import pikepdf
from fastapi.testclient import TestClient
from httpx2 import Response
from PIL import Image

from rental_app.domain import clock
from rental_app.domain.staff import MemberRole
from rental_app.domain.uploads import FILE_GROUPS, TRIP_GROUPS
from rental_app.models import Member, User
from rental_app.schemas.readings import PAPERS
from rental_app.services.files import storage
from tests.support.shop import Shop, a_model, add_user, moment, put, token_of, wire

GUEST = {"name": "Suresh Babu", "phone": "9000020288"}

READ = {
    "odometer": 1300,
    "fuelEighths": 8,
    "papersSeen": list(PAPERS),
    "helmets": 1,
    "unpaidReason": "Pays later",
}

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


def photos(*more: str, **replaced: bytes) -> Files:
    """Return a photo for each group that every reading requires, and for any others."""
    return [part(group, replaced.get(group, jpeg())) for group in (*TRIP_GROUPS, *more)]


class Sides:
    """A client that acts as the customer and as the vendor of one booking."""

    def __init__(self, client: TestClient, shop: Shop) -> None:
        self.client, self.shop = client, shop
        self.customer, self.vendor = bearer(shop.customer), bearer(shop.vendor)
        wish = {"car": shop.vehicle.id, **window(4)}
        made = ok(client.post("/api/bookings/create", json=wish, headers=self.customer))["booking"]
        self.id, self.ref = made["id"], made["reference"]

    def confirm(self) -> None:
        body = {"bookingId": self.id, "status": "confirmed"}
        ok(self.client.post("/api/bookings/change-status", json=body, headers=self.vendor))

    def get(self, path: str = "", **query: Any) -> Any:
        return self.client.get(f"/api/bookings/{self.ref}{path}", params=query, headers=self.customer)

    def post(self, path: str, body: Any = None) -> Any:
        return self.client.post(f"/api/bookings/{self.ref}{path}", json=body, headers=self.customer)

    def vendor_post(self, path: str, body: Any = None, **headers: str) -> Any:
        url = f"/api/vendor/bookings/{self.ref}{path}"
        return self.client.post(url, json=body, headers=self.vendor | headers)

    def pay(self, amount: Any, of: str = "rent", direction: str = "in", **more: Any) -> Any:
        return self.vendor_post(
            "/payment", {"amount": amount, "method": "upi", "of": of, "direction": direction, **more}
        )


def wish(shop: Shop, days: int = 5, length: int = 1, **changes: Any) -> dict[str, Any]:
    ends = {"from": wire(moment(days)), "to": wire(moment(days + length))}
    return {"vehicle": shop.vehicle.id, **ends, "reason": "service"} | changes


def asked(shop: Shop, days: int = 1, length: int = 1, **more: Any) -> dict[str, Any]:
    ends = {"pickupDate": wire(moment(days)), "returnDate": wire(moment(days + length))}
    return {"vehicle": shop.vehicle.id, **ends, "customer": GUEST} | more


def hire(shop: Shop, role: MemberRole = MemberRole.COUNTER) -> User:
    """Add a member to the shop's vendor."""
    person = add_user()
    put(Member(user_id=person.id or 0, vendor_id=shop.vendor.id or 0, role=role))
    return person
