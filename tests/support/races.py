"""Calls that start at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from rental_app.domain.errors import RentalError

Press = Callable[[], object]


def at_once(*presses: Press) -> list[str]:
    """Start all calls together; return '' for each that succeeded, else the code of its refusal."""
    together = Barrier(len(presses))

    def press(call: Press) -> str:
        together.wait()
        try:
            call()
        except RentalError as error:
            return error.code
        return ""

    with ThreadPoolExecutor(len(presses)) as threads:
        return list(threads.map(press, presses))
