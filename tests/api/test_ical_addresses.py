"""A calendar's URL cannot be used to make the product send requests into its own network."""

import asyncio
import gzip
import ipaddress
import tracemalloc
from typing import Any

import pytest
from fastapi.testclient import TestClient

from rental_app.services.files import safe_http
from rental_app.services.files.safe_http import FetchError, SafeClient
from tests.support.calendars_of_platforms import HOST, IMPORTS, Platform, calendar
from tests.support.rest_helpers import bearer, ok, refused
from tests.support.rows import each
from tests.support.shop import Shop

TEXT = calendar("X-NAME:Scooter").encode()


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


@each(
    "url",
    [
        "http://calendar.example/a.ics",
        "ftp://calendar.example/a.ics",
        "https://user:pass@calendar.example/a.ics",
        "https://localhost/a.ics",
        "https://127.0.0.1/a.ics",
        "https://10.0.0.8/a.ics",
        "https://192.168.1.1/a.ics",
        "https://169.254.169.254/latest/meta-data",
        "https://100.64.0.1/",
        "https://0.0.0.0/",
        "https://[::1]/a.ics",
        "https://[fe80::1]/",
        "https://[fd00::1]/",
        "https://[::ffff:10.0.0.1]/",
        "https://[64:ff9b::a00:1]/",
        "https://[2002:a00:1::]/",
        "https://db.internal/",
        "https://printer.local/",
        "https:///a.ics",
        "https://calendar.example:99999/",
        "https://calendar.example/" + "a" * 500,
        "https://calendar .example/a.ics",
        "https://calendar\u202e.example/a.ics",
        "https://calendar.example/a\u200b.ics",
        "calendar.example",
        "",
    ],
)
def test_addresses_that_are_not_read(client: TestClient, shop: Shop, url: str) -> None:
    body = {"vehicle": shop.vehicle.id, "url": url}
    answer = client.post(IMPORTS, json=body, headers=bearer(shop.vendor))
    assert (answer.status_code, answer.json()["errors"][0]["field"]) == (422, "url")


@each("address", ["93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "8.8.8.8"])
def test_addresses_of_the_open_internet(address: str) -> None:
    assert safe_http.is_public(ipaddress.ip_address(address))


def test_a_name_of_this_network_is_not_asked(platform: Platform) -> None:
    url, port = platform.gives("/a.ics", calendar()), platform.server.server_port
    with pytest.raises(FetchError, match="Only addresses without a port"):
        asyncio.run(SafeClient(certificates=platform.certificates).fetch(url))
    with pytest.raises(FetchError, match="not a public one"):
        asyncio.run(SafeClient(certificates=platform.certificates, port=port).fetch(url))
    with pytest.raises(FetchError, match="certificate cannot be trusted"):
        asyncio.run(SafeClient(lambda address: address.is_loopback, port=port).fetch(url))
    assert platform.asked == []


def test_a_redirect_to_this_network_is_not_followed(platform: Platform) -> None:
    port = platform.server.server_port
    url = platform.gives("/out", b"", 302, Location=f"https://127.0.0.2:{port}/inside")
    seen: list[str] = []

    def allowed(address: Any) -> bool:
        seen.append(str(address))
        return str(address) == "127.0.0.1"

    with pytest.raises(FetchError, match="not a public one"):
        asyncio.run(SafeClient(allowed, platform.certificates, port).fetch(url))
    assert seen == ["127.0.0.1", "127.0.0.2"]


def test_the_host_is_told_who_asks(platform: Platform) -> None:
    asyncio.run(platform.outside.fetch(platform.gives("/a.ics", calendar())))
    (head,) = platform.heads
    assert head["user-agent"].startswith("Pahiya (calendar import; +http")
    assert (head["host"].partition(":")[0], head["accept-encoding"]) == (HOST, "gzip, identity")


@each(
    ("body", "encoding"),
    [
        (TEXT, "identity"),
        (TEXT, ""),
        (gzip.compress(TEXT), "gzip"),
        (gzip.compress(TEXT), "GZIP"),
        (gzip.compress(TEXT), "x-gzip"),
        (gzip.compress(TEXT), ""),
        (TEXT, "gzip"),
        (gzip.compress(TEXT[:20]) + gzip.compress(TEXT[20:]), "gzip"),
    ],
)
def test_packed_files_are_unpacked(platform: Platform, body: bytes, encoding: str) -> None:
    url = platform.gives("/a.ics", body, **{"Content-Encoding": encoding})
    assert asyncio.run(platform.outside.fetch(url)) == TEXT


@each(
    ("body", "message"),
    [
        (gzip.compress(bytes(400_000_000), 9), "larger than 4,000 KB"),
        (b"".join([gzip.compress(bytes(1_000_000))] * 9), "larger than 4,000 KB"),
        (gzip.compress(TEXT)[:-12], "ends too early"),
        (b"\x1f\x8b\x08nonsense", "damaged"),
    ],
)
def test_packed_files_take_no_more_room_than_others(platform: Platform, body: bytes, message: str) -> None:
    url = platform.gives("/a.ics", body, **{"Content-Encoding": "gzip"})
    tracemalloc.start()
    with pytest.raises(FetchError, match=message):
        asyncio.run(platform.outside.fetch(url))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 30_000_000


@each("url", ["webcal://calendar.example/a.ics", "WEBCAL://calendar.example/a.ics", "webcals://calendar.example/a.ics"])
def test_addresses_for_calendar_programs_are_read_as_https(client: TestClient, shop: Shop, url: str) -> None:
    body, headers = {"vehicle": shop.vehicle.id, "url": url}, bearer(shop.vendor)
    made = ok(client.post(IMPORTS, json=body, headers=headers))["calendar"]
    assert (made["url"], made["source"]) == ("https://calendar.example/a.ics", "calendar.example")
    refused(client.post(IMPORTS, json=body | {"url": made["url"]}, headers=headers), 409, "known_calendar")
    ok(client.delete(f"{IMPORTS}/{made['id']}", headers=headers))


def test_a_redirect_may_lead_to_an_address_for_calendar_programs(platform: Platform) -> None:
    there = platform.gives("/a.ics", TEXT).replace("https", "webcal")
    assert asyncio.run(platform.outside.fetch(platform.gives("/out", b"", 302, Location=there))) == TEXT
    with pytest.raises(FetchError, match="does not begin with https"):
        asyncio.run(platform.outside.fetch(platform.gives("/out", b"", 302, Location="http://calendar.test/a.ics")))


def test_a_file_that_breaks_off_is_not_taken_for_the_whole(platform: Platform) -> None:
    url = platform.gives("/a.ics", TEXT[:50], **{"Content-Length": str(len(TEXT))})
    with pytest.raises(FetchError, match="broke off"):
        asyncio.run(platform.outside.fetch(url))
