"""Requests meant for other hosts, and responses that must not be cached."""

import asyncio
import json
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.types import Receive, Scope, Send
from starlette.websockets import WebSocketDisconnect

from rental_app.api import build, middleware
from rental_app.infrastructure import metrics
from rental_app.infrastructure.settings import settings
from tests.support.rest_helpers import PERSON, bearer, ok, refused
from tests.support.rows import each
from tests.support.shop import PASSWORD, Shop, moment, wire

FOREIGN = "evil.example localhost.evil.example evil@localhost localhost/evil evil:3000 [::2]:3000 [".split()


@each("host", [*FOREIGN, ""])
def test_a_foreign_host_is_refused_in_the_right_shape(client: TestClient, host: str) -> None:
    for path in ("/api/user/vehicles", "/api/nothing", "/api", "/get_location_by_pincode"):
        body = refused(client.get(path, headers={"Host": host}), 400, "foreign_host")
        assert "RENTAL_ALLOWED_HOSTS" in body["message"]
    page = client.get("/healthz", headers={"Host": host})
    assert (page.status_code, page.headers["content-type"]) == (400, "text/plain; charset=utf-8")


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:3000", "127.0.0.1:8080", "[::1]:3000", "[::1]"])
def test_this_machine_is_known_at_any_port(client: TestClient, host: str) -> None:
    ok(client.get("/healthz", headers={"Host": host}))


