"""A client that is generated from the OpenAPI document books a vehicle, and lists one with its days."""

import importlib
import io
import json
import subprocess
import sys
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.api import build
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.models import User
from tests.support.rest_helpers import jpeg, listing, pdf, window
from tests.support.shop import Shop, token_of

# Generates a package in a process of its own.
pytestmark = pytest.mark.long
PACKAGE = "generated_client"


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The name of a package of Python, generated from the document that the application answers with."""
    folder = tmp_path_factory.mktemp("generated")
    document = folder / "openapi.json"
    document.write_text(json.dumps(build().openapi()))
    command = Path(sys.executable).with_name("openapi-python-client")
    told = ["generate", "--path", str(document), "--meta", "none", "--output-path", str(folder / PACKAGE)]
    subprocess.run([command, *told], check=True, capture_output=True, timeout=120)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(folder)
        yield PACKAGE


def signed_in(generated: str, client: TestClient, user: User) -> Any:
    """Return a generated client that calls the app as a user."""
    own: Any = importlib.import_module(f"{generated}.client").AuthenticatedClient(
        base_url=str(client.base_url), token=token_of(user)
    )
    client.headers["Authorization"] = f"Bearer {own.token}"
    own.set_httpx_client(client)
    return own


def test_a_generated_python_client_books(generated: str, client: TestClient, shop: Shop) -> None:
    create: Any = importlib.import_module(f"{generated}.api.bookings.bookings_create")
    mine: Any = importlib.import_module(f"{generated}.api.bookings.bookings_mine")
    shapes: Any = importlib.import_module(f"{generated}.models")
    own = signed_in(generated, client, shop.customer)
    body = shapes.BookingRequest.from_dict({"car": shop.vehicle.id} | window())
    booked = create.sync(client=own, body=body, idempotency_key="a-generated-key")
    assert booked.success is True
    assert [booking.id for booking in mine.sync(client=own).bookings] == [booked.booking.id]
    again = create.sync(client=own, body=body, idempotency_key="a-generated-key")
    assert again.booking.id == booked.booking.id


def test_a_generated_python_client_lists_a_vehicle(generated: str, client: TestClient, shop: Shop) -> None:
    add: Any = importlib.import_module(f"{generated}.api.vendor.vendor_add_vehicle")
    mine: Any = importlib.import_module(f"{generated}.api.vendor.vendor_my_vehicles")
    shapes: Any = importlib.import_module(f"{generated}.models")
    file: Any = importlib.import_module(f"{generated}.types").File
    own = signed_in(generated, client, shop.vendor)
    vehicle = shapes.VehicleData.from_dict(listing())
    # The document says that it is a day: otherwise it would be a text.
    assert isinstance(vehicle.last_serviced_date, date)
    papers = {"rc": pdf(), "insurance": pdf(), "pollution": pdf()}
    named = {group.lower().replace(" ", "_"): jpeg() for group in FILE_GROUPS} | papers
    files = {name: [file(payload=io.BytesIO(data), file_name="a file")] for name, data in named.items()}
    add.sync_detailed(client=own, body=shapes.VendorAddVehicleBody(vehicle_data=vehicle, **files))
    listed = next(item for item in mine.sync(client=own).vehicles if item.id != shop.vehicle.id)
    assert (listed.rc_number, listed.last_serviced_date) == (vehicle.rc_number, vehicle.last_serviced_date)
