"""How long a mid-range phone takes to show that it was tapped: every tap of the journey to a booking.

python -m bench.taps --url http://localhost:3000 --runs 3
"""

import argparse
import re
from contextlib import ExitStack
from datetime import datetime, timedelta
from statistics import median

from playwright.sync_api import Browser, Locator, Page, expect

from bench.pages import own_app, started_browser
from bench.phone import CPU_SLOWDOWN, PHONE
from bench.screens import tokens_at
from tests.support.browser_steps import ready, settled, taken_over

# The longest interaction to next paint that web.dev calls good (ms).
TARGET = 200
# From the input to the first frame after all its handlers, of events that belong to an interaction; short ones are left
# out by the browser.
OBSERVE = """
window.taps = [];
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (entry.interactionId) window.taps.push(entry.duration);
}).observe({ type: "event", durationThreshold: 16, buffered: true });
"""
Taps = dict[str, float]


def main() -> None:
    """Walk the journey, and print what each of its taps took."""
    parser = argparse.ArgumentParser(description="Measure the taps of the journey to a booking")
    parser.add_argument("--url", help="a running app with the demo data, in which bookings are made and cancelled")
    parser.add_argument("--runs", type=int, default=3, help="journeys, each on days of its own")
    asked = parser.parse_args()
    with ExitStack() as stack:
        url = asked.url or stack.enter_context(own_app())
        browser, token = stack.enter_context(started_browser()), tokens_at(url)["customer"]
        walks = [_walk(browser, url, token, 5 + 2 * number) for number in range(asked.runs)]
    print(f"{'tap, ms to the next paint':44}{'median':>8}{'longest':>9}   <= {TARGET}")
    for name in walks[0]:
        times = [walk[name] for walk in walks]
        print(f"{name:44}{median(times):8.0f}{max(times):9.0f}   {'PASS' if median(times) <= TARGET else 'over'}")


class _Finger:
    """Taps, and notes how long the longest event of each took."""

    def __init__(self, page: Page) -> None:
        self.page, self.taps = page, Taps()

    def tap(self, name: str, target: Locator) -> None:
        """Tap something, and wait until all has come to rest."""
        expect(target).to_be_visible()
        settled(self.page)
        self.page.evaluate("window.taps = []")
        target.tap()
        settled(self.page)
        self.page.wait_for_timeout(300)
        # None is reported of a tap that took less than a frame.
        self.taps[name] = max(self.page.evaluate("window.taps"), default=0)

    def press(self, name: str | re.Pattern[str], called: str = "") -> None:
        """Tap the button with this name."""
        self.tap(called or str(name), self.page.get_by_role("button", name=name).first)


def _walk(browser: Browser, url: str, token: str, days: int) -> Taps:
    """From the home page to a request sent, its dates and its cancellation."""
    storage = {"cookies": [], "origins": [{"origin": url, "localStorage": [{"name": "token", "value": token}]}]}
    context = browser.new_context(**PHONE, base_url=url, storage_state=storage, timezone_id="Asia/Kolkata")
    page = context.new_page()
    page.add_init_script(OBSERVE)
    context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    finger = _Finger(page)
    _search(finger, days)
    _choose(finger)
    _request(finger)
    context.close()
    return finger.taps


def _opened(page: Page, path: str) -> None:
    page.goto(path)
    ready(page)
    taken_over(page)


def _search(finger: _Finger, days: int) -> None:
    page = finger.page
    _opened(page, "/")
    finger.press(re.compile("Change$"), "home: open the search")
    finger.tap("search: a place", page.get_by_role("button", name="Gachibowli", exact=True))
    finger.press("Open calendar for Pickup", "dates: open")
    sheet = page.get_by_role("dialog", name="When do you ride?")
    for number, day in (("first", days), ("second", days + 1)):
        label = f"{datetime.now().astimezone() + timedelta(days=day):%A, %-d %B %Y}"
        finger.tap(f"dates: {number} day", sheet.get_by_role("button", name=label, exact=True).first)
    finger.press("Use these dates", "dates: use them")
    finger.tap("search: Search", page.get_by_role("dialog").get_by_role("button", name="Search"))
    page.wait_for_url(re.compile("/vehicles"))
    taken_over(page)


def _choose(finger: _Finger) -> None:
    page = finger.page
    finger.tap("results: a type", page.get_by_role("link", name=re.compile(r"^Scooter \d+$")))
    page.wait_for_url(re.compile("type=Scooter"))
    finger.tap("results: a card", page.get_by_role("main").locator('a[href*="/vehicle-details/"]:visible').first)
    page.wait_for_url(re.compile("/vehicle-details/"))
    photos = page.get_by_role("group", name=re.compile("^Photos of")).get_by_role("link")
    if photos.count():
        finger.tap("vehicle: its photos", photos.first)
        finger.press("Close the photos", "vehicle: close them")
    finger.press("Book Now", "vehicle: Book Now")
    page.wait_for_url(re.compile("/review"))
    taken_over(page)


def _request(finger: _Finger) -> None:
    page = finger.page
    finger.press(re.compile("^Request to book"), "review: Request to book")
    page.wait_for_url(re.compile("/my-bookings/PH-"))
    finger.tap("sent: unfold the price", page.locator("summary").filter(has_text="Price").first)
    finger.press("Change dates", "sent: Change dates")
    finger.press("Never mind", "sent: leave them")
    finger.press("Cancel request", "sent: Cancel request")
    asked = page.get_by_role("alertdialog")
    finger.tap("sent: cancel", asked.get_by_role("button", name="Cancel request"))
    expect(page.get_by_role("button", name="Change dates")).to_have_count(0)


if __name__ == "__main__":
    main()
