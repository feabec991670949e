"""A vendor's calendar for other programs, and calendars of other platforms."""

from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from rental_app.api.dependencies import Anyone, CurrentManager, a_file, id_of, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.infrastructure.db import read, write
from rental_app.schemas.calendars import (
    FeedAnswer,
    FeedRequest,
    FeedsAnswer,
    ImportAnswer,
    ImportRequest,
    ImportsAnswer,
    RevokedFeed,
)
from rental_app.schemas.wire import Answer, Id
from rental_app.services.calendar.ical import feeds as ical_feeds
from rental_app.services.calendar.ical import imports as ical_imports

router = APIRouter(tags=["vendor"])
_HEADERS = {"Cache-Control": "no-store", "X-Robots-Tag": "noindex"}


@router.get("/api/vendor/ical", responses=refusals(401, 403, 429))
def feeds(actor: CurrentManager) -> FeedsAnswer:
    """The vendor's calendars that other programs can read."""
    return FeedsAnswer(feeds=read(ical_feeds.of_vendor, actor))


@router.post("/api/vendor/ical", responses=refusals(400, 401, 403, 404, 429))
def give_feed(actor: CurrentManager, body: FeedRequest) -> FeedAnswer:
    """Make a new secret address for the calendar of a vehicle, or of all; the previous address stops working."""
    return FeedAnswer(message="Keep this address to yourself", url=write(ical_feeds.give, actor, body))


@router.delete("/api/vendor/ical", responses=refusals(401, 403, 429))
def revoke_feed(actor: CurrentManager, request: Annotated[RevokedFeed, Query()]) -> Answer:
    """Revoke the address of a calendar."""
    return Answer(message=write(ical_feeds.revoke, actor, request))


@router.get("/api/vendor/ical-imports", responses=refusals(401, 403, 429))
def imports(actor: CurrentManager) -> ImportsAnswer:
    """The calendars of other platforms that are read, and how the last reading went."""
    return ImportsAnswer(calendars=read(ical_imports.of_vendor, actor))


@router.post("/api/vendor/ical-imports", responses=refusals(400, 401, 403, 404, 409, 429))
def add_import(actor: CurrentManager, body: ImportRequest, once: OnlyOnce) -> ImportAnswer:
    """Read a calendar of another platform every half hour; its events block the vehicle."""
    return once(lambda made: ImportAnswer(message=ical_imports.ADDED, calendar=made), ical_imports.add, actor, body)


@router.delete("/api/vendor/ical-imports/{import_id}", responses=refusals(401, 403, 404, 429))
def remove_import(actor: CurrentManager, import_id: Annotated[Id, id_of("imported calendar")]) -> Answer:
    """Stop reading a calendar; its blocks are removed with it."""
    return Answer(message=write(ical_imports.remove, actor, import_id))


# Programs ask for the head alone before they subscribe.
@router.head("/ical/{secret}.ics", include_in_schema=False)
@router.get("/ical/{secret}.ics", responses=a_file("text/calendar") | refusals(404, 429), response_class=Response)
def feed(
    caller: Anyone,
    secret: Annotated[str, Path(max_length=100, description="The secret part of the calendar's address")],
) -> Response:
    """A vendor's calendar: bookings, requests and blocks, with nothing about customers."""
    return Response(read(ical_feeds.read_feed, caller, secret), media_type="text/calendar", headers=_HEADERS)
