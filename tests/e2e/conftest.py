"""The app, a browser, and pages whose console errors fail the test."""

import itertools
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Error,
    Page,
    Playwright,
    ViewportSize,
    WebError,
    expect,
    sync_playwright,
)

from rental_app.models import User
from tests.conftest import forget, use
from tests.support import app as the_app
from tests.support import axe, chromium
from tests.support import shop as support_shop
from tests.support.app import App
from tests.support.line import Line
from tests.support.tabs import PATIENCE_MS, PLAIN, Tab, Tabs

Browse = Callable[..., Page]
DESKTOP: ViewportSize = {"width": 1440, "height": 900}
PHONE: ViewportSize = {"width": 360, "height": 740}
_numbers = itertools.count(1)
MOST_BROWSER_TESTS = 160
LOG_SHOWN = 3000
ARRIVED = """document.readyState + ": " +
performance.getEntriesByType("resource").map(({name}) => name.split("/").at(-1)).join(" ") +
["", ...(window.lastFrames ?? []), `${Math.round(performance.now())} now, onLine ${navigator.onLine}`].join("\\n")"""
expect.set_options(timeout=PATIENCE_MS)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the browser tests of `make test` few: they take most of its time."""
    in_browsers = [item for item in items if "playwright" in getattr(item, "fixturenames", ())]
    many = sum(item.get_closest_marker("long") is None for item in in_browsers)
    if many > MOST_BROWSER_TESTS:
        raise pytest.UsageError(
            f"{many} browser tests that are not long: look at more on one visit, or test it without a browser"
        )


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show with a failure what the app logged, as a worker may have been killed, and what was on the pages."""
    report = yield
    if report.failed:
        given = getattr(item, "funcargs", {})
        if started := given.get("app"):
            report.sections.append(("The app's log", started.log[-LOG_SHOWN:]))
        if heard := given.get("complaints"):
            report.sections += [(page.url, _shown(page)) for context in heard.contexts for page in context.pages]
    return report


def _shown(page: Page) -> str:
    """What is on a page, and what had arrived: which shows what a page that stands still waits for."""
    try:
        lines = page.locator("body").aria_snapshot(timeout=5000).splitlines()
        shown = [line for line in lines if not line.lstrip().startswith(("- option", "- /url"))]
        return "\n".join([page.evaluate(ARRIVED), *shown])
    except Error as error:
        return str(error)


@pytest.fixture(scope="package")
def app(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[App]:
    """The real app with the demo data."""
    with the_app.running(tmp_path_factory.mktemp("e2e"), sqlite_template) as started:
        yield started


# Playwright keeps an event loop running in this thread: it must end before tests elsewhere start their own.
@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Playwright, which drives the browsers."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="package")
def chromium_path(playwright: Playwright) -> str:
    """The path of Chromium."""
    return chromium.find(playwright)


@pytest.fixture(scope="package")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Chromium."""
    browser = chromium.launched(playwright, *chromium.BRIEFLY)
    yield browser
    browser.close()


@pytest.fixture(autouse=True)
def database(app: App, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Let this process work on the running app's database and trust its tokens."""
    use(monkeypatch, app.database_url, app.folder)
    yield app.database_url
    forget()


@pytest.fixture(scope="session")
def script() -> str:
    """axe-core."""
    return axe.source()


@pytest.fixture
def shop() -> support_shop.Shop:
    """A locality of this test's own with a vendor, an Activa 6G and a customer."""
    return support_shop.open_shop(f"Testpur {next(_numbers)}")


class Complaints:
    """Errors that browsers report on the pages."""

    def __init__(self) -> None:
        self.contexts: list[BrowserContext] = []
        self.heard: list[str] = []
        self.expected: list[str] = []

    def listen(self, context: BrowserContext) -> None:
        """Collect the errors of all pages of a context."""
        self.contexts.append(context)
        context.on("console", self._console)
        context.on("weberror", self._error)

    def ignore(self, context: BrowserContext) -> None:
        """Stop collecting them."""
        context.remove_listener("console", self._console)
        context.remove_listener("weberror", self._error)

    def expect_lost_lines(self) -> None:
        """Expect what browsers report when connections end, an event sent at that very moment included."""
        self.expected += ["ERR_", "WebSocket connection", "WebSocket is already in CLOSING or CLOSED state"]

    def _error(self, error: WebError) -> None:
        self.heard.append(str(error.error))

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.heard.append(f"{message.text} ({message.location['url']})")

    @property
    def unexpected(self) -> list[str]:
        """The errors that no test expected."""
        return [text for text in self.heard if not any(known in text for known in self.expected)]


@pytest.fixture
def complaints() -> Iterator[Complaints]:
    """Collect the errors of all pages of the test; it fails with any that is not in `expected`."""
    collected = Complaints()
    yield collected
    assert collected.unexpected == []


@pytest.fixture(scope="package")
def tabs(browser: Browser) -> Tabs:
    """Reusable tabs, for tests that leave nothing behind that cannot be cleaned up."""
    return Tabs(browser)


@pytest.fixture
def address(app: App) -> str:
    """The URL at which browsers reach the app."""
    return app.url


@pytest.fixture
def browse(address: str, tabs: Tabs, complaints: Complaints) -> Iterator[Browse]:
    """Open a page as a fresh browser profile would; options are those of `Browser.new_context`.

    `user` is already logged in, `storage` is what the browser remembers from an earlier visit. Earlier tests may have
    used the tab and warmed its cache. A test that needs a cold cache, or leaves behind what cannot be cleaned up (a
    listener, an init script, a clock, a websocket route), asks for a `fresh` one.
    """
    lent: list[tuple[Tab, bool]] = []

    def start(
        user: User | None = None, storage: dict[str, str] | None = None, *, fresh: bool = False, **options: Any
    ) -> Page:
        media = {name: options.pop(name, usual) for name, usual in PLAIN.items()}
        viewport = options.pop("viewport", DESKTOP)
        tab = tabs.take(address, {"viewport": DESKTOP} | options, fresh=fresh)
        lent.append((tab, fresh))
        tab.remember((storage or {}) | ({"token": support_shop.token_of(user)} if user else {}))
        tab.page.set_viewport_size(viewport)
        tab.page.emulate_media(**media)
        complaints.listen(tab.context)
        return tab.page

    yield start
    for tab, fresh in lent:
        # Pytest sets sys.last_value when a test fails, which may leave its tab in any state.
        if fresh or complaints.unexpected or hasattr(sys, "last_value"):
            tab.context.close()
        else:
            tabs.put_back(tab)
        complaints.ignore(tab.context)


@pytest.fixture
def line(app: App) -> Iterator[Line]:
    """The connection between the test's browser and the app, which can be cut."""
    between = Line(int(app.url.rpartition(":")[2]))
    yield between
    between.close()
