"""A damaged database is 503 with an alarm, and keeps the server from starting."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from rental_app import serve
from rental_app.infrastructure import metrics
from rental_app.infrastructure.db import engine
from tests.support.rest_helpers import bearer, refused
from tests.support.shop import Shop, moment, wire


def spoil() -> None:
    """Overwrite all of a SQLite database but its first page, as a failing disk does."""
    engine().dispose()
    path = Path(engine().url.database or "")
    with engine().connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    engine().dispose()
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(b"\xff" * (size - 4096))


def test_a_damaged_database_is_said_and_counted(
    client: TestClient, shop: Shop, caplog: pytest.LogCaptureFixture
) -> None:
    headers = bearer(shop.customer)
    before = metrics.DAMAGE._value.get()
    spoil()
    wish = {"car": shop.vehicle.id, "pickupDate": wire(moment(3)), "returnDate": wire(moment(4))}
    for answer in (
        client.get("/api/user/data", headers=headers),
        client.get("/api/user/vehicles"),
        client.post("/api/bookings/create", json=wish, headers=headers),
    ):
        refused(answer, 503, "unavailable")
    assert metrics.DAMAGE._value.get() >= before + 3
    assert "the database is damaged (SQLITE_CORRUPT)" in caplog.text
    with pytest.raises(SystemExit, match="The database is damaged: "):
        serve.prepare_database()


def test_a_file_that_is_no_database(client: TestClient, shop: Shop, caplog: pytest.LogCaptureFixture) -> None:
    engine().dispose()
    path = Path(engine().url.database or "")
    path.write_bytes(b"no database at all" * 1000)
    for end in ("-wal", "-shm"):
        Path(f"{path}{end}").unlink(missing_ok=True)
    refused(client.get("/api/user/vehicles"), 503, "unavailable")
    refused(client.get("/readyz"), 503, "unavailable", "database")
    assert "the database is damaged (SQLITE_NOTADB)" in caplog.text
    with pytest.raises(SystemExit, match="The database is damaged: file is not a database"):
        serve.prepare_database()


def test_a_check_at_start_takes_no_longer_than_it_may(
    database: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(serve, "CHECK_SECONDS", -1)
    serve.prepare_database()
    assert "A quick check of the database takes more than" in capsys.readouterr().out
