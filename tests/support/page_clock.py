"""A page's clock that waits for the test: on a busy machine seconds may pass between two looks at a page."""

from collections.abc import Callable
from contextlib import suppress

from playwright.sync_api import Error, Page

from rental_app.domain import clock
from tests.support.tabs import PATIENCE_MS

# While something is awaited, the page's clock goes on, slower than the machine's: answers come in the machine's time.
STEP_MS, PAUSE_MS = 10, 50


def install(page: Page) -> None:
    """Give a fresh tab a clock of its own at the run's instant; `page.clock.run_for` moves it on."""
    page.clock.install(time=clock.now())


def stop(page: Page) -> None:
    """Stop the clock of a fresh tab; `page.clock.run_for` moves it on."""
    install(page)
    while True:
        # A clock can be stopped in the future only, which a busy machine may find past.
        with suppress(Error):
            page.clock.pause_at(page.evaluate("Date.now() / 1000 + 1"))
            return


def run_until(page: Page, condition: Callable[[], bool]) -> None:
    """Let a stopped clock go on until a condition holds."""
    for _ in range(PATIENCE_MS // PAUSE_MS):
        if condition():
            return
        page.clock.run_for(STEP_MS)
        page.wait_for_timeout(PAUSE_MS)
    raise AssertionError("It has not come about")
