"""Waiting for a condition; texts that have made Reflex loop for ever, and a guard that turns a loop into a failure."""

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

TAGS = [
    "<reflex.Var>x</reflex.Var>",
    "<reflex.Var></reflex.Var>",
    "<reflex.Var>7</reflex.Var>",
    "<reflex.Var><reflex.Var>x</reflex.Var></reflex.Var>",
    "<refl<reflex.Var>x</reflex.Var>ex.Var>y</reflex.Var>",
    "<reflex.Var>",
]


# What takes longest on a machine with much to do has come about by then.
PATIENCE, PAUSE = 60.0, 0.05


def until(holds: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until a condition holds."""
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(PAUSE)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Raise TimeoutError once the body has used this much CPU time; waiting does not count."""

    def stop(*_: object) -> None:
        raise TimeoutError(f"still busy after {seconds} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
