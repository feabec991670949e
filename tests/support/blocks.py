"""What holds a vehicle besides bookings."""

from datetime import datetime
from typing import Any

from rental_app.domain.errors import ConflictError
from rental_app.infrastructure.db import engine, read, write
from rental_app.schemas.calendars import BufferAnswer, BufferRequest, CalendarRequest
from rental_app.services.bookings import free_dates
from rental_app.services.calendar import blocks
from rental_app.services.pricing import quotes
from rental_app.services.search import search
from tests.support.shop import VISITOR, Shop, actor, moment, search_for, wanted


def keep_apart(shop: Shop, hours: int) -> BufferAnswer:
    return write(blocks.set_buffer, actor(shop.vendor), BufferRequest(hours=hours))


def is_free(shop: Shop, days: int, hour: int = 10) -> bool:
    """Return whether search, quote and calendar, which must agree, offer a day."""
    found = read(search.available, VISITOR, search_for(shop.place, days, hour=hour)).vehicles
    try:
        quoted = bool(read(quotes.quote_for, VISITOR, wanted(shop.vehicle, days, hour=hour)))
    except ConflictError:
        quoted = False
    taken = read(free_dates.calendar, VISITOR, shop.vehicle.id, CalendarRequest()).busy
    first, last = moment(days, hour), moment(days + 1, hour)
    shown = not any(held.pickup < last and first < held.return_at for held in taken)
    assert bool(found) == quoted == shown
    return quoted


def stored(instant: datetime) -> Any:
    """Return an instant as the database stores it."""
    return instant if engine().dialect.name == "postgresql" else f"{instant:%Y-%m-%d %H:%M:%S.%f}"
