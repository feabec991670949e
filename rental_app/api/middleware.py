"""What endpoints need not handle: the host a request is meant for, how slowly it comes, who may cache the response."""

import asyncio
from collections.abc import Sequence
from time import perf_counter
from urllib.parse import urlsplit

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app.api import errors, metrics
from rental_app.api.dependencies import never_cached
from rental_app.infrastructure import logs
from rental_app.infrastructure.headers import RawHeaders
from rental_app.infrastructure.settings import settings

# The largest body of a call that takes no files.
MAX_JSON_BYTES = 256 * 1024
BODY_SECONDS = 30
# How requests are counted whose clients hung up before they were answered; no client sees it.
HUNG_UP = 499
# What answers in JSON: these addresses, and everything below the first.
CALLS = ("/api", "/get_location_by_pincode")


def host_name(authority: str) -> str:
    """The host of a Host header in lower case without its port; '' if it is not one."""
    try:
        parts = urlsplit(f"//{authority}")
    except ValueError:
        return ""
    return (parts.hostname or "") if parts.netloc == authority and "@" not in authority else ""


class Middleware:
    """The layer that every request passes on its way in, and every response on its way out.

    Refuses requests meant for another host, such as those of a page whose name was made to resolve to this one; ends
    slow bodies; gives requests their ids, counts them, and keeps private responses out of caches; answers unexpected
    exceptions with the envelope. It is one layer, because each of several would be called for every message.
    """

    def __init__(self, app: ASGIApp, routes: Sequence[BaseRoute]) -> None:
        self.app, self.watch = app, metrics.RequestMetrics(routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on."""
        if scope["type"] == "http":
            await self._answer(scope, receive, send)
        elif scope["type"] == "lifespan" or _is_here(scope):
            await self.app(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "Foreign host"})

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, answer = perf_counter(), ResponseStart(scope, send, metrics.begin(scope).ident)
        app = self.app if _is_here(scope) else _not_here(scope)
        try:
            await app(scope, _in_time(receive), answer)
            if answer.is_left_out:
                await errors.too_large()(scope, receive, answer)
        except ClientDisconnect:
            answer.status = HUNG_UP
        except Exception as error:
            if answer.begun:
                raise
            await errors.failed(self.watch.route_of(scope), error)(scope, receive, answer)
        finally:
            self.watch.tell(scope, answer.status, perf_counter() - began)


class ResponseStart:
    """A response on its way out."""

    def __init__(self, scope: Scope, send: Send, ident: str) -> None:
        self.scope, self.send, self.ident = scope, send, ident
        self.status = 500
        self.begun = self.is_left_out = False

    async def __call__(self, message: Message) -> None:
        """Pass on one ASGI message of the response."""
        if message["type"] == "http.response.start":
            self.is_left_out = errors.is_plain_413(message)
            self.begun = not self.is_left_out
            self.status = message["status"]
            headers: RawHeaders = [*message.get("headers", ()), (b"x-request-id", self.ident.encode())]
            # By now the scope has the route that answers.
            if _is_private(self.scope.get("route")):
                MutableHeaders(raw=headers)["Cache-Control"] = "no-store"
            message["headers"] = headers
        if not self.is_left_out:
            await self.send(message)


def _is_here(scope: Scope) -> bool:
    named = [value.decode("latin-1") for name, value in scope["headers"] if name == b"host"]
    return all(host_name(authority) in settings().hosts for authority in named or [""])


def _not_here(scope: Scope) -> Response:
    name = host_name(Headers(scope=scope).get("host", ""))
    hint = f', for example RENTAL_ALLOWED_HOSTS=["{name}"]' if name else ""
    message = f"This server does not answer for that host. Hosts are added with RENTAL_ALLOWED_HOSTS{hint}"
    if scope["path"] in CALLS or scope["path"].startswith("/api/"):
        return errors.envelope(400, message, "foreign_host")
    logs.note_refusal("foreign_host")
    return PlainTextResponse(message, 400)


def _in_time(receive: Receive) -> Receive:
    """End a slow body after 30 seconds of waiting, which start anew with every 256 KB.

    So a call without files has 30 seconds for its whole body, and files may come over a slow line, but not stall.
    """
    now = asyncio.get_running_loop().time
    seconds: float = BODY_SECONDS
    missing, complete = MAX_JSON_BYTES, False

    async def receive_in_time() -> Message:
        nonlocal seconds, missing, complete
        began = now()
        try:
            async with asyncio.timeout(None if complete else seconds):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, headers={"Connection": "close"}) from None
        complete = not message.get("more_body", False)
        missing -= len(message.get("body", b""))
        # Only the client's time counts, not what the server does between two parts.
        seconds -= now() - began
        if missing <= 0:
            seconds, missing = BODY_SECONDS, MAX_JSON_BYTES
        return message

    return receive_in_time


_private: dict[object, bool] = {}


def _is_private(route: object) -> bool:
    if not isinstance(route, APIRoute):
        return False
    if route.endpoint not in _private:
        _private[route.endpoint] = _depends_on_private(route.dependant)
    return _private[route.endpoint]


def _depends_on_private(dependant: Dependant) -> bool:
    return dependant.call is never_cached or any(map(_depends_on_private, dependant.dependencies))
