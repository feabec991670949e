"""Texts that have made Reflex loop for ever, and a guard that turns such a loop into a failure."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager

TAGS = [
    "<reflex.Var>x</reflex.Var>",
    "<reflex.Var></reflex.Var>",
    "<reflex.Var>7</reflex.Var>",
    "<reflex.Var><reflex.Var>x</reflex.Var></reflex.Var>",
    "<refl<reflex.Var>x</reflex.Var>ex.Var>y</reflex.Var>",
    "<reflex.Var>",
]


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
