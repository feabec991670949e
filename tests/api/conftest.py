"""A client of the real application."""

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from rental_app.api import Api, build
from rental_app.infrastructure import headers
from tests.support.calendars_of_platforms import HOST, Platform
from tests.support.rest_helpers import bearer, stored
from tests.support.shop import Shop, count
from tests.support.site import write_pages

TABLES = (
    "user",
    "login_session",
    "vehicle",
    "vehicle_price",
    "vehicle_file",
    "unclaimed_file",
    "booking",
    "idempotency_key",
    "price_rule",
    "remembered_answer",
)


@pytest.fixture(scope="session")
def app() -> Api:
    """The application, which keeps no state of its own."""
    return build()


@pytest.fixture
def client(app: FastAPI, database: str) -> Iterator[TestClient]:
    """A client whose calls reach this test's own database."""
    with TestClient(app) as client:
        yield client


@pytest.fixture
def built_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of built pages, which the server needs to fill in its content, next to the build's templates."""
    folder = tmp_path / "client"
    write_pages(folder)
    templates = headers.BUILD.parent / "served"
    assert templates.exists(), "there is no build yet: run make build"
    (tmp_path / "served").symlink_to(templates.resolve())
    monkeypatch.setattr(headers, "BUILD", folder)
    return folder


@pytest.fixture
def nothing_changes(client: TestClient, shop: Shop) -> Iterator[None]:
    """Check that the test leaves row counts (sessions aside) and stored files as they were."""
    headers = bearer(shop.customer), bearer(shop.vendor)
    assert headers
    before = {table: count(table) for table in TABLES if table != "login_session"}
    files = stored()
    yield
    assert {table: count(table) for table in TABLES if table != "login_session"} == before
    assert stored() == files


@pytest.fixture
def platform(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Platform]:
    made = Platform(tmp_path)
    known = socket.getaddrinfo

    def resolve(host: Any, *rest: Any, **more: Any) -> Any:
        return known("127.0.0.1" if host == HOST else host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", resolve)
    yield made
    made.server.shutdown()
    made.server.server_close()
