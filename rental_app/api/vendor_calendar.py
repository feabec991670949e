"""A vendor's calendar: what every vehicle is doing, blocks, the buffer between trips, what is confirmed at once."""

from typing import Annotated

from fastapi import Query

from rental_app.api.dependencies import CallRouter, CurrentManager, CurrentStaff, id_of, refusals
from rental_app.api.idempotency import OnlyOnce
from rental_app.infrastructure.db import read, write
from rental_app.schemas.bookings import ConfirmAtOnceAnswer, ConfirmAtOnceSettings
from rental_app.schemas.calendars import (
    BlockAnswer,
    BlockRefusal,
    BlockRequest,
    BufferAnswer,
    BufferRequest,
    CalendarSpan,
    VendorCalendarAnswer,
)
from rental_app.schemas.wire import Answer, Id
from rental_app.services.bookings import confirm_at_once
from rental_app.services.calendar import blocks, vendor_calendar

router = CallRouter(prefix="/api/vendor", tags=["vendor"])


@router.get("/calendar", responses=refusals(401, 403, 429))
def calendar(actor: CurrentStaff, span: Annotated[CalendarSpan, Query()]) -> VendorCalendarAnswer:
    """What each vehicle is doing over at most 62 days: bookings, requests that hold it, buffers and blocks."""
    return read(vendor_calendar.of_vendor, actor, span)


@router.post("/blocks", responses=refusals(400, 401, 403, 404, 409, 429, conflict=BlockRefusal))
def add_block(actor: CurrentStaff, body: BlockRequest, once: OnlyOnce) -> BlockAnswer:
    """Block a vehicle from being booked for a while, or all of them (`vehicle`: null), as for a holiday.

    If bookings are in the way: 409 `booked` with the first one's `reference` and all of them in `bookings`, each of
    which can be moved (`/move`) or cancelled (`/cancel`) first. Of all vehicles, what is blocked already stays so.
    """
    if body.vehicle is None:
        return once(
            lambda made: BlockAnswer(message=blocks.ALL_BLOCKED, block=None, blocks=made),
            blocks.add_to_all,
            actor,
            body,
        )
    return once(lambda block: BlockAnswer(message=blocks.BLOCKED, block=block, blocks=[block]), blocks.add, actor, body)


@router.delete("/blocks/{block_id}", responses=refusals(401, 403, 404, 429))
def remove_block(actor: CurrentStaff, block_id: Annotated[Id, id_of("block", examples=[3])]) -> Answer:
    """Remove a block."""
    return Answer(message=write(blocks.remove, actor, block_id))


@router.get("/confirm-at-once", responses=refusals(401, 403, 429))
def confirms_at_once(actor: CurrentManager) -> ConfirmAtOnceAnswer:
    """Which bookings are confirmed as they are made, without an answer by the vendor."""
    return ConfirmAtOnceAnswer(confirm_at_once=read(confirm_at_once.of_vendor, actor))


@router.put("/confirm-at-once", responses=refusals(400, 401, 403, 404, 429))
def confirm_bookings_at_once(actor: CurrentManager, body: ConfirmAtOnceSettings) -> ConfirmAtOnceAnswer:
    """Set which bookings are confirmed as they are made; those there are stay as they are.

    Quotes say so (`confirmedAtOnce`), and such a booking is `confirmed` in the answer that it is made with.
    """
    return ConfirmAtOnceAnswer(message=confirm_at_once.SAVED, confirm_at_once=write(confirm_at_once.save, actor, body))


@router.put("/buffer", responses=refusals(400, 401, 403, 429))
def set_buffer(actor: CurrentManager, body: BufferRequest) -> BufferAnswer:
    """Set the hours between two trips of a vehicle, 0 to 12. Existing bookings stay as they are, new ones obey it."""
    return write(blocks.set_buffer, actor, body)
