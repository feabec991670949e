"""Searching, quoting, booking, deciding."""

from typing import Annotated

from fastapi import Query, Response

from rental_app.api.dependencies import (
    Anyone,
    CallRouter,
    CurrentActor,
    CurrentStaff,
    NamedRoute,
    Paging,
    refusals,
    written,
)
from rental_app.api.idempotency import OnlyOnce, message_answer
from rental_app.infrastructure.db import read, reading
from rental_app.schemas.bookings import (
    BookedAnswer,
    BookingQuery,
    BookingRefusal,
    BookingRequest,
    BookingsAnswer,
    GuestBookingsAnswer,
    StatusChange,
    VendorBookingsAnswer,
)
from rental_app.schemas.quotes import QuoteAnswer, QuoteRefusal, QuoteRequest
from rental_app.schemas.search import AvailabilityAnswer, PageRequest, ShopRequest
from rental_app.schemas.wire import Answer, Limit
from rental_app.services.bookings import counter, lists, requests
from rental_app.services.pricing import quotes
from rental_app.services.search import search

# A booking's reference (trips.py) is at the same place in an address as the names of these calls.
router = CallRouter(prefix="/api/bookings", tags=["bookings"], route_class=NamedRoute)
# The same search needs no dates where the shop is listed.
_DATED = {"required": ["pickupDate", "returnDate"]}
# Few enough that no call waits long for the others in its run.
MOST = 16
# Searches share a thread: separate ones would spend more time taking turns than searching.
_searched = reading(search.answer, MOST)


@router.post(
    "/check-availability",
    response_model=AvailabilityAnswer,
    responses=refusals(400, 429),
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": _DATED}}}},
)
async def check_availability(
    caller: Anyone,
    body: ShopRequest,
    limit: Annotated[Limit, Query(description="All of it if not given", examples=[24])] = None,
    cursor: Annotated[
        str, Query(max_length=200, description="The `next_cursor` of the same search", examples=[""])
    ] = "",
) -> Response:
    """Vehicles that are free from pickup to return, at a location or anywhere.

    Each has its `total` for the dates, and its `distanceKm` from the location in `near` or else in `location`. `limit`
    and `cursor` may be in the query string or in the body; a cursor continues only the search that returned it.
    """
    # As a model of its own, which hardly any search needs, FastAPI would take a tenth of the call to read them.
    part = PageRequest.model_construct(limit=limit, cursor=cursor) if limit or cursor else body
    return written(await _searched((caller, body, part)))


@router.get("/quote", responses=refusals(404, 409, 429, conflict=QuoteRefusal))
def quote(caller: Anyone, request: Annotated[QuoteRequest, Query()]) -> QuoteAnswer:
    """What a vehicle costs over a window, before booking it: its cheapest plans, plus extras, less an offer.

    If the vehicle is taken: 409 `dates_taken`, with the `nearest` free windows of the same length. A code without
    effect is refused as `offer_unknown`, `offer_not_in_force`, `offer_minimum_days` or `offer_used_up`.
    """
    return QuoteAnswer(quote=read(quotes.quote_for, caller, request))


@router.post(
    "/create", response_model=BookedAnswer, responses=refusals(400, 401, 403, 404, 409, 429, conflict=BookingRefusal)
)
def create(actor: CurrentActor, body: BookingRequest, once: OnlyOnce) -> Response:
    """Request a vehicle. Repeating the call with the same Idempotency-Key returns the first response again.

    If the total or the deposit is no longer the expected one, nothing is booked: 409 `price_changed` with the current
    `quote`. If the dates have been taken: 409 `dates_taken`, with the `nearest` free windows.
    """
    answer = once(
        lambda booking: BookedAnswer(message=requests.MADE[booking.status], booking=booking),
        requests.create,
        actor,
        body,
    )
    # Written here: FastAPI would go to another thread to check what has its shape already.
    return written(answer.model_dump_json(by_alias=True).encode())


@router.get("/user", responses=refusals(401, 429))
def mine(actor: CurrentActor, page: Paging) -> BookingsAnswer:
    """The caller's own bookings, newest first."""
    part = read(lists.of_customer, actor, page)
    return BookingsAnswer(bookings=part.items, **part.tail)


@router.get("/vendor", responses=refusals(401, 403, 429))
def of_my_vehicles(actor: CurrentStaff, query: Annotated[BookingQuery, Query()]) -> VendorBookingsAnswer:
    """Bookings of the vendor's vehicles, newest first unless asked otherwise."""
    part = read(lists.of_vendor, actor, query, query)
    return VendorBookingsAnswer(bookings=part.items, **part.tail)


@router.get("/for-my-number", responses=refusals(401, 429))
def for_my_number(actor: CurrentActor) -> GuestBookingsAnswer:
    """The bookings that vendors made at the counter for your mobile number, once you have confirmed it; at most 20."""
    return GuestBookingsAnswer(bookings=read(counter.bookings_of_number, actor))


@router.post("/change-status", responses=refusals(400, 401, 403, 404, 409, 429))
def change_status(actor: CurrentStaff, body: StatusChange, once: OnlyOnce) -> Answer:
    """Confirm or cancel a pending request; a decision is final.

    If its customer has changed it, so that its dates or its price are not the expected ones, nothing is decided:
    409 `request_changed`.
    """
    return once(message_answer, requests.change_status, actor, body)
