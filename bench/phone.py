"""A mid-range phone on slow 4G: one cold visit to a page and its measurements."""

from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Browser

from tests.support.traffic import SECONDS_AFTER_LOAD, Traffic

PHONE: dict[str, Any] = {
    "viewport": {"width": 360, "height": 740},
    "device_scale_factor": 2.625,
    "is_mobile": True,
    "has_touch": True,
}
SLOW_4G = {
    "offline": False,
    "latency": 150,
    "downloadThroughput": 1_600_000 / 8,
    "uploadThroughput": 750_000 / 8,
}
CPU_SLOWDOWN = 4
# Times in ms since navigation start; a vehicle counts from the frame in which its card's link is visible.
OBSERVE = """
(() => {
  const seen = (window.measured = { fcp: 0, lcp: 0, cls: 0, tbt: 0, vehicle: 0, ready: 0 });
  const watch = (type, note) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true });
  watch("paint", (entry) => {
    if (entry.name === "first-contentful-paint") seen.fcp = entry.startTime;
  });
  watch("largest-contentful-paint", (entry) => {
    seen.lcp = entry.startTime;
    seen.largest = entry.element?.outerHTML.slice(0, 120) ?? entry.url;
  });
  watch("layout-shift", (entry) => {
    if (!entry.hadRecentInput) seen.cls += entry.value;
  });
  watch("longtask", (entry) => (seen.tbt += Math.max(0, entry.duration - 50)));
  const look = () => {
    const link = document.querySelector('main a[href*="/vehicle-details/"]');
    if (link?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && link.offsetHeight)
      seen.vehicle = performance.now();
    else requestAnimationFrame(look);
  };
  // React has taken over what was served as soon as it knows an element of it.
  const wait = () => {
    const main = document.querySelector("main");
    if (main && Object.keys(main).some((key) => key.startsWith("__reactFiber"))) seen.ready = performance.now();
    else requestAnimationFrame(wait);
  };
  if (window === window.top) {
    requestAnimationFrame(look);
    requestAnimationFrame(wait);
  }
})();
"""


@dataclass(frozen=True)
class Visit:
    """One visit: its traffic, its times (ms) and the length of the page's text."""

    traffic: Traffic
    times: dict[str, float]
    largest: str
    letters: int


def visit(browser: Browser, url: str, least: float = SECONDS_AFTER_LOAD) -> Visit:
    """Open a URL with an empty cache, throttled, and watch it until the network is quiet."""
    context = browser.new_context(**PHONE)
    page = context.new_page()
    page.add_init_script(OBSERVE)
    traffic = Traffic(page)
    traffic.session.send("Network.emulateNetworkConditions", SLOW_4G)
    traffic.session.send("Emulation.setCPUThrottlingRate", {"rate": CPU_SLOWDOWN})
    traffic.visit(url, least)
    measured = page.evaluate("window.measured")
    if measured["vehicle"]:
        # A vehicle is laid out before it is painted.
        measured["vehicle"] = max(measured["vehicle"], measured["fcp"])
    largest = measured.pop("largest", "")
    letters = page.evaluate("document.body.innerText.length")
    context.close()
    return Visit(traffic, measured, largest, letters)
