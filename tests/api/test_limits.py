"""Large bodies, which are refused before they are read, and rate limits."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from limits import parse

from rental_app.domain.uploads import MAX_REQUEST_BYTES
from rental_app.services.throttle import LIMITS, Kind, Limit
from tests.support.rest_helpers import bearer, form, ok, papers, part, refused, stored
from tests.support.shop import PASSWORD, Shop, count

CHUNK = b"x" * 1024 * 1024
JSON_TYPE = {"Content-Type": "application/json"}


def chunks(megabytes: int, read: list[int]) -> Iterator[bytes]:
    for number in range(megabytes):
        read.append(number)
        yield CHUNK


def test_a_large_json_body_is_not_read(client: TestClient, shop: Shop) -> None:
    for headers in ({}, bearer(shop.customer)):
        read: list[int] = []
        announced = JSON_TYPE | headers | {"Content-Length": str(100 * len(CHUNK))}
        refused(client.post("/api/bookings/create", content=chunks(100, read), headers=announced), 413, "too_large")


def test_a_large_json_body_in_chunks_is_cut_off(client: TestClient) -> None:
    answer = client.post("/api/user/login", content=chunks(100, []), headers=JSON_TYPE)
    refused(answer, 413, "too_large")


@pytest.mark.parametrize("announced", [True, False])
def test_a_large_upload_is_refused_and_leaves_nothing(client: TestClient, shop: Shop, announced: bool) -> None:
    head = b'--b\r\nContent-Disposition: form-data; name="RC"; filename="x"\r\n\r\n'
    size = MAX_REQUEST_BYTES // len(CHUNK) + 2
    headers = bearer(shop.vendor) | {"Content-Type": "multipart/form-data; boundary=b"}
    if announced:
        headers |= {"Content-Length": str(len(head) + size * len(CHUNK))}

    def body() -> Iterator[bytes]:
        yield head
        yield from chunks(size, [])

    for path in ("add-vehicle", "edit-vehicle", "update-image"):
        refused(client.post(f"/api/vendor/{path}", content=body(), headers=headers), 413, "too_large")
    assert stored() == set()


def test_an_upload_may_be_larger_than_json(client: TestClient, shop: Shop) -> None:
    data = form() | {"note": "x" * 400_000}
    ok(client.post("/api/vendor/add-vehicle", data=data, files=papers(), headers=bearer(shop.vendor)))


def test_too_many_parts_are_refused(client: TestClient, shop: Shop) -> None:
    many = [part("RC", b"x")] * 101
    answer = client.post("/api/vendor/add-vehicle", data=form(), files=many, headers=bearer(shop.vendor))
    refused(answer, 400, "malformed_body")


def test_a_refused_upload_of_a_visitor_is_not_stored(client: TestClient) -> None:
    refused(client.post("/api/vendor/add-vehicle", data=form(), files=papers()), 401, "token_missing")
    assert stored() == set()


@pytest.mark.usefixtures("rate_limits")
def test_the_eleventh_failed_login_waits(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rental_app.services.accounts.login.password_matches", lambda password, _hash: password == PASSWORD
    )
    wrong = {"email": shop.customer.email, "password": "wrong"}
    for _ in range(10):
        refused(client.post("/api/user/login", json=wrong), 401, "bad_credentials")
    for body in (wrong, wrong | {"password": PASSWORD}, wrong | {"email": shop.customer.email.upper()}):
        answer = client.post("/api/user/login", json=body)
        refused(answer, 429, "too_many_requests")
        assert 0 < int(answer.headers["retry-after"]) <= 15 * 60
    # Other users behind the same address can still log in.
    ok(client.post("/api/user/login", json={"email": shop.vendor.email, "password": PASSWORD}))


@pytest.mark.usefixtures("rate_limits")
def test_successful_logins_are_not_counted(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rental_app.services.accounts.login.password_matches", lambda password, _hash: password == PASSWORD
    )
    for _ in range(12):
        ok(client.post("/api/user/login", json={"email": shop.customer.email, "password": PASSWORD}))


@pytest.mark.usefixtures("rate_limits")
@pytest.mark.parametrize(
    ("path", "limit", "body"),
    [
        ("/api/bookings/check-availability", "search", {}),
        ("/get_location_by_pincode", "lookup", {"pincode": "1"}),
        ("/api/user/register", "register", None),
    ],
)
def test_calls_past_the_limit_are_refused(
    client: TestClient, path: str, limit: Kind, body: dict[str, str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(LIMITS, limit, Limit(parse("3 per hour"), parse("3 per hour")))
    person = {
        "name": "N",
        "email": "n@example.com",
        "password": "short",
        "address": "A",
        "pincode": "500032",
        "city": "C",
        "phoneNumber": "9000000001",
    }
    for _ in range(3):
        assert client.post(path, json=person if body is None else body).status_code == 422
    answer = client.post(path, json=person if body is None else body)
    refused(answer, 429, "too_many_requests")
    assert int(answer.headers["retry-after"]) > 0


@pytest.mark.usefixtures("rate_limits")
@pytest.mark.parametrize(("method", "path"), [("GET", "/api/user/data"), ("POST", "/api/bookings/create")])
def test_forged_tokens_are_counted(client: TestClient, method: str, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(LIMITS, "call", Limit(parse("3 per hour"), parse("3 per hour")))
    codes = [
        client.request(method, path, json={}, headers={"Authorization": f"Bearer forged {number}"}).json()["code"]
        for number in range(5)
    ]
    assert codes == ["invalid_token"] * 3 + ["too_many_requests"] * 2


def test_lists_give_at_most_what_is_allowed(client: TestClient) -> None:
    refused(client.get("/api/user/vehicles?limit=201"), 422, "invalid_input", "limit")
    refused(client.get("/api/user/vehicles?limit=10&cursor=-1"), 422, "invalid_input", "cursor")
    assert len(ok(client.get("/api/user/vehicles?limit=7"))["vehicles"]) == 7
    assert count("vehicle") == 61