def test_hosts_are_added_by_a_setting(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    sent = {"Host": "192.168.1.5:3000"}
    assert 'RENTAL_ALLOWED_HOSTS=["192.168.1.5"]' in client.get("/healthz", headers=sent).text
    monkeypatch.setenv("RENTAL_ALLOWED_HOSTS", '["192.168.1.5"]')
    settings.cache_clear()
    ok(client.get("/healthz", headers=sent))


def test_of_two_hosts_both_must_be_ours(client: TestClient) -> None:
    assert client.get("/healthz", headers=[("Host", "localhost"), ("Host", "evil.example")]).status_code == 400


def test_a_foreign_host_gets_no_websocket(app: FastAPI, client: TestClient) -> None:
    with pytest.raises(WebSocketDisconnect) as refusal, client.websocket_connect("/_event", headers={"Host": "evil"}):
        pass
    assert (refusal.value.code, refusal.value.reason) == (1008, "Foreign host")


@pytest.mark.parametrize("begun", [b"", b"{" * 1024, b"{" * (middleware.MAX_JSON_BYTES - 1)], ids=len)
def test_a_body_that_stands_still_is_given_up(app: FastAPI, begun: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.1)
    assert answered_to(app, "/api/user/login", begun) == (408, "too_slow")


def test_files_that_stand_still_are_given_up_however_much_came(
    app: FastAPI, client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(middleware, "BODY_SECONDS", 0.1)
    files = (b"content-type", b"multipart/form-data; boundary=x")
    token = (b"authorization", bearer(shop.vendor)["Authorization"].encode())
    head = b'--x\r\nContent-Disposition: form-data; name="image"; filename="a.jpg"\r\n\r\n'
    begun = head + bytes(5 * 2**20)
    assert answered_to(app, "/api/vendor/update-image", begun, files, token) == (408, "too_slow")


def test_files_that_keep_coming_have_all_the_time_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    async def send_files() -> None:
        loop, waited = asyncio.get_running_loop(), 0.0
        machine = loop.time
        monkeypatch.setattr(loop, "time", lambda: machine() + waited)

        async def receive() -> Any:
            nonlocal waited
            await asyncio.sleep(0)
            waited += middleware.BODY_SECONDS - 1
            return {"type": "http.request", "body": bytes(middleware.MAX_JSON_BYTES), "more_body": True}

        receive_in_time = middleware._in_time(receive)
        for _ in range(5):
            await receive_in_time()

    asyncio.run(send_files())


def answered_to(app: FastAPI, path: str, begun: bytes, *headers: tuple[bytes, bytes]) -> tuple[int, str]:
    """Return status and code for a body whose first part arrives at once and whose rest never does."""
    sent: list[Any] = []
    parts = [{"type": "http.request", "body": begun, "more_body": True}]

    async def receive() -> Any:
        return parts.pop() if parts else await asyncio.sleep(3600)

    async def send(message: Any) -> None:
        sent.append(message)

    given = [(b"host", b"localhost"), *(headers or [(b"content-type", b"application/json")])]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": given}

    async def ask() -> None:
        async with asyncio.timeout(60):
            await app(scope, receive, send)

    asyncio.run(ask())
    return sent[0]["status"], json.loads(sent[1]["body"])["code"]


BEGUN = [
    ("/api/user/login", b'{"email": "', b"application/json"),
    ("/api/bookings/create", b'{"car": ', b"application/json"),
    ("/api/vendor/update-image", b"--x\r\nContent-Disposition: form-data; ", b"multipart/form-data; boundary=x"),
]


@pytest.mark.parametrize(("path", "begun", "sent_as"), BEGUN)
def test_a_client_that_hangs_up_in_the_middle_is_no_failure_of_ours(
    app: FastAPI,
    client: TestClient,
    shop: Shop,
    path: str,
    begun: bytes,
    sent_as: bytes,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nothing is logged, and the request counts as a client's error."""
    parts: list[Any] = [{"type": "http.disconnect"}, {"type": "http.request", "body": begun, "more_body": True}]

    async def receive() -> Any:
        return parts.pop() if len(parts) > 1 else parts[0]

    async def send(_message: Any) -> None:
        """Drop it, as the server does."""

    token = bearer(shop.vendor)["Authorization"].encode()
    headers = [(b"host", b"localhost"), (b"content-type", sent_as), (b"authorization", token)]
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b"", "headers": headers}
    before = failures(path)
    asyncio.run(app(scope, receive, send))
    assert caplog.text == ""
    assert failures(path) == before


def failures(path: str) -> list[float]:
    """Return how many requests were counted for each status of ours."""
    samples = [sample for family in metrics.REQUESTS.collect() for sample in family.samples]
    return [s.value for s in samples if s.labels["route"] == path and s.labels["status"].startswith("5")]


def private_calls() -> list[tuple[str, str, dict[str, Any]]]:
    """Return calls whose responses are for one person only."""
    window = {"pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    return [
        ("GET", "/api/user/data", {}),
        ("GET", "/api/bookings/user", {}),
        ("GET", "/api/vendor/vehicles", {}),
        ("POST", "/api/bookings/create", {"json": {"car": 1} | window}),
        ("POST", "/api/bookings/create", {"content": "{"}),
        ("PUT", "/api/user/update", {"json": {}}),
        ("POST", "/api/user/logout", {}),
    ]


def test_what_needs_a_token_is_not_kept_refused_or_not(client: TestClient, shop: Shop) -> None:
    for method, path, sent in private_calls():
        for headers in ({}, {"Authorization": "Bearer x"}, bearer(shop.customer), bearer(shop.vendor)):
            answer = client.request(method, path, headers=headers, **sent)
            assert answer.headers["cache-control"] == "no-store", (path, sent)
    answer = client.put("/api/user/update", content=b" " * 300_000, headers=bearer(shop.customer))
    assert (answer.status_code, answer.headers["cache-control"]) == (413, "no-store")


def test_answers_with_a_token_inside_are_not_kept(client: TestClient, shop: Shop) -> None:
    for path, body in (("login", {"email": shop.customer.email, "password": PASSWORD}), ("register", PERSON)):
        for sent in (body, {}):
            answer = client.post(f"/api/user/{path}", json=sent)
            assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/api/pubilc/get_locations", "/api/user/vehicles", "/api/openapi.json"])
def test_what_everyone_may_see_may_be_kept(client: TestClient, shop: Shop, path: str) -> None:
    assert client.get(path, headers=bearer(shop.customer)).headers.get("cache-control") in (None, "no-cache")


def test_reflexs_own_check_is_closed(client: TestClient) -> None:
    refused(client.get("/_health"), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
@pytest.mark.parametrize("path", ["/_event", "/_event/?EIO=4&transport=websocket"])
def test_only_websockets_reach_the_pages_end_of_them(method: str, path: str) -> None:
    whole = build()
    whole.mount("/_event", _never_answers)
    refused(
        TestClient(whole, "http://localhost").request(method, path, headers={"Upgrade": "websocket"}), 404, "not_found"
    )


def test_a_failure_before_an_answer_has_begun_is_answered() -> None:
    answer = TestClient(middleware.Middleware(_never_answers, []), "http://localhost").get("/")
    refused(answer, 500, "internal_error")


async def _never_answers(_scope: Scope, _receive: Receive, send: Send) -> None:
    """Take a request for a websocket, as Engine.IO does."""
    await send({"type": "websocket.accept"})
    raise RuntimeError


def test_the_description_of_the_calls_loads_nothing_foreign(client: TestClient) -> None:
    page = client.get("/api/docs").text
    assert "//" not in page
    assert "<script>" not in page
