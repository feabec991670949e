"""What a process does by itself for as long as it lives."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from rental_app.errors import RentalError

log = logging.getLogger(__name__)
# Between two steps of which there is more: people who wait for an answer come first.
BREATH_SECONDS = 0.2


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
        await asyncio.sleep(BREATH_SECONDS if more else seconds)
