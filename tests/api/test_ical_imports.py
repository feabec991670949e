"""Calendars of other platforms become blocks; nobody can point the product at its own network."""

import asyncio
import datetime as dt
import http.server
import ipaddress
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from fastapi.testclient import TestClient

from rental_app.db import read
from rental_app.rules import clock
from rental_app.schemas.vendor_calendar import CalendarSpan
from rental_app.services import ical_imports, ical_reading, outside, vendor_calendar
from rental_app.services.outside import FetchError, Outside
from tests.api.helpers import bearer, ok, refused
from tests.api.test_vendor_calendar import BLOCKS, wish
from tests.conftest import Clock
from tests.helpers import Shop, actor, add_user, add_vehicle, moment, wanted
from tests.rows import each
from tests.services.steps import book
from tests.services.test_trips import refusal
from tests.services.trips import confirmed

IMPORTS = "/api/vendor/ical-imports"
HOST = "calendar.test"


@pytest.fixture(params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    chosen: str = request.param
    return chosen


class Platform:
    """Another platform's server on this machine, and what it answers at each path."""

    def __init__(self, folder: Path) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        server_side, self.certificates = certificates(folder)
        platform = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                platform.asked.append(f"{self.headers['Host']}{self.path}")
                status, headers, body = platform.answers.get(self.path, (404, {}, b""))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = server_side.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.url = f"https://{HOST}:{self.server.server_port}"

    def gives(self, path: str, body: str | bytes, status: int = 200, **headers: str) -> str:
        content = body if isinstance(body, bytes) else body.encode()
        self.answers[path] = (status, headers, content)
        return f"{self.url}{path}"

    @property
    def outside(self) -> Outside:
        """This machine counts as outside, and the platform's certificate as good."""
        return Outside(lambda address: address.is_loopback, self.certificates, self.server.server_port)


def certificates(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What a server that is HOST proves itself by, and what believes it."""
    key, name = ec.generate_private_key(ec.SECP256R1()), x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, HOST)])
    now = dt.datetime.now(dt.UTC)
    builder = x509.CertificateBuilder().subject_name(name).issuer_name(name).public_key(key.public_key())
    builder = builder.serial_number(1).not_valid_before(now - dt.timedelta(days=1))
    builder = builder.not_valid_after(now + dt.timedelta(days=1))
    signed = builder.add_extension(x509.SubjectAlternativeName([x509.DNSName(HOST)]), False).sign(key, hashes.SHA256())
    pem = signed.public_bytes(serialization.Encoding.PEM)
    private = (serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    file = folder / "platform.pem"
    file.write_bytes(key.private_bytes(*private) + pem)
    server_side = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server_side.load_cert_chain(file)
    return server_side, ssl.create_default_context(cadata=pem.decode())


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


def read_due(platform: Platform) -> int:
    return asyncio.run(ical_imports.read_due(platform.outside))


def stamp(instant: dt.datetime) -> str:
    return f"{instant.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"


def event(begin: dt.datetime, end: dt.datetime, *more: str, uid: str = "one@else.example") -> str:
    lines = ("BEGIN:VEVENT", f"UID:{uid}", f"DTSTART:{stamp(begin)}", f"DTEND:{stamp(end)}", *more, "END:VEVENT")
    return "\r\n".join(lines)


def calendar(*events: str) -> str:
    return "\r\n".join(("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//else//EN", *events, "END:VCALENDAR", ""))


def added(client: TestClient, shop: Shop, url: str) -> dict[str, Any]:
    made: dict[str, Any] = ok(
        client.post(IMPORTS, json={"vehicle": shop.vehicle.id, "url": url}, headers=bearer(shop.vendor))
    )["calendar"]
    return made


def entries(shop: Shop) -> list[tuple[str, dt.datetime, dt.datetime]]:
    shown = read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan()).vehicles[0].entries
    return [(entry.kind, entry.begin, entry.end) for entry in shown]


def test_entries_become_blocks_and_those_over_bookings_are_shown(
    client: TestClient, shop: Shop, platform: Platform, stopped_clock: Clock
) -> None:
    trip = confirmed(shop, days=5, length=1)
    body = calendar(
        event(moment(2), moment(3)),
        event(moment(4), moment(7)),
        event(moment(8), moment(9), "STATUS:CANCELLED"),
        event(moment(8), moment(9), "TRANSP:TRANSPARENT"),
        event(moment(8), moment(9), uid="PH-AAAAAA@localhost"),
        "BEGIN:VEVENT\r\nUID:day@else.example\r\nDTSTART;VALUE=DATE:" + f"{moment(10):%Y%m%d}\r\nEND:VEVENT",
    )
    made = added(client, shop, platform.gives("/a.ics", body))
    assert (made["error"], made["fetchedAt"]) == ("", None)
    assert read_due(platform) == 1
    blocks = [(begin, end) for kind, begin, end in entries(shop) if kind == "block"]
    assert blocks == [
        (moment(2), moment(3)),
        (moment(4), trip.pickup),
        (trip.return_at, moment(7)),
        (moment(10, 0), moment(11, 0)),
    ]
    clashes = read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan()).vehicles[0].clashes
    assert [(clash.begin, clash.end, clash.calendar) for clash in clashes] == [(moment(4), moment(7), made["id"])]
    refusal("dates_taken", book, add_user(), wanted(shop.vehicle, 2))
    assert read_due(platform) == 0
    platform.gives("/a.ics", calendar(event(moment(12), moment(13))))
    stopped_clock.move(minutes=30)
    assert read_due(platform) == 1
    assert [entry for entry in entries(shop) if entry[0] != "booking"] == [("block", moment(12), moment(13))]
    assert platform.asked[0].startswith(HOST), "the name is asked for, at the address that was looked at"


def test_the_last_calendar_that_could_be_read_stays(
    client: TestClient, shop: Shop, platform: Platform, stopped_clock: Clock
) -> None:
    added(client, shop, platform.gives("/a.ics", calendar(event(moment(2), moment(3)))))
    read_due(platform)
    wrong: list[tuple[bytes, int, dict[str, str], str]] = [
        (b"<html>", 200, {}, ical_reading.NO_CALENDAR),
        (b"", 200, {}, ical_reading.NO_CALENDAR),
        (b"BEGIN:VEVENT\r\nEND:VEVENT\r\n", 200, {}, ical_reading.NO_CALENDAR),
        (b"\xff\xfe", 200, {}, ical_reading.NO_CALENDAR),
        (b"x" * (outside.MOST_BYTES + 1), 200, {}, "The file is larger than 1,000 KB"),
        (b"", 404, {}, "The address answers 404"),
        (b"x", 200, {"Content-Encoding": "gzip"}, "The address answers 200"),
        (b"", 302, {"Location": "http://calendar.test/"}, "Only addresses that begin with https:// are read"),
        (b"", 302, {"Location": "/a.ics"}, "The address leads on and on"),
    ]
    for body, status, headers, message in wrong:
        platform.gives("/a.ics", body, status, **headers)
        stopped_clock.move(minutes=30)
        assert read_due(platform) == 1
        (row,) = read(ical_imports.of_vendor, actor(shop.vendor))
        assert row.error == message, body[:20]
    (block,) = read(vendor_calendar.of_vendor, actor(shop.vendor), CalendarSpan()).vehicles[0].entries
    assert (block.kind, block.text) == ("block", "Other calendar")


STRANGE = ("https://b\u00fccher.test{}/", "https://[", "//[", "https://[v1.x]{}/", "https://calendar.test{}/\x01")


def test_what_is_wrong_with_one_calendar_is_no_others_concern(
    client: TestClient, shop: Shop, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ical_imports, "MOST", 10)
    for number, place in enumerate(STRANGE):
        target = place.format(f":{platform.server.server_port}")
        added(client, shop, platform.gives(f"/{number}", b"", 302, Location=target))
    added(client, shop, platform.gives("/good", calendar(event(moment(2), moment(3)))))
    assert read_due(platform) == len(STRANGE) + 1
    *strange, good = read(ical_imports.of_vendor, actor(shop.vendor))
    assert (good.error, [entry[1] for entry in entries(shop)]) == ("", [moment(2)])
    assert all(row.error for row in strange)


def test_a_vendor_has_only_so_many(
    client: TestClient, shop: Shop, platform: Platform, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ical_imports, "MOST_OF_VENDOR", 1)
    added(client, shop, f"{platform.url}/a.ics")
    asked = {"vehicle": add_vehicle(shop.vendor).id, "url": f"{platform.url}/b.ics"}
    refused(client.post(IMPORTS, json=asked, headers=bearer(shop.vendor)), 409, "too_many_calendars")


def test_repeating_entries_are_counted_out(client: TestClient, shop: Shop, platform: Platform) -> None:
    weekly = event(moment(2), moment(3), "RRULE:FREQ=WEEKLY;COUNT=4", f"EXDATE:{stamp(moment(9))}")
    moved = event(moment(17), moment(18), f"RECURRENCE-ID:{stamp(moment(16))}")
    off = event(moment(23), moment(24), f"RECURRENCE-ID:{stamp(moment(23))}", "STATUS:CANCELLED")
    day = f"BEGIN:VEVENT\r\nUID:day@else.example\r\nDTSTART;VALUE=DATE:{moment(20):%Y%m%d}\r\n"
    daily = f"{day}RRULE:FREQ=DAILY;COUNT=2\r\nEND:VEVENT"
    alone = event(moment(26), moment(27), uid="alone@else.example")
    added(client, shop, platform.gives("/a.ics", calendar(weekly, moved, off, daily, alone)))
    read_due(platform)
    (row,) = read(ical_imports.of_vendor, actor(shop.vendor))
    assert row.error == ""
    today = clock.indian_today(clock.now())
    span = CalendarSpan(first_day=today, last_day=today + dt.timedelta(days=40))
    (vehicle,) = read(vendor_calendar.of_vendor, actor(shop.vendor), span).vehicles
    assert [(entry.begin, entry.end) for entry in vehicle.entries] == [
        (moment(2), moment(3)),
        (moment(17), moment(18)),
        (moment(20, 0), moment(22, 0)),
        (moment(26), moment(27)),
    ]
    assert {(entry.text, entry.source) for entry in vehicle.entries} == {("Other calendar", HOST)}


@each(
    ("rule", "message"),
    [
        ("FREQ=SECONDLY", ical_reading.TOO_MUCH),
        ("FREQ=DAILY;BYHOUR=1,5,9,13", "The calendar has more than 1,000 entries"),
        ("FREQ=SOMETIMES", ical_reading.ODD_RULE),
        ("FREQ=WEEKLY;INTERVAL=0", ical_reading.TOO_MUCH),
    ],
)
def test_rules_that_have_no_end(rule: str, message: str) -> None:
    with pytest.raises(FetchError, match=message):
        ical_reading.windows_of(calendar(event(moment(-9), moment(-8), f"RRULE:{rule}")).encode(), clock.now())


def test_a_long_calendar_is_not_read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [event(moment(day), moment(day + 1)) for day in range(1, 300)]
    long = calendar(*entries).encode()
    assert len(long) > ical_reading.SHORT
    monkeypatch.setattr(ical_reading, "_parsed", lambda _body: pytest.fail("read in the server's own process"))
    assert len(ical_reading.windows_of(long, clock.now())) == len(entries)


def test_calendars_are_their_vendors_alone(client: TestClient, shop: Shop, platform: Platform) -> None:
    vendor, other = bearer(shop.vendor), bearer(add_user("Vendor"))
    url = platform.gives("/a.ics", calendar(event(moment(2), moment(3))))
    made = added(client, shop, url)
    read_due(platform)
    (shown,) = ok(client.get(IMPORTS, headers=vendor))["calendars"]
    assert (shown["url"], shown["error"], shown["clashes"]) == (url, "", 0)
    assert ok(client.get(IMPORTS, headers=other))["calendars"] == []
    asked = {"vehicle": shop.vehicle.id, "url": url}
    refused(client.post(IMPORTS, json=asked, headers=vendor), 409, "known_calendar")
    foreign = add_vehicle(add_user("Vendor", location_id=shop.place.id))
    refused(client.post(IMPORTS, json=asked | {"vehicle": foreign.id}, headers=vendor), 404, "unknown_vehicle")
    refused(client.delete(f"{IMPORTS}/{made['id']}", headers=other), 404, "unknown_calendar")
    (entry,) = ok(client.get("/api/vendor/calendar", headers=vendor))["vehicles"][0]["entries"]
    refused(client.delete(f"{BLOCKS}/{entry['ref']}", headers=vendor), 404, "unknown_block")
    refused(client.post(BLOCKS, json=wish(shop, 2), headers=vendor), 409, "blocked")
    ok(client.delete(f"{IMPORTS}/{made['id']}", headers=vendor))
    assert entries(shop) == []
    for number in range(5):
        added(client, shop, f"{url}?{number}")
    refused(client.post(IMPORTS, json=asked, headers=vendor), 409, "too_many_calendars")


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
    assert outside.is_public(ipaddress.ip_address(address))


def test_a_name_of_this_network_is_not_asked(platform: Platform) -> None:
    url, port = platform.gives("/a.ics", calendar()), platform.server.server_port
    with pytest.raises(FetchError, match="Only addresses without a port"):
        asyncio.run(Outside(certificates=platform.certificates).fetch(url))
    with pytest.raises(FetchError, match="not a public one"):
        asyncio.run(Outside(certificates=platform.certificates, port=port).fetch(url))
    with pytest.raises(FetchError, match="cannot be read"):
        asyncio.run(Outside(lambda address: address.is_loopback, port=port).fetch(url))
    assert platform.asked == []


def test_a_redirect_to_this_network_is_not_followed(platform: Platform) -> None:
    port = platform.server.server_port
    url = platform.gives("/out", b"", 302, Location=f"https://127.0.0.2:{port}/inside")
    seen: list[str] = []

    def allowed(address: Any) -> bool:
        seen.append(str(address))
        return str(address) == "127.0.0.1"

    with pytest.raises(FetchError, match="not a public one"):
        asyncio.run(Outside(allowed, platform.certificates, port).fetch(url))
    assert seen == ["127.0.0.1", "127.0.0.2"]
