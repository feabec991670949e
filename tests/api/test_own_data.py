"""What people may have of their own data over REST: its state, a copy, and erasure."""

import io
import json
import zipfile
from datetime import timedelta
from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.content.legal import NOTICE_VERSION
from rental_app.domain import clock
from rental_app.domain.acts import Act
from rental_app.infrastructure.db import write
from rental_app.models import User
from rental_app.services import audit
from rental_app.services.accounts import sessions
from rental_app.services.files import storage
from rental_app.services.reviews import writing
from tests.conftest import Clock
from tests.support.accounts import user_of
from tests.support.booking_steps import alter
from tests.support.erasure import ACCOUNT, PERSON, known
from tests.support.rest_helpers import bearer, hire, ok, refused
from tests.support.reviews import returned, review
from tests.support.shop import DAILY_PAISE, PASSWORD, Shop, actor, add_user
from tests.support.trips import confirmed, pay

EXPORT, DELETE, STATE = "/api/user/export", "/api/user/delete", "/api/user/your-data"


def copy_of(client: TestClient, user: User) -> zipfile.ZipFile:
    answer = client.get(EXPORT, headers=bearer(user))
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-type"] == "application/zip"
    assert answer.headers["cache-control"] == "no-store"
    return zipfile.ZipFile(io.BytesIO(answer.content))


def read_json(copy: zipfile.ZipFile, name: str) -> Any:
    return json.loads(copy.read(name))


def text_of(copy: zipfile.ZipFile) -> str:
    """All that a copy says in plain text."""
    texts = [name for name in copy.namelist() if name.endswith((".json", ".csv", ".txt"))]
    return "\n".join(copy.read(name).decode("utf-8-sig") for name in texts)


def test_a_customer_gets_all_that_is_theirs_and_nothing_of_others(
    client: TestClient, shop: Shop, stopped_clock: Clock
) -> None:
    trip = returned(shop, stopped_clock)
    pay(shop, trip.id, 2 * DAILY_PAISE)
    review(shop.customer, trip.id, 4, "A fine scooter")
    review(shop.vendor, trip.id, 5, "On time")
    write(writing.show_due, stopped_clock.instant)
    known(shop.customer)
    alter(User, shop.vendor.id, upi_id="vendor@upi", bank_account_no="999988887777")
    papers = ok(client.get("/api/user/papers", headers=bearer(shop.customer)))["papers"]
    about = f"licence {trip.reference}"
    write(audit.record_look, actor(shop.vendor), Act.IDENTITY_SEEN, ("identity_paper", papers[0]["id"]), about)
    copy = copy_of(client, shop.customer)
    account = read_json(copy, "account.json")["account"]
    (look,) = read_json(copy, "account.json")["looks_at_documents"]
    assert (look["who"], look["kind"]) == (shop.vendor.name, "licence")
    assert {name: account[name] for name in PERSON} == PERSON
    (booking,) = read_json(copy, "bookings.json")
    assert (booking["reference"], booking["vendor"]) == (trip.reference, shop.vendor.name)
    assert [line["rupees"] for line in booking["account"]][-1] == 2 * DAILY_PAISE / 100
    reviews = read_json(copy, "reviews.json")
    assert [one["text"] for one in reviews["written"]] == ["A fine scooter"]
    assert [one["text"] for one in reviews["received"]] == ["On time"]
    assert f"documents/{trip.reference}/receipt.pdf" in copy.namelist()
    assert copy.read(f"documents/{trip.reference}/agreement.pdf").startswith(b"%PDF")
    licence = next(name for name in copy.namelist() if name.startswith("documents/licence-"))
    assert copy.read(licence) == b"the licence of Zarathustra Quill"
    assert "vehicles.json" not in copy.namelist()
    text = text_of(copy)
    owner = user_of(shop.customer.id)
    hidden = (owner.password_hash, "quills-device", "quill-1", "quills-key", "called", '"digest"', '"nonce"', '"jti"')
    others = (shop.vendor.email, shop.vendor.phone_number, "vendor@upi", "999988887777", shop.vehicle.rc_number)
    for secret in (*hidden, *others):
        assert secret not in text, secret


def test_a_vendor_gets_the_business_with_customers_by_name_and_reference(
    client: TestClient, shop: Shop, stopped_clock: Clock
) -> None:
    trip = returned(shop, stopped_clock)
    alter(User, shop.vendor.id, **ACCOUNT)
    storage.put("public/me.jpg", b"a picture")
    alter(User, shop.vendor.id, image="/media/public/me.jpg")
    copy = copy_of(client, shop.vendor)
    assert copy.read("documents/picture.jpg") == b"a picture"
    assert read_json(copy, "account.json")["account"]["bank_account_no"] == ACCOUNT["bank_account_no"]
    vehicles = read_json(copy, "vehicles.json")
    assert [one["rc_number"] for one in vehicles["vehicles"]] == [shop.vehicle.rc_number]
    assert vehicles["prices"][0]["price"] == DAILY_PAISE / 100
    rows = copy.read("bookings.csv").decode("utf-8-sig")
    assert trip.reference in rows
    assert shop.customer.name in rows
    assert any(name.startswith("statements/") for name in copy.namelist())
    text = text_of(copy)
    for secret in (shop.customer.email, shop.customer.phone_number, shop.customer.address):
        assert secret not in text


