"""What a process does by itself for as long as it lives."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable

from rental_app.errors import RentalError

log = logging.getLogger(__name__)
# Between two steps of which there is more.
BREATH_SECONDS, LONGEST_BREATH = 0.2, 3.0
# How many times as long as the process has computed during a step.
PATIENCE = 9


async def again_and_again(what: str, seconds: float, step: Callable[[], Awaitable[bool]]) -> None:
    """Do something every so many seconds, whatever becomes of it; sooner where it says that there is more.

    It then rests the longer, the more the process computed meanwhile, be it for the step or for people who wait for an
    answer: they come first.
    """
    while True:
        more, began = False, time.process_time()
        try:
            more = await step()
        except RentalError as error:
            log.warning("%s has to wait: %s", what, error.message)
        # Nobody would start again what has ended.
        except Exception:
            log.exception("%s failed", what)
        breath = min(max(BREATH_SECONDS, PATIENCE * (time.process_time() - began)), LONGEST_BREATH)
        await asyncio.sleep(breath if more else seconds)
