"""The addresses of the pages, with and without a final slash, compressed, and not sent again when unchanged."""

import hashlib
import re
from collections.abc import Callable
from urllib.parse import quote

import brotli
from starlette.middleware import Middleware
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Match, compile_path
from starlette.routing import Route as HttpRoute
from starlette.types import Scope
from starlette_compress import CompressMiddleware

from rental_app.content.routes import BY_PATH, ROUTES, Route
from rental_app.domain.characters import address_text
from rental_app.domain.errors import RentalError
from rental_app.infrastructure import headers
from rental_app.services.throttle import Caller
from rental_app.ssr import head
from rental_app.ssr.answers import Page, PageAnswer, Request
from rental_app.ssr.document import built, filled
from rental_app.ssr.for_programs import MANIFEST, SECURITY_TXT, manifest, robots, security_txt, sitemap
from rental_app.ssr.head import Subject
from rental_app.ssr.page_cache import CachedPages, can_be_cached, encoding_for
from rental_app.ssr.pages import AFRESH, further_of, nowhere, server_rendered
from rental_app.web.parts.presenters import heads

Endpoint = Callable[[HttpRequest], Response]
_CROOKED = re.compile(rb"/\.{0,2}/|/\.{1,2}$|\x00|[^/]{256}")
# Where password managers look for the page on which a password is changed (W3C: A Well-Known URL for Changing
# Passwords).
PASSWORD_PAGE = "/.well-known/change-password"  # noqa: S105 - an address
# What a line takes before it waits for an answer, 14 KB, less the headers (bytes).
ONE_GO = 14 * 1024 - 1100
# The pages' own files, those of any file compressed, and files as if they were folders.
_BUILT_FILE = re.compile(r"\.(html|gz|br)/?$|\.\w+/$|^/404/?$", re.IGNORECASE)

_ADDRESSES = [
    (re.compile(exact.pattern, re.IGNORECASE), form)
    for exact, form, _ in (compile_path(route.pattern) for route in ROUTES)
]


class MalformedPathRoute(HttpRoute):
    """Addresses at which there is nothing: the search for files drops empty parts and those of dots, and what is not a
    file would be taken for a page; a NUL, or a part too long to be a file's name, ends that search without a page."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request is for such an address."""
        return super().matches(scope) if _CROOKED.search(scope["path"].encode()) else (Match.NONE, {})


class BuiltFileRoute(HttpRoute):
    """The addresses of the build's own files, at which nothing is offered: each page has one address, and a compressed
    file is only sent in place of the one that was asked for."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request is for such an address."""
        return super().matches(scope) if _BUILT_FILE.search(scope["path"]) else (Match.NONE, {})


class OtherCaseRoute(HttpRoute):
    """Addresses of pages in another case: the browser's router takes them for the pages' own, but the events that load
    a page are found by its exact address."""

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether the request is for such an address."""
        return super().matches(scope) if _in_its_case(scope["path"]) else (Match.NONE, {})


def _in_its_case(path: str) -> str:
    """The path of the page whose fixed parts differ from this one's only in case; '' if there is none."""
    bare = path.rstrip("/")
    for address, form in _ADDRESSES if path != path.lower() and not _CROOKED.search(path.encode()) else ():
        if address_match := address.fullmatch(bare):
            proper = form.format(**address_match.groupdict())
            return "" if proper == bare else proper
    return ""


def _moved(request: HttpRequest, path: str) -> Response:
    return RedirectResponse(path + (f"?{request.url.query}" if request.url.query else ""), 301)


def routes() -> list[HttpRoute]:
    """The addresses of the public pages, in the order in which they are tried."""
    entries = [
        # Before the pages of a kind, whose names could be anything, and that for everything else in the vendor area.
        _route("/{name:path}", _endpoint(BY_PATH["/404"], nowhere), kind=BuiltFileRoute),
        _route(
            "/{name:path}",
            lambda request: _moved(request, quote(_in_its_case(request.scope["path"]))),
            kind=OtherCaseRoute,
        ),
    ]
    for route, page in server_rendered().items():
        for path in {route.pattern, f"{route.pattern.rstrip('/')}/"}:
            middleware = [] if page in AFRESH else [Middleware(CachedPages, further=further_of(page))]
            entries.append(_route(path, _endpoint(route, page), *middleware))
    return [
        *entries,
        _route("/{name:path}", _endpoint(BY_PATH["/404"], nowhere), kind=MalformedPathRoute),
        _route("/sitemap.xml", lambda request: sitemap(_caller_of(request))),
        _route("/robots.txt", robots),
        _route(SECURITY_TXT, security_txt),
        _route(PASSWORD_PAGE, lambda _: RedirectResponse("/account", 302)),
        _route(MANIFEST, manifest),
    ]


def _route(path: str, endpoint: Endpoint, *around: Middleware, kind: type[HttpRoute] = HttpRoute) -> HttpRoute:
    layers = [*around, Middleware(CompressMiddleware, zstd=False, brotli_quality=6)]
    return kind(path, endpoint, methods=["GET"], middleware=layers)


def _caller_of(request: HttpRequest) -> Caller:
    return Caller(request.client.host if request.client else "unknown")


def _endpoint(route: Route, page: Page) -> Endpoint:
    def answer(request: HttpRequest) -> Response:
        try:
            is_cached = page not in AFRESH and can_be_cached(request.scope, request.headers)
            return _response(request, _answer(route, page, request), is_cached=is_cached)
        except RentalError as error:
            return PlainTextResponse(error.message, error.status)

    return answer


def _answer(route: Route, page: Page, request: HttpRequest) -> PageAnswer:
    """The page, or its shell while a part of the system is unavailable: its scripts then report what is wrong."""
    page_request = Request(
        _caller_of(request), address_text(request.path_params.get("name", "")), request.query_params.multi_items()
    )
    try:
        return page(page_request)
    except RentalError as error:
        later = {"Retry-After": str(error.retry_after)} if error.retry_after else {}
        return PageAnswer(route.built, Subject(heads.of(route.path), None), status=error.status, headers=later)


def _packed(body: bytes) -> bytes:
    """A page that will be cached, compressed with ten times the usual work, or more if that makes it fit into what a
    connection sends before it waits for an answer."""
    packed: bytes = brotli.compress(body, quality=10)
    return packed if len(packed) <= ONE_GO else bytes(brotli.compress(body, quality=11))


def _response(request: HttpRequest, answer: PageAnswer, *, is_cached: bool) -> Response:
    if answer.moved_to:
        return _moved(request, answer.moved_to)
    template = built(answer.page)
    body = filled(template, answer.content, head.html(answer.subject)).encode()
    tag = f'W/"{hashlib.sha256(body).hexdigest()[:16]}"'
    if answer.status == 200 and tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers={"ETag": tag})
    sent = answer.headers | ({"ETag": tag} if answer.status == 200 else {})
    sent["Content-Security-Policy"] = headers.policy_of(template)
    if is_cached and encoding_for(request.headers) == "br":
        body = _packed(body)
        sent |= {"Content-Encoding": "br", "Vary": "Accept-Encoding"}
    return Response(body, answer.status, sent, media_type="text/html")