def test_a_copy_takes_a_proof_of_the_last_quarter_of_an_hour(
    client: TestClient, shop: Shop, stopped_clock: Clock
) -> None:
    headers = bearer(shop.customer)
    stopped_clock.move(minutes=15)
    refused(client.get(EXPORT, headers=headers), 403, "confirm_password")
    assert ok(client.get(STATE, headers=headers))["confirmPassword"] is True
    ok(client.post("/api/user/confirm-password", headers=headers, json={"password": PASSWORD}))
    assert client.get(EXPORT, headers=headers).status_code == 200


def test_a_session_that_a_code_opened_takes_the_password(client: TestClient, shop: Shop) -> None:
    token = write(lambda session: sessions.open_session(session, shop.customer.id or 0, by_code=True))
    headers = {"Authorization": f"Bearer {token}"}
    refused(client.get(EXPORT, headers=headers), 403, "confirm_password")
    refused(client.post(DELETE, headers=headers, json={"password": "no"}), 422, "wrong_password", "password")
    ok(client.post(DELETE, headers=headers, json={"password": PASSWORD}))


def test_a_copy_is_made_once_an_hour(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    headers = bearer(shop.customer)
    assert client.get(EXPORT, headers=headers).status_code == 200
    again = client.get(EXPORT, headers=headers)
    refused(again, 429, "exported_lately")
    assert again.headers["retry-after"] == "3601"
    state = ok(client.get(STATE, headers=headers))
    assert state["exportAgainAt"] == clock.indian(stopped_clock.instant + timedelta(hours=1)).isoformat()
    stopped_clock.move(hours=1, seconds=1)
    assert copy_of(client, shop.customer).testzip() is None


def test_a_copy_that_fails_does_not_count(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    with monkeypatch.context() as patch:
        patch.setattr("rental_app.services.accounts.export._readme", full)
        refused(client.get(EXPORT, headers=bearer(shop.customer)), 503, "unavailable")
    assert copy_of(client, shop.customer)


def test_a_member_gets_their_own_account_and_not_their_vendors(client: TestClient, shop: Shop) -> None:
    member = hire(shop)
    copy = copy_of(client, member)
    assert read_json(copy, "account.json")["works_for"] == [{"name": shop.vendor.name, "role": "counter"}]
    assert "vehicles.json" not in copy.namelist()
    assert shop.vendor.email not in text_of(copy)


def test_who_asks_is_logged_out_and_told_the_day(client: TestClient, shop: Shop, stopped_clock: Clock) -> None:
    headers = bearer(shop.customer)
    refused(client.post(DELETE, headers=headers, json={"password": "wrong"}), 422, "wrong_password", "password")
    answer = ok(client.post(DELETE, headers=headers, json={"password": PASSWORD}))
    assert answer["eraseOn"] == f"{clock.indian_today(stopped_clock.instant + timedelta(days=7))}"
    for call in (
        client.get(EXPORT, headers=headers),
        client.post(DELETE, headers=headers, json={"password": PASSWORD}),
    ):
        refused(call, 401, "session_ended")


def test_what_is_open_is_named(client: TestClient, shop: Shop) -> None:
    trip = confirmed(shop)
    answer = client.post(DELETE, headers=bearer(shop.vendor), json={"password": PASSWORD})
    assert (answer.status_code, answer.json()["code"]) == (409, "open_trips")
    (obstacle,) = answer.json()["obstacles"]
    assert (obstacle["code"], obstacle["reference"]) == ("trip", trip.reference)
    assert ok(client.get(STATE, headers=bearer(shop.customer)))["obstacles"] == [obstacle]


def test_operators_are_unmade_first(client: TestClient) -> None:
    answer = client.post(DELETE, headers=bearer(add_user("Operator")), json={"password": PASSWORD})
    refused(answer, 403, "operators_stay")


@pytest.mark.usefixtures("shop")
def test_the_notice_that_was_shown_is_kept_with_the_account(client: TestClient) -> None:
    person = {"name": "Asha Rao", "phoneNumber": "9876512340", "address": "1 Lake Road", "pincode": "500032"}
    person |= {"city": "Hyderabad", "password": "quiet river stones"}
    wrong = person | {"email": "a@example.com", "noticeVersion": "1999-01-01"}
    refused(client.post("/api/user/register", json=wrong), 422, "unknown_notice", "noticeVersion")
    token = ok(client.post("/api/user/register", json=person | {"email": "b@example.com"}))["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert ok(client.get(STATE, headers=headers))["noticeVersion"] is None
    shown = person | {"email": "c@example.com", "noticeVersion": NOTICE_VERSION}
    token = ok(client.post("/api/user/register", json=shown))["token"]
    headers = {"Authorization": f"Bearer {token}"}
    assert ok(client.get(STATE, headers=headers))["noticeVersion"] == NOTICE_VERSION
