"""The headers of every response, through a real ASGI application."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.datastructures import Headers
from starlette.middleware.cors import CORSMiddleware
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from rental_app.infrastructure import headers
from rental_app.infrastructure.settings import settings
from tests.support.rows import each


async def _page(_request: Request) -> HTMLResponse:
    return HTMLResponse("<p>page</p>")


async def _nothing(_request: Request, _error: Exception) -> HTMLResponse:
    return HTMLResponse("<p>Not found</p>", 404)


async def _script(request: Request) -> JSONResponse:
    return JSONResponse({"client": request.client.host if request.client else ""})


def _client(**options: Any) -> TestClient:
    app = Starlette(routes=[Route("/", _page), Route("/assets/x.js", _script)])
    wrapped = headers.behind_proxies(headers.with_headers(app))

    async def asgi(scope: Scope, receive: Receive, send: Send) -> None:
        await wrapped(scope, receive, send)

    return TestClient(asgi, **options)


@pytest.fixture(autouse=True)
def _own_build(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    page = '<script>start()</script><script src="/a.js"></script><script type="module">go()</script>'
    (tmp_path / "index.html").write_text(page)
    monkeypatch.setattr(headers, "BUILD", tmp_path)
    headers.content_policy.cache_clear()
    settings.cache_clear()


def test_pages_carry_the_security_headers_and_are_never_kept_unasked() -> None:
    answer = _client().get("/")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert answer.headers["referrer-policy"] == "strict-origin-when-cross-origin"
    assert answer.headers["cache-control"] == "no-cache"
    # This is promised behind TLS alone.
    assert "strict-transport-security" not in answer.headers
    assert "strict-transport-security" in _client(base_url="https://testserver").get("/").headers


def test_only_the_built_inline_scripts_may_run() -> None:
    policy = headers.content_policy()
    script_rule = next(rule for rule in policy.split("; ") if rule.startswith("script-src"))
    assert script_rule.count("'sha256-") == 2
    assert "'unsafe-inline'" not in script_rule


def test_a_built_page_names_its_own_scripts_alone() -> None:
    start, other = "<script>start()</script>", "<script>other()</script>"
    policies = {headers.policy_of(page) for page in (start, other, start + other)}
    assert sorted(policy.count("'sha256-") for policy in policies) == [1, 1, 2]
    rest = {policy.replace(policy[policy.index("'sha256-") : policy.index("; style-src")], "") for policy in policies}
    assert len(rest) == 1


@each(
    ("path", "told"),
    [
        *((path, "noindex") for path in ("/vendor", "/vendor/profile/", "/my-bookings", "/nowhere")),
        *((path, None) for path in ("/", "/vehicles", "/vendorpur/bike-rentals")),
    ],
)
def test_search_engines_keep_public_pages_alone(path: str, told: str | None) -> None:
    app = Starlette(routes=[Route("/{rest:path}", _page)])
    nothing = Starlette(exception_handlers={404: _nothing})
    client = TestClient(headers.with_headers(nothing if path == "/nowhere" else app))
    assert client.get(path).headers.get("x-robots-tag") == told


def test_the_description_of_the_calls_has_the_policy_of_every_page() -> None:
    app = headers.with_headers(Starlette(routes=[Route("/api/docs", _page)]))
    assert TestClient(app).get("/api/docs").headers["content-security-policy"] == headers.content_policy()


def test_parts_of_pages_are_spared_what_only_documents_heed() -> None:
    client = _client()
    part, page = client.get("/assets/x.js").headers, client.get("/").headers
    assert part["x-content-type-options"] == page["x-content-type-options"] == "nosniff"
    assert "permissions-policy" in page
    assert "permissions-policy" not in part
    assert "content-security-policy" in part
    assert part["cache-control"] == "public, max-age=31536000, immutable"


def test_a_page_that_has_not_changed_keeps_the_policy_it_came_with() -> None:
    client = TestClient(headers.with_headers(StaticFiles(directory=headers.BUILD, html=True)))
    page = client.get("/")
    again = client.get("/", headers={"If-None-Match": page.headers["etag"]})
    assert again.status_code == 304
    policy = page.headers["content-security-policy"]
    assert again.headers.get("content-security-policy", policy) == policy


@pytest.mark.parametrize("path", ["/assets/gone.js", "/fonts/gone.woff2", "/gone.svg"])
def test_a_file_that_is_not_there_is_asked_for_again(path: str) -> None:
    (headers.BUILD / "404.html").write_text("<p>Not found</p>")
    answer = TestClient(headers.with_headers(StaticFiles(directory=headers.BUILD, html=True))).get(path)
    assert (answer.status_code, answer.headers["cache-control"]) == (404, "no-cache")


@pytest.mark.parametrize("path", ["/assets/x.js", "/fonts/x.woff2", "/api/x.png"])
def test_only_what_is_there_is_kept_for_long(path: str) -> None:
    """While a build has removed the served folder, a file that exists is answered with 404 and must come back."""

    async def answered(request: Request) -> Response:
        return Response(None, int(request.query_params["status"]))

    client = TestClient(headers.with_headers(Starlette(routes=[Route(path, answered)])), follow_redirects=False)

    def rule(status: int) -> str:
        return client.get(path, params={"status": status}).headers.get("cache-control", "")

    assert all(rule(status).startswith("public, max-age=") for status in (200, 206, 304))
    assert {rule(status) for status in (400, 404, 405, 500, 503)} == {"no-store"}
    assert rule(301) == ""


@pytest.mark.parametrize(
    ("origin", "is_foreign"),
    [
        ("", False),
        ("http://shop.example:3100", False),
        ("http://localhost:3000", False),
        ("https://evil.example", True),
        ("http://shop.example:3101", True),
        ("null", True),
    ],
)
def test_foreign_origins_are_told_apart(origin: str, is_foreign: bool) -> None:
    given = {"host": "shop.example:3100"} | ({"origin": origin} if origin else {})
    assert headers.foreign(Headers(given)) is is_foreign


def test_a_foreign_page_gets_no_websocket() -> None:
    sent: list[Any] = []

    async def never(_scope: Any, _receive: Any, _send: Any) -> None:
        raise AssertionError("the application was reached")

    async def receive() -> dict[str, str]:
        return {"type": "websocket.connect"}

    async def send(message: Any) -> None:
        sent.append(message)

    given = [(b"host", b"shop.example"), (b"origin", b"https://evil.example")]
    scope = {"type": "websocket", "path": "/_event", "headers": given}
    asyncio.run(headers.with_headers(never)(scope, receive, send))
    assert sent[0]["type"] == "websocket.close"


def test_foreign_origins_get_no_cors_headers() -> None:
    app = CORSMiddleware(Starlette(routes=[Route("/", _page)]), allow_origins=[], allow_credentials=True)
    client = TestClient(headers.with_headers(app))
    for method in ("GET", "OPTIONS"):
        sent = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
        assert not [name for name in client.request(method, "/", headers=sent).headers if "access-control" in name]


@pytest.fixture
def granting(monkeypatch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A client of an application that grants calls to a vendors' site and to a partner's."""
    monkeypatch.setenv("RENTAL_VENDOR_SITE_URL", "https://Vendors.example:443/start")
    monkeypatch.setenv("RENTAL_CORS_ORIGINS", '["https://partner.example:8443"]')
    settings.cache_clear()
    yield TestClient(headers.with_headers(Starlette(routes=[Route("/api/x", _script), Route("/", _page)])))
    monkeypatch.undo()
    settings.cache_clear()


