"""Nothing on a page moves while it loads, even on a slow connection with a slow CPU."""

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from playwright.sync_api import Page
from sqlmodel import select

from rental_app.infrastructure import db
from rental_app.models import User
from rental_app.seed.people import CUSTOMER_EMAIL, VENDOR_EMAIL
from tests.e2e.conftest import DESKTOP, PHONE, Browse
from tests.support.app import App
from tests.support.browser_steps import ready, taken_over
from tests.support.line import SlowLine
from tests.support.routes import PERSONAL, PUBLIC, VENDORS

pytestmark = [pytest.mark.e2e, pytest.mark.long]
PRIVATE_PAGES = dict.fromkeys(PERSONAL, CUSTOMER_EMAIL) | dict.fromkeys(VENDORS, VENDOR_EMAIL)
VISITS = [*((path, "") for path in PUBLIC), *PRIVATE_PAGES.items()]
# Layout shifts without user input, from the first paint on.
NOTE_SHIFTS = """
window.shifts = [];
new PerformanceObserver(list => list.getEntries().forEach(entry => entry.hadRecentInput || window.shifts.push(
  [entry.value, ...entry.sources.map(({node}) => node && node.textContent.slice(0, 40))]
))).observe({type: 'layout-shift', buffered: true});
"""
# How many pages load at a time: each mostly waits for its slow connection.
TOGETHER = 11
BATCHES = [VISITS[start : start + TOGETHER] for start in range(0, len(VISITS), TOGETHER)]
# How much a page's CPU is slowed down, besides being shared with the other pages. To throttle a page, Chromium keeps
# its CPU busy all the time, even when there is nothing to do: four times the work.
SLOWER = max(1.0, 4 * (os.cpu_count() or 1) / TOGETHER)


@pytest.fixture
def address(app: App) -> Iterator[str]:
    """A slow way to the app."""
    line = SlowLine(int(app.url.rpartition(":")[2]))
    yield f"http://localhost:{line.port}"
    line.close()


@contextmanager
def slowed(page: Page) -> Iterator[Page]:
    """Give a page a slow CPU and no cache, and record what moves.

    The browser forgets all of this with the session, so that other tests can use the tab.
    """
    session = page.context.new_cdp_session(page)
    for domain in ("Page", "Network"):
        session.send(f"{domain}.enable")
    session.send("Page.addScriptToEvaluateOnNewDocument", {"source": NOTE_SHIFTS})
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    yield page
    session.detach()


def shifts(page: Page) -> list[list[Any]]:
    """Return what moved until the page settled: by how much, and which element."""
    ready(page)
    taken_over(page)
    page.wait_for_load_state("networkidle")
    moved: list[list[Any]] = page.evaluate("window.shifts")
    return moved


def user_of(email: str) -> User | None:
    """Return the user with an email address; None for an empty one."""
    return db.read(lambda session: session.exec(select(User).where(User.email == email)).first())


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
def test_nothing_moves_while_pages_load(browse: Browse, size: dict[str, int]) -> None:
    moved: dict[str, list[list[Any]]] = {}
    for batch in BATCHES:
        with ExitStack() as stack:
            pages = {path: stack.enter_context(slowed(browse(user_of(email), viewport=size))) for path, email in batch}
            for path, page in pages.items():
                page.goto(path, wait_until="commit")
            moved |= {path: shifts(page) for path, page in pages.items()}
    assert {path: found for path, found in moved.items() if sum(shift[0] for shift in found) >= 0.02} == {}
