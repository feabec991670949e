"""Bookings that a vendor makes at the counter."""

from typing import Annotated

from fastapi import Query

from rental_app.api.dependencies import CallRouter, CurrentStaff, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.infrastructure.db import read
from rental_app.schemas.counter import ChoicesAnswer, ChoicesRequest, CounterAnswer, CounterRequest
from rental_app.schemas.quotes import QuoteRefusal
from rental_app.services.bookings import counter
from rental_app.services.trips import moves

router = CallRouter(prefix="/api/vendor/bookings", tags=["vendor"])


@router.post("", responses=refusals(400, 401, 403, 404, 409, 429, conflict=QuoteRefusal))
def create(actor: CurrentStaff, body: CounterRequest, once: OnlyOnce) -> CounterAnswer:
    """Book one of the vendor's vehicles for somebody at the counter: it is confirmed at once.

    The pickup may be up to 12 hours ago, whatever the day, the rental as short as the vendor likes and at most 30 days.
    Up to 7 days ago, or for a rental that is over, it takes a `reason` (422 `pickup_in_past`, `return_in_past`), which
    the history shows beside when the booking was noted (`timeline`: `happenedAt` and `at`). Who rents needs no
    account; whether there is one with the mobile number is not told. If the dates are taken: 409 `dates_taken`,
    with the `nearest` free windows.

    With `continues` it goes on with a trip whose vehicle came back because it broke down: for the same customer, at
    no price, and what is held of the deposit moves along.
    """
    return once(
        lambda booking: CounterAnswer(message=counter.BOOKED_AT_COUNTER, booking=booking),
        moves.continue_trip if body.continues else counter.create,
        actor,
        body,
    )


@router.get("/choices", responses=refusals(401, 403, 429))
def choices(actor: CurrentStaff, request: Annotated[ChoicesRequest, Query()]) -> ChoicesAnswer:
    """The vendor's vehicles for a window, the free ones first: what each costs, and until when it is free or taken."""
    return ChoicesAnswer(vehicles=read(counter.choices, actor, request))
