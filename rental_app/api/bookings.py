"""Searching, quoting, booking, deciding."""

from typing import Annotated

from fastapi import APIRouter, Header, Query, Request, Response
from sqlmodel import Session

from rental_app import logs
from rental_app.api.answers import written
from rental_app.api.deps import (
    Anyone,
    CurrentActor,
    CurrentProof,
    CurrentStaff,
    Paging,
    Proof,
    anyone,
    current_proof,
    proof_of,
    refusals,
)
from rental_app.api.straight import Named, Straight, all_of, body_of, json_of, read_by
from rental_app.batching import reading, writing
from rental_app.db import read, write
from rental_app.errors import RentalError
from rental_app.schemas.bookings import (
    BookedAnswer,
    BookingQuery,
    BookingRefusal,
    BookingRequest,
    BookingsAnswer,
    BookingView,
    StatusChange,
    VendorBookingsAnswer,
)
from rental_app.schemas.quotes import QuoteAnswer, QuoteRefusal, QuoteRequest
from rental_app.schemas.shop import AvailabilityAnswer, ShopRequest, Turn
from rental_app.schemas.validation import refusal, validated
from rental_app.schemas.wire import MAX_KEY, Answer
from rental_app.services import bearers, bookings, quotes, search
from rental_app.services.throttle import Caller

# A booking's reference (trips.py) is at the same place in an address as the names of these calls.
router = APIRouter(prefix="/api/bookings", tags=["bookings"], route_class=Named)
often = APIRouter(prefix=router.prefix, tags=["bookings"], route_class=Straight)
# The same search needs no dates where the shop is listed.
_DATED = {"required": ["pickupDate", "returnDate"]}
# Few enough that no call waits long for the others in its run.
MOST = 16
# Searches share a thread: separate ones would spend more time taking turns than searching.
_searched = reading(search.answer, MOST)


async def _search(request: Request) -> tuple[Caller, ShopRequest, Turn]:
    data = await json_of(request)
    turn, body = all_of(data, lambda: validated(Turn, dict(request.query_params)), lambda: body_of(ShopRequest, data))
    return await anyone(request), body, turn


@often.post(
    "/check-availability",
    response_model=AvailabilityAnswer,
    responses=refusals(400, 429),
    openapi_extra={"requestBody": {"content": {"application/json": {"schema": _DATED}}}},
)
@read_by(_search)
async def check_availability(caller: Anyone, body: ShopRequest, part: Annotated[Turn, Query()]) -> Response:
    """Vehicles that are free from pickup to return, at a location or anywhere.

    Each has its `total` for the dates, and its `distanceKm` from the location in `near` or else in `location`. `limit`
    and `cursor` may be in the query string or in the body; a cursor continues only the search that returned it.
    """
    turn = part if part.model_fields_set else body
    return written(await _searched((caller, body, turn)))


@router.get("/quote", responses=refusals(404, 409, 429, conflict=QuoteRefusal))
def quote(caller: Anyone, request: Annotated[QuoteRequest, Query()]) -> QuoteAnswer:
    """What a vehicle costs over a window, before booking it: its cheapest plans, plus extras, less an offer.

    If the vehicle is taken: 409 `dates_taken`, with the `nearest` free windows of the same length. A code without
    effect is refused as `offer_unknown`, `offer_not_in_force`, `offer_minimum_days` or `offer_used_up`.
    """
    return QuoteAnswer(quote=read(quotes.quote_for, caller, request))


def _key(request: Request) -> str:
    key = request.headers.get("idempotency-key", "")
    if len(key) > MAX_KEY:
        raise refusal({"idempotency-key": f"At most {MAX_KEY} characters"})
    return key


async def _booking(request: Request) -> tuple[Proof, BookingRequest, str]:
    data, by = await json_of(request), await proof_of(request)
    try:
        key, body = all_of(data, lambda: _key(request), lambda: body_of(BookingRequest, data))
    except RentalError:
        # A caller who is no longer logged in is told that first; for a valid body, its transaction finds that out.
        await current_proof(by)
        raise
    return by, body, key


def _create(session: Session, caller: Caller, token: str, body: BookingRequest, key: str) -> BookingView:
    actor = bearers.authenticate(session, caller, token)
    logs.note_user(actor.id)
    return bookings.create(session, actor, body, key)


def _ahead(session: Session, asked: list[tuple[Caller, str, BookingRequest, str]]) -> None:
    bearers.recognise(session, [token for _, token, _, _ in asked])
    quotes.read_ahead(session, [body.car for _, _, body, _ in asked])


booked = writing(_create, MOST, _ahead)


@often.post(
    "/create", response_model=BookedAnswer, responses=refusals(400, 401, 403, 404, 409, 429, conflict=BookingRefusal)
)
@read_by(_booking)
async def create(
    by: CurrentProof,
    body: BookingRequest,
    idempotency_key: Annotated[str, Header(max_length=MAX_KEY)] = "",
) -> Response:
    """Request a vehicle. Repeating the call with the same Idempotency-Key returns the first response again.

    If the total or the deposit is no longer the expected one, nothing is booked: 409 `price_changed` with the current
    `quote`. If the dates have been taken: 409 `dates_taken`, with the `nearest` free windows.
    """
    booking = await booked((*by, body, idempotency_key))
    answer = BookedAnswer(message=bookings.REQUESTED, booking=booking)
    return written(answer.written())


@router.get("/user", responses=refusals(401, 429))
def mine(actor: CurrentActor, page: Paging) -> BookingsAnswer:
    """The caller's own bookings, newest first."""
    part = read(bookings.of_customer, actor, page)
    return BookingsAnswer(bookings=part.items, **part.tail)


@router.get("/vendor", responses=refusals(401, 403, 429))
def of_my_vehicles(actor: CurrentStaff, query: Annotated[BookingQuery, Query()]) -> VendorBookingsAnswer:
    """Bookings of the vendor's vehicles, newest first unless asked otherwise."""
    part = read(bookings.of_vendor, actor, query, query)
    return VendorBookingsAnswer(bookings=part.items, **part.tail)


@router.post("/change-status", responses=refusals(400, 401, 403, 404, 409, 429))
def change_status(actor: CurrentStaff, body: StatusChange) -> Answer:
    """Confirm or cancel a pending request; a decision is final.

    If its customer has changed it, so that its dates or its price are not the expected ones, nothing is decided:
    409 `request_changed`.
    """
    return Answer(message=write(bookings.change_status, actor, body))
