"""How public pages are served: URLs, compression, unchanged pages, and a missing database or build behind them."""

import base64
import hashlib
import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import pytest
from fastapi.testclient import TestClient
from limits import parse

from rental_app.infrastructure import headers
from rental_app.infrastructure.settings import settings
from rental_app.services import throttle
from tests.conftest import forget
from tests.support.rows import each
from tests.support.shop import Shop, add_vehicle, moment, wire
from tests.support.site import meta, page

pytestmark = pytest.mark.usefixtures("built_pages")


@each("path", ["/vehicles", "/offers", "/blog", "/privacy", "/vehicle-details/1", "/gachibowli/bike-rentals"])
def test_a_slash_at_the_end_changes_nothing(client: TestClient, path: str) -> None:
    assert page(client, f"{path}/") == page(client, path)


@each(
    ("path", "proper"),
    [
        ("/Vehicles?q=Honda%20X", "/vehicles?q=Honda%20X"),
        ("/OFFERS/", "/offers"),
        ("/Vendor", "/vendor"),
        ("/vendor/Profile", "/vendor/profile"),
        ("/Vendor/Bookings/PH-4X7K20", "/vendor/bookings/PH-4X7K20"),
        ("/Vehicle-Details/11", "/vehicle-details/11"),
        ("/madhapur/Bike-Rentals", "/madhapur/bike-rentals"),
        ("/My-Bookings/%C3%89%25", "/my-bookings/%C3%89%25"),
        ("/\\elsewhere.example/Bike-Rentals", "/%5Celsewhere.example/bike-rentals"),
    ],
)
def test_an_address_in_another_case_moves_to_the_page(client: TestClient, path: str, proper: str) -> None:
    moved = client.get(path, follow_redirects=False)
    assert (moved.status_code, moved.headers["location"]) == (301, proper)


@each("path", ["/Nowhere", "//Elsewhere.example/Bike-Rentals", "/Vehicles/%2E%2E", "/API/docs"])
def test_no_other_address_in_another_case_moves(client: TestClient, path: str) -> None:
    assert client.get(f"http://testserver{path}", follow_redirects=False).status_code == 404


def test_calls_keep_their_addresses(client: TestClient) -> None:
    assert client.get("/api/bike-rentals").json()["code"] == "not_found"


def test_only_the_head_can_be_asked_for(client: TestClient) -> None:
    assert client.head("/vehicles").status_code == 200


@each("coding", ["br", "gzip"])
def test_pages_are_compressed(client: TestClient, coding: str) -> None:
    answer = client.get("/vehicles", headers={"Accept-Encoding": coding})
    assert answer.headers["content-encoding"] == coding
    assert "Accept-Encoding" in answer.headers["vary"]


def test_an_unchanged_page_is_not_sent_again(client: TestClient, shop: Shop) -> None:
    first = client.get("/vehicles?pickupLocation=Testpur")
    same = {"If-None-Match": first.headers["etag"]}
    assert client.get("/vehicles?pickupLocation=Testpur", headers=same).status_code == 304
    add_vehicle(shop.vendor)
    assert client.get("/vehicles?pickupLocation=Testpur", headers=same).status_code == 200


@pytest.fixture
def no_database(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make the database unavailable."""
    with monkeypatch.context() as patch:
        patch.setenv("RENTAL_DATABASE_URL", "postgresql://nobody@127.0.0.1:9/nothing")
        forget()
        yield
    forget()


@each("path", ["/", "/vehicles", "/vehicle-details/1", "/gachibowli/bike-rentals", "/offers"])
def test_without_a_database_the_empty_page_comes(client: TestClient, no_database: None, path: str) -> None:
    html = page(client, path, 503)
    assert 'data-slot=""' in html
    assert meta(html)["robots"] == "noindex"


def test_without_a_build_the_answer_is_clear(
    client: TestClient, built_pages: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(headers, "BUILD", built_pages / "nowhere")
    answer = client.get("/vehicles")
    assert (answer.status_code, answer.text) == (503, "The pages have not been built yet")


@pytest.mark.usefixtures("rate_limits")
def test_searches_are_counted(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(throttle.LIMITS, "search", throttle.Limit(parse("3 per hour"), parse("3 per hour")))
    dates = {"pickupDate": wire(moment(4)), "returnDate": wire(moment(6))}
    path = "/vehicles?" + urlencode({"pickupLocation": "Gachibowli"} | dates)
    answers = [client.get(path) for _ in range(4)]
    assert [answer.status_code for answer in answers] == [200, 200, 200, 429]
    assert int(answers[-1].headers["retry-after"]) > 0


_INLINE = re.compile(r"<script(?![^>]*\b(?:src|type=\"application/ld\+json\"))[^>]*>(.*?)</script>", re.DOTALL)


@each("path", ["/", "/vehicles", "/vehicle-details/1", "/offers", "/my-bookings", "/vendor"])
def test_the_policy_of_a_page_names_its_own_scripts_alone(client: TestClient, path: str) -> None:
    answer = client.get(path)
    digests = {hashlib.sha256(script.encode()).digest() for script in _INLINE.findall(answer.text)}
    named = re.findall(r"'sha256-([^']+)'", answer.headers["content-security-policy"])
    assert {base64.b64decode(digest) for digest in named} == digests


def test_a_cached_page_is_packed_smaller_than_one_made_for_once(client: TestClient) -> None:
    packed = {"Accept-Encoding": "br"}
    sizes = [
        int(client.get(path, headers=packed).headers["content-length"])
        for path in ("/vehicles", f"/vehicles?{urlencode({'pickupDate': wire(moment(4)), 'returnDate': ''})}")
    ]
    assert sizes[0] < sizes[1]
    assert client.get("/vehicles", headers={"Accept-Encoding": "identity"}).headers.get("content-encoding") is None


def test_a_search_without_a_place_is_served_as_one_everywhere(client: TestClient, shop: Shop) -> None:
    dates = urlencode({"pickupDate": wire(moment(3)), "returnDate": wire(moment(4))})
    chosen = re.findall("<option[^>]* selected[^>]*>([^<]*)", page(client, f"/vehicles?{dates}"))
    assert chosen == [f"Anywhere in {settings().city}"]
