"""What no endpoint has to care about: which host a request was meant for, how slowly it comes, who may cache it."""

import asyncio
from functools import lru_cache
from urllib.parse import urlsplit

from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app.api.deps import private
from rental_app.api.errors import envelope
from rental_app.settings import settings

# What a call that takes no files may send.
MAX_JSON_BYTES = 256 * 1024
BODY_SECONDS = 30


@lru_cache(maxsize=256)
def host_name(authority: str) -> str:
    """The host of a Host header in lower case without its port, empty where it is none."""
    try:
        parts = urlsplit(f"//{authority}")
    except ValueError:
        return ""
    return (parts.hostname or "") if parts.netloc == authority and "@" not in authority else ""


class KnownHosts:
    """Refuses requests meant for another host, such as those of a page whose name was made to resolve to this one."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass on requests that name one of our hosts."""
        if scope["type"] == "lifespan" or all(map(_ours, Headers(scope=scope).getlist("host") or [""])):
            await self.app(scope, receive, send)
        elif scope["type"] == "http":
            await _not_here(scope)(scope, receive, send)
        else:
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": "Foreign host"})


def _ours(authority: str) -> bool:
    return host_name(authority) in settings().hosts


def _not_here(scope: Scope) -> Response:
    name = host_name(Headers(scope=scope).get("host", ""))
    hint = f', for example RENTAL_ALLOWED_HOSTS=["{name}"]' if name else ""
    message = f"This server does not answer for that host. Hosts are added with RENTAL_ALLOWED_HOSTS{hint}"
    if scope["path"].startswith("/api/"):
        return envelope(400, message, "foreign_host")
    return PlainTextResponse(message, 400)


class SlowBodies:
    """Ends slow bodies after 30 seconds of waiting, which begin anew with every 256 KB.

    So a call has 30 seconds for all it may send, and files may come over a slow line, but not stand still.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with its deadline."""
        await self.app(scope, _in_time(receive) if scope["type"] == "http" else receive, send)


def _in_time(receive: Receive) -> Receive:
    now = asyncio.get_running_loop().time
    seconds: float = BODY_SECONDS
    missing, complete = MAX_JSON_BYTES, False

    async def receive_in_time() -> Message:
        nonlocal seconds, missing, complete
        asked = now()
        try:
            async with asyncio.timeout(None if complete else seconds):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, headers={"Connection": "close"}) from None
        complete = not message.get("more_body", False)
        missing -= len(message.get("body", b""))
        # Only the client's time counts, not what the server does between two parts.
        seconds -= now() - asked
        if missing <= 0:
            seconds, missing = BODY_SECONDS, MAX_JSON_BYTES
        return message

    return receive_in_time


class PrivateAnswers:
    """Marks what is for one person alone, including refusals, as not to be cached."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on; the route that answers it is known once the answer begins."""

        async def mark(message: Message) -> None:
            if message["type"] == "http.response.start" and _is_private(scope.get("route")):
                MutableHeaders(scope=message)["Cache-Control"] = "no-store"
            await send(message)

        await self.app(scope, receive, mark)


def _is_private(route: object) -> bool:
    return isinstance(route, APIRoute) and _depends_on_private(route.dependant)


def _depends_on_private(dependant: Dependant) -> bool:
    return dependant.call is private or any(map(_depends_on_private, dependant.dependencies))
