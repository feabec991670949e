"""Background work: what a process repeats for as long as it runs, and what it does after an answer has gone."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

from rental_app.domain.errors import RentalError

log = logging.getLogger(__name__)
# The pause between two steps while there is more to do.
MIN_PAUSE_SECONDS, MAX_PAUSE_SECONDS = 0.2, 3.0
# That pause as a multiple of the CPU time that the process used during the step.
PAUSE_FACTOR = 9
# What waits to be done after its answer; more than that is left undone, so that nobody can make it grow.
MOST_WAITING = 1000
_worker = ThreadPoolExecutor(1, thread_name_prefix="after-answer")
_waiting: set[Future[Any]] = set()


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


def after_answer(work: Callable[..., object], *args: object) -> None:
    """Do something in another thread, one call after the other, so that the time an answer takes does not show whether
    there was anything to do.

    Failures are logged. Only for work that may be lost when the process ends.
    """
    if len(_waiting) >= MOST_WAITING:
        log.warning("too much waits to be done after answers: %s is left undone", work)
        return
    future = _worker.submit(work, *args)
    _waiting.add(future)
    future.add_done_callback(_finished)


def _finished(future: Future[Any]) -> None:
    _waiting.discard(future)
    if not future.cancelled() and (error := future.exception()):
        log.error("what was to be done after an answer failed", exc_info=error)


def wait_for_rest() -> None:
    """Return once everything that was to be done after answers is done."""
    for future in list(_waiting):
        future.exception()
