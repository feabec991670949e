"""What an operator sees of requests: their ids, a log line for each, the metrics, and traces."""

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread
from types import SimpleNamespace
from typing import cast
from unittest.mock import AsyncMock

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from prometheus_client import REGISTRY
from prometheus_client.parser import text_string_to_metric_families

from rental_app import rental_app
from rental_app.infrastructure import logs
from rental_app.infrastructure.supervisor import Master
from rental_app.infrastructure.version import version
from rental_app.services import throttle
from rental_app.services.files import storage
from rental_app.services.mail import delivery, outbox
from tests.conftest import forget
from tests.support.rest_helpers import PERSON, bearer, ok, refused, window
from tests.support.shop import PASSWORD, Shop

TRACED = """
from datetime import timedelta
from fastapi.testclient import TestClient
from rental_app import api
from rental_app.domain import clock
from rental_app.infrastructure import db, traces
traces.send(db.engine())
client = TestClient(api.build())
client.get("/healthz")
client.get("/api/nothing?plain=shown", headers={"Authorization": "Bearer hunter2"})
days = [f"{clock.indian_today(clock.now()) + timedelta(days=ahead)}" for ahead in (2, 3)]
wish = {"location": "hunter2", "pickupDate": days[0], "returnDate": days[1]}
client.post("/api/bookings/check-availability", json=wish)

import asyncio
from sqlalchemy import text
from sqlmodel import Session
from rental_app.web.session import handlers

async def press(self) -> None:
    await db.run(db.read, Session.execute, text("SELECT 'of the event'"))

async def pressed() -> None:
    async for _ in handlers._guarded(press)(None):
        pass

asyncio.run(pressed())
import sys
if "opentelemetry.sdk.trace" in sys.modules:
    from opentelemetry import trace
    trace.get_tracer_provider().force_flush()
    print("traced")
"""
OPERATOR = ("10.1.2.3", 5000)


def test_a_request_keeps_the_id_its_client_gave_it(client: TestClient) -> None:
    given = client.get("/api/nothing", headers={"X-Request-ID": "order-4711.a_b"})
    assert given.headers["x-request-id"] == "order-4711.a_b"
    assert refused(given, 404, "not_found")["requestId"] == "order-4711.a_b"


@pytest.mark.parametrize("given", [None, "", "short", "x" * 65, "with space", 'quo"ted-id', "line\\nfeed1"])
def test_others_are_given_one(client: TestClient, given: str | None) -> None:
    headers = {} if given is None else {"X-Request-ID": given}
    first, second = (client.get("/healthz", headers=headers).headers["x-request-id"] for _ in range(2))
    assert len(first) == 32
    assert len({first, second, given}) == 3


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch, client: TestClient, capfd: pytest.CaptureFixture[str]) -> None:
    """Write logs as JSON."""
    monkeypatch.setenv("RENTAL_LOGS", "json")
    forget()
    capfd.readouterr()


def test_a_request_is_a_line_that_says_whose_it_was_and_nothing_of_what_was_in_it(
    lines: None, client: TestClient, shop: Shop, capfd: pytest.CaptureFixture[str]
) -> None:
    headers = bearer(shop.customer) | {"X-Request-ID": "order-4711"}
    ok(client.post("/api/bookings/create", json={"car": shop.vehicle.id} | window(), headers=headers))
    client.post("/api/user/login", json={"email": shop.customer.email, "password": PASSWORD})
    client.post("/api/user/register?secret=hunter2", json=PERSON | {"pincode": "hunter2"})
    client.post("/api/user/login", json={"email": shop.customer.email, "password": "hunter2hunter2"})
    client.get("/healthz?hunter2")
    client.get(f"/media/public/{'0' * 32}.jpg?hunter2")
    client.get("/api/hunter2")
    client.request("HUNTER2", "/api/hunter2")
    written = capfd.readouterr().err
    told = [json.loads(line) for line in written.splitlines()]
    assert [(line["method"], line["route"], line["status"], line.get("code")) for line in told] == [
        ("POST", "/api/bookings/create", 200, None),
        ("POST", "/api/user/login", 200, None),
        ("POST", "/api/user/register", 422, "invalid_input"),
        ("POST", "/api/user/login", 401, "bad_credentials"),
        ("GET", "/media/public/{name}", 404, "not_found"),
        ("GET", "/api/{rest:path}", 404, "not_found"),
        ("OTHER", "/api/{rest:path}", 404, "not_found"),
    ]
    assert told[0]["request_id"] == "order-4711"
    assert [line["user"] for line in told] == [
        shop.customer.id,
        shop.customer.id,
        None,
        shop.customer.id,
        None,
        None,
        None,
    ]
    assert all(line["ms"] > 0 and line["timestamp"] for line in told)
    for secret in (PASSWORD, PERSON["email"], headers["Authorization"].split()[1], "hunter2", "HUNTER2"):
        assert secret not in written


