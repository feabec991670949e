"""What everybody is told while the shop is read-only, read once for all tabs of this process."""

import time
from contextlib import suppress
from functools import partial

from rental_app.domain.errors import RentalError
from rental_app.infrastructure import db
from rental_app.services.operating import read_only
from rental_app.services.throttle import Caller

# How old what tabs show may be when they send an event, which then costs them a comparison.
FRESH_SECONDS = 5.0
_note, _read_at = "", float("-inf")


async def read_now(caller: Caller) -> str:
    """What people are told now; '' while the shop is open. Raises TooManyRequestsError and UnavailableError."""
    global _note, _read_at
    # Set before it is read: other tabs' events do not wait for the same.
    _read_at = time.monotonic()
    _note = await db.run(partial(db.read, read_only.note, caller))
    return _note


async def lately(caller: Caller) -> str:
    """What people were told a few seconds ago at most; if it cannot be read, what was read last."""
    if time.monotonic() - _read_at >= FRESH_SECONDS:
        with suppress(RentalError):
            await read_now(caller)
    return _note