@pytest.mark.parametrize("origin", ["https://vendors.example", "https://partner.example:8443"])
def test_pages_of_a_granted_site_may_call_the_api(granting: TestClient, origin: str) -> None:
    preflight = {"Origin": origin, "Access-Control-Request-Method": "POST"}
    allowed = granting.options("/api/x", headers=preflight)
    assert allowed.status_code == 204
    assert allowed.headers["access-control-allow-origin"] == origin
    for name in ("Authorization", "Idempotency-Key"):
        assert name in allowed.headers["access-control-allow-headers"]
    answer = granting.get("/api/x", headers={"Origin": origin})
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, origin)
    assert "Retry-After" in answer.headers["access-control-expose-headers"]
    assert "access-control-allow-credentials" not in answer.headers


@pytest.mark.parametrize(
    ("path", "origin"),
    [
        ("/api/x", "https://evil.example"),
        ("/api/x", "http://vendors.example"),
        ("/api/x", "https://vendors.example.evil.example"),
        ("/api/x", "null"),
        ("/", "https://vendors.example"),
    ],
)
def test_other_sites_and_pages_are_granted_nothing(granting: TestClient, path: str, origin: str) -> None:
    for method in ("GET", "OPTIONS"):
        sent = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        answer = granting.request(method, path, headers=sent)
        assert not [name for name in answer.headers if "access-control" in name]
        assert ("Origin" in answer.headers.get("vary", "")) == (path != "/")


def test_a_granted_origin_has_to_be_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RENTAL_CORS_ORIGINS", '["*"]')
    settings.cache_clear()
    with pytest.raises(ValueError, match="Use origins like"):
        settings()


SCHEME = {"x-forwarded-proto": "https"}
BOTH = SCHEME | {"x-forwarded-for": "203.0.113.9"}


@each(
    ("proxies", "client", "sent", "seen", "believed"),
    [
        ('["192.0.2.1"]', "192.0.2.1", BOTH, "203.0.113.9", True),
        ('["192.0.2.1"]', "192.0.2.1", SCHEME, "192.0.2.1", True),
        ('["192.0.2.1"]', "192.0.2.2", BOTH, "192.0.2.2", False),
        ("[]", "192.0.2.1", BOTH, "192.0.2.1", False),
    ],
)
def test_forwarded_addresses_and_schemes_are_believed_from_trusted_proxies_only(
    proxies: str, client: str, sent: dict[str, str], seen: str, believed: bool
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RENTAL_TRUSTED_PROXIES", proxies)
        settings.cache_clear()
        answer = _client(client=(client, 5)).get("/assets/x.js", headers=sent)
    settings.cache_clear()
    assert answer.json() == {"client": seen}
    assert ("strict-transport-security" in answer.headers) is believed
