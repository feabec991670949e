"""What the OpenAPI document says: of every call its words, shapes, limits, refusals, headers and who may make it."""

import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from rental_app.api import contract
from rental_app.domain.uploads import FILE_GROUPS
from rental_app.infrastructure.settings import settings
from rental_app.schemas.wire import Body, Wire
from tests.support.rest_helpers import ok


def operations(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Every call."""
    for methods in document["paths"].values():
        yield from methods.values()


def properties(document: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Owner, name and schema of every property of a shape or a form."""
    owners = dict(document["components"]["schemas"])
    for call in operations(document):
        for body in call.get("requestBody", {}).get("content", {}).values():
            owners[call["operationId"]] = body["schema"]
    for owner, schema in owners.items():
        for name, value in schema.get("properties", {}).items():
            yield owner, name, value


def formats(schema: dict[str, Any]) -> set[str]:
    """The formats a value may have."""
    return {part["format"] for part in (schema, *schema.get("anyOf", ())) if "format" in part}


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


def test_what_people_look_up_has_an_example(app: FastAPI) -> None:
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
        ("/api/vendor/vehicles/{vehicle_id}/renew", "data", ["RenewRequest"]),
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


def test_every_property_parameter_operation_and_shape_is_described(app: FastAPI) -> None:
    document = app.openapi()
    unsaid = [f"{owner}.{name}" for owner, name, value in properties(document) if not value.get("description")]
    assert not unsaid, f"give {unsaid} a description in Field"
    bare = [name for name, schema in document["components"]["schemas"].items() if not schema.get("description")]
    assert not bare, f"give {bare} a docstring"
    for call in operations(document):
        assert call.get("description"), f"give {call['operationId']} a docstring"
        unsaid = [item["name"] for item in call.get("parameters", ()) if not item.get("description")]
        assert not unsaid, f"give {unsaid} of {call['operationId']} a description in Path, Query or Field"
    tags = {tag["name"] for tag in document["tags"] if tag["description"]}
    assert {name for call in operations(document) for name in call["tags"]} == tags


def test_days_and_instants_carry_their_format_and_what_may_be_either_says_so(app: FastAPI) -> None:
    document = app.openapi()
    asked = [
        (call["operationId"], item["name"], item["schema"] | {"description": item["description"]})
        for call in operations(document)
        for item in call.get("parameters", ())
    ]
    dated = 0
    for owner, name, value in (*properties(document), *asked):
        if name.endswith(("Date", "_date", "At")) or name in ("at", "since", "until", "answerBy", "created_at"):
            dated += 1
            either = "a day alone" in value["description"] or "its day alone" in value["description"]
            assert bool(formats(value)) != either, (owner, name)
    assert dated > 50


def test_every_call_but_the_health_checks_may_refuse(app: FastAPI) -> None:
    for call in operations(app.openapi()):
        refused = any(status.startswith("4") for status in call["responses"])
        assert refused != (call["tags"] == ["operations"]), call["operationId"]
