"""The REST edge: authenticates, reads and renders. Rules live in the services."""

from threading import Lock
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.middleware.asyncexitstack import AsyncExitStackMiddleware
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.middleware.exceptions import ExceptionMiddleware
from starlette.routing import Match, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from rental_app.api import (
    account,
    bookings,
    contract,
    counter,
    drafts,
    earnings,
    errors,
    favourites,
    feed,
    fleet,
    guest_trips,
    ical,
    idempotency,
    media,
    members,
    metrics,
    middleware,
    operator,
    operator_acts,
    operator_catalogue,
    operator_words,
    own_data,
    papers,
    price_rules,
    prices,
    public,
    reviews,
    trips,
    uploads,
    user,
    vendor,
    vendor_calendar,
    vendor_trips,
    vendors,
)
from rental_app.domain import clock
from rental_app.domain.errors import UnavailableError
from rental_app.infrastructure.settings import settings
from rental_app.infrastructure.traces import TRACED
from rental_app.infrastructure.version import version
from rental_app.schemas.wire import Answer, HealthAnswer
from rental_app.services import health
from rental_app.ssr import site

ops = APIRouter(tags=["operations"])
# At these addresses there are no pages.
NO_PAGES = ("/api/", "/media/")
_document_lock = Lock()


@ops.get("/healthz")
async def healthz() -> HealthAnswer:
    """The process is up, runs this version, and its clock says this."""
    return HealthAnswer(message="ok", version=version(), now=clock.now())


@ops.get("/readyz", responses={503: {"description": "A part is unavailable"}})
def readyz() -> Answer:
    """The database, Redis (where it is used) and the file store answer; disk and temporary folder have room."""
    if failing := health.failing():
        parts = ", ".join(failing)
        raise UnavailableError(f"Not ready, because something does not answer or has no room: {parts}", fields=failing)
    return Answer(message="ready")


class _UnknownCall:
    """The answer where there is no call: a JSON 404, or 405 if only the method is wrong.

    An ASGI application, because Starlette passes requests of every method only to those, not to functions.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        # An included router names no methods: only its routes do.
        routes = iter_route_contexts(scope["app"].routes)
        partial = [route.methods or () for route in routes if route.matches(scope)[0] == Match.PARTIAL]
        if not partial:
            raise HTTPException(404)
        raise HTTPException(405, headers={"Allow": ", ".join(sorted(set().union(*partial)))})


class Api(FastAPI):
    """FastAPI with one layer (`Middleware`) in place of all middleware around its routing.

    FastAPI's error middleware is not needed, as that layer answers every failure; nor is the CORS middleware that
    Reflex adds, as origins are granted in headers.py.
    """

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        # What is no page's address is for the calls and files of `router`.
        self.pages = APIRouter(default=self.router, redirect_slashes=False)

    def build_middleware_stack(self) -> ASGIApp:
        """The middleware of every request."""
        handled = ExceptionMiddleware(AsyncExitStackMiddleware(self._routed), handlers=self.exception_handlers)
        return middleware.Middleware(handled, [*self.pages.routes, *self.routes])

    async def _routed(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Route a request; the addresses of pages, which are many, are not tried for calls and pictures."""
        is_page = scope["type"] == "http" and not scope["path"].startswith(NO_PAGES)
        await (self.pages if is_page else self.router)(scope, receive, send)

    def openapi(self) -> dict[str, Any]:
        """The document, made at the first request for it; others meanwhile wait, each in its thread."""
        with _document_lock:
            if not self.openapi_schema:
                self.openapi_schema = contract.completed(super().openapi())
            return self.openapi_schema


def build() -> Api:
    """The FastAPI application that carries the REST calls and, mounted under it, the pages."""
    app = Api(
        title=f"{settings().product_name} REST API",
        version=version(),
        description=f"Rent two-wheelers and cars in {settings().city}. Money in rupees, times in Indian time.",
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        generate_unique_id_function=contract.operation_id,
        telemetry=TRACED,
    )
    errors.install(app)
    idempotency.install(app)
    # Before the pages, because the feed's address could be that of a post.
    app.pages.include_router(feed.router)
    app.pages.routes.extend(site.routes())
    # Tried in this order until one matches.
    often = (bookings, public, user, account, trips, vendor, vendor_trips, counter, guest_trips, vendor_calendar)
    rarely = (fleet, earnings, prices, ical, price_rules, members, reviews, vendors, uploads, drafts, favourites, media)
    for router in (papers.router, papers.of_bookings, papers.of_operators):
        app.include_router(router, max_body_size=middleware.MAX_JSON_BYTES)
    for part in (*often, *rarely, own_data, operator_words, operator_acts, operator_catalogue, operator):
        # Set here and not for the whole app, whose own refusal no middleware could turn into JSON.
        app.include_router(part.router, max_body_size=middleware.MAX_JSON_BYTES)
    app.include_router(members.invited, max_body_size=middleware.MAX_JSON_BYTES)
    app.include_router(operator_words.terms_router, max_body_size=middleware.MAX_JSON_BYTES)
    app.include_router(uploads.customers, max_body_size=middleware.MAX_JSON_BYTES)
    app.include_router(ops)
    app.add_route("/api/docs", contract.page)
    app.add_route("/api/openapi.json", contract.document)
    app.add_route("/metrics", metrics.metrics)
    # Hides Reflex's own check of the database and Redis: /readyz does that, and reveals no more than needed. At /_event
    # only websockets are offered: Engine.IO would open a session for an HTTP request that asks for one. The others
    # would be looked for among the files of the pages, whose 404 is a page and whose 405 a bare text.
    plain = ("/healthz", "/readyz", "/metrics", "/media/{rest:path}", "/ical/{rest:path}")
    for path in ("/_health", "/_event{rest:path}", *plain, *middleware.CALLS, "/api/{rest:path}"):
        app.router.routes.append(Route(path, _UnknownCall()))
    # FastAPI makes what its calls need when they are first looked at, which takes so long that a request should not.
    list(iter_route_contexts(app.routes))
    return app
