"""What a process does by itself for as long as it lives."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from rental_app.errors import RentalError

log = logging.getLogger(__name__)
# Between two steps of which there is more.
BREATH_SECONDS, LONGEST_BREATH = 0.2, 3.0
# How many times as long as the event loop comes late.
PATIENCE = 50


async def again_and_again(what: str, seconds: float, step: Callable[[], Awaitable[bool]]) -> None:
    """Do something every so many seconds, whatever becomes of it; sooner where it says that there is more."""
    while True:
        more = False
        try:
            more = await step()
        except RentalError as error:
            log.warning("%s has to wait: %s", what, error.message)
        # Nobody would start again what has ended.
        except Exception:
            log.exception("%s failed", what)
        await (_breathe() if more else asyncio.sleep(seconds))


async def _breathe() -> None:
    """Rest, longer while the process is busy, which the event loop shows by coming back late: people who wait for an
    answer come first."""
    now = asyncio.get_running_loop().time
    due = now() + BREATH_SECONDS
    await asyncio.sleep(BREATH_SECONDS)
    await asyncio.sleep(min(PATIENCE * (now() - due), LONGEST_BREATH))
