"""Every address and every call of the console, found by itself: kept and indexed by nobody, and fed with bad texts."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from httpx2 import Response

from rental_app.infrastructure.headers import with_headers
from rental_app.services.console import tables
from tests.support.console import operator
from tests.support.rest_calls import call, documented
from tests.support.rest_helpers import bearer
from tests.support.rows import each
from tests.support.shop import Shop, count

LONG = 10_000


@pytest.mark.usefixtures("built_pages")
def test_every_page_is_a_404_that_nobody_keeps_or_indexes(app: FastAPI, shop: Shop) -> None:
    client = TestClient(with_headers(app))
    pages = ["/operator", "/operator/", "/operator/nothing", "/operator/%00", "/operator/people.csv"]
    for name in tables.every():
        pages += [f"/operator/{name}{rest}" for rest in ("", "/1", "?q=a&cursor=b", "/1?tab=audit")]
    for path in pages:
        answer = client.get(path)
        assert answer.status_code == 404, path
        assert answer.headers["cache-control"] == "no-store", path
        assert answer.headers.get("x-robots-tag") == "noindex", path


def test_no_answer_of_the_console_is_kept(app: FastAPI, shop: Shop) -> None:
    client = TestClient(with_headers(app))
    reading = sorted(path for method, path in documented(app) if method == "get" and path.startswith("/api/operator/"))
    files = [f"/api/operator/{name}.csv" for name in tables.every()]
    for path in (*reading, *files):
        for headers in ({}, bearer(shop.customer), bearer(operator())):
            answer: Response = call(client, "get", path, headers=headers)
            assert answer.headers["cache-control"] == "no-store", path


def _texts(app: FastAPI) -> Iterator[tuple[str, str, str]]:
    """Each text in the body of each call of the console: method, path, field."""
    document = app.openapi()
    for path, methods in document["paths"].items():
        for method, told in methods.items():
            body = told.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
            if path.startswith("/api/operator/") and "$ref" in body:
                fields = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]["properties"]
                yield from ((method, path, name) for name, field in fields.items() if _is_text(field))


def _is_text(field: dict[str, Any]) -> bool:
    return field.get("type") == "string" or any(one.get("type") == "string" for one in field.get("anyOf", ()))


def test_no_text_of_a_decision_is_endless(app: FastAPI, client: TestClient, shop: Shop) -> None:
    headers, texts = bearer(operator()), list(_texts(app))
    before = count("audit_entry")
    assert len(texts) > 40
    for method, path, field in texts:
        answer = call(client, method, path, headers=headers, json={field: "x" * LONG})
        assert answer.status_code == 422, (path, field)
        assert field in {error["field"] for error in answer.json()["errors"]}, (path, field)
    assert count("audit_entry") == before


@each("text", ["a\\u0000b", "a\\ud800b", "\\u202e"])
def test_what_no_database_holds_is_refused(app: FastAPI, client: TestClient, shop: Shop, text: str) -> None:
    headers = bearer(operator()) | {"Content-Type": "application/json"}
    before = count("audit_entry")
    for method, path, field in _texts(app):
        answer = call(client, method, path, headers=headers, content=f'{{"{field}": "{text}"}}')
        assert 400 <= answer.status_code < 500, (path, field)
    assert count("audit_entry") == before
