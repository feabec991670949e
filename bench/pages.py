"""What a page costs a phone: bytes over the wire and times, against a bare page with as much text, in one run.

python -m bench.pages --url http://localhost:3000 --runs 3 --detail
"""

import argparse
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from playwright.sync_api import Browser, sync_playwright

from bench.phone import Visit, visit
from tests.support import chromium
from tests.support.app import running, stop
from tests.support.routes import PUBLIC

KB = 1024
BUDGETS_KB = {"/": 171}
BUDGET_KB = 173
# The targets in ms; a page not listed here has none.
TARGETS: dict[tuple[str, str], float] = {
    ("/", "fcp"): 1000,
    ("/", "lcp"): 1800,
    ("/", "ready"): 2000,
    ("/vehicles", "vehicle"): 2500,
}
SIZES = (("JS", ("script",)), ("CSS", ("style",)), ("both", ("script", "style")))
OTHER_SIZES = (("HTML", ("html",)), ("fonts", ("font",)), ("images", ("image",)), ("rest", ("other",)))
TIMES = (("fcp", "first paint"), ("lcp", "largest paint"), ("vehicle", "first vehicle"), ("ready", "scripts ready"))
# The rider's four pages: headers and page in the first 14 KB of a line, first paint against the bare page's, and ready.
MAIN = ("/", "/vehicles", "/vehicle-details/1", "/offers")
PAGE_KB, PAINT_RATIO, READY_MS = 14, 2.2, 1600
Visits = dict[str, list[tuple[Visit, Visit]]]


def main() -> None:
    """Measure every page and print the tables."""
    parser = argparse.ArgumentParser(description="Measure the pages as a phone on slow 4G sees them")
    parser.add_argument("--url", help="a running app with the demo data; without it one is started")
    parser.add_argument("--runs", type=int, default=3, help="cold visits of each page")
    parser.add_argument("--pages", nargs="+", default=PUBLIC, help="paths to measure")
    parser.add_argument("--detail", action="store_true", help="list what weighs most on the first page")
    asked = parser.parse_args()
    with ExitStack() as stack:
        url = asked.url or stack.enter_context(own_app())
        visits = _measure(stack.enter_context(started_browser()), url, stack.enter_context(_floor()), asked)
    _print_sizes(visits)
    _print_times(visits)
    if asked.detail:
        _print_heaviest(*next(iter(visits.items())))


@contextmanager
def own_app() -> Iterator[str]:
    """Run the real app with the demo data in a temporary folder and yield its URL."""
    with tempfile.TemporaryDirectory(prefix="rental-bench-") as folder, running(Path(folder)) as app:
        yield app.url


@contextmanager
def started_browser() -> Iterator[Browser]:
    """Start a Chromium for this run alone."""
    with sync_playwright() as playwright:
        browser = chromium.launched(playwright)
        yield browser
        browser.close()


@contextmanager
def _floor() -> Iterator[str]:
    """Serve bare pages and yield their URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    serve = [sys.executable, "-m", "uvicorn", "--no-access-log", "--port", str(port), "bench.bare:app"]
    process = subprocess.Popen(serve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)  # noqa: S603
    try:
        wait_for(port)
        yield f"http://127.0.0.1:{port}"
    finally:
        stop(process)


def wait_for(port: int) -> None:
    """Return once something listens on a port; raise TimeoutError otherwise."""
    for _ in range(100):
        with socket.socket() as probe:
            if not probe.connect_ex(("127.0.0.1", port)):
                return
        time.sleep(0.1)
    raise TimeoutError("The bare pages are not served")


def _measure(browser: Browser, url: str, floor: str, asked: argparse.Namespace) -> Visits:
    """Visit each page and then a bare page with as much text, in turns."""
    visits: Visits = {path: [] for path in asked.pages}
    for number in range(asked.runs):
        for path, seen in visits.items():
            print(f"\rvisit {number + 1} of {asked.runs}: {path:40}", end="", file=sys.stderr, flush=True)
            page = visit(browser, url + path)
            seen.append((page, visit(browser, f"{floor}/{page.letters}", 0)))
    print(f"\r{'':60}\r", end="", file=sys.stderr)
    return visits


def _print_sizes(visits: Visits) -> None:
    """Print the kilobytes over the wire by kind, and whether scripts and styles stay within the budget."""
    columns = (*SIZES, *OTHER_SIZES)
    print(f"{'KB over the wire':28}" + "".join(f"{name:>8}" for name, _ in columns) + "   JS + CSS")
    for path, seen in visits.items():
        sizes = {name: median(page.traffic.size(*kinds) for page, _ in seen) / KB for name, kinds in columns}
        cells = "".join(f"{size:8.1f}" for size in sizes.values())
        most = BUDGETS_KB.get(path, BUDGET_KB)
        page = f"   page <= {PAGE_KB} KB: {_verdict(sizes['HTML'], PAGE_KB)}" if path in MAIN else ""
        print(f"{path:28}{cells}   <= {most} KB: {_verdict(sizes['both'], most)}{page}")


def _print_times(visits: Visits) -> None:
    """Print median times, also as a multiple of the bare page's first paint, and against the targets."""
    head = "".join(f"{name:>14} {'x floor':>8}" for _, name in TIMES)
    print(f"\n{'ms':28}{head}{'blocked':>9}{'shift':>7}{'floor':>7}")
    for path, seen in visits.items():
        floor = median(bare.times["fcp"] for _, bare in seen)
        times = {key: median(page.times[key] for page, _ in seen) for key in seen[0][0].times}
        cells = "".join(_cell(times[key], floor) for key, _ in TIMES)
        print(
            f"{path:28}{cells}{times['tbt']:9.0f}{times['cls']:7.3f}{floor:7.0f}  {_kept(path, times, floor)}".rstrip()
        )


def _cell(time_ms: float, floor: float) -> str:
    return f"{time_ms:14.0f} {time_ms / floor:8.1f}" if time_ms else f"{'-':>14} {'-':>8}"


def _kept(path: str, times: dict[str, float], floor: float) -> str:
    targets = TARGETS | (_rider_targets(path, floor) if path in MAIN else {})
    named = ((name, key, targets.get((path, key))) for key, name in TIMES)
    return ", ".join(f"{name} <= {most:.0f}: {_verdict(times[key], most)}" for name, key, most in named if most)


def _rider_targets(path: str, floor: float) -> dict[tuple[str, str], float]:
    """The targets of the rider's pages (ms), which are stricter than the others."""
    return {(path, "fcp"): PAINT_RATIO * floor, (path, "ready"): READY_MS}


def _verdict(value: float, most: float) -> str:
    return "PASS" if value <= most else f"over by {value - most:.0f}"


def _print_heaviest(path: str, seen: list[tuple[Visit, Visit]]) -> None:
    """Print the page's heaviest files and its largest paint."""
    page = seen[-1][0]
    print(f"\n{path}: scripts and styles by weight (KB); largest paint: {page.largest}")
    for answer in page.traffic.fetched("script", "style"):
        encoding = answer.headers.get("content-encoding", "plain")
        print(f"  {answer.size / KB:8.1f}  {encoding:6} {answer.url.split('/', 3)[-1]}")


if __name__ == "__main__":
    main()
