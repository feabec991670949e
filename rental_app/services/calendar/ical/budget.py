"""A limit on the processor time of work on what strangers wrote: rules that repeat every second, or never."""

import signal
import time
from collections.abc import Callable
from typing import TypeVar

# Ten years of a daily entry take a tenth of that.
EACH, TOGETHER = 0.5, 1.5
# Libraries may catch the first.
_AGAIN = 0.1

T = TypeVar("T")


class TooLongError(BaseException):
    """The work has taken too long; not an Exception, which libraries would catch."""


class Budget:
    """The processor time (seconds) that the odd parts of one calendar may take: EACH alone, and TOGETHER."""

    def __init__(self) -> None:
        """Work is interrupted by a signal, which only the main thread of a process gets."""
        self._left = TOGETHER
        signal.signal(signal.SIGPROF, _stop)

    def attempt(self, work: Callable[[], T]) -> T | None:
        """The result of some work; None if it fails, in whatever way, or takes too long."""
        if self._left <= 0:
            return None
        began = time.process_time()
        try:
            signal.setitimer(signal.ITIMER_PROF, min(EACH, self._left), _AGAIN)
            return work()
        except (Exception, TooLongError):
            return None
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            self._left -= time.process_time() - began


def _stop(_number: int, _frame: object) -> None:
    raise TooLongError
