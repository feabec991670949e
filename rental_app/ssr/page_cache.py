"""A cache of pages, which are sent again while nothing that they show has changed."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import NamedTuple

from sqlmodel import Session
from starlette.datastructures import Headers, QueryParams
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from rental_app.domain import clock
from rental_app.domain.errors import RentalError
from rental_app.infrastructure import db
from rental_app.infrastructure.db import Batch
from rental_app.library_patches.compression import accepted_encodings
from rental_app.services import throttle
from rental_app.services.search.cache import SearchCache, cache_of
from rental_app.services.throttle import Caller, Costs
from rental_app.ssr.document import newest_build
from rental_app.web.parts.presenters.links import read_query


class CachedPage(NamedTuple):
    """A page as it was sent: its ETag, its messages, and what it cost its caller."""

    tag: str
    messages: list[Message]
    costs: Costs


@dataclass(frozen=True, slots=True)
class CacheSlot:
    """The place of a page in a cache, and the page if it is there; without a cache if it must not be cached."""

    cache: SearchCache | None = None
    key: Hashable = None
    sent: CachedPage | None = None


# What a page depends on besides the shop's edition, its address and the hour.
Further = Callable[[Session], Hashable]


def nothing_further(_session: Session) -> Hashable:
    """For pages that depend on nothing else."""
    return None


class PageLookup(NamedTuple):
    """Who requests a page, and what it depends on besides the shop's edition."""

    caller: Caller
    key: Hashable
    further: Further


# For pages that show nothing of the shop: they are sent even while the database does not answer.
_unchanging = SearchCache("")


class CachedPages:
    """Sends a cached page as long as its endpoint would answer the same. Pages whose `further` is None show nothing of
    the shop."""

    def __init__(self, app: ASGIApp, further: Further | None) -> None:
        self.app, self.further = app, further

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the cached page, or have it made and cache it."""
        headers = Headers(scope=scope)
        place = await self._place(scope, headers)
        if place.sent is None:
            await self._make(scope, receive, send, place)
        elif place.sent.tag in headers.get("if-none-match", ""):
            await Response(status_code=304, headers={"ETag": place.sent.tag})(scope, receive, send)
        else:
            for message in place.sent.messages:
                await send(_copy(message))

    async def _place(self, scope: Scope, headers: Headers) -> CacheSlot:
        if (key := _key(scope, headers)) is None:
            return CacheSlot()
        if self.further is None:
            return CacheSlot(_unchanging, key, _unchanging.get(key))
        caller = Caller(scope["client"][0] if scope.get("client") else "unknown")
        return await _places(PageLookup(caller, key, self.further))

    async def _make(self, scope: Scope, receive: Receive, send: Send, place: CacheSlot) -> None:
        messages: list[Message] = []

        async def note(message: Message) -> None:
            messages.append(_copy(message))
            await send(message)

        with throttle.noting() as costs:
            await self.app(scope, receive, note)
        tag = Headers(raw=messages[0]["headers"]).get("etag")
        if place.cache and tag and messages[0]["status"] == 200:
            place.cache.put(place.key, CachedPage(tag, messages, costs))


def _slots(lookups: list[PageLookup]) -> list[CacheSlot]:
    """The slots of pages in the current cache, with cached pages charged to their callers; empty slots if the database
    does not answer or a caller is over a limit."""
    try:
        return db.read(_read_slots, lookups)
    # The endpoints report it in their own way.
    except RentalError:
        return [CacheSlot()] * len(lookups)


def _read_slots(session: Session, lookups: list[PageLookup]) -> list[CacheSlot]:
    cache = cache_of(session)
    further = {each: each(session) for each in {lookup.further for lookup in lookups}}
    return [_charged(cache, lookup.caller, (lookup.key, further[lookup.further])) for lookup in lookups]


def _charged(cache: SearchCache, caller: Caller, key: Hashable) -> CacheSlot:
    sent: CachedPage | None = cache.get(key)
    try:
        throttle.pay(sent.costs if sent else [], caller)
    except RentalError:
        return CacheSlot()
    return CacheSlot(cache, key, sent)


_places = Batch(_slots)


def _copy(message: Message) -> Message:
    """A copy of a message, so that others may add to its headers."""
    return {**message, "headers": [*message["headers"]]} if "headers" in message else message


def can_be_cached(scope: Scope, headers: Headers) -> bool:
    """Whether the answer to this request may be cached, given that pages of its route are."""
    return _key(scope, headers) is not None


def _key(scope: Scope, headers: Headers) -> Hashable:
    """What a page depends on besides the shop's edition; None if it must not be cached."""
    if scope["method"] != "GET" or (scope["query_string"] and _is_open(scope["query_string"])):
        return None
    instant = clock.now()
    times = (clock.indian_today(instant), clock.default_pickup(instant))
    return (scope["path"], scope["query_string"], encoding_for(headers), times, newest_build())


def encoding_for(headers: Headers) -> str:
    """How pages are compressed for a request, '' if not at all: browsers say the same in hundreds of ways."""
    accepted = accepted_encodings(",".join(headers.getlist("accept-encoding")))
    return next((encoding for encoding in ("br", "gzip") if encoding in accepted), "")


def _is_open(query_string: bytes) -> bool:
    """Whether an address asks for more than is cached: bookings change what is free, and typed texts are too many."""
    query = read_query(QueryParams(query_string).multi_items())
    return bool(query.pickup or query.return_at or query.text)
