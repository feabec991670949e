"""A client that is generated from the OpenAPI document books a vehicle."""

import importlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from tests.support.rest_helpers import window
from tests.support.shop import Shop, token_of

PACKAGE = "generated_client"


@pytest.fixture
def generated(client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a package of Python, generated from the document that the application answers with."""
    document = tmp_path / "openapi.json"
    document.write_text(json.dumps(client.get("/api/openapi.json").json()))
    command = Path(sys.executable).with_name("openapi-python-client")
    told = ["generate", "--path", str(document), "--meta", "none", "--output-path", str(tmp_path / PACKAGE)]
    subprocess.run([command, *told], check=True, capture_output=True, timeout=120)
    monkeypatch.syspath_prepend(tmp_path)
    return PACKAGE


def test_a_generated_python_client_books(generated: str, client: TestClient, shop: Shop) -> None:
    create: Any = importlib.import_module(f"{generated}.api.bookings.bookings_create")
    mine: Any = importlib.import_module(f"{generated}.api.bookings.bookings_mine")
    shapes: Any = importlib.import_module(f"{generated}.models")
    own: Any = importlib.import_module(f"{generated}.client").AuthenticatedClient(
        base_url=str(client.base_url), token=token_of(shop.customer)
    )
    client.headers["Authorization"] = f"Bearer {own.token}"
    own.set_httpx_client(client)
    body = shapes.BookingRequest.from_dict({"car": shop.vehicle.id} | window())
    booked = create.sync(client=own, body=body, idempotency_key="a-generated-key")
    assert booked.success is True
    assert [booking.id for booking in mine.sync(client=own).bookings] == [booked.booking.id]
    again = create.sync(client=own, body=body, idempotency_key="a-generated-key")
    assert again.booking.id == booked.booking.id
