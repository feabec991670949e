"""Another platform whose calendars are imported: its server on this machine, and the calendars it serves."""

import datetime as dt
import http.server
import ssl
import threading
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID
from fastapi.testclient import TestClient

from rental_app.services.files.safe_http import SafeClient
from tests.support.rest_helpers import bearer, ok
from tests.support.shop import Shop, moment

IMPORTS = "/api/vendor/ical-imports"
HOST = "calendar.test"


class Platform:
    """Another platform's server on this machine, with the response it gives for each path."""

    def __init__(self, folder: Path) -> None:
        self.answers: dict[str, tuple[int, dict[str, str], bytes]] = {}
        self.asked: list[str] = []
        self.heads: list[dict[str, str]] = []
        # Paths that are answered only once their event is set.
        self.slow: dict[str, threading.Event] = {}
        server_side, self.certificates = certificates(folder)
        platform = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                platform.asked.append(f"{self.headers['Host']}{self.path}")
                platform.heads.append({name.lower(): value for name, value in self.headers.items()})
                if self.path in platform.slow:
                    platform.slow[self.path].wait(10)
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
    def outside(self) -> SafeClient:
        """Treat this machine as external, and trust the platform's certificate."""
        return SafeClient(lambda address: address.is_loopback, self.certificates, self.server.server_port)


def certificates(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """Return TLS contexts for a server whose certificate names HOST and for a client that trusts it."""
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


def stamp(instant: dt.datetime) -> str:
    return f"{instant.astimezone(dt.UTC):%Y%m%dT%H%M%SZ}"


def event(begin: dt.datetime, end: dt.datetime, *more: str, uid: str = "one@else.example") -> str:
    lines = ("BEGIN:VEVENT", f"UID:{uid}", f"DTSTART:{stamp(begin)}", f"DTEND:{stamp(end)}", *more, "END:VEVENT")
    return "\r\n".join(lines)


def calendar(*events: str) -> str:
    return "\r\n".join(("BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//else//EN", *events, "END:VCALENDAR", ""))


def zoned(name: str, offset: str, *rule: str) -> str:
    """Return a calendar with an event at ten o'clock in a time zone that it defines itself."""
    since = ("DTSTART:19700101T000000", f"TZOFFSETFROM:{offset}", f"TZOFFSETTO:{offset}", *rule)
    seasons = [line for name in ("STANDARD", "DAYLIGHT") for line in (f"BEGIN:{name}", *since, f"END:{name}")]
    zone = ("BEGIN:VTIMEZONE", f"TZID:{name}", *seasons, "END:VTIMEZONE")
    begin, end = (f";TZID={name}:{moment(days):%Y%m%d}T100000" for days in (2, 3))
    entry = ("BEGIN:VEVENT", "UID:one@else.example", f"DTSTART{begin}", f"DTEND{end}", "END:VEVENT")
    return calendar(*zone, *entry)


def added(client: TestClient, shop: Shop, url: str) -> dict[str, Any]:
    made: dict[str, Any] = ok(
        client.post(IMPORTS, json={"vehicle": shop.vehicle.id, "url": url}, headers=bearer(shop.vendor))
    )["calendar"]
    return made
