"""Pages that are sent again as they were last sent, while nothing that they show has changed."""

from collections.abc import Hashable
from typing import NamedTuple

from starlette.datastructures import Headers, QueryParams
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app import db
from rental_app.errors import RentalError
from rental_app.rules import clock
from rental_app.served.document import newest_build
from rental_app.services import throttle
from rental_app.services.shelf import Shelf, shelf
from rental_app.services.throttle import Caller, Costs
from rental_app.views.links import read_query


class Sent(NamedTuple):
    """A page as it left: its tag, its messages, and what it cost its caller."""

    tag: str
    messages: list[Message]
    costs: Costs


# Of pages that show nothing of the shop, and are there when its database is not.
_still = Shelf("")


class Kept:
    """Sends a page again as long as its endpoint would answer the same; `changing` says that it shows the shop."""

    def __init__(self, app: ASGIApp, changing: bool) -> None:
        self.app, self.changing = app, changing

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send what is kept, or have it made and keep it."""
        headers = Headers(scope=scope)
        key = _key(scope, headers)
        known, sent = await db.run(self._look, key, scope) if key else (None, None)
        if sent is None:
            await self._make(scope, receive, send, known, key)
        elif sent.tag in headers.get("if-none-match", ""):
            await Response(status_code=304, headers={"ETag": sent.tag})(scope, receive, send)
        else:
            for message in sent.messages:
                await send(_copy(message))

    async def _make(self, scope: Scope, receive: Receive, send: Send, known: Shelf | None, key: Hashable) -> None:
        messages: list[Message] = []

        async def note(message: Message) -> None:
            messages.append(_copy(message))
            await send(message)

        with throttle.noting() as costs:
            await self.app(scope, receive, note)
        tag = Headers(raw=messages[0]["headers"]).get("etag")
        if known and tag and messages[0]["status"] == 200:
            known.keep(key, Sent(tag, messages, costs))

    def _look(self, key: Hashable, scope: Scope) -> tuple[Shelf | None, Sent | None]:
        """The present shelf and what it keeps under a key, paid for; neither where either cannot be had."""
        caller = Caller(scope["client"][0] if scope.get("client") else "unknown")
        try:
            known = db.read(shelf) if self.changing else _still
            sent: Sent | None = known.kept(key)
            if sent:
                throttle.pay(sent.costs, caller)
            return known, sent
        # The endpoint says so in its own way.
        except RentalError:
            return None, None


def _copy(message: Message) -> Message:
    """A message whose headers others may add to."""
    return {**message, "headers": [*message["headers"]]} if "headers" in message else message


def _key(scope: Scope, headers: Headers) -> Hashable:
    """What a page depends on besides the shop's edition; None where that is more than can be named."""
    query = read_query(QueryParams(scope["query_string"]))
    # Bookings change what is free, and typed texts are too many.
    if scope["method"] != "GET" or query.pickup or query.return_at or query.text:
        return None
    instant = clock.now()
    times = (clock.indian_today(instant), clock.default_pickup(instant))
    return (scope["path"], scope["query_string"], headers.get("accept-encoding"), times, newest_build())