def counted(app: FastAPI, client: tuple[str, int] = OPERATOR) -> dict[str, float]:
    """Return the values at `/metrics`, by name and labels."""
    answer = TestClient(app, client=client).get("/metrics")
    assert answer.status_code == 200
    families = text_string_to_metric_families(answer.text)
    return {" ".join([s.name, *s.labels.values()]): s.value for family in families for s in family.samples}


def test_counts_are_for_listed_addresses(client: TestClient, app: FastAPI, monkeypatch: pytest.MonkeyPatch) -> None:
    refused(client.get("/metrics"), 404, "not_found")
    monkeypatch.setenv("RENTAL_METRICS_ALLOWED", '["10.0.0.0/8", "::1"]')
    forget()
    refused(client.get("/metrics"), 404, "not_found")
    refused(TestClient(app, client=("192.0.2.1", 1)).get("/metrics"), 404, "not_found")
    assert counted(app, ("::1", 1))["rental_database_up"] == 1
    assert counted(app, ("::ffff:10.1.2.3", 1))["rental_database_up"] == 1, "an IPv4 client of a socket bound to ::"


def test_requests_and_what_became_of_bookings_are_counted(
    client: TestClient, app: FastAPI, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENTAL_METRICS_ALLOWED", '["10.0.0.0/8"]')
    forget()
    before = counted(app)
    wish = {"car": shop.vehicle.id} | window()
    made = ok(client.post("/api/bookings/create", json=wish, headers=bearer(shop.customer)))["booking"]
    refused_twice = [client.post("/api/bookings/create", json=wish, headers=bearer(shop.customer)) for _ in range(2)]
    assert [answer.status_code for answer in refused_twice] == [409, 409]
    decision = {"bookingId": made["id"], "status": "confirmed"}
    ok(client.post("/api/bookings/change-status", json=decision, headers=bearer(shop.vendor)))
    more = {name: value - before.get(name, 0) for name, value in counted(app).items()}
    route = "POST /api/bookings/create"
    assert more[f"rental_request_seconds_count {route} 200"] == 1
    assert more[f"rental_request_seconds_count {route} 409"] == 2
    booked = {name.split()[1]: value for name, value in more.items() if name.startswith("rental_bookings_total")}
    assert {name: value for name, value in booked.items() if value} == {
        "requested": 1,
        "confirmed": 1,
        refused_twice[0].json()["code"]: 2,
    }
    assert more["rental_outbox_waiting"] == 3


def test_what_goes_on_in_the_background_is_counted(
    app: FastAPI, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENTAL_METRICS_ALLOWED", '["10.0.0.0/8"]')
    forget()
    before, begun = counted(app), time.time()
    for work in (rental_app._sweep, rental_app._send, rental_app._look):
        asyncio.run(work())
    after = counted(app)
    assert after["rental_sweep_seconds_count"] == before["rental_sweep_seconds_count"] + 1
    assert after["rental_sweep_done_timestamp_seconds"] >= begun
    assert after["rental_pool_connections"] >= 0
    assert after[f"rental_build_info {version()}"] == 1
    assert after["rental_part_up redis"] == after["rental_part_up files"] == 1
    worker = str(os.getpid())
    assert after[f"rental_worker_cpu_seconds {worker}"] > 0
    assert after[f"rental_worker_memory_bytes {worker}"] > 10_000_000
    assert 0 < after[f"rental_worker_open_files {worker}"] < after[f"rental_worker_max_files {worker}"]
    assert after["rental_outbox_oldest_seconds"] >= 0


def test_what_does_not_answer_is_down(app: FastAPI, database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_METRICS_ALLOWED", '["10.0.0.0/8"]')
    forget()

    def no_answer() -> None:
        raise OSError

    for module in (throttle, storage):
        monkeypatch.setattr(module, "ping", no_answer)
    asyncio.run(rental_app._look())
    after = counted(app)
    assert after["rental_part_up redis"] == after["rental_part_up files"] == 0


def test_logins_and_mail_are_counted(
    client: TestClient, app: FastAPI, shop: Shop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RENTAL_METRICS_ALLOWED", '["10.0.0.0/8"]')
    forget()
    before = counted(app)
    for password, status in ((PASSWORD, 200), ("wrong-wrong", 401)):
        answer = client.post("/api/user/login", json={"email": shop.customer.email, "password": password})
        assert answer.status_code == status
    ok(client.post("/api/bookings/create", json={"car": shop.vehicle.id} | window(), headers=bearer(shop.customer)))
    assert asyncio.run(rental_app._send())
    monkeypatch.setattr(outbox, "RETRIED_FOR", timedelta(0))
    monkeypatch.setattr(delivery, "deliver", AsyncMock(side_effect=OSError))
    ok(client.post("/api/bookings/create", json={"car": shop.vehicle.id} | window(9), headers=bearer(shop.customer)))
    assert asyncio.run(rental_app._send())
    more = {name: value - before.get(name, 0) for name, value in counted(app).items()}
    assert more["rental_logins_total done"] == more["rental_logins_total bad_credentials"] == 1
    assert more["rental_mail_total sent"] > 0
    assert more["rental_mail_total given_up"] > 0


def test_deaths_of_workers_are_counted_but_not_their_intended_ends() -> None:
    def deaths() -> float:
        return float(REGISTRY.get_sample_value("rental_worker_deaths_total") or 0)

    before = deaths()
    for is_ending in (False, True):
        master = SimpleNamespace(deaths=[], is_ending=is_ending)
        Master.count_death(cast(Master, master), SimpleNamespace(pid=1))
    assert deaths() == before + 1


@contextmanager
def collector() -> Iterator[tuple[str, list[tuple[str, bytes]]]]:
    """A trace collector, and what it received."""
    got: list[tuple[str, bytes]] = []

    class Taking(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            got.append((self.path, self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Taking)
    Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}", got
    server.shutdown()
    server.server_close()


@pytest.mark.long
def test_traces_go_where_they_are_wanted(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> tuple[str, list[dict[str, str]]]:
        done = subprocess.run([sys.executable, "-c", TRACED], check=True, capture_output=True, text=True)
        return done.stdout, [json.loads(line) for line in done.stderr.splitlines()]

    monkeypatch.setenv("RENTAL_LOGS", "json")
    with collector() as (url, got):
        printed, told = run()
        assert printed == ""
        assert not [line for line in told if "trace_id" in line]
        assert got == []
        monkeypatch.setenv("RENTAL_TRACES_URL", url)
        printed, told = run()
        assert printed == "traced\n"
    assert {path for path, _ in got} == {"/v1/traces"}
    body = b"".join(body for _, body in got)
    assert b"/healthz" not in body
    assert [line["route"] for line in told] == ["/api/{rest:path}", "/api/bookings/check-availability", "press"]
    assert len({line["trace_id"] for line in told}) == 3
    assert [line for line in told if bytes.fromhex(line["trace_id"]) not in body] == []
    assert b"press" in body
    assert b"of the event" in body
    assert b"FROM location" in body
    assert b"FROM edition" in body
    assert b"hunter2" not in body


def test_the_version_is_told_wherever_it_is_asked_for(
    lines: None, client: TestClient, capfd: pytest.CaptureFixture[str]
) -> None:
    logs.started(version())
    assert json.loads(capfd.readouterr().err)["version"] == version()
    assert ok(client.get("/healthz"))["version"] == version()
    assert client.get("/api/openapi.json").json()["info"]["version"] == version()
