"""Waiting for calls that wait."""

import time
from typing import Any

from rental_app.infrastructure.grouped_calls import GroupedCalls

SECONDS = 30


def wait_for_calls(groups: GroupedCalls[Any], number: int) -> None:
    """Return once so many calls wait to be run."""
    until = time.monotonic() + SECONDS
    while len(groups._queue) < number:
        assert time.monotonic() < until, "the calls have not come"
        time.sleep(0.005)
