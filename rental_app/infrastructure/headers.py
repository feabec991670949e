"""Security headers and cache rules for every response, and no websockets for foreign origins."""

import base64
import hashlib
import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.middleware.proxy_headers import ProxyHeadersMiddleware

from rental_app.content.routes import PRIVATE, is_operators
from rental_app.infrastructure.settings import settings

BUILD = Path(".web/build/client")
_INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
# ASGI's names are in lower case.
_FIXED = {
    b"x-content-type-options": "nosniff",
    b"referrer-policy": "strict-origin-when-cross-origin",
    b"x-frame-options": "DENY",
    b"permissions-policy": "camera=(), microphone=(), geolocation=(self), payment=()",
    b"cross-origin-opener-policy": "same-origin",
}
# What only documents heed: scripts and styles, many to a page, do without. They have no policy of their own either.
_PARTS = ("text/javascript", "text/css")
_OF_DOCUMENTS = _FIXED.keys() - {b"x-content-type-options"}
# What is at an address that is a secret stays in no cache, and no other site learns that address.
_BY_SECRET = {b"referrer-policy": "no-referrer", b"cache-control": "no-store", b"x-robots-tag": "noindex"}
# A whole file, a part of it, or word that it has not changed: nothing else may be cached for long.
LASTING = frozenset({200, 206, 304})
RawHeaders = list[tuple[bytes, bytes]]
# What a page of a granted origin may send and read; no cookies, because calls carry a token.
_PREFLIGHT = {
    b"access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    b"access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, If-None-Match",
    b"access-control-max-age": "600",
}
_READABLE = "Content-Disposition, ETag, Retry-After, X-Request-ID"


@cache
def content_policy() -> str:
    """The content security policy for HTML other than a built page under its own name: it allows the inline scripts of
    all built pages."""
    return _policy(*(page.read_text() for page in BUILD.rglob("*.html")))


@lru_cache(maxsize=64)
def policy_of(page: str) -> str:
    """The content security policy of a built page, which names its own inline scripts only, by their hashes.

    What the server fills into a page has no scripts that run.
    """
    return _policy(page)


def _policy(*pages: str) -> str:
    hashes = {
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        for page in pages
        for script in _INLINE_SCRIPT.findall(page)
    }
    # Reflex's client calls eval on the scripts behind its toasts, which arrive over its own websocket.
    scripts = " ".join(["'self'", "'unsafe-eval'", *sorted(f"'sha256-{value}'" for value in hashes)])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:;"
        " font-src 'self'; connect-src 'self'; frame-src blob: https://www.google.com https://maps.google.com;"
        " frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'"
    )


def _policy_for(content_type: str) -> str:
    if content_type.startswith("text/html"):
        return content_policy()
    return "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def cache_rule(path: str, content_type: str, status: int) -> str:
    """How long browsers may cache a response: hashed files for good, pages never without revalidation, errors never."""
    # Checked first, because a missing file is answered with a page too.
    if content_type.startswith("text/html"):
        return "no-store" if is_operators(path) else "no-cache"
    if status not in LASTING:
        return "no-store" if status >= 400 else ""
    if path.startswith("/assets/"):
        return "public, max-age=31536000, immutable"
    return "public, max-age=604800" if path.startswith("/fonts/") or path.endswith((".svg", ".ico", ".png")) else ""


def is_noindex(path: str, status: int) -> bool:
    """Whether search engines should not index a page: it is private, or there is nothing there."""
    return status == 404 or f"/{path.split('/')[1]}" in PRIVATE


def foreign(headers: Headers) -> bool:
    """Whether a request was sent by a page of another origin."""
    origin = headers.get("origin", "")
    own = {headers.get("host", ""), urlsplit(settings().public_url).netloc}
    return bool(origin) and urlsplit(origin).netloc not in own


def granted(scope: Scope) -> str:
    """The origin of a page on another site that may make this call of the REST API; '' if there is none."""
    if scope["type"] != "http" or not scope["path"].startswith("/api/"):
        return ""
    origin = Headers(scope=scope).get("origin", "")
    return origin if origin in settings().granted_origins else ""


def _is_preflight(scope: Scope) -> bool:
    return scope["method"] == "OPTIONS" and "access-control-request-method" in Headers(scope=scope)


def with_headers(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that all its responses carry the headers."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and foreign(Headers(scope=scope)):
            await receive()
            return await send({"type": "websocket.close", "code": 1008, "reason": "Foreign origin"})

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = _with_our_headers(scope, message["status"], message.get("headers", []))
            await send(message)

        if granted(scope) and _is_preflight(scope):
            return await Response(status_code=204)(scope, receive, send_with_headers)
        await app(scope, receive, send_with_headers)

    return wrapped


def behind_proxies(app: ASGIApp) -> ASGIApp:
    """Trust known proxies, and nobody else, about the client's address and scheme."""
    trusted = settings().trusted_proxies
    return cast(ASGIApp, _believing(app, trusted)) if trusted else app


def is_proxy(address: str) -> bool:
    """Whether a trusted proxy connects from an address."""
    return address in _believing(None, settings().trusted_proxies).trusted_hosts


def _believing(app: ASGIApp | None, trusted: tuple[str, ...]) -> Any:
    # uvicorn types an ASGI application more strictly than Starlette does.
    believing: Any = ProxyHeadersMiddleware
    return believing(app, list(trusted))


def _with_our_headers(scope: Scope, status: int, sent: RawHeaders) -> RawHeaders:
    """The headers of a response, and those of ours that the response has not set itself."""
    present, path = dict(sent), scope["path"]
    content_type = present.get(b"content-type", b"").decode("latin-1")
    more: dict[bytes, str] = dict(_FIXED)
    dropped: tuple[bytes, ...] = (b"access-control-",)
    if path.startswith("/assets/") and status in LASTING:
        more = {name: value for name, value in more.items() if name not in _OF_DOCUMENTS}
        # They never change, and have a tag.
        dropped += (b"last-modified",)
    # The headers of a 304 replace those cached with the page, and a 304 does not say that it is about a page.
    if status != 304 and not content_type.startswith(_PARTS):
        more[b"content-security-policy"] = _policy_for(content_type)
    if rule := cache_rule(path, content_type, status):
        more[b"cache-control"] = rule
    if content_type.startswith("text/html") and is_noindex(path, status):
        more[b"x-robots-tag"] = "noindex"
    if path.startswith("/trip/"):
        more |= _BY_SECRET
    if scope.get("scheme") == "https":
        more[b"strict-transport-security"] = "max-age=31536000; includeSubDomains"
    # Reflex's middleware sends half of the CORS headers to everyone.
    own = [header for header in sent if not header[0].startswith(dropped)]
    more |= _grant(scope)
    if settings().granted_origins and scope["path"].startswith("/api/"):
        # For every caller: an answer kept for one origin would lack the grant of another.
        own.append((b"vary", b"Origin"))
    return own + [(name, value.encode()) for name, value in more.items() if name not in present]


def _grant(scope: Scope) -> dict[bytes, str]:
    """The CORS headers of a response to a page of a granted origin; none for others."""
    if not (origin := granted(scope)):
        return {}
    allowed = {b"access-control-allow-origin": origin}
    return allowed | (_PREFLIGHT if _is_preflight(scope) else {b"access-control-expose-headers": _READABLE})
