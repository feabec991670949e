"""What every answer carries: security headers, cache rules, and no websocket for foreign origins."""

import base64
import hashlib
import re
from collections import Counter
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

from granian.utils.proxies import wrap_asgi_with_proxy_headers
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app.content.routes import PRIVATE
from rental_app.rules.addresses import network_of
from rental_app.settings import settings

BUILD = Path(".web/build/client")
# With and without a login: a carrier hides hundreds of people behind one address.
SOCKETS_OF_AN_ADDRESS = 1000
_INLINE_SCRIPT = re.compile(r"<script(?![^>]*\bsrc=)[^>]*>(.*?)</script>", re.DOTALL)
_FIXED = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "strict-origin-when-cross-origin",
    "X-Frame-Options": "DENY",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=(self), payment=()",
    "Cross-Origin-Opener-Policy": "same-origin",
}


@cache
def content_policy() -> str:
    """The pages' content security policy; the built pages' own inline scripts are allowed by their hashes."""
    hashes = {
        base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
        for page in BUILD.rglob("*.html")
        for script in _INLINE_SCRIPT.findall(page.read_text())
    }
    # Reflex's client evaluates the scripts behind its toasts, which come over its own websocket.
    scripts = " ".join(["'self'", "'unsafe-eval'", *sorted(f"'sha256-{value}'" for value in hashes)])
    return (
        f"default-src 'self'; script-src {scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:;"
        " font-src 'self'; connect-src 'self'; frame-src https://www.google.com https://maps.google.com;"
        " frame-ancestors 'none'; base-uri 'self'; form-action 'self'; object-src 'none'"
    )


def _policy_for(content_type: str) -> str:
    if content_type.startswith("text/html"):
        return content_policy()
    return "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"


def cache_rule(path: str, content_type: str) -> str:
    """How long browsers may keep an answer: hashed files for good, pages never unasked."""
    # First, because a page also stands in for a file that is not there.
    if content_type.startswith("text/html"):
        return "no-cache"
    if path.startswith("/assets/"):
        return "public, max-age=31536000, immutable"
    return "public, max-age=604800" if path.startswith("/fonts/") or path.endswith((".svg", ".ico", ".png")) else ""


def unlisted(path: str, status: int) -> bool:
    """Whether search engines should not index a page: it is private, or there is nothing there."""
    # The built file of a page has an address too, beside the page's own.
    return status == 404 or path.endswith(".html") or f"/{path.split('/')[1]}" in PRIVATE


def foreign(headers: Headers) -> bool:
    """Whether a request was sent by a page of another origin."""
    origin = headers.get("origin", "")
    own = {headers.get("host", ""), urlsplit(settings().public_url).netloc}
    return bool(origin) and urlsplit(origin).netloc not in own


def with_headers(app: ASGIApp) -> ASGIApp:
    """Wrap an application so that all its answers carry the headers."""

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and foreign(Headers(scope=scope)):
            return await _close(receive, send, 1008, "Foreign origin")

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                _add(scope, message["status"], MutableHeaders(scope=message))
            await send(message)

        await app(scope, receive, send_with_headers)

    return wrapped


def bounded_sockets(app: ASGIApp) -> ASGIApp:
    """Bound the open websockets of an address: one that never says a word costs memory too."""
    open_sockets: Counter[str] = Counter()

    async def wrapped(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            return await app(scope, receive, send)
        network = network_of(scope["client"][0] if scope.get("client") else "unknown")
        if open_sockets[network] >= SOCKETS_OF_AN_ADDRESS and settings().rate_limits == "on":
            return await _close(receive, send, 1013, "Too many connections")
        open_sockets[network] += 1
        try:
            await app(scope, receive, send)
        finally:
            open_sockets[network] -= 1
            if not open_sockets[network]:
                del open_sockets[network]

    return wrapped


async def _close(receive: Receive, send: Send, code: int, reason: str) -> None:
    await receive()
    await send({"type": "websocket.close", "code": code, "reason": reason})


def behind_proxies(app: ASGIApp) -> ASGIApp:
    """Trust known proxies, and nobody else, about the client's address and scheme."""
    trusted = list(settings().trusted_proxies)
    if not trusted:
        return app
    wrapped: ASGIApp = wrap_asgi_with_proxy_headers(app, trusted)

    async def with_address(scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        # Granian's function heeds the scheme only where there is an address as well.
        if client and "x-forwarded-for" not in Headers(scope=scope):
            scope["headers"] = [*scope["headers"], (b"x-forwarded-for", client[0].encode())]
        await wrapped(scope, receive, send)

    return with_address


def _add(scope: Scope, status: int, headers: MutableHeaders) -> None:
    path: str = scope["path"]
    for name, value in _FIXED.items():
        headers.setdefault(name, value)
    # No origin but ours is granted anything, yet Reflex's layers send half of a grant to everyone.
    for name in [name for name in headers if name.startswith("access-control-")]:
        del headers[name]
    content_type = headers.get("content-type", "")
    # What a 304 says replaces what the browser keeps with the page, and a 304 does not say that it is one.
    if status != 304:
        headers.setdefault("Content-Security-Policy", _policy_for(content_type))
    if rule := cache_rule(path, content_type):
        headers.setdefault("Cache-Control", rule)
    if content_type.startswith("text/html") and unlisted(path, status):
        headers.setdefault("X-Robots-Tag", "noindex")
    if scope.get("scheme") == "https":
        headers.setdefault("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
