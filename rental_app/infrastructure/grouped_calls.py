"""Calls of several threads, run together by one of them; calls made meanwhile are run together next."""

from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Event, Lock
from typing import Generic, TypeVar

Call = TypeVar("Call")


@dataclass(eq=False, slots=True)
class _Queued(Generic[Call]):
    """A waiting call. Its thread is woken once the call has been run, or in order to run the next group itself."""

    call: Call
    woken: Event = field(default_factory=Event)
    is_run: bool = False
    error: BaseException | None = None


class GroupedCalls(Generic[Call]):
    """Runs a function for the calls of all waiting threads, at most `most` at once, in the thread that came first.

    The function notes in each call what came of it; what it raises itself reaches every thread of the group.
    """

    def __init__(self, function: Callable[[list[Call]], None], most: int) -> None:
        self._function, self._most = function, most
        self._queue: list[_Queued[Call]] = []
        self._is_led, self._lock = False, Lock()

    def run(self, call: Call) -> None:
        """Return when a call has been run, by this thread or another; raises what the function raised."""
        queued = _Queued(call)
        with self._lock:
            self._queue.append(queued)
            is_first, self._is_led = not self._is_led, True
        if not is_first:
            queued.woken.wait()
        if not queued.is_run:
            self._lead()
        if queued.error:
            raise queued.error

    def _lead(self) -> None:
        """Run the next group, whose first call is this thread's own, and have another thread run the one after it."""
        with self._lock:
            group = self._queue[: self._most]
            del self._queue[: self._most]
        error: BaseException | None = None
        try:
            self._function([each.call for each in group])
        except BaseException as raised:
            error = raised
        self._hand_over()
        for each in group:
            each.is_run, each.error = True, error
            each.woken.set()

    def _hand_over(self) -> None:
        with self._lock:
            if self._queue:
                self._queue[0].woken.set()
            else:
                self._is_led = False
