"""Tabs that tests use one after another: in a new one a visit costs twice as much."""

from typing import Any

from playwright.sync_api import Browser, Error, Page

from tests.support import run_clock

# Chromium reports content security policy violations as console errors; this names the directive as well.
TELL_VIOLATIONS = (
    "document.addEventListener('securitypolicyviolation',"
    " event => console.error('CSP', event.violatedDirective, event.blockedURI))"
)
# What went over the line last, for a test that fails.
KEEP_FRAMES = """window.lastFrames = [];
window.WebSocket = class extends WebSocket {
  keep(way, data) {
    const frame = `${Math.round(performance.now())} ${way} ${String(data).slice(0, 400)}`;
    window.lastFrames = [...window.lastFrames, frame].slice(-12);
  }
  constructor(...given) {
    super(...given);
    this.addEventListener("message", ({ data }) => this.keep("<", data));
    this.addEventListener("close", () => this.keep("closed", ""));
  }
  send(data) {
    this.keep(">", data);
    super.send(data);
  }
};"""
# Media features are left to the system: emulating them would restyle each page as it is left.
PLAIN: dict[str, Any] = dict.fromkeys(("color_scheme", "reduced_motion", "forced_colors", "contrast"), "null")
# What comes late on a machine that has stalled has come; only a test that fails waits that long.
PATIENCE_MS = 60_000
# A page of the app that does nothing.
NEUTRAL = "/robots.txt"
# What a browser may store for an origin besides localStorage and sessionStorage.
KEPT = "cookies,indexeddb,cache_storage,service_workers,file_systems"


class Tab:
    """A page alone in its context."""

    def __init__(self, browser: Browser, address: str, options: dict[str, Any]) -> None:
        self.address = address
        self.options = options
        self.context = browser.new_context(base_url=address, **(PLAIN | options))
        self.context.set_default_timeout(PATIENCE_MS)
        self.context.add_init_script(run_clock.page_script())
        self.context.add_init_script(TELL_VIOLATIONS)
        self.context.add_init_script(KEEP_FRAMES)
        self.page: Page = self.context.new_page()
        self._session = self.context.new_cdp_session(self.page)

    def remember(self, items: dict[str, str]) -> None:
        """Put items into localStorage as an earlier visit would."""
        if not items:
            return
        if self.page.url != self.address + NEUTRAL:
            self.page.goto(NEUTRAL)
        self.page.evaluate("items => Object.assign(localStorage, items)", items)

    def clean(self) -> None:
        """Reset the tab as if nobody had used it; listeners, scripts and clocks that a test has installed stay."""
        for other in self.context.pages:
            if other != self.page:
                other.close()
        self.page.unroute_all()
        self.context.set_offline(False)
        self.page.goto(NEUTRAL)
        self.page.evaluate("localStorage.clear(); sessionStorage.clear()")
        self.page.mouse.move(0, 0)
        self._session.send("Storage.clearDataForOrigin", {"origin": self.address, "storageTypes": KEPT})
        self._session.send("Page.resetNavigationHistory")


class Tabs:
    """The tabs of one address that wait for their next test."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._waiting: list[Tab] = []

    def take(self, address: str, options: dict[str, Any], *, fresh: bool) -> Tab:
        """Return a tab whose context has these options, possibly a used one unless it must be `fresh`."""
        for left in [tab for tab in self._waiting if tab.address != address]:
            self._waiting.remove(left)
            left.context.close()
        fitting = [tab for tab in self._waiting if tab.options == options and not fresh]
        if not fitting:
            return Tab(self._browser, address, options)
        self._waiting.remove(fitting[-1])
        return fitting[-1]

    def put_back(self, tab: Tab) -> None:
        """Keep a tab for the next test; one that cannot be cleaned is closed."""
        try:
            tab.clean()
        except Error:
            tab.context.close()
        else:
            self._waiting.append(tab)
