"""Every method at every address of a call: JSON, with the true status and the methods that there are."""

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from starlette.responses import HTMLResponse

from rental_app.api import build
from tests.support.rest_calls import documented
from tests.support.rest_helpers import refused

METHODS = ("GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")


@pytest.fixture
def client(database: str) -> Iterator[TestClient]:
    """A client of the app with the pages mounted under it, which answer for every address that is left."""
    app = build()
    app.mount("/", HTMLResponse("A page", 404))
    with TestClient(app) as client:
        yield client


def allowed(client: TestClient, method: str, path: str) -> list[str]:
    answer = client.request(method, path)
    refused(answer, 405, "method_not_allowed")
    return answer.headers["allow"].split(", ")


@pytest.mark.parametrize("method", METHODS)
def test_a_wrong_method_is_told_the_right_ones(client: TestClient, method: str) -> None:
    for path, right in (
        ("/api/user/register", ["POST"]),
        ("/api/user/update", ["PUT"]),
        ("/api/user/data", ["GET"]),
        ("/api/user/favourites/1", ["DELETE", "PUT"]),
        ("/api/vendor/add-vehicle", ["POST"]),
        ("/api/vendor/prices", ["GET", "PUT"]),
        ("/api/bookings/5", ["GET"]),
        ("/api/bookings/create", ["POST"]),
        ("/api/bookings/check-availability", ["POST"]),
        ("/api/bookings/change-status", ["POST"]),
        ("/api/bookings/quote", ["GET"]),
        ("/api/openapi.json", ["GET", "HEAD"]),
        ("/get_location_by_pincode", ["POST"]),
        ("/healthz", ["GET"]),
        ("/readyz", ["GET"]),
        ("/metrics", ["GET", "HEAD"]),
        ("/media/public/x.jpg", ["GET"]),
        ("/ical/secret.ics", ["GET", "HEAD"]),
    ):
        if method not in right:
            assert allowed(client, method, path) == right, path


def test_every_call_refuses_a_method_of_no_call(client: TestClient) -> None:
    for method, path in documented(client.app):
        if path.startswith(("/api/", "/get_location_by_pincode")):
            assert method.upper() in allowed(client, "PROPFIND", path.replace("{", "").replace("}", ""))


@pytest.mark.parametrize("method", METHODS)
def test_where_there_is_no_call_the_answer_is_json(client: TestClient, method: str) -> None:
    for path in ("/api", "/api/", "/api/nothing", "/api/user/data/", "/api/bookings"):
        refused(client.request(method, path), 404, "not_found")


def test_the_head_of_a_refusal_is_one_too(client: TestClient) -> None:
    answer = client.head("/api/user/data")
    assert (answer.status_code, answer.headers["allow"]) == (405, "GET")
