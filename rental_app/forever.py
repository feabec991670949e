"""What a process does by itself for as long as it lives."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from rental_app.errors import RentalError

log = logging.getLogger(__name__)


async def again_and_again(what: str, seconds: float, step: Callable[[], Awaitable[bool]]) -> None:
    """Do something every so many seconds, whatever becomes of it; at once where it says that there is more."""
    while True:
        more = False
        try:
            more = await step()
        except RentalError as error:
            log.warning("%s has to wait: %s", what, error.message)
        # Nobody would start again what has ended.
        except Exception:
            log.exception("%s failed", what)
        if not more:
            await asyncio.sleep(seconds)
