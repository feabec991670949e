"""Background work that a process repeats for as long as it runs."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from rental_app.domain.errors import RentalError

log = logging.getLogger(__name__)
# The pause between two steps while there is more to do.
MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.2, 3.0
# That pause as a multiple of the CPU time that the process used during the step.
PAUSE_FACTOR = 9


async def repeat(what: str, seconds: float, step: Callable[[], Awaitable[bool]]) -> None:
    """Call `step` every so many seconds, even after it has failed; sooner when it returns that there is more to do.

    The pause is then longer the more CPU time the process used meanwhile, whether for the step or for people who wait
    for a response: they come first.
    """
    while True:
        more, began = False, time.process_time()
        try:
            more = await step()
        except RentalError as error:
            log.warning("%s has to wait: %s", what, error.message)
        # Nothing would restart this loop once it has ended.
        except Exception:
            log.exception("%s failed", what)
        breath = min(max(MIN_PAUSE_SECONDS, PAUSE_FACTOR * (time.process_time() - began)), MAX_PAUSE_SECONDS)
        await asyncio.sleep(breath if more else seconds)
