"""Calls that nobody should make, after the API's document: each is refused in the product's words and does nothing."""

import base64
import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Any

import hypothesis
import orjson
import pytest
import schemathesis
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from starlette.responses import HTMLResponse

from rental_app.api import build
from tests.support.console import operator
from tests.support.rest_calls import SPECIFIED
from tests.support.rest_helpers import Sides, bearer, ok, refused, window
from tests.support.rows import each
from tests.support.shop import Shop

SO = [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
EVERY = list(hypothesis.HealthCheck)
JSON = "application/json"
NUMBERS = {"integer", "number"}
READ_ONLY = "/api/operator/read-only"
# Texts that are compared with what is stored or are hashed, never stored themselves.
OPAQUE = {"password", "current", "device", "challenge", "expected", "expectedKmsIncluded", "token", "cursor"}
# Read by the services, which know how long a rental may be.
DATES = {"pickupDate", "returnDate", "from", "to", "expectedPickupDate", "expectedReturnDate"}


@dataclass(frozen=True)
class Operation:
    """One operation of the document."""

    document: dict[str, Any]
    method: str
    path: str

    @property
    def described(self) -> dict[str, Any]:
        """What the document says of it."""
        found: dict[str, Any] = self.document["paths"][self.path][self.method]
        return found

    @property
    def role(self) -> str:
        """Who may call it."""
        return role_of(self.path)

    @property
    def address(self) -> str:
        """An address of it, of things that need not exist."""
        return self.address_with({})

    def address_with(self, values: dict[str, str]) -> str:
        """The same with these values in it."""
        known = {"month": "2040-01", "table": "people"} | values
        return re.sub(r"{(\w+)}", lambda name: known.get(name[1], "1"), self.path)

    def numbers(self, place: str) -> list[str]:
        """The parameters in a place of its address that are whole numbers."""
        parameters = self.described.get("parameters", ())
        return [each["name"] for each in parameters if each["in"] == place and kinds(each["schema"]) == {"integer"}]

    @property
    def content(self) -> str:
        """The type of its body; without one ""."""
        return next(iter(self.described.get("requestBody", {}).get("content", {})), "")

    @property
    def sent(self) -> dict[str, Any]:
        """The schema of its body as a whole."""
        found = self.described["requestBody"]["content"][self.content]["schema"] if self.content else {}
        return self._resolved(found)

    @property
    def is_list(self) -> bool:
        """Whether its body is a list of objects."""
        return self.sent.get("type") == "array"

    @property
    def parts(self) -> list[str]:
        """The fields of its form that hold JSON."""
        fields = self.sent.get("properties", {}) if self.content != JSON else {}
        return [name for name, field in fields.items() if "$ref" in field or "anyOf" in field]

    @property
    def body(self) -> dict[str, Any]:
        """The schema of an object in its body."""
        if self.content == JSON:
            return self._resolved(self.sent["items"]) if self.is_list else self.sent
        return next((self._resolved(self.sent["properties"][part]) for part in self.parts), {})

    def _resolved(self, schema: dict[str, Any]) -> dict[str, Any]:
        schema = schema.get("anyOf", [schema])[0] if "properties" not in schema else schema
        name = schema.get("$ref", "").rpartition("/")[2]
        found: dict[str, Any] = self.document["components"]["schemas"][name] if name else schema
        return found

    def fields(self, *types: str) -> list[str]:
        """The fields of its body; of these types alone, where some are given."""
        fields = self.body.get("properties", {}).items()
        return [name for name, field in fields if not types or kinds(field) == {*types}]


def kinds(schema: dict[str, Any]) -> set[str]:
    """The types that a value may have."""
    choices = schema.get("anyOf", [schema])
    return {"enum" if {"enum", "const"} & each.keys() else str(each.get("type")) for each in choices} - {"null"}


def role_of(path: str) -> str:
    """Who may make the call at an address."""
    if path.startswith("/api/operator/"):
        return "operator"
    of_vendors = path.startswith(("/api/vendor/", "/api/bookings/vendor", "/api/user/requests"))
    return "vendor" if of_vendors or path.endswith(("/change-status", "/answer")) else "customer"


class Caller:
    """Makes calls as whoever may make them, and looks whether anything was written."""

    def __init__(self, client: TestClient, app: FastAPI, shop: Shop, database: str) -> None:
        self.client, self.shop = client, shop
        document = app.openapi()
        self.operations = [
            Operation(document, method, path) for path, methods in document["paths"].items() for method in methods
        ]
        self.people = {"operator": operator(), "vendor": shop.vendor, "customer": shop.customer}
        self.tokens = {role: bearer(person) for role, person in self.people.items()}
        self.watched = sqlite3.connect(database.removeprefix("sqlite:///")) if database.startswith("sqlite") else None

    def version(self) -> int:
        """A number that is another one after each change of the database, where that is a file."""
        return int(self.watched.execute("PRAGMA data_version").fetchone()[0]) if self.watched else 0

    def refused(self, operation: Operation, **sent: Any) -> tuple[Response, set[str]]:
        """Make a call that must be refused and write nothing; return the answer and the fields it names."""
        headers, before = self.tokens[operation.role] | sent.pop("headers", {}), self.version()
        answer = self.client.request(operation.method, sent.pop("url", operation.address), headers=headers, **sent)
        told = (operation.method, operation.path, sent, answer.text)
        assert 400 <= answer.status_code < 500, told
        body = answer.json()
        assert (set(body), body["success"]) == ({"success", "message", "code", "errors", "requestId"}, False), told
        assert self.version() == before, told
        return answer, {error["field"] for error in body["errors"]}

    def missed(self, operation: Operation, fields: list[str], value: Any) -> set[str]:
        """Send something as all these fields of a body; return those that are not named."""
        if not fields:
            return set()
        body: Any = dict.fromkeys(fields, value)
        if operation.path == "/api/vendor/edit-vehicle":
            body["id"] = self.shop.vehicle.id
        for part in operation.parts:
            _, named = self.refused(operation, files={part: (None, json.dumps(body))})
            break
        else:
            sent = json.dumps([body] if operation.is_list else body)
            _, named = self.refused(operation, content=sent, headers={"Content-Type": JSON})
        return {*fields} - {"id", "expectedKmsIncluded"} - {word for name in named for word in name.split(".")}


@pytest.fixture
def caller(client: TestClient, app: FastAPI, shop: Shop, database: str) -> Iterator[Caller]:
    made = Caller(client, app, shop, database)
    yield made
    if made.watched:
        made.watched.close()


@pytest.mark.parametrize(
    ("mode", "examples", "kind"),
    [
        (GenerationMode.POSITIVE, 1, "sqlite"),
        pytest.param(GenerationMode.POSITIVE, 3, "postgresql", marks=pytest.mark.long),
        pytest.param(GenerationMode.NEGATIVE, 5, "sqlite", marks=pytest.mark.long),
    ],
)
def test_what_is_made_up_after_the_document_is_answered_as_it_says(
    caller: Caller, app: FastAPI, mode: GenerationMode, examples: int, kind: str
) -> None:
    """Of a booking and a vehicle that there are, so that calls are not refused for the lack of them."""
    # A secret may be any text, but one with a slash in it is the address of a page.
    known = {"ref": Sides(caller.client, caller.shop).ref, "vehicle_id": caller.shop.vehicle.id, "secret": "nobodys"}
    found = [each.ok() for each in schemathesis.openapi.from_asgi("/api/openapi.json", app).get_all_operations()]
    assert len(found) == len(caller.operations)
    # What makes the shop read-only comes last.
    for operation in sorted(found, key=lambda each: each.path == READ_ONLY):
        times = 1 if operation.path == READ_ONLY else examples
        named = {parameter.name for parameter in operation.path_parameters}
        there = {name: value for name, value in known.items() if name in named} or None

        @hypothesis.settings(max_examples=times, derandomize=True, database=None, suppress_health_check=EVERY)
        @hypothesis.given(case=operation.as_strategy(mode, path_parameters=there))
        def is_so(case: Any) -> None:
            # Another call may have ended the session.
            headers = bearer(caller.people[role_of(case.path)])
            before = caller.version()
            answer = case.call_and_validate(headers=headers, checks=SO)
            assert answer.status_code < 400 or caller.version() == before

        # With some there is nothing to get wrong.
        with suppress(Unsatisfiable) if mode == GenerationMode.NEGATIVE else nullcontext():
            is_so()


@each(
    ("types", "value"),
    [
        ((), [["\ud800"]]),
        ((), "\ud800"),
        *((("integer",), value) for value in (True, "1_0", 1.5, 10**30, "\u0661")),
        (("string",), 5),
        (("boolean",), "perhaps"),
        (("enum",), "none such"),
    ],
)
def test_what_a_field_cannot_be_is_refused_by_its_name(caller: Caller, types: tuple[str, ...], value: Any) -> None:
    for operation in caller.operations:
        assert caller.missed(operation, operation.fields(*types), value) == set(), operation.path


def test_a_field_that_a_call_of_vendors_or_operators_does_not_know_is_refused_by_its_name(caller: Caller) -> None:
    """The specification's own calls, which have clients already, go on ignoring it."""
    theirs = [
        operation
        for operation in caller.operations
        if operation.path.startswith(("/api/vendor/", "/api/operator/"))
        and operation.fields()
        and (operation.method, operation.path) not in SPECIFIED
    ]
    assert len(theirs) > 30
    for operation in theirs:
        assert not caller.missed(operation, ["bank_account_no"], "1"), operation.path


def test_an_unknown_name_is_not_told_at_length(caller: Caller) -> None:
    block = next(operation for operation in caller.operations if operation.path == "/api/vendor/blocks")
    answer, named = caller.refused(block, json={"\0" + "x" * 500: 1})
    assert "\ufffd" + "x" * 59 in named
    assert answer.json()["code"] == "unknown_field"
    assert len(answer.text) < 1000


def test_no_text_that_is_kept_has_a_nul(caller: Caller) -> None:
    for operation in caller.operations:
        fields = [name for name in operation.fields() if name not in OPAQUE | DATES]
        assert caller.missed(operation, fields, "a\x00b") == set(), operation.path


@each("number", ["NaN", "Infinity", "1e400", "9" * 5000])
def test_no_number_is_beyond_numbers(caller: Caller, number: str) -> None:
    for operation in caller.operations:
        fields = [name for name, field in operation.body.get("properties", {}).items() if kinds(field) & NUMBERS]
        if fields and operation.content == JSON:
            body = json.dumps(dict.fromkeys(fields, "HERE")).replace('"HERE"', number)
            content = f"[{body}]" if operation.is_list else body
            caller.refused(operation, content=content, headers={"Content-Type": JSON})


@each("text", ["abc", "1_0", "-1", "9" * 5000, "\uff11"])
def test_what_is_no_number_in_an_address(caller: Caller, text: str) -> None:
    for operation in caller.operations:
        for asked in operation.numbers("query"), operation.numbers("path"):
            # Guests' links are pages.
            if asked and not operation.path.startswith("/trip/"):
                url = operation.address_with(dict.fromkeys(asked, text))
                # Without its form a call with files is refused for that.
                form = {"files": {part: (None, "{}") for part in operation.parts}} if operation.parts else {}
                answer, named = caller.refused(operation, url=url, params=dict.fromkeys(asked, text), **form)
                assert (answer.status_code, named & {*asked}) == (422, {*asked}), operation.path


@pytest.mark.databases
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_nul_in_an_address_is_no_failure(caller: Caller, kind: str) -> None:
    for operation in caller.operations:
        named = [each["name"] for each in operation.described.get("parameters", ()) if each["in"] != "header"]
        if operation.method == "get" and named:
            for url in (operation.address, operation.address_with(dict.fromkeys(named, "%00"))):
                told = {"params": dict.fromkeys(named, "a\x00b"), "headers": caller.tokens[operation.role]}
                answer = caller.client.get(url, **told)
                assert answer.status_code < 500, (url, answer.text)


@each(
    ("body", "status", "code"),
    [
        (b"{nope", 400, "malformed_json"),
        (b'{"pincode": "5', 400, "malformed_json"),
        (b'{"pincode": "\xff\xfe"}', 400, "malformed_body"),
        (b"[" * 100_000, 400, "malformed_body"),
        (b'"text"', 422, "invalid_input"),
        (b"12", 422, "invalid_input"),
        (b"null", 422, "invalid_input"),
        (b"", 422, "invalid_input"),
        (b'{"pincode": "' + b"5" * 300_000 + b'"}', 413, "too_large"),
    ],
)
def test_bodies_of_the_wrong_shape(caller: Caller, body: bytes, status: int, code: str) -> None:
    for operation in caller.operations:
        if operation.content == JSON and operation.body.get("required"):
            answer, _ = caller.refused(operation, content=body, headers={"Content-Type": JSON})
            assert (answer.status_code, answer.json()["code"]) == (status, code), operation.path


def test_bodies_of_another_type(caller: Caller) -> None:
    for operation in caller.operations:
        if operation.content and (operation.content != JSON or operation.body.get("required")):
            answer, _ = caller.refused(operation, content=b"{}", headers={"Content-Type": "text/plain"})
            assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_type"), operation.path
    for kind, status in (
        ("application/jsonx", 415),
        ("application/x-json; charset=utf-8", 415),
        ("application/x-www-form-urlencoded", 415),
        ("text/json", 415),
        ("json", 415),
        ("Application/JSON", 422),
        ("application/json;charset=utf-8", 422),
        ("application/problem+json", 422),
    ):
        answer = caller.client.post("/api/user/login", content="[]", headers={"Content-Type": kind})
        assert answer.status_code == status, kind


@pytest.fixture
def whole(database: str) -> Iterator[TestClient]:
    """A client of the app with the pages mounted under it, which answer for every address that is left."""
    app = build()
    app.mount("/", HTMLResponse("A page", 404))
    with TestClient(app) as client:
        yield client


def allowed(client: TestClient, method: str, path: str) -> list[str]:
    answer = client.request(method, path)
    refused(answer, 405, "method_not_allowed")
    return answer.headers["allow"].split(", ")


def test_a_wrong_method_is_told_the_right_ones(whole: TestClient, app: FastAPI) -> None:
    for path, methods in app.openapi()["paths"].items():
        if path.startswith(("/api/", "/get_location_by_pincode")):
            right = allowed(whole, "PROPFIND", Operation({}, "get", path).address)
            assert {method.upper() for method in methods} <= {*right}, path


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"])
def test_every_method_is_answered_in_json(whole: TestClient, method: str) -> None:
    for path, right in (
        ("/api/user/register", ["POST"]),
        ("/api/user/data", ["GET"]),
        ("/api/user/favourites/1", ["DELETE", "PUT"]),
        ("/api/vendor/prices", ["GET", "PUT"]),
        ("/api/bookings/5", ["GET"]),
        ("/api/bookings/create", ["POST"]),
        ("/api/openapi.json", ["GET", "HEAD"]),
        ("/get_location_by_pincode", ["POST"]),
        ("/healthz", ["GET"]),
        ("/metrics", ["GET", "HEAD"]),
        ("/media/public/x.jpg", ["GET"]),
        ("/ical/secret.ics", ["GET", "HEAD"]),
    ):
        assert method in right or allowed(whole, method, path) == right, path
    for path in ("/api", "/api/", "/api/nothing", "/api/user/data/", "/api/bookings"):
        refused(whole.request(method, path), 404, "not_found")
    head = whole.head("/api/user/data")
    assert (head.status_code, head.headers["allow"]) == (405, "GET")


# What no generator finds: the messages of the specification, dates, and places in a list that nobody was given.


def booking(shop: Shop, **changes: Any) -> dict[str, Any]:
    return {"car": shop.vehicle.id, "location": shop.place.name} | window() | changes


def asked_three_ways(caller: Caller, wish: dict[str, Any]) -> list[Response]:
    """Book, search and ask for a price, all in vain."""
    call, headers, before = caller.client, caller.tokens["customer"], caller.version()
    answers = [
        call.post("/api/bookings/create", json=wish, headers=headers),
        call.post("/api/bookings/check-availability", json=wish),
        call.get("/api/bookings/quote", params=wish),
    ]
    assert caller.version() == before
    return answers


@each("missing", [("pickupDate",), ("returnDate",), ("pickupDate", "returnDate")])
def test_missing_dates_are_asked_for(caller: Caller, missing: tuple[str, ...]) -> None:
    words, whole = "Please select Pickup and Return date/time", booking(caller.shop)
    left_out = {name: value for name, value in whole.items() if name not in missing}
    for wish in (left_out, whole | dict.fromkeys(missing, ""), whole | dict.fromkeys(missing)):
        for answer in asked_three_ways(caller, wish):
            assert refused(answer, 422, "dates_missing", *missing)["message"] == words


@each(
    "value", ["soon", "2026-13-01", "2026-12-01T25:00", "0001-01-01", "01/12/2026", "2026-12-01T10:00+99:00", "x" * 41]
)
def test_what_is_no_date(caller: Caller, value: str) -> None:
    for field in ("pickupDate", "returnDate"):
        for answer in asked_three_ways(caller, booking(caller.shop, **{field: value})):
            assert (answer.status_code, [error["field"] for error in answer.json()["errors"]]) == (422, [field])


def test_a_plus_sign_lost_in_an_address_is_found_again(client: TestClient, shop: Shop) -> None:
    wish = booking(shop)
    bare = f"car={wish['car']}&pickupDate={wish['pickupDate']}&returnDate={wish['returnDate']}"
    assert "+" in bare
    assert ok(client.get(f"/api/bookings/quote?{bare}"))["quote"]["pickupDate"] == wish["pickupDate"]


def test_unknown_things_are_not_found(caller: Caller) -> None:
    client, none = caller.client, 2**31 - 1
    refused(client.get(f"/api/pubilc/get_asset_models?manufacturer_id={none}"), 404, "not_found")
    refused(client.get(f"/api/pubilc/get_asset_manufacturers?asset_type_id={none}"), 404, "not_found")
    refused(client.get(f"/api/vendor/files/{none}", headers=caller.tokens["vendor"]), 404, "not_found")
    created, found, quoted = asked_three_ways(caller, booking(caller.shop, car=none, location="Atlantis"))
    refused(created, 404, "unknown_vehicle")
    refused(found, 422, "unknown_location", "location")
    refused(quoted, 404, "unknown_vehicle")


def test_a_key_has_a_length(caller: Caller) -> None:
    headers = caller.tokens["customer"] | {"Idempotency-Key": "k" * 201}
    answer = caller.client.post("/api/bookings/create", json=booking(caller.shop), headers=headers)
    refused(answer, 422, "invalid_input", "idempotency-key")


@pytest.mark.databases
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
@each(
    ("table", "sort", "value", "key", "status"),
    [
        ("people", "since", "0001-01-01T00:00:00+14:00", 1, 200),
        ("people", "since", "9999-12-31T23:59:59-14:00", 1, 200),
        ("people", "name", "A", 2**31, 200),
        ("people", "name", "A", -(2**31) - 1, 422),
        ("bookings", "price", 10**15, 1, 200),
        ("bookings", "price", -(10**15), 1, 200),
        ("messages", "tries", 2**31, 1, 200),
    ],
)
def test_a_forged_cursor_breaks_no_list(
    caller: Caller, kind: str, table: str, sort: str, value: object, key: int, status: int
) -> None:
    forged = base64.urlsafe_b64encode(orjson.dumps([sort, False, 0, value, key])).decode().rstrip("=")
    told = {"sort": sort, "cursor": forged}
    answer = caller.client.get(f"/api/operator/{table}", params=told, headers=caller.tokens["operator"])
    assert answer.status_code == status, answer.text
