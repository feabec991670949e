"""The API behaves as its OpenAPI document says: schemathesis reads the document and generates calls from it."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import hypothesis
import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from rental_app.api import contract
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.settings import settings
from rental_app.schemas.wire import Body, Wire
from tests.support.rest_helpers import bearer, ok
from tests.support.shop import Shop

# Calls to find a vehicle, and a vendor's daily calls.
TOLD = (
    r"^/ical/.*$|^/api/(user/(vehicles|favourites.*)|bookings/check-availability|vehicles/.*|vendors/.*|reviews/.*"
    r"|bookings/[{]ref[}]/review|vendor/(calendar|blocks.*|buffer|prices.*|price-rules.*|ical.*|earnings.*|bookings.csv))$"
)
SO = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EVERY = list(hypothesis.HealthCheck)


def test_calls_made_up_after_the_document_are_answered_as_it_says(app: FastAPI, shop: Shop) -> None:
    document = schemathesis.openapi.from_asgi("/api/openapi.json", app)
    headers, asked = bearer(shop.vendor), 0
    for found in document.include(path_regex=TOLD).get_all_operations():
        call = found.ok()

        @hypothesis.settings(max_examples=5, derandomize=True, database=None, suppress_health_check=EVERY)
        @hypothesis.given(case=call.as_strategy())
        def is_so(case: Any) -> None:
            case.call_and_validate(headers=headers, checks=SO)

        is_so()
        asked += 1
    assert asked > 20


def test_others_are_answered_while_the_document_is_made(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, others_answered, made = Event(), Event(), []

    def slow(document: dict[str, Any]) -> dict[str, Any]:
        begun.set()
        made.append(others_answered.wait(10))
        return {"made": len(made)}

    monkeypatch.setattr(client.app, "openapi_schema", None)
    monkeypatch.setattr(contract, "completed", slow)
    with ThreadPoolExecutor() as pool:
        readers = [pool.submit(client.get, "/api/openapi.json") for _ in range(2)]
        assert begun.wait(10)
        ok(client.get("/healthz"))
        others_answered.set()
        assert [reader.result().json() for reader in readers] == [{"made": 1}] * 2
    assert made == [True]


def test_what_people_look_up_has_words_and_an_example(app: FastAPI) -> None:
    document = app.openapi()
    schemas = document["components"]["schemas"]
    for path, method in (
        ("/api/user/vehicles", "get"),
        ("/api/vendors/{slug}", "get"),
        ("/api/vehicles/{vehicle_id}/reviews", "get"),
        ("/api/user/favourites/{vehicleId}", "put"),
        ("/api/vendor/calendar", "get"),
        ("/api/vendor/earnings", "get"),
    ):
        call = document["paths"][path][method]
        assert call["description"], path
        for parameter in call["parameters"]:
            assert parameter["schema"].get("examples") or parameter["name"] in ("limit", "cursor"), parameter
    for body in (
        "ShopRequest",
        "ReviewRequest",
        "ReviewReplyRequest",
        "ReportRequest",
        "BlockRequest",
        "BufferRequest",
    ):
        for name, field in schemas[body]["properties"].items():
            assert field.get("examples"), (body, name)


def test_null_leaves_out_what_may_be_left_out(app: FastAPI) -> None:
    calls = [call for methods in app.openapi()["paths"].values() for call in methods.values()]
    names = set(re.findall(r"/schemas/(\w+)", json.dumps([call.get("requestBody") for call in calls])))
    assert len(names) > 20
    for shape in (shape for shape in _all_below(Wire) if shape.__name__ in names and not issubclass(shape, Body)):
        assert all(field.is_required() or field.default is None for field in shape.model_fields.values()), shape


def _all_below(shape: type[Wire]) -> Iterator[type[Wire]]:
    for each in shape.__subclasses__():
        yield each
        yield from _all_below(each)


def test_what_a_call_refuses_to_do_without_is_required(app: FastAPI) -> None:
    document = app.openapi()
    for body, names in {
        "BookingRequest": {"car", "pickupDate", "returnDate"},
        "ChangeRequest": {"pickupDate", "returnDate"},
        "ExtendRequest": {"returnDate"},
        "BlockRequest": {"vehicle", "from", "to", "reason"},
    }.items():
        assert set(document["components"]["schemas"][body]["required"]) == names, body
    search = document["paths"]["/api/bookings/check-availability"]["post"]["requestBody"]["content"]["application/json"]
    assert search["schema"]["required"] == ["pickupDate", "returnDate"]
    assert "$ref" in search["schema"]
    form = document["paths"]["/api/vendor/add-vehicle"]["post"]["requestBody"]["content"]["multipart/form-data"]
    assert form["schema"]["required"] == ["vehicleData", *FILE_GROUPS]


def test_what_every_call_answers_is_described(app: FastAPI) -> None:
    for path, methods in app.openapi()["paths"].items():
        for method, call in methods.items():
            assert call["responses"]["200"]["content"], (method, path)
    paths = app.openapi()["paths"]
    receipt = paths["/api/bookings/{ref}/receipt.pdf"]["get"]["responses"]["200"]["content"]
    assert receipt == {"application/pdf": {"schema": {"type": "string", "format": "binary"}}}
    feed = paths["/ical/{secret}.ics"]["get"]["responses"]["200"]["content"]
    assert feed == {"text/calendar": {"schema": {"type": "string"}}}


def test_what_can_be_wrong_with_a_body_is_said_of_every_call_that_has_one(app: FastAPI) -> None:
    for path, methods in app.openapi()["paths"].items():
        for method, call in methods.items():
            said = {"400", "413", "415"} & call["responses"].keys()
            assert said == ({"400", "413", "415"} if "requestBody" in call else set()), (method, path)
    assert "304" in app.openapi()["paths"]["/api/user/vehicles"]["get"]["responses"]


def test_limits_have_the_names_of_json_schema(app: FastAPI) -> None:
    written = json.dumps(app.openapi())
    assert not re.findall(r'"(?:ge|le|gt|lt)": -?[0-9]', written)
    limit = next(
        item for item in app.openapi()["paths"]["/api/bookings/user"]["get"]["parameters"] if item["name"] == "limit"
    )
    assert (limit["schema"]["anyOf"][0]["minimum"], limit["schema"]["anyOf"][0]["maximum"]) == (1, 200)


def test_every_operation_says_who_may_call_it_and_what_it_is_called(app: FastAPI) -> None:
    document = app.openapi()
    calls = {(method, path): call for path, methods in document["paths"].items() for method, call in methods.items()}
    assert calls["post", "/api/user/login"]["security"] == []
    assert calls["post", "/api/bookings/create"]["security"] == [{"HTTPBearer": []}]
    assert calls["post", "/api/bookings/create"]["operationId"] == "bookings_create"
    assert all("security" in call for call in calls.values())
    assert len({call["operationId"] for call in calls.values()}) == len(calls)
    assert document["servers"] == [{"url": settings().public_url}]


def test_refusals_describe_their_headers(app: FastAPI) -> None:
    for methods in app.openapi()["paths"].values():
        for call in methods.values():
            for status, response in call["responses"].items():
                assert "X-Request-ID" in response["headers"]
                assert ("Retry-After" in response["headers"]) == (status in ("429", "503"))


def test_instants_that_are_answered_are_date_times(app: FastAPI) -> None:
    written = json.dumps(app.openapi()["components"]["schemas"])
    assert written.count('"format": "date-time"') > 10


def test_what_is_required_has_no_default(app: FastAPI) -> None:
    for name, shape in app.openapi()["components"]["schemas"].items():
        for field in shape.get("required", ()):
            assert "default" not in shape["properties"][field], (name, field)


def test_answers_describe_their_headers(app: FastAPI) -> None:
    paths = app.openapi()["paths"]
    assert "ETag" in paths["/api/user/vehicles"]["get"]["responses"]["200"]["headers"]
    assert "Content-Disposition" in paths["/api/vendor/earnings.csv"]["get"]["responses"]["200"]["headers"]
    assert "Content-Disposition" not in paths["/api/vendor/earnings"]["get"]["responses"]["200"]["headers"]


def test_what_stands_as_json_in_a_form_has_its_shape(app: FastAPI) -> None:
    document = app.openapi()
    for path, field, names in (
        ("/api/vendor/add-vehicle", "vehicleData", ["VehicleData"]),
        ("/api/vendor/edit-vehicle", "vehicleData", ["EditedVehicle", "EditedFiles"]),
        ("/api/vendor/bookings/{ref}/handover", "data", ["HandoverData"]),
        ("/api/vendor/bookings/{ref}/return", "data", ["ReturnData"]),
    ):
        form = document["paths"][path]["post"]["requestBody"]["content"]["multipart/form-data"]
        part = form["schema"]["properties"][field]
        shapes = [each["$ref"].rpartition("/")[2] for each in part.get("anyOf", [part])]
        assert (shapes, form["encoding"]) == (names, {field: {"contentType": "application/json"}})
        assert set(names) <= document["components"]["schemas"].keys()
    for shape in ("VehicleData", "EditedVehicle"):
        for day in ("last_serviced_date", "insurance_expiry_date", "pollution_expiry_date"):
            assert document["components"]["schemas"][shape]["properties"][day]["format"] == "date"
